//! LP, the text format of CPLEX.
//!
//! ```text
//! Maximize
//!  value: 6 a + 5 c + 0.5 n - 3
//! Subject To
//!  weight: 5 a + 4 c + n <= 8
//! Bounds
//!  -1 <= n <= 4
//! Binary
//!  a c
//! General
//!  n
//! End
//! ```
//!
//! **Read** is the format as CPLEX documents it, with exact numbers: decimal and scientific
//! notation are fractions, and a row with fractions is scaled to integers. Every variable has to be
//! declared as `Binary`, or as `General` with finite bounds; bounds that are no integers are
//! rounded inwards. `Bounds` of a `Binary` narrow its 0 and 1. As in CPLEX, a variable is at least
//! 0 if nothing else is said, the last bound counts, and bounds of `1e20` and more are infinite;
//! a negative upper bound without a lower one, on which programs differ, is refused.
//!
//! Words such as `st` or `end` begin a section only as the first word of a line without a colon
//! behind it; elsewhere they are names. Rows, bounds and section words begin on new lines. A number
//! and a name may touch (`3x`), except where that could be an exponent (`3e`, `2e1x`). The right
//! side of a row is a number; numbers on the left are moved there. A range is `1 <= x + y <= 3`.
//! `x[1]` is a name. Quadratic terms, indicator rows, SOS, semi-continuous variables, lazy
//! constraints and user cuts are [`ReadError::Unsupported`](crate::formats::ReadError).
//!
//! CPLEX does without `End`; here a file that lacks it is refused, since it may have been cut
//! short.
//!
//! **Written** is what every program reads: see [`write()`].

mod read;
mod scan;
mod write;

pub use read::read;
pub use write::write;
pub(crate) use write::write_numbered;
