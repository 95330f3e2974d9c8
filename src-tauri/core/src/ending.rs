//! What an agent is told, for each way in which a request stands or ends. Read by models, so it stays English.
//!
//! Each text says what happened and what to do next, so that an agent that obeys it stops asking (field case 6).

mod asked;

use crate::channel::Channel;
use crate::class::Class;
use crate::plan;
use crate::request::{Decision, Request, State};
use crate::step;
use crate::trust;
use serde_json::{Map, Value, json};

/// The text of a tool result for this request as it stands.
pub fn text(request: &Request) -> String {
    if let Some(text) = trust::ending(request).filter(|_| request.ask.tool == trust::TOOL) {
        return text.to_owned() + &said(request);
    }
    if let Some(text) = step::ending_text(request).or_else(|| asked::text(request)) {
        return text;
    }
    match request.state {
        State::Pending => pending(request),
        State::Answered => answered(request),
        State::Declined if request.ask.class == Class::Plan => {
            "The person didn't answer, so the plan is not approved. Don't carry it out; stop and ask in your reply what they want.".to_owned() + &said(request)
        }
        State::Declined => {
            "The person didn't answer. Go on with what you can, or ask in your reply.".to_owned() + &said(request)
        }
        State::Cancelled => "This request was withdrawn before anyone answered. Nobody decided: don't assume consent, and don't do what it asked about.".into(),
        State::Expired => "The request expired and nobody answered. Silence is not consent: don't do what it asked about, and don't ask the same again; go on with what doesn't depend on it, or stop and say so in your reply.".into(),
        State::Superseded if request.ask.gate => format!(
            "What this was about changed meanwhile, so it can't be answered any more and nobody decided. Call {} again with the same arguments, without answers: it asks anew where that is needed.",
            request.ask.tool
        ),
        State::Superseded => "A newer revision of this request replaced it. Wait for the newer one.".into(),
    }
}

/// The structured part of a tool result: `state`, the `request`, and the answers where there are some.
pub fn structured(request: &Request, repeated: bool) -> Value {
    let mut object = Map::new();
    object.insert("state".into(), json!(request.state));
    object.insert("request".into(), request.reference());
    if let Some(decision) = request.decision.as_ref().filter(|_| request.state == State::Answered) {
        object.insert("answers".into(), decision.answers.to_json());
        if let [question] = request.ask.questions.as_slice()
            && let Some(answer) = decision.answers.0.get(&question.id)
            && question.id == "answer"
        {
            let (chosen, other) = answer.parts();
            object.insert("chosen".into(), json!(chosen));
            if let Some(other) = other {
                object.insert("other".into(), json!(other));
            }
        }
        if let Some(outcome) = plan::outcome(&decision.answers).filter(|_| request.ask.class == Class::Plan) {
            object.insert("outcome".into(), json!(outcome.word()));
            object.insert("mode".into(), json!(decision.mode));
            object.insert("remarks".into(), json!(decision.remarks));
        }
        object.insert("decided_by".into(), json!(decided_by(decision)));
    }
    if let Some(place) = &request.plan {
        object.insert("revision".into(), json!(place.revision));
    }
    if let Some(comment) = request.decision.as_ref().and_then(|d| d.comment.as_ref()) {
        object.insert("comment".into(), json!(comment));
    }
    asked::structured(request, &mut object);
    if repeated {
        object.insert("repeated".into(), json!(true));
    }
    Value::Object(object)
}

/// Who decided, in one word: a person, or what stood in for one.
pub fn decided_by(decision: &Decision) -> &'static str {
    match decision.channel {
        Channel::Expiry | Channel::Autonomous => "default",
        Channel::Relayed => "relayed, unverified",
        Channel::Rule => "rule",
        Channel::Program => "program",
        Channel::Mode => "mode",
        Channel::Window
        | Channel::Dialog
        | Channel::Notification
        | Channel::Terminal
        | Channel::Serve
        | Channel::File => {
            if decision.unattended {
                "unattended"
            } else {
                "person"
            }
        }
    }
}

fn pending(request: &Request) -> String {
    format!(
        "Nobody has answered yet. The request stays open. Call wait_for_answer with request_id \"{}\" to go on waiting; \
         don't ask again, and don't go ahead as if it had been answered.",
        request.id
    )
}

