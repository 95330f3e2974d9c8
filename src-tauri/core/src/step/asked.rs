//! A step as a request, and back.

use super::paths::lexical;
use super::{Call, Place, Step, StepKind};
use crate::answer::{Answer, Answers};
use crate::class::Class;
use crate::digest::Digest;
use crate::question::Question;
use crate::request::{Ask, OnExpiry, Request};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The kind of a request that asks about a step.
pub const KIND: &str = "step";
/// The id of its one question.
pub const QUESTION: &str = "allow";

/// What is kept of a step: enough to read it again as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// As it came.
    #[serde(flatten)]
    pub call: Call,
    /// Whether its host takes an input that the person edited.
    pub edits: bool,
    /// Where links led, of the paths that it names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub links: BTreeMap<String, String>,
}

impl Asked {
    /// Reads the step again, with links as they were.
    pub fn step(&self, workspace: &str, own: &[String]) -> Step {
        let resolve = |path: &str| self.links.get(path).cloned().unwrap_or_else(|| lexical(path));
        Step::read(self.call.clone(), Place { workspace, own, resolve: &resolve })
    }

    /// What makes two steps the same: the tool, its input and where. Links are looked at anew each time.
    pub fn key(&self) -> Digest {
        Digest::of(&json!({"tool": KIND, "arguments": self.call}))
    }
}

/// The question about a step.
pub fn ask(step: &Step, asked: &Asked) -> Ask {
    Ask {
        tool: KIND.to_owned(),
        class: Class::Step,
        title: step.title(),
        context: None,
        questions: vec![Question::confirm(QUESTION, "May it do this?".into())],
        arguments: serde_json::to_value(asked).expect("BUG: a step is plain JSON"),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    }
}

/// The step that a request asks about; none for other kinds.
pub fn of_request(request: &Request) -> Option<Asked> {
    if request.ask.class != Class::Step || request.ask.tool != KIND {
        return None;
    }
    serde_json::from_value(request.ask.arguments.clone()).ok()
}

/// Whether these answers let a step pass.
pub fn is_yes(answers: &Answers) -> bool {
    answers.0.get(QUESTION) == Some(&Answer::Confirm(true))
}

impl Step {
    /// Whether no rule may ever let it pass, and why.
    pub fn never_ruled(&self) -> Option<&'static str> {
        crate::rule::never(self)
    }

    /// Whether one key may let it pass.
    pub fn enter_may_allow(&self) -> bool {
        self.kind.enter_may_allow() && self.warnings.is_empty()
    }

    /// Whether it takes something away for good.
    pub fn destroys(&self) -> bool {
        self.kind == StepKind::Destroys
    }
}
