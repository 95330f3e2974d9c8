//! The tools that ask one fixed question by themselves: their question, their class, and what the agent is told of each ending.
//! Read by models, so English.

use crate::answer::Answer;
use crate::class::Class;
use crate::given::Given;
use crate::question::{Question, QuestionType};
use crate::request::{Request, State};
use serde_json::{Map, Value, json};

/// One of those tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asking {
    /// A yes or a no to something that the agent is about to do.
    Approval,
    /// Something that the person does by hand.
    Manual,
    /// A file of the person's.
    File,
    /// A file of the workspace that is to be set aside.
    Retire,
}

impl Asking {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Approval, Self::Manual, Self::File, Self::Retire];

    /// The tool, which is also the kind of its requests.
    pub const fn tool(self) -> &'static str {
        match self {
            Self::Approval => "request_human_approval",
            Self::Manual => "request_manual_intervention",
            Self::File => "request_file",
            Self::Retire => "retire_source",
        }
    }

    /// The one of that tool.
    pub fn of_tool(tool: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|asking| asking.tool() == tool)
    }

    /// The id of its one question.
    pub const fn question_id(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Manual => "done",
            Self::File => "file",
            Self::Retire => "retire",
        }
    }

    /// How much a wrong yes costs.
    pub const fn class(self) -> Class {
        match self {
            Self::Manual | Self::File => Class::Ask,
            Self::Approval | Self::Retire => Class::Approval,
        }
    }

    /// What the person is asked.
    pub fn question(self) -> Question {
        let id = self.question_id();
        match self {
            Self::Approval => Question::confirm(id, "Do you approve this?".into()),
            Self::Manual => Question::confirm(id, "Did you do it?".into()),
            Self::File => {
                let words = "Which file? It is copied into the workspace; yours stays where it is.";
                Question { kind: QuestionType::Text, ..Question::confirm(id, words.into()) }
            }
            Self::Retire => Question::confirm(id, "Set this file aside?".into()),
        }
    }

    /// What a yes or a no comes to; none where it was not answered so.
    pub fn yes(self, request: &Request) -> Option<bool> {
        match request.decision.as_ref()?.answers.0.get(self.question_id())? {
            Answer::Confirm(yes) => Some(*yes),
            Answer::One(_) | Answer::Some { .. } | Answer::Text(_) => None,
        }
    }

    /// What the agent is told, but for what the person adds; none where the words for every request say it.
    pub fn ending(self, request: &Request) -> Option<String> {
        match request.state {
            State::Declined => Some(self.declined().to_owned()),
            State::Answered => self.answered(request),
            State::Pending | State::Cancelled | State::Expired | State::Superseded => None,
        }
    }

    const fn declined(self) -> &'static str {
        match self {
            Self::Approval => {
                "The person didn't answer, so it is not approved. Don't proceed with that; stop and ask in your reply what they want."
            }
            Self::Manual => {
                "The person didn't say whether they did it, so don't assume it. Go on with what doesn't need it, or ask in your reply."
            }
            Self::File => {
                "The person doesn't have that file (or didn't give one). Go on without it, and say in your reply what is missing because of that."
            }
            Self::Retire => "The person didn't answer, so the original stays. Go on with it, and don't ask again.",
        }
    }

    fn answered(self, request: &Request) -> Option<String> {
        let given = || request.decision.as_ref().and_then(|decision| decision.given.as_ref());
        Some(match self {
            Self::Approval if self.yes(request)? => "Approved by the human. You may continue.".into(),
            Self::Approval => {
                "Rejected by the human. Don't proceed with that; ask what to do differently.".to_owned()
            }
            Self::Manual if self.yes(request)? => "Done by the human. You may continue.".into(),
            Self::Manual => {
                "The human could not do it. Don't assume that it is done: go on without it, or ask in your reply what to do instead.".into()
            }
            Self::File => file(given()?, request.ask.arguments.get("replaces").and_then(Value::as_str)),
            Self::Retire if self.yes(request)? => retired(given()?),
            Self::Retire => "The person said no: the original stays. Go on with it, and don't ask again.".into(),
        })
    }

    /// What programs read besides.
    pub fn structured(self, request: &Request, object: &mut Map<String, Value>) {
        let key = match self {
            Self::Approval => "approved",
            Self::Manual => "done",
            Self::Retire => "retired",
            Self::File => "given",
        };
        let given = request.decision.as_ref().and_then(|decision| decision.given.as_ref());
        if let Some(yes) = self.yes(request) {
            object.insert(key.into(), json!(yes));
        }
        if let Some(given) = given {
            object.insert("file".into(), json!(given));
        }
    }
}

fn file(given: &Given, replaces: Option<&str>) -> String {
    let what = if given.already_there {
        format!("The person gave a file that is in the workspace already: {} ({} bytes).", given.path, given.bytes)
    } else {
        format!(
            "The person gave the file “{}”. A copy is in the workspace: {} ({} bytes).",
            given.name, given.path, given.bytes
        )
    };
    match replaces {
        Some(old) if old != given.path => format!(
            "{what} It is to replace {old}, which is still there: if you work with the new one, call retire_source with source \"{old}\", why \"replaced\" and replaced_by \"{}\"; it asks the person by itself.",
            given.path
        ),
        Some(_) | None => what,
    }
}

