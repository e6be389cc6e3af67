//! Proofs of SAT solvers: what each step is read as, and what is refused.

use pbsolve::Lit;
use pbsolve::formats::{ClausalError, ClausalFormat, ClausalProof, ClausalStep};

/// The steps as short texts, and the error that ends them.
fn steps(bytes: &[u8], format: ClausalFormat) -> (Vec<String>, Option<String>) {
    let mut read = Vec::new();
    let mut proof = match ClausalProof::new(bytes, format) {
        Ok(proof) => proof,
        Err(error) => return (read, Some(error.to_string())),
    };
    loop {
        match proof.next() {
            Ok(Some(step)) => read.push(shown(&step)),
            Ok(None) => return (read, None),
            Err(error @ ClausalError::Step { .. }) => return (read, Some(error.to_string())),
            Err(error) => panic!("{error}"),
        }
    }
}

fn shown(step: &ClausalStep) -> String {
    let clause = |lits: &[Lit]| {
        let lits: Vec<_> = lits.iter().map(|lit| lit.to_dimacs().to_string()).collect();
        lits.join(" ")
    };
    match step {
        ClausalStep::Add { lits, lrat: None } => format!("[{}]", clause(lits)),
        ClausalStep::Add { lits, lrat: Some((number, hints)) } => {
            format!("{number}: [{}] by {hints:?}", clause(lits))
        }
        ClausalStep::DeleteClause(lits) => format!("not [{}]", clause(lits)),
        ClausalStep::DeleteNumbers(numbers) => format!("not {numbers:?}"),
    }
}

#[test]
fn drat_as_text() {
    let text = b"c a comment\n1 -2 0\n\n d  -3 4 0\r\ncomment\n-7 0\n0\n";
    let (read, error) = steps(text, ClausalFormat::Drat);
    assert_eq!((read.join("; "), error), ("[1 -2]; not [-3 4]; [-7]; []".to_owned(), None));
    assert_eq!(steps(b"", ClausalFormat::Drat), (Vec::new(), None));
    assert_eq!(steps(b"1 0", ClausalFormat::Drat).0, ["[1]"], "a last line without its end");
}

#[test]
fn drat_in_binary() {
    // The example of the format's description: 63 and -8193 are 126 and 16387.
    let binary = [b'a', 126, 0x83, 0x80, 1, 0, b'd', 2, 3, 0, b'a', 0];
    let (read, error) = steps(&binary, ClausalFormat::Drat);
    assert_eq!((read.join("; "), error), ("[63 -8193]; not [1 -1]; []".to_owned(), None));
    let largest = [b'a', 0xfe, 0xff, 0xff, 0xff, 0x0f, 0];
    assert_eq!(steps(&largest, ClausalFormat::Drat).0, ["[2147483647]"]);
}

#[test]
fn lrat_as_text() {
    let text = b"8 1 -2 0 3 4 0\n8 d 1 2 0\n9 0 8 5 0\n";
    let (read, error) = steps(text, ClausalFormat::Lrat);
    let expected = "8: [1 -2] by [3, 4]; not [1, 2]; 9: [] by [8, 5]";
    assert_eq!((read.join("; "), error), (expected.to_owned(), None));
}

#[test]
fn what_is_no_step_is_refused_with_its_number() {
    let beyond = [b'a', 0x80, 0x80, 0x80, 0x80, 0x10, 0];
    for (bytes, format, wrong) in [
        (&b"1 2\n"[..], ClausalFormat::Drat, "step 1: the line ends without 0"),
        (b"1 0\n1 x 0\n", ClausalFormat::Drat, "step 2: `x`, but expected a literal or 0"),
        (b"1 0 2 0\n", ClausalFormat::Drat, "step 1: `2` after the final 0"),
        (b"2147483648 0\n", ClausalFormat::Drat, "`2147483648`, but expected a literal or 0"),
        (b"-2147483648 0\n", ClausalFormat::Drat, "`-2147483648`, but expected a literal or 0"),
        (b"\xC3\x28 0\n", ClausalFormat::Drat, "step 1: byte 0xc3, but expected `a` or `d`"),
        (b"a\x02", ClausalFormat::Drat, "step 1: the file ends within a step"),
        (b"a\x02\0x\x02\0", ClausalFormat::Drat, "step 2: byte 0x78, but expected `a` or `d`"),
        (b"a\x01\0", ClausalFormat::Drat, "step 1: a literal of variable 0"),
        (&beyond, ClausalFormat::Drat, "step 1: a literal beyond 32 bits"),
        (b"8 1 0 3\n", ClausalFormat::Lrat, "step 1: the line ends without 0"),
        (b"0 1 0 3 0\n", ClausalFormat::Lrat, "step 1: `0`, but expected the number of a clause"),
        (b"8 1 0 3 x 0\n", ClausalFormat::Lrat, "step 1: `x`, but expected the number"),
        (b"8 d -1 0\n", ClausalFormat::Lrat, "step 1: hint -1: a RAT step"),
        (b"8 1 2 0 3 -4 5 0\n", ClausalFormat::Lrat, "step 1: hint -4: a RAT step"),
        (b"a\x10\x02\0\x03\0", ClausalFormat::Lrat, "step 1: binary LRAT"),
    ] {
        let (_, error) = steps(bytes, format);
        let shown = String::from_utf8_lossy(bytes).into_owned();
        let error = error.unwrap_or_else(|| panic!("{shown:?} is read"));
        assert!(error.contains(wrong), "{shown:?}: {error}");
    }
}
