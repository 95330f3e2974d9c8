//! A broker in a folder of its own, and the shortest ways to use it.

use countersign_broker::{
    Acted, Agent, Asked, Broker, BrokerError, Caller, Gated, ManualClock, Outcome, Person, Program, RecordingShell,
    SpecPage, Verdict,
};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::question::{Choice, Question};
use countersign_core::request::{Ask, OnExpiry, Request};
use countersign_core::scope::Scopes;
use countersign_core::spec::SpecRow;
use countersign_core::spec_act::SpecAct;
use countersign_core::time::Millis;
use countersign_store::Store;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

pub struct Room {
    pub folder: tempfile::TempDir,
    pub broker: Broker,
    pub clock: ManualClock,
    pub shell: RecordingShell,
}

pub const WINDOW: Person = Person::at(Channel::Window);
pub const DIALOG: Person = Person::at(Channel::Dialog);
pub const SERVE: Person = Person::at(Channel::Serve);

impl Room {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (clock, shell) = (ManualClock::default(), RecordingShell::default());
        let broker = start(&folder, &clock, &shell);
        Self { folder, broker, clock, shell }
    }

    /// The process ends and another one opens the same file.
    pub fn restart(self) -> Self {
        let Self { folder, broker, clock, shell } = self;
        drop(broker);
        Self::over(folder, clock, shell)
    }

    /// One that opens what is there.
    pub fn over(folder: tempfile::TempDir, clock: ManualClock, shell: RecordingShell) -> Self {
        let broker = start(&folder, &clock, &shell);
        Self { folder, broker, clock, shell }
    }

    pub async fn agent(&self, name: &str) -> Agent {
        let program =
            Program { name: name.into(), client: "test".into(), workspace: Some("/w".into()), ..Program::default() };
        let pairing = self.broker.begin_pairing(program).await.expect("begins");
        self.broker.accept_arrival(None, &pairing.code, Scopes::ALL, WINDOW).expect("accepts");
        match self.broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("paired") {
            countersign_broker::PairingState::Accepted { token, .. } => {
                self.broker.authenticate(&token).expect("reads").expect("known")
            }
            other => panic!("{other:?}"),
        }
    }

    pub async fn caller(&self, name: &str) -> Caller {
        let agent = self.agent(name).await;
        self.broker.enter(&agent, None, None).await.expect("enters")
    }

    pub async fn ask(&self, caller: &Caller, question: &str) -> Asked {
        self.broker.ask(caller, question_of(question)).await.expect("asks")
    }

    pub async fn answer(&self, person: Person, id: &RequestId, answers: Value) -> Result<Request, BrokerError> {
        self.typed(person, id, answers, None).await
    }

    pub async fn typed(
        &self,
        person: Person,
        id: &RequestId,
        answers: Value,
        typed: Option<&str>,
    ) -> Result<Request, BrokerError> {
        let answers = answers.as_object().expect("an object").clone();
        let verdict = Verdict::Answer { answers, comment: None, typed: typed.map(str::to_owned) };
        self.broker.decide(person, id, None, verdict).await
    }

    pub async fn delete(&self, caller: &Caller, term: &str, answers: Value) -> Result<Gated<Acted>, BrokerError> {
        self.act(caller, term, SpecAct::Delete, answers).await
    }

    pub async fn act(
        &self,
        caller: &Caller,
        term: &str,
        act: SpecAct,
        answers: Value,
    ) -> Result<Gated<Acted>, BrokerError> {
        let answers = answers.as_object().expect("an object").clone();
        self.broker.act_on_spec(caller, term, act, answers).await
    }

    pub fn specs(&self, caller: &Caller) -> Vec<SpecRow> {
        let page = SpecPage { limit: 1_000, ..SpecPage::default() };
        self.broker.list_specs(caller.workspace, page).expect("lists")
    }

    pub async fn pass(&self, span: Millis) {
        self.clock.pass(span);
        self.broker.tick().await.expect("ticks");
    }

    pub fn open(&self) -> Vec<RequestId> {
        self.broker.open_list(None, 1_000).expect("lists").into_iter().map(|listed| listed.row.id).collect()
    }

    pub fn log_holds(&self) -> u64 {
        self.broker.read(|db| Ok(db.verify_log()?)).expect("reads").expect("the log holds")
    }
}

fn start(folder: &tempfile::TempDir, clock: &ManualClock, shell: &RecordingShell) -> Broker {
    let store = Store::open(&folder.path().join("data.db")).expect("opens");
    Broker::start(store, Arc::new(clock.clone()), Arc::new(shell.clone())).expect("starts")
}

pub fn plan_of(plan: &str) -> Ask {
    Ask {
        tool: "present_plan".into(),
        class: Class::Plan,
        title: plan.into(),
        context: Some(plan.into()),
        questions: vec![countersign_core::plan::question()],
        arguments: json!({"plan": plan}),
        ..question_of("")
    }
}

pub fn question_of(question: &str) -> Ask {
    Ask {
        tool: "ask_human".into(),
        class: Class::Ask,
        title: question.into(),
        context: None,
        questions: vec![Question {
            allow_other: true,
            ..Question::choice("answer", question.into(), vec![Choice::plain("A"), Choice::plain("B")], None)
        }],
        arguments: json!({"question": question, "options": ["A", "B"]}),
        expires_in: None,
        on_expiry: OnExpiry::Expire,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    }
}

/// What came of an act, where it was done or refused.
pub fn came(gated: Gated<Acted>) -> Outcome {
    match gated {
        Gated::Done { value, .. } => value.outcome,
        asks @ Gated::Asks { .. } => panic!("{asks:?}"),
    }
}
