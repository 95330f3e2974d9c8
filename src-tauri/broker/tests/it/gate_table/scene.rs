//! The calls that stand before each gate, and the workspace in which they do.

use crate::room::{Room, SERVE, WINDOW};
use countersign_broker::{BrokerError, Caller, Deployed, Gated, RunOrder, Runner, Teller};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::gate::{self, CREATE_ANYWAY, USE_EXISTING};
use countersign_core::id::{RequestId, RunId, SpecId};
use countersign_core::mode::Mode;
use countersign_core::request::Request;
use countersign_core::spec::{NewCriterion, NewSpec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use countersign_core::who_may_decide::{May, may_decide};
use countersign_core::workspace::WorkspaceRules;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// A tool's call that stands before one gate.
pub struct Scene {
    pub gate: &'static str,
    pub tool: &'static str,
    pub call: Doing,
    pub yes: Value,
    pub no: Value,
}

pub enum Doing {
    Create(&'static str),
    Act(&'static str, SpecAct),
    Deploy,
}

/// What a call came to, in a word.
#[derive(Debug, PartialEq, Eq)]
pub enum Came {
    Asks(RequestId),
    Done(&'static str),
    Refused,
    Existing,
}

const ORIGINAL: &str = "Waiting room music";

pub fn scenes() -> Vec<Scene> {
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
        Scene {
            gate: "confirm-target-env",
            tool: "deploy_spec",
            call: Doing::Deploy,
            yes: json!("production"),
            no: json!("staging"),
        },
        confirm("confirm-delete", "delete_spec", "SPEC-001", SpecAct::Delete),
        confirm("confirm-overwrite-locked", "update_spec", "SPEC-005", body("overwritten")),
        confirm("confirm-overwrite-locked", "unlock_spec", "SPEC-005", SpecAct::Unlock),
    ]
}

const COMMANDS: &str = "[targets.staging]\nrun = [\"true\"]\n[targets.production]\nrun = [\"true\"]\n";

/// Starts nothing: what is started stays in line.
struct Nothing;

impl Runner for Nothing {
    fn run(&self, _: RunOrder, _: Teller) {}
    fn cancel(&self, _: &RunId) {}
    fn stop(&self) {}
    fn sweep(&self, _: &[RunId]) {}
}

fn folder(room: &Room) -> PathBuf {
    room.folder.path().canonicalize().expect("a path").join("work")
}

/// An agent of this name, at work in the folder.
pub async fn enter(room: &Room, name: &str) -> Caller {
    let agent = room.agent(name).await;
    room.broker.enter(&agent, None, folder(room).to_str()).await.expect("enters")
}

/// A workspace with something for each gate, and a caller in this mode.
pub async fn stage(mode: Mode) -> (Room, Caller) {
    let room = Room::new();
    room.broker.serve_runs(Arc::new(Nothing));
    std::fs::create_dir(folder(&room)).expect("made");
    std::fs::write(folder(&room).join("countersign.toml"), COMMANDS).expect("written");
    let first = enter(&room, "a").await;
    let review = room.broker.review_trust(first.workspace).await.expect("asks").expect("there is something");
    let yes = json!({"confirm-trust": true});
    room.typed(SERVE, &review.id, yes, Some("trust")).await.expect("trusted");
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
            enter(&room, "b").await
        }
        Mode::Guided | Mode::Interactive | Mode::Plan => {
            room.broker.set_mode(&first.session, mode, WINDOW).await.expect("switched");
            first
        }
    };
    (room, caller)
}

impl Scene {
    pub async fn call(&self, room: &Room, caller: &Caller, answers: Value) -> Result<Came, BrokerError> {
        self.call_noted(room, caller, answers).await.map(|(came, _)| came)
    }

    pub async fn call_noted(
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
            Doing::Deploy => {
                let gated = room.broker.deploy_spec(caller, "SPEC-001", "production", answers).await?;
                Ok(self.came(gated, |deployed| match deployed {
                    Deployed::Started { run, .. } if run.name == "production" => Came::Done("production"),
                    Deployed::Started { run, .. } if run.name == "staging" => Came::Done("staging"),
                    other => panic!("{other:?}"),
                }))
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

    pub fn came<T>(&self, gated: Gated<T>, done: impl FnOnce(T) -> Came) -> (Came, Option<String>) {
        match gated {
            Gated::Done { value, took } => (done(value), took.get(self.gate).map(Value::to_string)),
            Gated::Asks { questions, request, note, .. } => {
                assert_eq!(questions.iter().map(|q| q.id.as_str()).collect::<Vec<_>>(), [self.gate], "one at a time");
                (Came::Asks(request.expect("a request").id), note)
            }
        }
    }

    pub fn answers(&self, value: &Value) -> Value {
        Value::Object(Map::from_iter([(self.gate.to_owned(), value.clone())]))
    }

    pub fn class(&self) -> Class {
        gate::TABLE
            .iter()
            .find(|row| row.id == self.gate && row.tools.contains(&self.tool))
            .expect("in the table")
            .class
    }

    /// What a yes comes to, and a no.
    pub fn done(&self) -> Came {
        Came::Done(match self.tool {
            "create_spec" => "created",
            "record_evidence" => "recorded",
            "lock_spec" => "locked",
            "unlock_spec" => "unlocked",
            "delete_spec" => "deleted",
            "deploy_spec" => "production",
            _ => "updated",
        })
    }

    pub fn refused(&self) -> Came {
        match self.tool {
            "create_spec" => Came::Existing,
            // The safe environment is no refusal: it deploys there, and says so.
            "deploy_spec" => Came::Done("staging"),
            _ => Came::Refused,
        }
    }

    /// The person answers where the table lets them.
    pub async fn person(&self, room: &Room, id: &RequestId, value: &Value) {
        let person = match may_decide(self.class(), Channel::Window) {
            May::Yes => WINDOW,
            _ => SERVE,
        };
        let asked = room.broker.detail(id).expect("there").request;
        // Where there is a choice, what is dangerous is its own word.
        let word = match &self.call {
            Doing::Deploy => value.as_str().map(str::to_owned),
            Doing::Create(_) | Doing::Act(..) => asked.ask.typed_word.clone(),
        };
        room.typed(person, id, self.answers(value), word.as_deref()).await.expect("answered");
    }

    /// Somebody changes what the decision was over.
    pub async fn change(&self, room: &Room, caller: &Caller) {
        let id = match &self.call {
            Doing::Create(_) | Doing::Deploy => SpecId(1),
            Doing::Act("alike", _) => SpecId(3),
            Doing::Act(term, _) => SpecId::parse(term).expect("an id"),
        };
        let edit = Edit { body: Some("changed by the person".into()), ..Edit::default() };
        room.broker.do_to_spec(WINDOW, caller.workspace, id, SpecAct::Edit(edit)).await.expect("changed");
    }

    /// The person puts back what a yes did, so that the same call stands before the same gate.
    pub async fn put_back(&self, room: &Room, caller: &Caller) {
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

    pub async fn asked(&self, room: &Room, caller: &Caller, answers: Value) -> Request {
        let Came::Asks(id) = self.call(room, caller, answers).await.expect("asks") else {
            panic!("{} did not ask", self.gate)
        };
        room.broker.detail(&id).expect("there").request
    }

    pub async fn change_back(&self, room: &Room, caller: &Caller) {
        let id = match &self.call {
            Doing::Act(term, _) => SpecId::parse(term).expect("an id"),
            Doing::Create(_) | Doing::Deploy => SpecId(1),
        };
        let edit = Edit { body: Some("changed once more".into()), ..Edit::default() };
        room.broker.do_to_spec(WINDOW, caller.workspace, id, SpecAct::Edit(edit)).await.expect("changed");
    }
}
