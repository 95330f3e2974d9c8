//! An approval that an agent asks for in its own words: what is asked, and what the agent is told then. Read by models, so English.

use crate::answer::{Answer, Answers};
use crate::limit;
use crate::question::Question;

/// The tool that asks for one.
pub const TOOL: &str = "request_human_approval";
/// The id of its one question.
pub const QUESTION: &str = "approval";

/// The question about it.
pub fn question() -> Question {
    Question::confirm(QUESTION, "Approve this?".into())
}

/// A summary's own limits: there must be something to approve.
pub fn check(summary: &str) -> Result<(), limit::TextError> {
    if summary.trim().is_empty() {
        return Err(limit::TextError::Empty { field: "summary".into(), limit: limit::BODY_BYTES });
    }
    limit::check_body("summary", summary)
}

/// Whether it was approved; none where that is no answer to it.
pub fn outcome(answers: &Answers) -> Option<bool> {
    match answers.0.get(QUESTION)? {
        Answer::Confirm(yes) => Some(*yes),
        Answer::One(_) | Answer::Some { .. } | Answer::Text(_) => None,
    }
}

/// What the agent is told.
pub const fn ending(approved: bool) -> &'static str {
    if approved {
        "Approved by the human. You may continue."
    } else {
        "Rejected by the human. Don't proceed with that; ask what to do differently."
    }
}

/// What it is told when the person chose not to answer.
pub const DECLINED: &str = "The person didn't answer, so it is not approved. Don't proceed with that; go on with what doesn't depend on it, or stop and ask in your reply.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::check as check_answers;
    use serde_json::{Value, json};

    #[test]
    fn a_yes_and_a_no_are_told_in_the_words_of_the_seed_and_nothing_else_is_an_answer() {
        let of = |value: Value| {
            check_answers(&[question()], json!({QUESTION: value}).as_object().expect("an object"))
                .ok()
                .and_then(|answers| outcome(&answers))
        };
        for (value, want) in [
            (json!(true), Some("Approved by the human. You may continue.")),
            (json!(false), Some("Rejected by the human. Don't proceed with that; ask what to do differently.")),
            (json!("yes"), None),
            (json!("y"), None),
            (json!(""), None),
            (json!(1), None),
        ] {
            assert_eq!(of(value.clone()).map(ending), want, "{value}");
        }
    }

    #[test]
    fn an_empty_summary_is_none() {
        assert!(check(" \n").is_err());
        assert_eq!(check("# Send it"), Ok(()));
    }
}
