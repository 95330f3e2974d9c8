//! Something that only a person can do, such as a login: the steps they are shown, and what the agent is told then. Read by models, so
//! English.

use crate::answer::{Answer, Answers};
use crate::limit::{self, TextError};
use crate::question::Question;
use serde::Deserialize;

/// The tool that asks for it.
pub const TOOL: &str = "request_manual_intervention";
/// The id of its one question.
pub const QUESTION: &str = "done";

/// What is to be done: a list of steps, or one text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a list of texts, or one text")]
pub enum Steps {
    /// One text (markdown).
    One(String),
    /// A text each.
    Many(Vec<String>),
}

/// Why steps are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepsError {
    /// Too few or too many.
    #[error("`steps` has {found} steps; 1 to {} are allowed", limit::MANUAL_STEPS.end())]
    Count {
        /// Steps found.
        found: usize,
    },
    /// One of them.
    #[error("{0}")]
    Text(#[from] TextError),
}

impl Steps {
    /// As markdown: numbered where there are several.
    pub fn shown(&self) -> Result<String, StepsError> {
        let steps = match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(steps) => steps.as_slice(),
        };
        if !limit::MANUAL_STEPS.contains(&steps.len()) {
            return Err(StepsError::Count { found: steps.len() });
        }
        for step in steps {
            limit::check_text("steps", step, limit::QUESTION_CHARS)?;
        }
        Ok(match self {
            Self::One(text) => text.trim().to_owned(),
            Self::Many(steps) => steps.iter().enumerate().map(|(n, step)| numbered(n + 1, step)).collect(),
        })
    }
}

/// One step of a markdown list; its further lines are indented, so that they stay its own.
fn numbered(n: usize, step: &str) -> String {
    let number = format!("{n}. ");
    let indent = format!("\n{}", " ".repeat(number.len()));
    format!("{number}{}\n", step.trim().lines().collect::<Vec<_>>().join(&indent))
}

/// The question about it.
pub fn question() -> Question {
    Question::confirm(QUESTION, "Is it done?".into())
}

/// Whether it was done; none where that is no answer to it.
pub fn outcome(answers: &Answers) -> Option<bool> {
    match answers.0.get(QUESTION)? {
        Answer::Confirm(yes) => Some(*yes),
        Answer::One(_) | Answer::Some { .. } | Answer::Text(_) => None,
    }
}

/// What the agent is told.
pub const fn ending(done: bool) -> &'static str {
    if done {
        "The person says that it is done. Go on."
    } else {
        "The person could not do it. Don't go on as if it were done; go on with what doesn't depend on it, or ask in your reply what to do instead."
    }
}

/// What it is told when the person chose not to answer.
pub const DECLINED: &str = "The person didn't say whether it is done. Don't go on as if it were; go on with what doesn't depend on it, or ask in your reply.";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn steps_are_numbered_and_keep_their_lines() {
        let shown = |value: Value| {
            let steps = serde_json::from_value::<Steps>(value).map_err(|error| error.to_string())?;
            steps.shown().map_err(|error| error.to_string())
        };
        for (given, want) in [
            (json!(["Open the site", "Log in"]), Ok("1. Open the site\n2. Log in\n")),
            (json!(["One\nwith more"]), Ok("1. One\n   with more\n")),
            (json!("Just **log in**.\n"), Ok("Just **log in**.")),
            (json!([]), Err("`steps` has 0 steps; 1 to 50 are allowed")),
            (json!(vec!["x"; 51]), Err("`steps` has 51 steps; 1 to 50 are allowed")),
            (json!([" "]), Err("`steps` is empty; give 1 to 10000 characters")),
            (json!(""), Err("`steps` is empty; give 1 to 10000 characters")),
            (json!([{"a": 1}]), Err("a list of texts, or one text")),
            (json!(3), Err("a list of texts, or one text")),
        ] {
            assert_eq!(shown(given.clone()), want.map(str::to_owned).map_err(str::to_owned), "{given}");
        }
        let ten: Vec<_> = (0..10).map(|n| format!("{n}\nb")).collect();
        assert!(shown(json!(ten)).is_ok_and(|text| text.ends_with("10. 9\n    b\n")));
    }

    #[test]
    fn what_could_not_be_done_never_sounds_as_if_it_were() {
        assert_eq!(ending(true), "The person says that it is done. Go on.");
        assert!(ending(false).starts_with("The person could not do it."));
    }
}
