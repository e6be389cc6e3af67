//! Variables and literals: dense numbers from 0; DIMACS numbers only where text is read or written.

use std::fmt;
use std::ops::Not;

/// A 0-1 variable, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The largest index: its DIMACS number is `i32::MAX`.
    pub const MAX_INDEX: usize = i32::MAX as usize - 1;

    /// The variable with this index.
    ///
    /// # Panics
    /// If `index` exceeds [`Var::MAX_INDEX`]; readers and model builders check sizes before.
    pub fn new(index: usize) -> Var {
        assert!(index <= Var::MAX_INDEX, "variable index {index} is beyond 2^31 - 2");
        Var(u32::try_from(index).expect("checked above"))
    }

    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is 1.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is 0.
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that is true when the variable has this value.
    pub fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// A variable or its negation: `2 * variable + sign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Its variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether this is the negation of its variable.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// `2 * variable + sign`: a dense index for tables over literals.
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The literal with this [`code`](Lit::code).
    ///
    /// # Panics
    /// If the variable would be beyond [`Var::MAX_INDEX`].
    pub fn from_code(code: usize) -> Lit {
        Var::new(code >> 1).lit(code & 1 == 0)
    }

    /// The DIMACS number: variables from 1, negative when negated.
    pub fn to_dimacs(self) -> i32 {
        let number = i32::try_from(self.0 >> 1).expect("indices are below 2^31") + 1;
        if self.is_negative() { -number } else { number }
    }

    /// The literal with this DIMACS number; `None` for 0 and `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        if number == 0 || number == i32::MIN {
            return None;
        }
        Some(Var(number.unsigned_abs() - 1).lit(number > 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}
