//! Plans: what is asked about one, what each answer comes to, which plan follows which, what is remarked on which line, where a
//! run one leads, and what the agent is told then. Read by models, so English.

pub mod chain;
mod ending;
pub mod landing;
pub mod remark;

use crate::answer::{Answer, Answers, Pick};
use crate::limit;
use crate::markdown;
use crate::question::{Choice, Question};
use crate::request::title_from;
pub use ending::ending;

/// The id of a plan's one question.
pub const QUESTION: &str = "plan";

/// What the person makes of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Plan mode ends and the agent carries it out.
    Run,
    /// The agent revises it.
    Keep,
    /// The agent stops, and asks what is wanted instead.
    Cancel,
}

impl Outcome {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Run, Self::Keep, Self::Cancel];

    /// The option's label, which is also the answer's value.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Run => "Run it",
            Self::Keep => "Keep planning",
            Self::Cancel => "Cancel",
        }
    }

    /// The word for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Keep => "keep",
            Self::Cancel => "cancel",
        }
    }
}

/// The question about a plan.
pub fn question() -> Question {
    let options = Outcome::ALL.map(|outcome| Choice::plain(outcome.label())).into();
    Question::choice(QUESTION, "Run this plan?".into(), options, None)
}

/// Which of the three the answers are.
pub fn outcome(answers: &Answers) -> Option<Outcome> {
    match answers.0.get(QUESTION)? {
        Answer::One(Pick::Option(label)) => Outcome::ALL.into_iter().find(|outcome| outcome.label() == label),
        Answer::One(Pick::Other(_)) | Answer::Some { .. } | Answer::Text(_) | Answer::Confirm(_) => None,
    }
}

/// The title of a plan: its first heading, else its first line with words.
pub fn title(plan: &str) -> String {
    let heading = markdown::first_heading(plan).map(|heading| title_from(&heading));
    let line = || plan.lines().find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or(plan);
    heading.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| title_from(line()))
}

/// All that the person is to read: the plan, and behind a line across what the agent says besides.
pub fn shown(plan: &str, context: Option<&str>) -> String {
    match context.filter(|context| !context.trim().is_empty()) {
        Some(context) => format!("{plan}\n\n---\n\n{context}"),
        None => plan.to_owned(),
    }
}

/// A plan's own limits: there must be something to read.
pub fn check(plan: &str) -> Result<(), limit::TextError> {
    if plan.trim().is_empty() {
        return Err(limit::TextError::Empty { field: "plan".into(), limit: limit::BODY_BYTES });
    }
    limit::check_body("plan", plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::check as check_answers;
    use serde_json::json;

    #[test]
    fn a_plan_is_called_by_its_first_heading() {
        for (plan, want) in [
            ("## Plan\n\n1. Read the syllabus", "Plan"),
            ("Some words first\n\n# Move the *ledger* to `v2`\n\n## Later", "Move the ledger to v2"),
            ("```\n# not this\n```\n\n> ## Quoted", "Quoted"),
            ("#\n\nFirst line\nsecond", "First line"),
            ("1. Read\n2. Write", "1. Read"),
        ] {
            assert_eq!(title(plan), want, "{plan:?}");
        }
        assert_eq!(title(&format!("# {}", "x".repeat(300))).chars().count(), limit::TITLE_CHARS);
    }

    #[test]
    fn the_answers_are_the_three_and_none_in_ones_own_words() {
        let of = |value: &str| {
            check_answers(&[question()], json!({QUESTION: value}).as_object().expect("an object"))
                .ok()
                .map(|answers| outcome(&answers).expect("one of the three"))
        };
        for outcome in Outcome::ALL {
            assert_eq!(of(outcome.label()), Some(outcome));
        }
        for other in ["run", "run it", "Run it ", "", "yes"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn an_empty_plan_is_none() {
        assert!(check(" \n").is_err());
        assert_eq!(check("# Plan"), Ok(()));
        assert_eq!(shown("# Plan", Some(" ")), "# Plan");
        assert_eq!(shown("# Plan", Some("why")), "# Plan\n\n---\n\nwhy");
    }
}
