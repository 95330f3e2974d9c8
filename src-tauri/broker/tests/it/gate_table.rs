//! Every gate in every mode under every kind of answer. What is expected is worked out from the table of who may decide.

use crate::room::{Room, SERVE, WINDOW};
use countersign_broker::{BrokerError, Caller, Gated};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::gate::{self, CREATE_ANYWAY, USE_EXISTING};
use countersign_core::id::{RequestId, SpecId};
use countersign_core::limit;
use countersign_core::mode::Mode;
use countersign_core::question::Question;
use countersign_core::request::{Request, State};
use countersign_core::spec::{NewCriterion, NewSpec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use countersign_core::time::Millis;
use countersign_core::who_may_decide::{May, may_decide};
use countersign_core::workspace::WorkspaceRules;
use serde_json::{Map, Value, json};

/// What is done to a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    NoAnswer,
    RelayedYes,
    RelayedNo,
    PersonsYes,
    PersonsNo,
    Stale,
    Lapsed,
    Replayed,
    AnotherAgent,
    BeforeAnyQuestion,
    UnknownId,
    WrongType,
}

impl Case {
    const ALL: [Self; 12] = [
        Self::NoAnswer,
        Self::RelayedYes,
        Self::RelayedNo,
        Self::PersonsYes,
        Self::PersonsNo,
        Self::Stale,
        Self::Lapsed,
        Self::Replayed,
        Self::AnotherAgent,
        Self::BeforeAnyQuestion,
        Self::UnknownId,
        Self::WrongType,
    ];
}

/// A tool's call that stands before one gate.
struct Scene {
    gate: &'static str,
    tool: &'static str,
    call: Doing,
    yes: Value,
    no: Value,
}

