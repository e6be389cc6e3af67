//! A command line with places for file names, split into words without a shell.

use std::ffi::OsString;
use std::path::Path;

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

/// The words of a command: a program and its arguments, at least one of which has the place of an
/// input file.
#[derive(Debug)]
pub(crate) struct CommandLine {
    words: Vec<String>,
}

impl CommandLine {
    /// Splits at blanks outside quotes, as a shell does. Where a shell would do more than that,
    /// this is an error: the user expects something that would not happen. The first of the
    /// `inputs`, such as `{cnf}`, is added as the last word if none of them stands anywhere.
    pub(crate) fn parse(command: &str, inputs: &[&str]) -> Result<CommandLine, CommandError> {
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
        let mut line = CommandLine { words };
        if !inputs.iter().any(|input| line.mentions(input)) {
            line.words.extend(inputs.first().map(|&input| input.to_owned()));
        }
        Ok(line)
    }

    /// The first word.
    pub(crate) fn program(&self) -> &str {
        &self.words[0]
    }

    /// Whether a place such as `{out}` stands in a word.
    pub(crate) fn mentions(&self, place: &str) -> bool {
        self.words.iter().any(|word| word.contains(place))
    }

    /// The words with the names of the files in their places.
    pub(crate) fn with_paths(&self, paths: &[(&str, &Path)]) -> Vec<OsString> {
        self.words.iter().map(|word| with_paths(word, paths)).collect()
    }
}

fn with_paths(word: &str, paths: &[(&str, &Path)]) -> OsString {
    let mut written = OsString::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        written.push(&rest[..at]);
        rest = &rest[at..];
        let named = paths.iter().find(|(place, _)| rest.starts_with(place));
        let length = if let Some((place, path)) = named {
            written.push(path);
            place.len()
        } else {
            written.push("{");
            1
        };
        rest = &rest[length..];
    }
    written.push(rest);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Result<Vec<String>, CommandError> {
        let line = CommandLine::parse(command, &["{cnf}"])?;
        let paths = [("{cnf}", Path::new("/t/f.cnf")), ("{out}", Path::new("/t/answer"))];
        let written = line.with_paths(&paths);
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
