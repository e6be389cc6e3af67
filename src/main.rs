//! The command line of pbsolve.

mod cli;

fn main() {
    cli::main().end()
}
