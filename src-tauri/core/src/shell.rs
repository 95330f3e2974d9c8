//! A command line as a shell reads it: which programs it runs, with which words, and what besides.
//!
//! Read with a real shell's grammar (`brush-parser`), and a second time by a scan of our own that knows nothing but plain words
//! ([`plain`]): only where both say the same may a rule let something pass. What can't be read, or is nested deeper than people
//! read, is [`Unreadable`]: then nothing covers it. Absent: running, expanding or looking up anything.

mod danger;
pub mod plain;
mod runners;
#[cfg(test)]
mod tests;
mod walk;
mod word;
mod wrap;

pub use danger::{destroys, reaches_network};
pub use runners::runs_another;

use brush_parser::{Parser, ParserOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A command that is longer is asked about whole, and never read; in bytes.
pub const READ_BYTES: usize = 32 << 10;
/// Brackets, quotes and keywords within one another: more, and it is not read.
const DEPTH: usize = 24;
/// Commands in one line of an agent's, at the most.
const COMMANDS: usize = 500;
/// How deep a shell may be asked to run a shell.
const WITHIN: usize = 4;

/// It can't be told what this would run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this command can't be read: {0}")]
pub struct Unreadable(pub String);

/// A command line, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// Every program that it runs, as far as can be told: in the order in which they stand, those within a substitution or
    /// behind a wrapper after the command that holds them.
    pub commands: Vec<Simple>,
    /// Whether it is more than one simple command: several, a loop, a function, a subshell.
    pub compound: bool,
    /// Whether there is something in it of which it can't be told what it runs.
    pub opaque: bool,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simple {
    /// Its words, the program first.
    pub words: Vec<Word>,
    /// Variables set for it alone, such as `A=1`.
    pub assignments: Vec<String>,
    /// Where its input and output go, such as `> out.txt`.
    pub redirections: Vec<String>,
    /// What stands between it and the command before: `&&`, `||`, `|`, `;` or `&`.
    pub operator: Option<&'static str>,
    /// Whether it is in a substitution or behind a wrapper.
    pub inside: bool,
}

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// As it is written.
    pub raw: String,
    /// What the program gets, when nothing has to be expanded for that.
    pub literal: Option<String>,
}

impl Simple {
    /// Its words, when each of them is literal.
    pub fn literals(&self) -> Option<Vec<&str>> {
        self.words.iter().map(|word| word.literal.as_deref()).collect()
    }

    /// The program's name without its folder, when it is literal.
    pub fn program(&self) -> Option<&str> {
        self.words.first()?.literal.as_deref().map(base_name)
    }
}

impl Script {
    /// The words of its one command, when it is nothing else: no compound, substitution, variable, pattern, redirection or
    /// assignment, however it is read. `text` is what was read.
    pub fn plain(&self, text: &str) -> Option<Vec<&str>> {
        let [only] = self.commands.as_slice() else { return None };
        let alone = only.assignments.is_empty() && only.redirections.is_empty() && !only.inside;
        let words = only.literals().filter(|_| alone && !self.compound && !self.opaque)?;
        (plain::words(text)? == words).then_some(words)
    }
}

/// A program's name without its folder.
pub fn base_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Reads a command line.
pub fn read(text: &str) -> Result<Script, Unreadable> {
    let mut script = Script::default();
    read_into(text, &mut script, 0)?;
    Ok(script)
}

/// A command that is given as a list of arguments, with no shell between.
pub fn of_arguments(arguments: &[String]) -> Result<Script, Unreadable> {
    if arguments.is_empty() || arguments.iter().any(|argument| argument.contains('\0')) {
        return Err(Unreadable("it is empty, or has a NUL in it".into()));
    }
    let word = |text: &String| Word { raw: text.clone(), literal: Some(text.clone()) };
    let mut script = Script::default();
    let simple = Simple { words: arguments.iter().map(word).collect(), ..Simple::default() };
    walk::keep(simple, &mut script, 0)?;
    Ok(script)
}

fn read_into(text: &str, script: &mut Script, within: usize) -> Result<(), Unreadable> {
    if text.len() > READ_BYTES {
        return Err(Unreadable(format!("it has {} bytes; {READ_BYTES} are read", text.len())));
    }
    if text.contains('\0') {
        return Err(Unreadable("there is a NUL in it".into()));
    }
    if within > WITHIN || depth(text) > DEPTH {
        return Err(Unreadable("it is nested too deep".into()));
    }
    let options = ParserOptions::default();
    // A fault of the grammar's must end in a question, not in the end of whoever asks.
    let parsed = catch_unwind(AssertUnwindSafe(|| Parser::new(text.as_bytes(), &options).parse_program()));
    let program = match parsed {
        Ok(Ok(program)) => program,
        Ok(Err(error)) => return Err(Unreadable(error.to_string())),
        Err(_) => return Err(Unreadable("its grammar is not known".into())),
    };
    walk::program(&program, script, within)
}

/// How deep it could be nested, at the most: a bound, counted without understanding it.
fn depth(text: &str) -> usize {
    let (mut open, mut most): (usize, usize) = (0, 0);
    for c in text.chars() {
        match c {
            '(' | '{' | '[' => {
                open += 1;
                most = most.max(open);
            }
            ')' | '}' | ']' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    let ticks = text.chars().filter(|c| *c == '`').count() / 2;
    let opens = ["if", "for", "while", "until", "case", "select", "function", "do", "then", "else", "coproc"];
    let keywords = text.split(|c: char| !c.is_alphanumeric()).filter(|word| opens.contains(word)).count();
    most + ticks + keywords / 2
}
