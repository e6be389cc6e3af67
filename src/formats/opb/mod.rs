//! OPB, the text format of the pseudo-Boolean competitions.
//!
//! ```text
//! * #variable= 3 #constraint= 2
//! min: +3 x1 -2 x3 ;
//! +1 x1 +1 x2 +1 x3 >= 2 ;
//! -1 x1 -1 x2 = -1 ;
//! ```
//!
//! **Read** is the linear grammar of 2005 to 2026 and what files in use add to it: `<=`, `max:`,
//! negated literals `~x1`, a missing coefficient, `3*x1`, a blank after a sign, empty sums, a
//! constant on the left (`x1 + 3 >= 4`, moved to the right), constraints over several lines or
//! several on one, comment lines anywhere and comments after `;`, labels (`@name` before a
//! constraint: the row's name), a byte-order mark, CR LF. Products and soft constraints are
//! [`ReadError::Unsupported`](crate::formats::ReadError::Unsupported), as is every number beyond 128
//! bits.
//!
//! The variables are `x1`, `x2`, ... up to the largest number used or the number that the first
//! line declares. A file may give all its variables other names instead; they are then numbered
//! as they appear. Comments, such as the `* map x1 NAME` lines of [`write()`], are never obeyed.
//!
//! The first line may promise too little: all that follows is read. If it promises more
//! constraints than there are, the file was cut short, and is refused.
//!
//! **Written** is the strict grammar: `>=` and `=`, explicit signs, no `~`. See [`write()`].

mod read;
mod scan;
mod write;

pub use read::read;
pub use write::write;
pub(crate) use write::write_agreeing;
