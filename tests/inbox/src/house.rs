//! The engine in this process, without a window, over a data folder of its own; and the person.

use crate::agent::Agent;
use crate::home::Home;
use crate::until::{in_time, until};
use countersign_broker::{Broker, Listed, PairingState, Person, Program, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId};
use countersign_core::request::Request;
use countersign_core::scope::Scopes;
use countersign_host::{Engine, HostError, Options, Surface};
use serde_json::Value;
use std::hash::{BuildHasher as _, RandomState};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Changes how each start goes.
type Change = Box<dyn Fn(&mut Options) + Send + Sync>;

/// An engine that can be ended and started again.
pub struct House {
    /// Its data folder.
    pub home: Home,
    engine: Option<Engine>,
    port: u16,
    change: Change,
}

/// A free port of those that no system gives out by itself, so that it is still free after a restart.
pub fn quiet_port() -> u16 {
    let seed = RandomState::new();
    let some = (0_u64..).map(|n| 20_000 + (seed.hash_one(n) % 10_000) as u16);
    let mut free = some.filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
    free.next().expect("a free port")
}

impl House {
    /// A running one.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A running one, started with changed options.
    pub async fn with(change: impl Fn(&mut Options) + Send + Sync + 'static) -> Self {
        let mut house = Self { home: Home::new(), engine: None, port: quiet_port(), change: Box::new(change) };
        house.start().await;
        house
    }

    /// Starts it.
    pub async fn start(&mut self) {
        let started = async {
            loop {
                let home = countersign_host::Home::locate(Some(&self.home.path())).expect("a home");
                let mut options = Options { port: Some(self.port), ..Options::new(home, Surface::Serve) };
                (self.change)(&mut options);
                match Engine::start(options, Arc::new(())).await {
                    // A child that another test is just starting holds our files, and so the lock, until its `exec`.
                    Err(HostError::Running { .. }) => tokio::task::yield_now().await,
                    started => return started.expect("started"),
                }
            }
        };
        self.engine = Some(in_time("the start", started).await);
    }

    /// Ends it; everything stays on disk.
    pub async fn stop(&mut self) {
        self.engine.take().expect("it runs").stop().await;
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.engine.as_ref().expect("it runs").endpoint.url
    }

    /// Where requests meet decisions.
    pub fn broker(&self) -> &Broker {
        &self.engine.as_ref().expect("it runs").broker
    }

    /// A paired agent that works in the workspace.
    pub async fn pair(&self, name: &str) -> Agent {
        self.pair_as(name, "").await
    }

    /// A paired agent of this kind of client.
    pub async fn pair_as(&self, name: &str, client: &str) -> Agent {
        self.pair_for(name, client, Some(&self.home.work()), Scopes::ALL).await
    }

    /// A paired agent that works in this folder and may do this.
    pub async fn pair_for(&self, name: &str, client: &str, folder: Option<&Path>, scopes: Scopes) -> Agent {
        let workspace = folder.map(|folder| folder.to_str().expect("UTF-8").to_owned());
        let program = Program { name: name.into(), client: client.into(), workspace, ..Program::default() };
        let pairing = self.broker().begin_pairing(program).await.expect("begun");
        self.broker().accept_arrival(None, &pairing.code, scopes, Person::at(Channel::Window)).expect("accepted");
        match self.broker().await_pairing(&pairing.id, Duration::ZERO).await.expect("a state") {
            PairingState::Accepted { agent, token } => Agent::new(self.url(), agent.as_str(), &token),
            other => panic!("not paired: {other:?}"),
        }
    }

    /// The person replaces an agent's token: the new one, and whether its bridge has it.
    pub async fn rotate(&self, agent: &Agent) -> (Agent, bool) {
        let engine = self.engine.as_ref().expect("it runs");
        let rotated = engine.rotate(&AgentId(agent.id.clone()), Person::at(Channel::Window)).await;
        let (token, kept) = rotated.expect("rotated");
        (Agent::new(self.url(), &agent.id, &token), kept)
    }

    /// The person changes what an agent may do.
    pub async fn allow(&self, agent: &Agent, scopes: Scopes) {
        let changed = self.broker().set_scopes(&AgentId(agent.id.clone()), scopes, Person::at(Channel::Window)).await;
        changed.expect("changed");
    }

    /// Waits until what is open is as wanted.
    pub async fn open(&self, what: &str, wanted: impl Fn(&[Listed]) -> bool) -> Vec<Listed> {
        until(what, || Some(self.broker().open_list(None, 2_000).expect("a list")).filter(|open| wanted(open))).await
    }

    /// The one open request, once somebody waits for it.
    pub async fn waiting(&self) -> RequestId {
        let open = self.open("one waits", |open| open.len() == 1 && open[0].waiting).await;
        open[0].row.id.clone()
    }

    /// The person answers.
    pub async fn answer(&self, id: &RequestId, answers: Value) -> Request {
        self.answer_at(Channel::Window, id, answers, None).await
    }

    /// The person answers through this channel, typing this word.
    pub async fn answer_at(&self, channel: Channel, id: &RequestId, answers: Value, typed: Option<&str>) -> Request {
        let answers = answers.as_object().expect("an object").clone();
        let verdict = Verdict::Answer { answers, comment: None, typed: typed.map(str::to_owned) };
        self.broker().decide(Person::at(channel), id, None, verdict).await.expect("decided")
    }

    /// The person doesn't answer.
    pub async fn decline(&self, id: &RequestId) {
        let verdict = Verdict::Decline { comment: None };
        self.broker().decide(Person::at(Channel::Window), id, None, verdict).await.expect("declined");
    }
}
