//! JSON, for programs that make or read models. The schema is this program's own:
//!
//! ```text
//! {
//!   "version": 1,
//!   "variables": ["a", "c", {"name": "n", "lower": -1, "upper": 4}],
//!   "objective": {"sense": "max", "terms": [[6, "a"], [5, "c"], [1, "n"]], "offset": -3, "divisor": 2},
//!   "constraints": [
//!     {"name": "weight", "terms": [[5, "a"], [4, "~c"], [1, "n"]], "lower": null, "upper": 8},
//!     {"terms": [[1, "a"], [1, "c"]], "op": ">=", "rhs": 1}
//!   ]
//! }
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 1 |
//! | `variables` | a name for each 0-1 variable, an object with finite bounds for each integer |
//! | `terms` | pairs of a coefficient and a name; `~c` is the negation of a 0-1 variable, 1 - c |
//! | `objective` | may be missing; `sense` is `min` or `max`; the value is the `offset` (0 if it is missing) and the terms, divided by the `divisor` (1 if it is missing) |
//! | `constraints` | in each the sum of the `terms` is at least `lower` and at most `upper`, or stands in the relation `op` (`<=`, `>=`, `=`) to `rhs`; a bound may be missing or null, but not both missing; the `name` may be missing |
//!
//! **Read**: numbers are integers, as JSON numbers or, since many programs read those as floating
//! point, in quotes (`"18446744073709551616"`); both are exact up to 128 bits. Points and
//! exponents, unknown fields, fields that occur twice, names that occur twice and names without a
//! variable are refused. The binary digits of an integer `n` are variables of the model, called
//! `n@0`, `n@1`, ... and may be used in terms. An integer from 0 to 1 is a 0-1 variable.
//!
//! **Written** is `lower` and `upper`, with numbers beyond 2^53 in quotes: see [`write()`].

mod read;
mod write;

pub use read::read;
pub use write::write;
