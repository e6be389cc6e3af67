//! Nothing: this package holds benches against other libraries. `cargo bench` in its folder runs
//! them.