enum Doing {
    Create(&'static str),
    Act(&'static str, SpecAct),
}

/// What a call came to, in a word.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    Asks(RequestId),
    Done(&'static str),
    Refused,
    Existing,
}

const ORIGINAL: &str = "Waiting room music";

fn scenes() -> Vec<Scene> {
    let confirm =
        |gate, tool, term, act| Scene { gate, tool, call: Doing::Act(term, act), yes: json!(true), no: json!(false) };
    let body = |text: &str| SpecAct::Edit(Edit { body: Some(text.into()), ..Edit::default() });
    let drop = SpecAct::Edit(Edit { criteria: Some(vec![NewCriterion::plain("something else")]), ..Edit::default() });
    vec![
        Scene {
            gate: "confirm-duplicate-title",
            tool: "create_spec",
            call: Doing::Create("Music, waiting room"),
            yes: json!(CREATE_ANYWAY),
            no: json!(USE_EXISTING),
        },
        Scene {
            gate: "choose-spec",
            tool: "record_evidence",
            call: Doing::Act("alike", SpecAct::Evidence { criterion: "AC-1".into(), met: true, text: "seen".into() }),
            yes: json!("SPEC-003 Alike, the other"),
            no: Value::Null,
        },
        confirm("confirm-lock-draft", "lock_spec", "SPEC-001", SpecAct::Lock),
        confirm("confirm-low-criteria", "update_status", "SPEC-001", SpecAct::Move(Status::Approved)),
        confirm("confirm-unmet-criteria", "update_status", "SPEC-004", SpecAct::Move(Status::Done)),
        confirm("confirm-drop-criteria", "update_spec", "SPEC-004", drop),
        confirm("confirm-delete", "delete_spec", "SPEC-001", SpecAct::Delete),
        confirm("confirm-overwrite-locked", "update_spec", "SPEC-005", body("overwritten")),
        confirm("confirm-overwrite-locked", "unlock_spec", "SPEC-005", SpecAct::Unlock),
    ]
}

/// A workspace with something for each gate, and a caller in this mode.
async fn stage(mode: Mode) -> (Room, Caller) {
    let room = Room::new();
    let first = room.caller("a").await;
    let new = |title: &str| NewSpec {
        title: title.into(),
        body: "as it was".into(),
        criteria: vec![NewCriterion::plain("it is nice")],
    };
    for title in [ORIGINAL, "Alike, the one", "Alike, the other", "Being built", "Kept under lock"] {
        room.broker.make_spec(WINDOW, first.workspace, new(title)).await.expect("made");
    }
    for (id, act) in
        [(4, SpecAct::Move(Status::Approved)), (4, SpecAct::Move(Status::Implementing)), (5, SpecAct::Lock)]
    {
        room.broker
            .do_to_spec(WINDOW, first.workspace, SpecId(id), act)
            .await
            .expect("the person's own act asks nothing");
    }
    let caller = match mode {
        Mode::Autonomous => {
            let rules = WorkspaceRules { mode, ..WorkspaceRules::default() };
            room.broker.set_rules(WINDOW, first.workspace, rules).await.expect("ruled");
            room.caller("b").await
        }
        Mode::Guided | Mode::Interactive | Mode::Plan => {
            room.broker.set_mode(&first.session, mode, WINDOW).await.expect("switched");
            first
        }
    };
    (room, caller)
}

impl Scene {
    async fn call(&self, room: &Room, caller: &Caller, answers: Value) -> Result<Came, BrokerError> {
        self.call_noted(room, caller, answers).await.map(|(came, _)| came)
    }

    async fn call_noted(
        &self,
        room: &Room,
        caller: &Caller,
        answers: Value,
    ) -> Result<(Came, Option<String>), BrokerError> {
        let answers = answers.as_object().expect("an object").clone();
        match &self.call {
            Doing::Create(title) => {
                let spec = NewSpec { title: (*title).into(), body: String::new(), criteria: Vec::new() };
                let gated = room.broker.create_spec(caller, spec, answers).await?;
                Ok(self.came(gated, |created| if created.existing { Came::Existing } else { Came::Done("created") }))
            }
            Doing::Act(term, act) => {
                let gated = room.broker.act_on_spec(caller, term, act.clone(), answers).await?;
                Ok(self.came(gated, |acted| match acted.outcome {
                    countersign_broker::Outcome::Refused => Came::Refused,
                    outcome => Came::Done(outcome.word()),
                }))
            }
        }
    }

    fn came<T>(&self, gated: Gated<T>, done: impl FnOnce(T) -> Came) -> (Came, Option<String>) {
        match gated {
            Gated::Done { value, took } => (done(value), took.get(self.gate).map(Value::to_string)),
            Gated::Asks { questions, request, note } => {
                assert_eq!(questions.iter().map(|q| q.id.as_str()).collect::<Vec<_>>(), [self.gate], "one at a time");
                (Came::Asks(request.expect("a request").id), note)
            }
        }
    }

    fn answers(&self, value: &Value) -> Value {
        Value::Object(Map::from_iter([(self.gate.to_owned(), value.clone())]))
    }

    fn class(&self) -> Class {
        gate::TABLE
            .iter()
            .find(|row| row.id == self.gate && row.tools.contains(&self.tool))
            .expect("in the table")
            .class
    }

    /// What a yes comes to, and a no.
    fn done(&self) -> Came {
        Came::Done(match self.tool {
            "create_spec" => "created",
            "record_evidence" => "recorded",
            "lock_spec" => "locked",
            "unlock_spec" => "unlocked",
            "delete_spec" => "deleted",
            _ => "updated",
        })
    }

    fn refused(&self) -> Came {
        if self.tool == "create_spec" { Came::Existing } else { Came::Refused }
    }

    /// The person answers where the table lets them.
    async fn person(&self, room: &Room, id: &RequestId, value: &Value) {
        let person = match may_decide(self.class(), Channel::Window) {
            May::Yes => WINDOW,
            _ => SERVE,
        };
        let asked = room.broker.detail(id).expect("there").request;
        let word = asked.ask.typed_word.clone();
        room.typed(person, id, self.answers(value), word.as_deref()).await.expect("answered");
    }

    /// Somebody changes what the decision was over.
    async fn change(&self, room: &Room, caller: &Caller) {
        let id = match &self.call {
            Doing::Create(_) => SpecId(1),
            Doing::Act("alike", _) => SpecId(3),
            Doing::Act(term, _) => SpecId::parse(term).expect("an id"),
        };
        let edit = Edit { body: Some("changed by the person".into()), ..Edit::default() };
        room.broker.do_to_spec(WINDOW, caller.workspace, id, SpecAct::Edit(edit)).await.expect("changed");
    }

    /// The person puts back what a yes did, so that the same call stands before the same gate.
    async fn put_back(&self, room: &Room, caller: &Caller) {
        let acts = match self.tool {
            "lock_spec" => vec![SpecAct::Unlock],
            "unlock_spec" => vec![SpecAct::Lock],
            "update_status" if self.gate == "confirm-low-criteria" => vec![SpecAct::Move(Status::Review)],
            "update_status" => vec![SpecAct::Move(Status::Implementing)],
            "update_spec" => vec![SpecAct::Edit(Edit {
                body: Some("as it was".into()),
                criteria: Some(vec![NewCriterion::plain("it is nice")]),
                ..Edit::default()
            })],
            _ => Vec::new(),
        };
        let Doing::Act(term, _) = &self.call else { return };
        for act in acts {
            let id = SpecId::parse(term).expect("an id");
            room.broker.do_to_spec(WINDOW, caller.workspace, id, act).await.expect("put back");
        }
    }

    async fn asked(&self, room: &Room, caller: &Caller, answers: Value) -> Request {
        let Came::Asks(id) = self.call(room, caller, answers).await.expect("asks") else {
            panic!("{} did not ask", self.gate)
        };
        room.broker.detail(&id).expect("there").request
    }

    async fn plays(&self, case: Case, room: &Room, caller: &Caller) {
        let (yes, no, none) = (self.answers(&self.yes), self.answers(&self.no), json!({}));
        let relayed = may_decide(self.class(), Channel::Relayed);
        let first = match case {
            Case::BeforeAnyQuestion => self.asked(room, caller, yes.clone()).await,
            _ => self.asked(room, caller, none.clone()).await,
        };
        let still_pending = |room: &Room| {
            let now = room.broker.detail(&first.id).expect("there").request;
            assert_eq!(now.state, State::Pending);
            now
        };
        let has_no = !self.no.is_null();
        match case {
            Case::NoAnswer => {
                assert_eq!(self.asked(room, caller, none).await.id, first.id, "one card");
                still_pending(room);
            }
            Case::BeforeAnyQuestion => {
                let now = still_pending(room);
                assert!(now.decision.is_none() && now.claims.is_empty(), "what came before the question is ignored");
            }
            Case::RelayedYes | Case::RelayedNo => {
                let (given, came) = match case {
                    Case::RelayedYes => (yes, self.done()),
                    _ if has_no => (no, self.refused()),
                    _ => return,
                };
                match relayed {
                    May::Unverified => {
                        assert_eq!(self.call(room, caller, given).await.expect("goes"), came);
                        let kept = room.broker.detail(&first.id).expect("there").request;
                        assert_eq!(kept.decision.map(|decision| decision.channel), Some(Channel::Relayed), "marked");
                    }
                    May::ClaimOnly => {
                        assert_eq!(self.asked(room, caller, given).await.id, first.id);
                        assert_eq!(still_pending(room).claims.len(), 1, "kept as a claim");
                    }
                    other => panic!("{other:?}"),
                }
            }
            Case::PersonsYes => {
                self.person(room, &first.id, &self.yes).await;
                assert_eq!(self.call(room, caller, none).await.expect("goes"), self.done());
            }
            Case::PersonsNo if has_no => {
                self.person(room, &first.id, &self.no).await;
                assert_eq!(self.call(room, caller, none.clone()).await.expect("goes"), self.refused());
                assert_ne!(self.asked(room, caller, none).await.id, first.id, "a no counts once");
            }
            Case::PersonsNo => {}
            Case::Stale => {
                self.person(room, &first.id, &self.yes).await;
                self.change(room, caller).await;
                let (came, note) = self.call_noted(room, caller, none.clone()).await.expect("goes");
                if self.gate == "choose-spec" {
                    assert_eq!(came, self.done(), "which one is meant is no matter of its content");
                    return;
                }
                let Came::Asks(again) = came else { panic!("{came:?}") };
                assert_ne!(again, first.id);
                assert!(note.expect("said").contains("changed since"), "it says so");
                let question = &room.broker.detail(&again).expect("there").request.ask.questions[0].question;
                assert!(question.starts_with("The spec changed since"), "and the person reads it: {question}");
                // A question that is still open when the spec changes is replaced, and a relayed answer to it is no answer.
                self.change_back(room, caller).await;
                let third = self.asked(room, caller, yes).await;
                assert_ne!(third.id, again);
                assert_eq!(room.broker.detail(&again).expect("there").request.state, State::Superseded);
                assert_eq!(third.state, State::Pending);
            }
            Case::Lapsed => {
                self.person(room, &first.id, &self.yes).await;
                let span = match self.class() {
                    Class::Destructive => limit::DESTRUCTIVE_GRANT_MILLIS,
                    _ => limit::GRANT_MILLIS,
                };
                room.pass(Millis(span + 1)).await;
                let (came, note) = self.call_noted(room, caller, none).await.expect("goes");
                assert!(matches!(came, Came::Asks(again) if again != first.id));
                assert!(note.expect("said").contains("lapsed"));
            }
            Case::Replayed => {
                self.person(room, &first.id, &self.yes).await;
                assert_eq!(self.call(room, caller, yes.clone()).await.expect("goes"), self.done());
                if self.gate == "confirm-delete" {
                    assert!(matches!(self.call(room, caller, yes).await, Err(BrokerError::NotFound(_))));
                    return;
                }
                self.put_back(room, caller).await;
                assert_ne!(self.asked(room, caller, yes).await.id, first.id, "a yes counts once");
            }
            Case::AnotherAgent => {
                let other = room.caller("another").await;
                let asked = self.asked(room, &other, yes.clone()).await;
                assert_ne!(asked.id, first.id, "its own question");
                self.person(room, &first.id, &self.yes).await;
                assert_eq!(self.asked(room, &other, none).await.id, asked.id, "not the other's grant");
            }
            Case::UnknownId => {
                let refused = self.call(room, caller, json!({"confirm-everything": true})).await;
                let Err(BrokerError::Invalid(text)) = refused else { panic!("{refused:?}") };
                assert!(text.contains("`confirm-everything`") && text.contains(self.gate), "{text}");
                still_pending(room);
            }
            Case::WrongType => {
                let refused = self.call(room, caller, self.answers(&json!(42))).await;
                let Err(BrokerError::Invalid(text)) = refused else { panic!("{refused:?}") };
                assert!(text.contains(self.gate), "{text}");
                assert!(still_pending(room).claims.is_empty());
            }
        }
    }

    async fn change_back(&self, room: &Room, caller: &Caller) {
        let id = match &self.call {
            Doing::Act(term, _) => SpecId::parse(term).expect("an id"),
            Doing::Create(_) => SpecId(1),
        };
        let edit = Edit { body: Some("changed once more".into()), ..Edit::default() };
        room.broker.do_to_spec(WINDOW, caller.workspace, id, SpecAct::Edit(edit)).await.expect("changed");
    }
}

/// The default that autonomous mode takes of this question, by the table.
fn taken(class: Class, question: &Question) -> Option<&Value> {
    match may_decide(class, Channel::Autonomous) {
        May::Default => question.default.as_ref(),
        _ => None,
    }
}

async fn in_autonomous(scene: &Scene, case: Case, room: &Room, caller: &Caller) {
    let (came, note) = scene.call_noted(room, caller, json!({})).await.expect("goes");
    let default = match scene.gate {
        "confirm-duplicate-title" => Some(json!(USE_EXISTING)),
        "confirm-lock-draft" => Some(json!(false)),
        _ => None,
    };
    match (came, default) {
        (Came::Asks(id), None) => {
            let request = room.broker.detail(&id).expect("shown to the person").request;
            assert_eq!(taken(request.ask.class, &request.ask.questions[0]), None, "nothing could be taken");
            assert!(note.expect("said").contains("blocked"));
            // From there on it goes as in any other mode.
            scene.plays(case, room, caller).await;
        }
        (came, Some(default)) => {
            assert_eq!(came, scene.refused());
            assert_eq!(note, Some(default.to_string()), "what was taken is said");
            assert!(room.open().is_empty(), "nobody is asked");
        }
        (came, None) => panic!("{came:?} with no default"),
    }
}

#[tokio::test]
async fn every_gate_in_every_mode_takes_the_answers_that_the_table_lets_it_take() {
    let mut cells = 0;
    for scene in scenes() {
        for mode in Mode::ALL {
            for case in Case::ALL {
                let (room, caller) = stage(mode).await;
                match mode {
                    Mode::Plan => {
                        let refused = scene.call(&room, &caller, json!({})).await;
                        assert!(matches!(refused, Err(BrokerError::WrongMode(_))), "{}: {refused:?}", scene.gate);
                        assert!(room.open().is_empty());
                    }
                    // Another agent's session starts in the workspace's mode as well.
                    Mode::Autonomous if case == Case::BeforeAnyQuestion => {}
                    Mode::Autonomous => in_autonomous(&scene, case, &room, &caller).await,
                    Mode::Guided | Mode::Interactive => scene.plays(case, &room, &caller).await,
                }
                room.log_holds();
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 9 * 4 * 12);
}

#[tokio::test]
async fn what_is_taken_by_default_is_kept_as_a_decision_of_that_channel() {
    let (room, caller) = stage(Mode::Autonomous).await;
    room.shell.take();
    let lock = room.act(&caller, "SPEC-001", SpecAct::Lock, json!({})).await.expect("goes");
    let Gated::Done { took, .. } = lock else { panic!("{lock:?}") };
    assert_eq!(Value::Object(took), json!({"confirm-lock-draft": false}));
    let told = room.shell.take();
    assert!(!told.iter().any(|told| matches!(told, countersign_broker::Told::Asked(_))), "nobody is called for it");
    let settled = told.into_iter().find_map(|told| match told {
        countersign_broker::Told::Settled(request) => Some(*request),
        _ => None,
    });
    let decision = settled.expect("kept").decision.expect("decided");
    assert_eq!(decision.channel, Channel::Autonomous);
    room.log_holds();
}

#[tokio::test]
async fn a_workspace_can_want_policy_questions_answered_in_the_app() {
    let (room, caller) = stage(Mode::Guided).await;
    let rules = WorkspaceRules { policy_in_app: true, ..WorkspaceRules::default() };
    room.broker.set_rules(WINDOW, caller.workspace, rules).await.expect("ruled");
    let approve = || SpecAct::Move(Status::Approved);
    let yes = json!({"confirm-low-criteria": true});
    room.act(&caller, "SPEC-001", approve(), json!({})).await.expect("asks");
    let claimed = room.act(&caller, "SPEC-001", approve(), yes).await.expect("asks still");
    let Gated::Asks { request: Some(request), note, .. } = claimed else { panic!("{claimed:?}") };
    assert_eq!(request.claims.len(), 1);
    assert!(note.expect("said").contains("only the person"));
    room.answer(WINDOW, &request.id, json!({"confirm-low-criteria": true})).await.expect("in the app");
    let done = room.act(&caller, "SPEC-001", approve(), json!({})).await.expect("goes");
    assert!(matches!(done, Gated::Done { .. }));
}
