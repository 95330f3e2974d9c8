//! The endings of the tools that ask for something other than an answer: an approval, work of the person's own hands, a file, a file
//! to be put away.

use super::{added, said};
use crate::filed::Filed;
use crate::request::{Request, State};
use crate::{approval, given, manual, retire};
use serde_json::{Map, Value, json};

/// The text for this request, where its tool has one of its own for how it ended.
pub(super) fn text(request: &Request) -> Option<String> {
    match request.state {
        State::Answered => answered(request),
        State::Declined => declined(&request.ask.tool).map(|text| text.to_owned() + &said(request)),
        State::Superseded => (request.ask.tool == retire::TOOL).then(|| retire::CHANGED.to_owned()),
        State::Pending | State::Cancelled | State::Expired => None,
    }
}

fn answered(request: &Request) -> Option<String> {
    let decision = request.decision.as_ref()?;
    match request.ask.tool.as_str() {
        approval::TOOL => Some(approval::ending(approval::outcome(&decision.answers)?).to_owned() + &added(request)),
        manual::TOOL => Some(manual::ending(manual::outcome(&decision.answers)?).to_owned() + &added(request)),
        given::TOOL => match &decision.file {
            Some(Filed::Given(file)) => {
                let replaces = given::argument(&request.ask.arguments, "replaces");
                Some(given::ending(file, replaces) + &said(request))
            }
            Some(Filed::Retired(_)) | None => None,
        },
        retire::TOOL => match (retire::outcome(&decision.answers)?, &decision.file) {
            (true, Some(Filed::Retired(now))) => {
                Some(retire::ending(&retire::Retire::of(&request.ask)?, now) + &added(request))
            }
            (false, _) => Some(retire::REFUSED.to_owned() + &added(request)),
            (true, Some(Filed::Given(_)) | None) => None,
        },
        _ => None,
    }
}

fn declined(tool: &str) -> Option<&'static str> {
    match tool {
        approval::TOOL => Some(approval::DECLINED),
        manual::TOOL => Some(manual::DECLINED),
        given::TOOL => Some(given::DECLINED),
        retire::TOOL => Some(retire::DECLINED),
        _ => None,
    }
}

