//! MPS, the column-oriented text format of linear programming systems.
//!
//! ```text
//! NAME knapsack
//! OBJSENSE
//!     MAX
//! ROWS
//!  N value
//!  L weight
//! COLUMNS
//!  MARKER 'MARKER' 'INTORG'
//!  a value 6 weight 5
//!  n value 0.5 weight 1
//!  MARKER 'MARKER' 'INTEND'
//! RHS
//!  RHS weight 8 value 3
//! BOUNDS
//!  BV BND a
//!  LO BND n -1
//!  UP BND n 4
//! ENDATA
//! ```
//!
//! **Read** are the free format (fields between blanks) and the fixed one (fields in the columns
//! 2-3, 5-12, 15-22, 25-36, 40-47 and 50-61, so that names may have blanks). A text is fixed if it
//! cannot be read as free and can be read as fixed, and free otherwise. Section words begin in the
//! first column, all other lines with a blank; lines that begin with `*` are comments.
//!
//! The first `N` row, or that of `OBJNAME`, is the objective; other `N` rows are rows without
//! bounds. It is minimized unless `OBJSENSE` says otherwise. Its right-hand side is the negated
//! constant. With right-hand side `b`, a range `r` makes `b - |r|` to `b` of an `L` row,
//! `b` to `b + |r|` of a `G` row, and of an `E` row the one or the other by the sign of `r`.
//! Entries for the same row in one column are added up.
//!
//! Every column has to be an integer: between `INTORG` and `INTEND` markers, or by its bounds
//! (`BV`, `LI`, `UI`). Integer columns without any line under `BOUNDS` are 0-1; others are at least
//! 0 if nothing else is said, and need an upper bound. Bounds that are no integers are rounded
//! inwards, and those of `1e20` and more are infinite. A negative upper bound without a lower one,
//! on which programs differ, is refused, as are second right-hand sides, ranges and bounds.
//! Quadratic sections, SOS, indicators and semi-continuous bounds are
//! [`ReadError::Unsupported`](crate::formats::ReadError).
//!
//! **Written** is the free format: see [`write()`].

mod fields;
mod read;
mod write;

pub use read::read;
pub use write::write;
pub(crate) use write::write_numbered;
