//! Every gate in every mode under every kind of answer. What is expected is worked out from the table of who may decide.

mod scene;

use crate::room::{Room, WINDOW};
use countersign_broker::{BrokerError, Caller, Gated};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::gate::USE_EXISTING;
use countersign_core::limit;
use countersign_core::mode::Mode;
use countersign_core::question::Question;
use countersign_core::request::State;
use countersign_core::spec::Status;
use countersign_core::spec_act::SpecAct;
use countersign_core::time::Millis;
use countersign_core::who_may_decide::{May, may_decide};
use countersign_core::workspace::WorkspaceRules;
use scene::{Came, Scene, enter, scenes, stage};
use serde_json::{Value, json};

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

impl Scene {
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
                let other = enter(room, "another").await;
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
        "confirm-target-env" => Some(json!("staging")),
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

/// All gates under all answers, in one mode.
async fn holds_in(mode: Mode) {
    let mut cells = 0;
    for scene in scenes() {
        for case in Case::ALL {
            let (room, caller) = stage(mode).await;
            match mode {
                Mode::Plan => {
                    let refused = scene.call(&room, &caller, json!({})).await;
                    assert!(matches!(refused, Err(BrokerError::WrongMode(_))), "{}: {refused:?}", scene.gate);
                    assert!(room.open().is_empty());
                }
                // The first call is the one that takes the default, whatever came with it.
                Mode::Autonomous if case == Case::BeforeAnyQuestion => {}
                Mode::Autonomous => in_autonomous(&scene, case, &room, &caller).await,
                Mode::Guided | Mode::Interactive => scene.plays(case, &room, &caller).await,
            }
            room.log_holds();
            cells += 1;
        }
    }
    assert_eq!(cells, 10 * 12);
}

#[tokio::test]
async fn every_gate_takes_the_answers_that_the_table_lets_it_take_in_guided_mode() {
    holds_in(Mode::Guided).await;
}

#[tokio::test]
async fn every_gate_takes_the_answers_that_the_table_lets_it_take_in_interactive_mode() {
    holds_in(Mode::Interactive).await;
}

#[tokio::test]
async fn every_gate_takes_its_default_or_waits_for_the_person_in_autonomous_mode() {
    holds_in(Mode::Autonomous).await;
}

#[tokio::test]
async fn no_gate_is_reached_in_plan_mode() {
    holds_in(Mode::Plan).await;
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
