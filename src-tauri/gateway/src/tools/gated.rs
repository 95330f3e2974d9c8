//! What a model is told when a gate is shut: which questions there are, and whether its word on the answers counts.

use super::outcome::Outcome;
use countersign_core::question::{Question, QuestionType};
use countersign_core::request::Request;
use serde_json::json;
use std::fmt::Write as _;

/// The result of a call that needs a person first.
pub(super) fn outcome(
    tool: &str,
    questions: &[Question],
    request: Option<&Request>,
    note: Option<String>,
    relays: bool,
) -> Outcome {
    let mut structured = json!({"interactiveQuestions": questions});
    if let Some(request) = request {
        structured["request"] = request.reference();
    }
    let mut text = "Nothing was done yet: a person has to answer first.\n".to_owned();
    for question in questions {
        describe(&mut text, question);
    }
    text.push_str(&what_next(tool, questions, request, relays));
    Outcome { structured, text, ending: None }.noted(note.into_iter().collect())
}

fn describe(text: &mut String, question: &Question) {
    let takes = match question.kind {
        QuestionType::Confirm => "true or false".to_owned(),
        QuestionType::Text => "a text".to_owned(),
        QuestionType::Choice | QuestionType::MultiChoice => {
            question.options.iter().map(|option| format!("“{}”", option.label)).collect::<Vec<_>>().join(", ")
        }
    };
    // Writing to a `String` can't fail.
    let _ = writeln!(text, "- {} ({takes}): {}", question.id, question.question);
}

fn what_next(tool: &str, questions: &[Question], request: Option<&Request>, relays: bool) -> String {
    let ids = questions.iter().map(|question| format!("\"{}\": value", question.id)).collect::<Vec<_>>().join(", ");
    let Some(request) = request else {
        return format!(
            "Ask the person, in their language, which one is meant, then call {tool} again with its id as `spec`."
        );
    };
    let wait = format!(
        "call wait_for_answer with request_id \"{}\" (the question stands in the person's Countersign inbox), and once it is answered call {tool} again with the same arguments and without `answers`",
        request.id
    );
    if relays {
        return format!(
            "Relay these questions to the person, in their language, and call {tool} again with the same arguments and `answers`: {{{ids}}}, as they answered; an option's own words stay as they are here, untranslated. Or {wait}."
        );
    }
    format!(
        "Tell the person, in their language, that this waits for them in Countersign. Answers that you relay don't count for it: the person decides in Countersign itself. Then {wait}."
    )
}
