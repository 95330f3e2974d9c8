//! Putting a file of the workspace away: what is shown, where it goes, and what the agent is told then. Read by models, so English.
//! Nothing is ever deleted. Absent: moving files, which is the broker's.

use crate::answer::{Answer, Answers};
use crate::digest::Digest;
use crate::limit;
use crate::question::Question;
use crate::request::Ask;
use crate::trust::{code, fenced};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tool that asks for it.
pub const TOOL: &str = "retire_source";
/// The id of its one question.
pub const QUESTION: &str = "retire";
/// Where retired files go, beneath the workspace.
pub const FOLDER: &str = ".countersign/retired";
/// What of the arguments was seen rather than given.
const SEEN: [&str; 2] = ["bytes", "sha256"];

/// Why a file is to be put away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(rename = "RetireWhy"))]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// What it says is wrong.
    Wrong,
    /// Another file takes its place.
    Replaced,
}

/// What is asked about: the call's arguments with paths as they are in the workspace, and the file as it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retire {
    /// Which file, relative to the workspace.
    pub source: String,
    /// Why.
    pub why: Why,
    /// The agent's words for it.
    pub reason: String,
    /// What takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// The digest of its content.
    pub sha256: Digest,
}

/// What became of a file that was put away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retired {
    /// Where it is now, relative to the workspace.
    pub path: String,
}

impl Retire {
    /// What a request of this tool is about.
    pub fn of(ask: &Ask) -> Option<Self> {
        (ask.tool == TOOL).then(|| serde_json::from_value(ask.arguments.clone()).ok())?
    }

    /// The call's arguments, with what was seen in place of how it was spelled.
    pub fn arguments(&self, given: Value) -> Value {
        let mut arguments = given;
        let mine = serde_json::to_value(self).expect("BUG: texts and numbers are JSON");
        if let (Some(arguments), Value::Object(mine)) = (arguments.as_object_mut(), mine) {
            arguments.extend(mine);
        }
        arguments
    }

    /// What the person is shown (markdown). What the agent says is marked as its words.
    pub fn shown(&self, context: Option<&str>) -> String {
        let why = match (self.why, &self.replaced_by) {
            (Why::Wrong, None) => "What it says is wrong.".to_owned(),
            (Why::Wrong, Some(by)) => format!("What it says is wrong; {} is right.", code(by)),
            (Why::Replaced, None) => "Another file takes its place.".to_owned(),
            (Why::Replaced, Some(by)) => format!("{} takes its place.", code(by)),
        };
        let mut text = format!(
            "{} would be moved to {}; nothing is deleted.\n\n{} bytes, SHA-256 {}\n\n{why} The agent's reason:\n\n{}",
            code(&self.source),
            code(&retired(&self.source)),
            self.bytes,
            code(&self.sha256.hex()),
            fenced("", &self.reason)
        );
        if let Some(context) = context.filter(|context| !context.trim().is_empty()) {
            text += &format!("\n---\n\n{context}");
        }
        text
    }

    /// The question about it.
    pub fn question(&self) -> Question {
        Question::confirm(QUESTION, format!("Put {} away?", self.source))
    }

    /// One line for lists.
    pub fn title(&self) -> String {
        let title = format!("Put away {}", self.source);
        if title.chars().count() <= limit::TITLE_CHARS {
            return title;
        }
        // The file's own name tells more than the folders before it.
        let skipped = title.chars().count() - (limit::TITLE_CHARS - "Put away …".chars().count());
        "Put away …".chars().chain(title.chars().skip(skipped)).collect()
    }
}

/// The arguments without what was seen: by these a call is the same call though the file is another.
pub fn base(arguments: &Value) -> Value {
    let mut base = arguments.clone();
    if let Some(object) = base.as_object_mut() {
        object.retain(|field, _| !SEEN.contains(&field.as_str()));
    }
    base
}

/// Where a file goes.
pub fn retired(source: &str) -> String {
    format!("{FOLDER}/{source}")
}

/// Whether the person said yes; none where that is no answer to it.
pub fn outcome(answers: &Answers) -> Option<bool> {
    match answers.0.get(QUESTION)? {
        Answer::Confirm(yes) => Some(*yes),
        Answer::One(_) | Answer::Some { .. } | Answer::Text(_) => None,
    }
}

/// What the agent is told after a yes.
pub fn ending(retire: &Retire, now: &Retired) -> String {
    let instead = retire.replaced_by.as_ref().map(|by| format!(" Use {} in its place.", code(by))).unwrap_or_default();
    format!(
        "The person agreed: {} was moved to {}; nothing was deleted.{instead} Look over what was built on it.",
        code(&retire.source),
        code(&now.path)
    )
}

/// What it is told after a no.
pub const REFUSED: &str =
    "The person said no: the original stays. Don't move, rename or delete it by other means; go on with it as it is.";
/// What it is told when the person chose not to answer.
pub const DECLINED: &str = "The person didn't answer: the original stays. Don't move, rename or delete it; go on with what you can, or ask in your reply.";
/// What it is told when the file is another than the one that was shown.
pub const CHANGED: &str = "The file changed after this was asked, so it can't be answered any more: nobody decided, and it stays where it is. Call retire_source again with the same arguments if it is still to be put away: it asks anew.";

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    fn sample() -> Retire {
        Retire {
            source: "docs/old.pdf".into(),
            why: Why::Replaced,
            reason: "It is last year's.\n```\n# Not a heading".into(),
            replaced_by: Some("docs/new.pdf".into()),
            bytes: 12,
            sha256: Digest([7; 32]),
        }
    }

    #[test]
    fn what_is_shown_names_the_file_by_its_content_and_keeps_the_agents_words_apart() {
        expect![[r#"
            `docs/old.pdf` would be moved to `.countersign/retired/docs/old.pdf`; nothing is deleted.

            12 bytes, SHA-256 `0707070707070707070707070707070707070707070707070707070707070707`

            `docs/new.pdf` takes its place. The agent's reason:

            ````
            It is last year's.
            ```
            # Not a heading
            ````

            ---

            More."#]]
        .assert_eq(&sample().shown(Some("More.")));
    }

    #[test]
    fn the_same_call_over_another_content_has_another_key_and_the_same_base() {
        let given = json!({"source": "./docs/old.pdf", "why": "replaced", "reason": "x", "expires_in_seconds": 9});
        let one = sample().arguments(given.clone());
        let two = Retire { bytes: 13, ..sample() }.arguments(given);
        assert_ne!(one, two);
        assert_eq!(base(&one), base(&two));
        assert_eq!((&one["source"], &one["expires_in_seconds"]), (&json!("docs/old.pdf"), &json!(9)));
    }

    #[test]
    fn each_ending_says_where_the_file_is() {
        let now = Retired { path: ".countersign/retired/docs/old (2).pdf".into() };
        assert_eq!(
            ending(&sample(), &now),
            "The person agreed: `docs/old.pdf` was moved to `.countersign/retired/docs/old (2).pdf`; nothing was deleted. Use `docs/new.pdf` in its place. Look over what was built on it."
        );
        for text in [REFUSED, DECLINED] {
            assert!(text.contains("the original stays"), "{text}");
        }
    }

    #[test]
    fn a_title_keeps_the_files_own_name() {
        assert_eq!(sample().title(), "Put away docs/old.pdf");
        let deep = Retire { source: format!("{}/old.pdf", "d".repeat(400)), ..sample() };
        assert!(deep.title().ends_with("/old.pdf"));
        assert_eq!(deep.title().chars().count(), limit::TITLE_CHARS);
    }
}
