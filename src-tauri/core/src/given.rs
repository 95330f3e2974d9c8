//! A file that an agent asks the person for: the path that they give, the place that its copy gets, and what the agent is told then.
//! Read by models, so English. Absent: looking at files, which is the broker's.

mod name;
mod spelled;

use crate::digest::Digest;
use crate::question::{Question, QuestionType};
use crate::trust::code;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use name::{Place, clean, numbered, place};
pub use spelled::{PathError, absolute, candidates};

/// The tool that asks for one.
pub const TOOL: &str = "request_file";
/// The id of its one question, to which the path is the answer.
pub const QUESTION: &str = "file";

/// A file that was given, as it is in the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// Where it is, relative to the workspace.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// The digest of its content.
    pub sha256: Digest,
    /// Whether the same content was there before, so that nothing was copied.
    pub already_there: bool,
    /// What the person's own file is called.
    pub name: String,
}

impl GivenFile {
    /// As a tool's result has it.
    pub fn to_json(&self) -> Value {
        json!({
            "path": self.path, "bytes": self.bytes, "sha256": self.sha256.hex(),
            "already_there": self.already_there, "name": self.name,
        })
    }
}

/// The question for a file.
pub fn question(description: String) -> Question {
    Question { kind: QuestionType::Text, ..Question::confirm(QUESTION, description) }
}

/// An argument of the call that is a path: `destination`, `replaces`.
pub fn argument<'a>(arguments: &'a Value, field: &str) -> Option<&'a str> {
    arguments[field].as_str()
}

/// What the agent is told of a file that was given.
pub fn ending(file: &GivenFile, replaces: Option<&str>) -> String {
    let at = code(&file.path);
    let mut text = if file.already_there {
        format!(
            "The person gave a file whose content is in the workspace already: {at} ({} bytes); nothing was copied.",
            file.bytes
        )
    } else {
        format!("The person gave the file: {at} in the workspace ({} bytes), a copy of their own.", file.bytes)
    };
    if let Some(old) = replaces.filter(|old| *old != file.path) {
        text += &format!(
            " It is to replace {}: once it does, you may have that put away by retire_source with source {}, why \"replaced\" and replaced_by {}, which asks the person by itself.",
            code(old),
            json!(old),
            json!(file.path)
        );
    }
    text
}

/// What it is told when the person gave none.
pub const DECLINED: &str = "The person doesn't have that file (or didn't give one). Go on without it, or say in your reply what you can't do without it.";

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_texts_say_where_the_file_is_and_what_may_follow() {
        let copy = GivenFile {
            path: "docs/syllabus (2).pdf".into(),
            bytes: 48_213,
            sha256: Digest([1; 32]),
            already_there: false,
            name: "syllabus.pdf".into(),
        };
        let there = GivenFile { already_there: true, path: "docs/old.pdf".into(), ..copy.clone() };
        let said = [ending(&copy, None), ending(&copy, Some("docs/old.pdf")), ending(&there, Some("docs/old.pdf"))];
        expect![[r#"
            The person gave the file: `docs/syllabus (2).pdf` in the workspace (48213 bytes), a copy of their own.
            The person gave the file: `docs/syllabus (2).pdf` in the workspace (48213 bytes), a copy of their own. It is to replace `docs/old.pdf`: once it does, you may have that put away by retire_source with source "docs/old.pdf", why "replaced" and replaced_by "docs/syllabus (2).pdf", which asks the person by itself.
            The person gave a file whose content is in the workspace already: `docs/old.pdf` (48213 bytes); nothing was copied."#]]
        .assert_eq(&said.join("\n"));
    }
}