/// What the structured part says besides: never a yes but where a person said one.
pub(super) fn structured(request: &Request, object: &mut Map<String, Value>) {
    let decision = request.decision.as_ref().filter(|_| request.state == State::Answered);
    let answers = decision.map(|decision| &decision.answers);
    let ended = request.state != State::Pending;
    let mut yes = |field: &str, yes: Option<bool>| {
        if ended {
            object.insert(field.to_owned(), json!(yes.unwrap_or(false)));
        }
    };
    match request.ask.tool.as_str() {
        approval::TOOL => yes("approved", answers.and_then(approval::outcome)),
        manual::TOOL => yes("done", answers.and_then(manual::outcome)),
        retire::TOOL => yes("retired", answers.and_then(retire::outcome)),
        _ => {}
    }
    match decision.and_then(|decision| decision.file.as_ref()) {
        Some(Filed::Given(file)) => drop(object.insert("file".into(), file.to_json())),
        Some(Filed::Retired(now)) => drop(object.insert("path".into(), json!(now.path))),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::check;
    use crate::channel::Channel;
    use crate::digest::Digest;
    use crate::given::GivenFile;
    use crate::question::Question;
    use crate::request::Decision;
    use crate::request::tests::sample;
    use crate::retire::Retired;
    use crate::time::Timestamp;
    use expect_test::expect;

    fn asked(tool: &str, question: Question, arguments: Value) -> Request {
        let mut request = sample();
        request.ask.tool = tool.into();
        request.ask.questions = vec![question];
        request.ask.arguments = arguments;
        request
    }

    fn decided(mut request: Request, answer: &Value, comment: Option<&str>, file: Option<Filed>) -> Request {
        let given = json!({&request.ask.questions[0].id: answer});
        request.state = State::Answered;
        request.decision = Some(Decision {
            answers: check(&request.ask.questions, given.as_object().expect("object")).expect("answers"),
            channel: Channel::Window,
            unattended: false,
            comment: comment.map(str::to_owned),
            at: Timestamp(1),
            digest: request.digest,
            mode: None,
            step: None,
            file,
            remarks: Vec::new(),
        });
        request
    }

    fn all() -> [Request; 4] {
        let retire = json!({"source": "a.pdf", "why": "wrong", "reason": "x", "bytes": 2, "sha256": Digest([1; 32])});
        [
            asked(approval::TOOL, approval::question(), json!({})),
            asked(manual::TOOL, manual::question(), json!({})),
            asked(given::TOOL, given::question("Which?".into()), json!({"replaces": "old.pdf"})),
            asked(retire::TOOL, Question::confirm(retire::QUESTION, "Put it away?".into()), retire),
        ]
    }

    #[test]
    fn every_answer_has_its_text_and_a_comment_goes_with_it() {
        let [approval, manual, file, retire] = all();
        let copy = GivenFile {
            path: "new.pdf".into(),
            bytes: 2,
            sha256: Digest([1; 32]),
            already_there: false,
            name: "new.pdf".into(),
        };
        let away = Retired { path: ".countersign/retired/a.pdf".into() };
        let (yes, no) = (json!(true), json!(false));
        let mut said = String::new();
        for request in [
            decided(approval.clone(), &yes, None, None),
            decided(approval.clone(), &yes, Some("Only today."), None),
            decided(approval, &no, Some("Too dear."), None),
            decided(manual.clone(), &yes, Some("The code is 7."), None),
            decided(manual, &no, None, None),
            decided(file, &json!("new.pdf"), Some("The signed one."), Some(Filed::Given(copy))),
            decided(retire.clone(), &yes, Some("At last."), Some(Filed::Retired(away))),
            decided(retire, &no, Some("I need it."), None),
        ] {
            let mut object = Map::new();
            structured(&request, &mut object);
            said += &format!("{}\n  {}\n", super::super::text(&request), Value::Object(object));
        }
        expect![[r#"
            Approved by the human. You may continue.
              {"approved":true}
            Approved by the human. You may continue. They added: Only today.
              {"approved":true}
            Rejected by the human. Don't proceed with that; ask what to do differently. They added: Too dear.
              {"approved":false}
            The person says that it is done. Go on. They added: The code is 7.
              {"done":true}
            The person could not do it. Don't go on as if it were done; go on with what doesn't depend on it, or ask in your reply what to do instead.
              {"done":false}
            The person gave the file: `new.pdf` in the workspace (2 bytes), a copy of their own. It is to replace `old.pdf`: once it does, you may have that put away by retire_source with source "old.pdf", why "replaced" and replaced_by "new.pdf", which asks the person by itself.
            They added: The signed one.
              {"file":{"already_there":false,"bytes":2,"name":"new.pdf","path":"new.pdf","sha256":"0101010101010101010101010101010101010101010101010101010101010101"}}
            The person agreed: `a.pdf` was moved to `.countersign/retired/a.pdf`; nothing was deleted. Look over what was built on it. They added: At last.
              {"path":".countersign/retired/a.pdf","retired":true}
            The person said no: the original stays. Don't move, rename or delete it by other means; go on with it as it is. They added: I need it.
              {"retired":false}
        "#]]
        .assert_eq(&said);
    }

    #[test]
    fn every_other_ending_has_words_of_its_own_and_none_sounds_like_a_yes() {
        for request in all() {
            let mut seen = std::collections::HashSet::new();
            for state in State::ALL.into_iter().filter(|state| *state != State::Answered) {
                let request = Request { state, ..request.clone() };
                let said = super::super::text(&request);
                assert!(seen.insert(said.clone()), "{} {state:?} shares its words", request.ask.tool);
                for yes in ["Approved", "is done. Go on", "agreed", "gave the file"] {
                    assert!(!said.contains(yes), "{} {state:?}: {said}", request.ask.tool);
                }
                let structured = super::super::structured(&request, false);
                for field in ["approved", "done", "retired"] {
                    assert_ne!(structured[field], json!(true), "{} {state:?}", request.ask.tool);
                }
            }
        }
    }
}
