//! The real engine in a folder of its own, on threads of its own, and the person.

use crate::clock;
use anyhow::{Context as _, bail};
use countersign_broker::{Broker, Change, PairingState, Person, Program, Shell, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::request::Request;
use countersign_core::scope::Scopes;
use countersign_gateway::Limits;
use countersign_host::{Engine, Home, Options, Surface};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const WINDOW: Person = Person::at(Channel::Window);

/// A desktop that notes when it was told.
#[derive(Default)]
pub struct Watch {
    last: Mutex<Option<Instant>>,
    lists: AtomicUsize,
}

impl Watch {
    /// When the last question was told.
    pub fn last(&self) -> Option<Instant> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the list changed: once a commit, while nobody waits.
    pub fn lists(&self) -> usize {
        self.lists.load(Ordering::SeqCst)
    }
}

impl Shell for Watch {
    fn asked(&self, _: &Request) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock::now());
    }

    fn settled(&self, _: &Request) {}

    fn changed(&self, change: Change) {
        if change == Change::List {
            self.lists.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// A running engine.
pub struct House {
    /// Where requests meet decisions.
    pub broker: Broker,
    /// The agents' port.
    pub port: u16,
    /// Its desktop.
    pub watch: Arc<Watch>,
    engine: Option<Engine>,
    runtime: Runtime,
}

impl House {
    /// Starts in this folder, with no limit that a bench would run into.
    pub fn start(folder: &Path) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let many = 1_000_000;
        let limits = Limits {
            creates_burst: many,
            creates_per_second: many,
            mcp_sessions: 20_000,
            // The bench opens thousands at once and sends their first requests later; the port would turn most of them away.
            strangers: 20_000,
            ..Limits::default()
        };
        let home = Home::locate(Some(folder))?;
        let options = Options { port: Some(0), insecure_test: true, limits, ..Options::new(home, Surface::Serve) };
        let watch = Arc::new(Watch::default());
        let engine = runtime.block_on(Engine::start(options, watch.clone()))?;
        let port = engine.endpoint.url.rsplit(':').next().context("no port")?.parse()?;
        Ok(Self { broker: engine.broker.clone(), port, watch, engine: Some(engine), runtime })
    }

    /// Pairs an agent whose calls are held for minutes; gives its token.
    pub async fn pair(&self, name: &str) -> anyhow::Result<String> {
        let program = Program {
            name: name.into(),
            client: "codex".into(),
            workspace: Some("/bench".into()),
            ..Program::default()
        };
        let pairing = self.broker.begin_pairing(program).await?;
        self.broker.accept_arrival(None, &pairing.code, Scopes::ALL, WINDOW)?;
        match self.broker.await_pairing(&pairing.id, Duration::ZERO).await? {
            PairingState::Accepted { token, .. } => Ok(token),
            other => bail!("not paired: {other:?}"),
        }
    }

    /// The ids of what is pending, and for how many of them somebody waits.
    pub fn open(&self) -> anyhow::Result<(Vec<RequestId>, usize)> {
        let open = self.broker.open_list(None, 20_000)?;
        let waiting = open.iter().filter(|listed| listed.waiting).count();
        Ok((open.into_iter().map(|listed| listed.row.id).collect(), waiting))
    }

    /// The one request for which somebody waits.
    pub async fn waiting(&self) -> anyhow::Result<RequestId> {
        loop {
            if let (ids, 1) = self.open()?
                && let [id] = ids.as_slice()
            {
                return Ok(id.clone());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// The person answers one.
    pub async fn answer(&self, id: &RequestId) -> anyhow::Result<()> {
        answer(&self.broker, id).await
    }

    /// The person answers all, as fast as that goes.
    pub async fn answer_all(&self) -> anyhow::Result<usize> {
        let (ids, _) = self.open()?;
        let mut answers = tokio::task::JoinSet::new();
        let count = ids.len();
        for id in ids {
            let broker = self.broker.clone();
            answers.spawn(async move { answer(&broker, &id).await });
        }
        while let Some(answered) = answers.join_next().await {
            answered??;
        }
        Ok(count)
    }

    /// Runs on the engine's own threads.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.runtime.block_on(engine.stop());
        }
    }
}

async fn answer(broker: &Broker, id: &RequestId) -> anyhow::Result<()> {
    let answers = json!({"answer": "Red"}).as_object().cloned().unwrap_or_default();
    broker.decide(WINDOW, id, None, Verdict::Answer { answers, comment: None, typed: None }).await?;
    Ok(())
}
