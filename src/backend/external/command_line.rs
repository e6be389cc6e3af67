//! A command line with places for file names, split into words without a shell.

use std::ffi::OsString;
use std::path::Path;

/// The place of the DIMACS file.
const CNF: &str = "{cnf}";

/// The place of the answer file.
const OUT: &str = "{out}";

/// What a shell would not take as it stands outside quotes.
const FOR_SHELL: &str = "|&;<>()$`\\*?[";

/// What a shell would not take as it stands in double quotes.
const FOR_SHELL_QUOTED: &str = "$`\\";

/// What is wrong with the command of an external solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no word, or the first one is empty.
    #[error("the command names no program")]
    NoProgram,
    /// A quote without its second half.
    #[error("the command has an opening {0} without a closing one")]
    OpenQuote(char),
    /// A sign that a shell would act on.
    #[error("no shell runs the command, so that `{0}` means nothing: put it in single quotes")]
    ForShell(char),
}

/// The words of a command: a program and its arguments, at least one of which has `{cnf}`.
#[derive(Debug)]
pub(super) struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// Splits at blanks outside quotes, as a shell does. Where a shell would do more than that,
    /// this is an error: the user expects something that would not happen.
    pub(super) fn parse(command: &str) -> Result<CommandLine, CommandError> {
        let mut words: Vec<String> = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for sign in command.chars() {
            let is_for_shell = match quote {
                None if word.is_none() && matches!(sign, '~' | '#') => true,
                None => FOR_SHELL.contains(sign),
                Some(open) => open == '"' && FOR_SHELL_QUOTED.contains(sign),
            };
            match quote {
                _ if is_for_shell => return Err(CommandError::ForShell(sign)),
                Some(open) if open == sign => quote = None,
                None if sign.is_ascii_whitespace() => words.extend(word.take()),
                None if matches!(sign, '\'' | '"') => {
                    quote = Some(sign);
                    word.get_or_insert_default();
                }
                _ => word.get_or_insert_default().push(sign),
            }
        }
        if let Some(open) = quote {
            return Err(CommandError::OpenQuote(open));
        }
        words.extend(word);
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::NoProgram);
        }
        if !words.iter().any(|word| word.contains(CNF)) {
            words.push(CNF.to_owned());
        }
        Ok(CommandLine { words })
    }

    /// The first word.
    pub(super) fn program(&self) -> &str {
        &self.words[0]
    }

    /// Whether the solver writes its answer to a file.
    pub(super) fn has_answer_file(&self) -> bool {
        self.words.iter().any(|word| word.contains(OUT))
    }

    /// The words with the names of the files in their places.
    pub(super) fn with_paths(&self, cnf: &Path, out: &Path) -> Vec<OsString> {
        self.words.iter().map(|word| with_paths(word, cnf, out)).collect()
    }
}

fn with_paths(word: &str, cnf: &Path, out: &Path) -> OsString {
    let mut written = OsString::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        written.push(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(CNF) {
            written.push(cnf);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(OUT) {
            written.push(out);
            rest = after;
        } else {
            written.push("{");
            rest = &rest[1..];
        }
    }
    written.push(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Result<Vec<String>, CommandError> {
        let line = CommandLine::parse(command)?;
        let written = line.with_paths(Path::new("/t/f.cnf"), Path::new("/t/answer"));
        Ok(written.into_iter().map(|word| word.into_string().expect("is UTF-8")).collect())
    }

    #[test]
    fn words_are_split_like_a_shell_does_it() {
        for (command, expected) in [
            ("kissat", &["kissat", "/t/f.cnf"][..]),
            (" cadical\t-q  {cnf} ", &["cadical", "-q", "/t/f.cnf"]),
            ("minisat {cnf} {out}", &["minisat", "/t/f.cnf", "/t/answer"]),
            ("x --in={cnf} --out={out}.txt", &["x", "--in=/t/f.cnf", "--out=/t/answer.txt"]),
            ("x {{cnf}} {lp} {", &["x", "{/t/f.cnf}", "{lp}", "{"]),
            ("'my solver' \"a b\"c'd'", &["my solver", "a bcd", "/t/f.cnf"]),
            ("x '' \"\"", &["x", "", "", "/t/f.cnf"]),
            ("x '$HOME \\ \"' \"it's * | ~\"", &["x", "$HOME \\ \"", "it's * | ~", "/t/f.cnf"]),
            ("x a~b c#d", &["x", "a~b", "c#d", "/t/f.cnf"]),
        ] {
            assert_eq!(words(command).as_deref(), Ok(&expected.map_to_strings()[..]), "{command}");
        }
    }

    trait MapToStrings {
        fn map_to_strings(&self) -> Vec<String>;
    }

    impl MapToStrings for &[&str] {
        fn map_to_strings(&self) -> Vec<String> {
            self.iter().map(ToString::to_string).collect()
        }
    }

    #[test]
    fn what_only_a_shell_understands_is_an_error() {
        for (command, error) in [
            ("", CommandError::NoProgram),
            (" \n", CommandError::NoProgram),
            ("'' x", CommandError::NoProgram),
            ("x 'a", CommandError::OpenQuote('\'')),
            ("x \"a'", CommandError::OpenQuote('"')),
            ("x {cnf} > log", CommandError::ForShell('>')),
            ("~/bin/x", CommandError::ForShell('~')),
            ("x # {cnf}", CommandError::ForShell('#')),
            ("x a\\ b", CommandError::ForShell('\\')),
            ("x \"$HOME\"", CommandError::ForShell('$')),
        ] {
            assert_eq!(words(command), Err(error), "{command}");
        }
    }
}
