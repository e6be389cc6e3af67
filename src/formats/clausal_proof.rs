//! The proofs of SAT solvers, read step by step: DRAT, as text or binary, and LRAT as text.
//!
//! N. Wetzler, M. Heule, W. Hunt: DRAT-trim: Efficient Checking and Trimming Using Expressive
//! Clausal Proofs. SAT 2014. L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp:
//! Efficient Certified RAT Verification. CADE 2017 (LRAT).

use pbsolve_model::{Lit, Var};
use std::io::{self, BufRead};

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClausalStep {
    /// A clause that follows. With its number and hints in LRAT: the clauses that propagate, in
    /// order.
    Add {
        /// The clause.
        lits: Vec<Lit>,
        /// Its number and hints.
        lrat: Option<(u64, Vec<u64>)>,
    },
    /// A clause that is no longer needed, by its literals in any order.
    DeleteClause(Vec<Lit>),
    /// Clauses that are no longer needed, by their numbers.
    DeleteNumbers(Vec<u64>),
}

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClausalFormat {
    /// Clauses and deletions; text and binary are told apart by the first bytes.
    Drat,
    /// Numbered clauses with hints, as text.
    Lrat,
}

/// What is wrong with a proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClausalError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A step is none.
    #[error("step {step}: {message}")]
    Step {
        /// The step, from 1, comments not counted.
        step: u64,
        /// What was found, and what was expected.
        message: String,
    },
}

/// Reads a proof.
#[derive(Debug)]
pub struct ClausalProof<R> {
    input: R,
    encoding: Encoding,
    num_steps: u64,
    line: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    DratText,
    DratBinary,
    LratText,
}

impl<R: BufRead> ClausalProof<R> {
    /// A reader at the first step.
    ///
    /// # Errors
    /// If nothing can be read, or if an LRAT proof is binary.
    pub fn new(mut input: R, format: ClausalFormat) -> Result<ClausalProof<R>, ClausalError> {
        // Text has no byte 0, with which every binary step ends.
        let is_text = input.fill_buf()?.iter().all(|byte| byte.is_ascii() && *byte >= b'\t');
        let encoding = match (format, is_text) {
            (ClausalFormat::Drat, true) => Encoding::DratText,
            (ClausalFormat::Drat, false) => Encoding::DratBinary,
            (ClausalFormat::Lrat, true) => Encoding::LratText,
            (ClausalFormat::Lrat, false) => {
                let message = "binary LRAT, but only LRAT as text is read (cadical --no-binary)";
                return Err(ClausalError::Step { step: 1, message: message.to_owned() });
            }
        };
        Ok(ClausalProof { input, encoding, num_steps: 0, line: Vec::new() })
    }

    /// The format that it is read in.
    pub fn format(&self) -> ClausalFormat {
        match self.encoding {
            Encoding::DratText | Encoding::DratBinary => ClausalFormat::Drat,
            Encoding::LratText => ClausalFormat::Lrat,
        }
    }

    /// The next step; `None` at the end.
    ///
    /// # Errors
    /// If it cannot be read or is none.
    #[allow(clippy::should_implement_trait, reason = "an error ends it, unlike an iterator")]
    pub fn next(&mut self) -> Result<Option<ClausalStep>, ClausalError> {
        self.num_steps += 1;
        if self.encoding == Encoding::DratBinary {
            return self.binary_step();
        }
        loop {
            self.line.clear();
            if self.input.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            let Ok(line) = std::str::from_utf8(&self.line) else {
                return Err(self.wrong("bytes that are not text"));
            };
            let mut words = line.split_ascii_whitespace().peekable();
            match words.peek() {
                None | Some(&"c") => continue,
                Some(word) if word.starts_with('c') => continue,
                Some(_) => {}
            }
            let read = match self.encoding {
                Encoding::LratText => lrat_step(words),
                _ => drat_step(words),
            };
            return read.map(Some).map_err(|message| self.wrong(&message));
        }
    }

