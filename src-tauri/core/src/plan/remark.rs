//! What the person remarks on single lines of a plan: the line is told by its number and kept with its beginning, so that a remark
//! says what it is about wherever it is read.

use crate::limit::{self, TextError};
use serde::{Deserialize, Serialize};

/// A remark as the person gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenRemark {
    /// The line of what was shown, from 1.
    pub line: u32,
    /// What should be otherwise.
    pub text: String,
}

/// A remark as it is kept, and as the agent gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The line of what was shown, from 1.
    pub line: u32,
    /// What stands there, or its beginning.
    pub quote: String,
    /// What should be otherwise.
    pub text: String,
}

/// Why remarks are refused. Nothing was decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemarkError {
    /// More than a plan may have.
    #[error("there are {found} remarks; {} are allowed, so put more of it into the comment", limit::REMARKS)]
    Many {
        /// How many.
        found: usize,
    },
    /// No such line.
    #[error("there is no line {line}; the plan has lines 1 to {lines}")]
    NoLine {
        /// The line that was named.
        line: u32,
        /// How many there are.
        lines: usize,
    },
    /// Its words.
    #[error("{0}")]
    Text(#[from] TextError),
}

/// Checks remarks on a text, and keeps with each what stands on its line. In the order of the lines; of one line as they came.
pub fn check(shown: &str, given: &[GivenRemark]) -> Result<Vec<Remark>, RemarkError> {
    if given.len() > limit::REMARKS {
        return Err(RemarkError::Many { found: given.len() });
    }
    let all: usize = given.iter().map(|remark| remark.text.len()).sum();
    if all > limit::REMARKS_BYTES {
        return Err(TextError::Large { field: "remarks".into(), found: all, limit: limit::REMARKS_BYTES }.into());
    }
    let lines: Vec<&str> = if given.is_empty() { Vec::new() } else { shown.lines().collect() };
    let one = |remark: &GivenRemark| {
        let at = usize::try_from(remark.line).ok().and_then(|line| line.checked_sub(1));
        let missing = RemarkError::NoLine { line: remark.line, lines: lines.len() };
        let line = at.and_then(|at| lines.get(at)).ok_or(missing)?;
        limit::check_text("remark", &remark.text, limit::REMARK_CHARS)?;
        Ok(Remark { line: remark.line, quote: quote(line), text: remark.text.trim().to_owned() })
    };
    let mut kept = given.iter().map(one).collect::<Result<Vec<_>, RemarkError>>()?;
    kept.sort_by_key(|remark| remark.line);
    Ok(kept)
}

fn quote(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(limit::QUOTE_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}

impl Remark {
    /// As the agent reads it.
    pub(super) fn said(&self) -> String {
        let quote = if self.quote.is_empty() { "empty".to_owned() } else { format!("“{}”", self.quote) };
        format!("On line {} ({quote}): {}", self.line, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn given(line: u32, text: &str) -> GivenRemark {
        GivenRemark { line, text: text.into() }
    }

    #[test]
    fn remarks_come_with_their_lines_in_order_and_what_is_about_no_line_is_refused() {
        let plan = format!("# Plan\r\n\r\n  1. Read *all*  \n2. {}\nlast", "long ".repeat(40));
        let said = |given: &[GivenRemark]| match check(&plan, given) {
            Ok(remarks) => remarks.iter().map(Remark::said).collect::<Vec<_>>().join(" | "),
            Err(error) => format!("refused: {error}"),
        };
        let cases = [
            ("none", vec![]),
            ("one", vec![given(3, " Not all\nof it ")]),
            ("two on a line, and one before", vec![given(5, "b"), given(5, "a"), given(1, "Why?")]),
            ("an empty line", vec![given(2, "Say why")]),
            ("a long line", vec![given(4, "Shorter")]),
            ("line 0", vec![given(0, "x")]),
            ("a line behind the last", vec![given(6, "x")]),
            ("no words", vec![given(1, " \n")]),
            ("a NUL", vec![given(1, "x\0")]),
            ("too long", vec![given(1, &"x".repeat(limit::REMARK_CHARS + 1))]),
            ("too many", vec![given(1, "x"); limit::REMARKS + 1]),
            ("too much", vec![given(1, &"é".repeat(limit::REMARK_CHARS)); 60]),
        ];
        let mut table = String::new();
        for (what, remarks) in cases {
            table += &format!("{what}: {}\n", said(&remarks));
        }
        expect![[r#"
            none: 
            one: On line 3 (“1. Read *all*”): Not all
            of it
            two on a line, and one before: On line 1 (“# Plan”): Why? | On line 5 (“last”): b | On line 5 (“last”): a
            an empty line: On line 2 (empty): Say why
            a long line: On line 4 (“2. long long long long long long long long long long long long long long long long long long long long long long long lo…”): Shorter
            line 0: refused: there is no line 0; the plan has lines 1 to 5
            a line behind the last: refused: there is no line 6; the plan has lines 1 to 5
            no words: refused: `remark` is empty; give 1 to 10000 characters
            a NUL: refused: `remark` contains a NUL character (U+0000); remove it
            too long: refused: `remark` has 10001 characters; 10000 are allowed
            too many: refused: there are 201 remarks; 200 are allowed, so put more of it into the comment
            too much: refused: `remarks` has 1200000 bytes; 1048576 are allowed
        "#]].assert_eq(&table);
        assert_eq!(check("", &[]), Ok(vec![]));
        assert!(check("", &[given(1, "x")]).is_err());
    }
}