fn retired(given: &Given) -> String {
    format!(
        "The file was moved to {} and nothing was deleted. Don't read it any more, and look through what you built on it.",
        given.path
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::check;
    use crate::channel::Channel;
    use crate::ending;
    use crate::request::Decision;
    use crate::request::tests::sample;
    use crate::time::Timestamp;
    use expect_test::{Expect, expect};

    fn request(
        asking: Asking,
        state: State,
        value: Option<Value>,
        given: Option<Given>,
        comment: Option<&str>,
    ) -> Request {
        let mut request = sample();
        request.ask.tool = asking.tool().into();
        request.ask.class = asking.class();
        request.ask.questions = vec![asking.question()];
        request.ask.arguments = json!({"source": "old.pdf", "replaces": "old.pdf"});
        request.state = state;
        let answers = value.map(|value| json!({asking.question_id(): value}));
        let answers =
            answers.map(|given| check(&request.ask.questions, given.as_object().expect("object")).expect("fits"));
        request.decision = Some(Decision {
            answers: answers.unwrap_or_default(),
            channel: Channel::Window,
            unattended: false,
            comment: comment.map(str::to_owned),
            at: Timestamp(1),
            digest: request.digest,
            mode: None,
            remarks: Vec::new(),
            given,
        });
        request
    }

    fn copy(already_there: bool) -> Given {
        Given {
            path: "docs/new.pdf".into(),
            name: "New (final).pdf".into(),
            bytes: 1_234,
            sha256: "00".into(),
            already_there,
        }
    }

    fn told(request: &Request, expect: Expect) {
        expect.assert_eq(&format!("{}\n{}\n", ending::text(request), ending::structured(request, false)));
    }

    #[test]
    fn an_approval_is_told_in_the_originals_words_and_silence_is_none() {
        let of = |value: Option<bool>, state, comment| {
            request(Asking::Approval, state, value.map(|yes| json!(yes)), None, comment)
        };
        told(
            &of(Some(true), State::Answered, Some("but only staging")),
            expect![[r#"
            Approved by the human. You may continue.
            They added: but only staging
            {"answers":{"approval":true},"approved":true,"comment":"but only staging","decided_by":"person","request":{"class":"approval","id":"request","state":"answered"},"state":"answered"}
        "#]],
        );
        told(
            &of(Some(false), State::Answered, None),
            expect![[r#"
            Rejected by the human. Don't proceed with that; ask what to do differently.
            {"answers":{"approval":false},"approved":false,"decided_by":"person","request":{"class":"approval","id":"request","state":"answered"},"state":"answered"}
        "#]],
        );
        told(
            &of(None, State::Declined, None),
            expect![[r#"
            The person didn't answer, so it is not approved. Don't proceed with that; stop and ask in your reply what they want.
            {"request":{"class":"approval","id":"request","state":"declined"},"state":"declined"}
        "#]],
        );
    }

    #[test]
    fn what_was_to_be_done_by_hand_is_done_or_could_not_be() {
        let of = |value: Option<bool>, state| request(Asking::Manual, state, value.map(|yes| json!(yes)), None, None);
        for (value, state, start) in [
            (Some(true), State::Answered, "Done by the human."),
            (Some(false), State::Answered, "The human could not do it."),
            (None, State::Declined, "The person didn't say whether they did it"),
        ] {
            let request = of(value, state);
            assert!(ending::text(&request).starts_with(start), "{}", ending::text(&request));
            assert_eq!(ending::structured(&request, false).get("done").and_then(Value::as_bool), value);
        }
    }

    #[test]
    fn a_given_file_is_named_with_its_place_and_what_may_follow() {
        told(
            &request(Asking::File, State::Answered, Some(json!("docs/new.pdf")), Some(copy(false)), None),
            expect![[r#"
            The person gave the file “New (final).pdf”. A copy is in the workspace: docs/new.pdf (1234 bytes). It is to replace old.pdf, which is still there: if you work with the new one, call retire_source with source "old.pdf", why "replaced" and replaced_by "docs/new.pdf"; it asks the person by itself.
            {"answers":{"file":"docs/new.pdf"},"decided_by":"person","file":{"already_there":false,"bytes":1234,"name":"New (final).pdf","path":"docs/new.pdf","sha256":"00"},"request":{"class":"ask","id":"request","state":"answered"},"state":"answered"}
        "#]],
        );
        let there =
            ending::text(&request(Asking::File, State::Answered, Some(json!("docs/new.pdf")), Some(copy(true)), None));
        assert!(there.contains("is in the workspace already: docs/new.pdf"), "{there}");
        let none = ending::text(&request(Asking::File, State::Declined, None, None, Some("lost it")));
        assert!(
            none.starts_with("The person doesn't have that file") && none.ends_with("They added: lost it"),
            "{none}"
        );
    }

    #[test]
    fn a_retired_file_was_moved_and_a_no_leaves_it() {
        let of = |yes: bool| request(Asking::Retire, State::Answered, Some(json!(yes)), yes.then(|| copy(false)), None);
        assert!(ending::text(&of(true)).starts_with("The file was moved to docs/new.pdf and nothing was deleted."));
        assert!(ending::text(&of(false)).starts_with("The person said no: the original stays."));
    }

    #[test]
    fn each_ending_of_each_has_words_of_its_own_and_none_but_a_yes_lets_the_agent_go_on() {
        for asking in Asking::ALL {
            let mut seen = std::collections::HashSet::new();
            for state in State::ALL {
                let value =
                    (state == State::Answered).then(|| if asking == Asking::File { json!("x") } else { json!(false) });
                let said = ending::text(&request(asking, state, value, Some(copy(false)), None));
                assert!(seen.insert(said.clone()), "{asking:?} {state:?} shares its words");
                assert!(!said.contains("You may continue"), "{asking:?} {state:?}: {said}");
            }
        }
    }
}
