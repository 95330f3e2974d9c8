//! A spec as a file: markdown with YAML front matter, or JSON (one spec, or a list of them).
//!
//! ```markdown
//! ---
//! id: "SPEC-001"
//! title: "Webhook retries"
//! status: "approved"
//! locked: false
//! revision: 3
//! criteria:
//!   - id: "AC-1"
//!     text: "A failed delivery is retried 5 times"
//!     check: "unit"
//!     state: "met"
//!     evidence: {text: "42 tests", by: {kind: "check", name: "unit"}, at: 1790000000000}
//! ---
//! The body, byte for byte.
//! ```
//!
//! Only the title must be there, and it may also be the first `# heading` or the file's name. In the front matter a
//! criterion may be a text alone. A file without `criteria` has those that are listed under a heading "Acceptance
//! criteria" or "Criterios de aceptación": they are copied, the body stays whole. What an import can't keep is said in
//! notes, never lost silently.

mod fields;
mod markdown;
mod read;

use crate::id::SpecId;
use crate::spec::{CriterionState, Status};
use crate::time::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;

/// A spec as a file has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SpecFile {
    /// Its number where it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<SpecId>,
    /// One line.
    pub title: String,
    /// Where it was in its life.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Whether it was locked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
    /// Its newest revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Markdown, byte for byte.
    pub body: String,
    /// What must hold, in order.
    pub criteria: Vec<FileCriterion>,
}

/// A criterion as a file has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FileCriterion {
    /// Its id; they differ within a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What must hold.
    pub text: String,
    /// The name of a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Whether it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<CriterionState>,
    /// What that was said on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<FileEvidence>,
}

/// What it was said on that a criterion holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FileEvidence {
    /// What was said.
    pub text: String,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<FileBy>,
    /// When, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Who said that a criterion holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FileBy {
    /// `agent`, `person` or `check`; the caller knows which there are.
    pub kind: String,
    /// The agent's or the check's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A spec that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The spec.
    pub spec: SpecFile,
    /// What a person should know: what was left out, and where things were found.
    pub notes: Vec<String>,
}

/// Why a file can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct FileError {
    /// The line, from 1.
    pub line: u32,
    /// The field, as in `criteria[2].text`, when it is about one.
    pub field: Option<String>,
    /// What is wrong and the way out.
    pub message: String,
}

/// Reads a markdown file. `name` is the file's name without its ending, the title where there is no other.
pub fn from_markdown(text: &str, name: &str) -> Result<Imported, FileError> {
    markdown::read(text, name)
}

/// Reads a JSON file: one spec, or a list of them.
pub fn from_json(text: &str) -> Result<Vec<Imported>, FileError> {
    read::json(text)
}

/// A spec as a JSON file.
pub fn to_json(spec: &SpecFile) -> String {
    serde_json::to_string_pretty(spec).expect("BUG: a spec has no key that isn't a text") + "\n"
}

/// Specs as one JSON file.
pub fn list_to_json(specs: &[SpecFile]) -> String {
    serde_json::to_string_pretty(specs).expect("BUG: a spec has no key that isn't a text") + "\n"
}

/// A spec as a markdown file. Texts are written as JSON writes them, which YAML reads the same.
pub fn to_markdown(spec: &SpecFile) -> String {
    let mut out = String::from("---\n");
    let mut put = |line: std::fmt::Arguments<'_>| out.write_fmt(line).unwrap_or_default();
    if let Some(id) = spec.id {
        put(format_args!("id: {}\n", quoted(&id.to_string())));
    }
    put(format_args!("title: {}\n", quoted(&spec.title)));
    if let Some(status) = spec.status {
        put(format_args!("status: {}\n", quoted(status.word())));
    }
    if let Some(locked) = spec.locked {
        put(format_args!("locked: {locked}\n"));
    }
    if let Some(revision) = spec.revision {
        put(format_args!("revision: {revision}\n"));
    }
    put(format_args!("criteria:{}\n", if spec.criteria.is_empty() { " []" } else { "" }));
    for criterion in &spec.criteria {
        let mut begin = "  - ";
        let fields = [
            ("id", criterion.id.as_deref().map(quoted)),
            ("text", Some(quoted(&criterion.text))),
            ("check", criterion.check.as_deref().map(quoted)),
            ("state", criterion.state.map(|state| quoted(state.word()))),
            ("evidence", criterion.evidence.as_ref().map(evidence)),
        ];
        for (name, value) in fields.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            put(format_args!("{begin}{name}: {value}\n"));
            begin = "    ";
        }
    }
    out + "---\n" + &spec.body
}

fn evidence(evidence: &FileEvidence) -> String {
    let mut out = format!("{{text: {}", quoted(&evidence.text));
    if let Some(by) = &evidence.by {
        let name = by.name.as_ref().map_or(String::new(), |name| format!(", name: {}", quoted(name)));
        let _ = write!(out, ", by: {{kind: {}{name}}}", quoted(&by.kind));
    }
    if let Some(at) = evidence.at {
        let _ = write!(out, ", at: {}", at.0);
    }
    out + "}"
}

/// A text in quotes, with all that YAML counts as unprintable or as a line's end escaped.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).expect("BUG: a text is always JSON");
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