    fn wrong(&self, message: &str) -> ClausalError {
        ClausalError::Step { step: self.num_steps, message: message.to_owned() }
    }

    fn byte(&mut self) -> Result<Option<u8>, ClausalError> {
        let byte = self.input.fill_buf()?.first().copied();
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    fn binary_step(&mut self) -> Result<Option<ClausalStep>, ClausalError> {
        let kind = match self.byte()? {
            None => return Ok(None),
            Some(kind @ (b'a' | b'd')) => kind,
            Some(other) => {
                return Err(self.wrong(&format!("byte {other:#04x}, but expected `a` or `d`")));
            }
        };
        let mut lits = Vec::new();
        loop {
            match self.binary_number()? {
                0 => break,
                number if number < 2 => return Err(self.wrong("a literal of variable 0")),
                number => {
                    let Ok(var) = usize::try_from(number / 2 - 1) else {
                        return Err(self.wrong("a literal beyond 32 bits"));
                    };
                    lits.push(Var::new(var).lit(number % 2 == 0));
                }
            }
        }
        Ok(Some(match kind {
            b'a' => ClausalStep::Add { lits, lrat: None },
            _ => ClausalStep::DeleteClause(lits),
        }))
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn binary_number(&mut self) -> Result<u64, ClausalError> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.byte()? else {
                return Err(self.wrong("the file ends within a step"));
            };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let fits = u32::try_from(number).is_ok();
                return if fits { Ok(number) } else { Err(self.wrong("a literal beyond 32 bits")) };
            }
        }
        Err(self.wrong("a literal beyond 32 bits"))
    }
}

fn drat_step<'t>(words: impl Iterator<Item = &'t str>) -> Result<ClausalStep, String> {
    let mut words = words.peekable();
    let deletes = words.next_if_eq(&"d").is_some();
    let lits = lits(&mut words)?;
    end(&mut words)?;
    Ok(if deletes {
        ClausalStep::DeleteClause(lits)
    } else {
        ClausalStep::Add { lits, lrat: None }
    })
}

fn lrat_step<'t>(words: impl Iterator<Item = &'t str>) -> Result<ClausalStep, String> {
    let mut words = words.peekable();
    let number = words.next().map_or(Err("an empty step".to_owned()), clause_number)?;
    if words.next_if_eq(&"d").is_some() {
        let numbers = numbers(&mut words)?;
        end(&mut words)?;
        return Ok(ClausalStep::DeleteNumbers(numbers));
    }
    let lits = lits(&mut words)?;
    let hints = numbers(&mut words)?;
    end(&mut words)?;
    Ok(ClausalStep::Add { lits, lrat: Some((number, hints)) })
}

/// Literals up to the next 0.
fn lits<'t>(words: &mut impl Iterator<Item = &'t str>) -> Result<Vec<Lit>, String> {
    let mut lits = Vec::new();
    for word in words {
        match word.parse::<i32>() {
            Ok(0) => return Ok(lits),
            Ok(number) if number != i32::MIN => {
                let var = Var::new(number.unsigned_abs() as usize - 1);
                lits.push(var.lit(number > 0));
            }
            _ => return Err(format!("`{word}`, but expected a literal or 0")),
        }
    }
    Err("the line ends without 0".to_owned())
}

/// Numbers of clauses up to the next 0.
fn numbers<'t>(words: &mut impl Iterator<Item = &'t str>) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    for word in words {
        if word == "0" {
            return Ok(numbers);
        }
        if word.starts_with('-') {
            return Err(format!(
                "hint {word}: a RAT step, which adds a clause that does not follow; only steps by \
                 unit propagation can be taken over"
            ));
        }
        numbers.push(clause_number(word)?);
    }
    Err("the line ends without 0".to_owned())
}

fn clause_number(word: &str) -> Result<u64, String> {
    let number = word.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("`{word}`, but expected the number of a clause"))
}

fn end<'t>(words: &mut impl Iterator<Item = &'t str>) -> Result<(), String> {
    words.next().map_or(Ok(()), |word| Err(format!("`{word}` after the final 0")))
}