fn answered(request: &Request) -> String {
    let Some(decision) = &request.decision else { return pending(request) };
    if request.ask.class == Class::Plan
        && let (Some(outcome), Some(mode)) = (plan::outcome(&decision.answers), decision.mode)
    {
        return plan::ending(outcome, mode, decision.comment.as_deref(), &decision.remarks);
    }
    let body = if request.ask.gate { gate(request, decision) } else { words(request, decision) };
    let by = match decision.channel {
        Channel::Expiry => {
            "Nobody answered before the deadline, so the question's own default was taken (default). Nobody consented to anything. "
        }
        Channel::Program => "Answered in the program itself. ",
        _ => "",
    };
    format!("{by}{body}{}", said(request))
}

/// The seed's texts: `The person chose: A; B.`, `Their own answer: …`, or both.
fn words(request: &Request, decision: &Decision) -> String {
    let mut lines = Vec::new();
    let many = request.ask.questions.len() > 1;
    for question in &request.ask.questions {
        let prefix = if many { format!("{}: ", question.id) } else { String::new() };
        let Some(answer) = decision.answers.0.get(&question.id) else {
            lines.push(format!("{prefix}The person didn't answer."));
            continue;
        };
        let (chosen, other) = answer.parts();
        if !chosen.is_empty() {
            let who = if decision.channel == Channel::Expiry { "The default is" } else { "The person chose" };
            lines.push(format!("{prefix}{who}: {}.", chosen.join("; ")));
        }
        if let Some(other) = other {
            lines.push(format!("{prefix}Their own answer: {other}"));
        }
    }
    if lines.is_empty() {
        lines.push("The person didn't answer. Go on with what you can, or ask in your reply.".into());
    }
    lines.join("\n")
}

fn gate(request: &Request, decision: &Decision) -> String {
    let answers = request
        .ask
        .questions
        .iter()
        .filter_map(|q| decision.answers.0.get(&q.id))
        .map(|a| a.line())
        .collect::<Vec<_>>();
    format!(
        "The person answered: {}. Call {} again with the same arguments and without answers; it acts on this once.",
        answers.join("; "),
        request.ask.tool
    )
}

fn said(request: &Request) -> String {
    match request.decision.as_ref().and_then(|d| d.comment.as_ref()) {
        Some(comment) => format!("\nThey added: {comment}"),
        None => String::new(),
    }
}

/// The same, as one more sentence.
fn added(request: &Request) -> String {
    match request.decision.as_ref().and_then(|d| d.comment.as_ref()) {
        Some(comment) => format!(" They added: {comment}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::check;
    use crate::question::QuestionType;
    use crate::request::tests::sample;
    use crate::time::Timestamp;

    fn answered_with(value: Value, multiple: bool, channel: Channel, comment: Option<&str>) -> Request {
        let mut request = sample();
        if multiple {
            request.ask.questions[0].kind = QuestionType::MultiChoice;
        }
        let given = json!({"answer": value});
        request.state = State::Answered;
        request.decision = Some(Decision {
            answers: check(&request.ask.questions, given.as_object().expect("object")).expect("answers"),
            channel,
            unattended: false,
            comment: comment.map(str::to_owned),
            at: Timestamp(1),
            digest: request.digest,
            mode: None,
            step: None,
            file: None,
            remarks: Vec::new(),
        });
        request
    }

    #[test]
    fn the_texts_for_a_choice_are_the_seeds() {
        let says = |value, multiple| text(&answered_with(value, multiple, Channel::Window, None));
        assert_eq!(says(json!("A"), false), "The person chose: A.");
        assert_eq!(says(json!(["B", "A"]), true), "The person chose: A; B.");
        assert_eq!(says(json!({"other": "neither"}), false), "Their own answer: neither");
        assert_eq!(
            says(json!({"chosen": ["A"], "other": "and C"}), true),
            "The person chose: A.\nTheir own answer: and C"
        );
        assert_eq!(
            text(&answered_with(json!("A"), false, Channel::Window, Some("quickly"))),
            "The person chose: A.\nThey added: quickly"
        );
    }

    #[test]
    fn a_default_taken_at_the_deadline_says_that_nobody_answered() {
        let request = answered_with(json!("A"), false, Channel::Expiry, None);
        assert_eq!(
            text(&request),
            "Nobody answered before the deadline, so the question's own default was taken (default). Nobody consented to anything. The default is: A."
        );
        assert_eq!(structured(&request, false)["decided_by"], "default");
    }

    #[test]
    fn every_ending_has_words_of_its_own_and_none_but_an_answer_sounds_like_consent() {
        let mut seen = std::collections::HashSet::new();
        for state in State::ALL {
            let mut request = answered_with(json!("A"), false, Channel::Window, None);
            request.state = state;
            let said = text(&request);
            assert!(seen.insert(said.clone()), "{state:?} shares its words");
            assert_eq!(said.contains("The person chose"), state == State::Answered, "{state:?}");
        }
    }
}
