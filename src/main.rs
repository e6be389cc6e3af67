//! The command line of pbsolve.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main().into()
}
