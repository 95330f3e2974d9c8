//! The engine: everything but a window, started in order and ended in order.

use crate::command::Surface;
use crate::desk::Desk;
use crate::endpoint::Endpoint;
use crate::error::HostError;
use crate::home::{Home, Lock};
use crate::news::News;
use crate::passphrase::{self, Tries};
use crate::{port, run_folders, socket, system, tokens};
use countersign_broker::{Broker, BrokerError, Clock, Person, Shell};
use countersign_core::id::AgentId;
use countersign_gateway::Limits;
use countersign_store::Store;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The setting that marks a test home, for good.
const TEST_HOME: &str = "test_home";
/// The setting that keeps the port.
const PORT: &str = "port";
/// How long ending may take.
const END: Duration = Duration::from_secs(3);

/// Where a passphrase comes from at start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passphrase {
    /// Nothing was given: what is set stays set.
    Unsaid,
    /// This one: it is set on an empty folder, and must match on any other.
    Given(String),
}

/// How to start.
pub struct Options {
    /// The data folder.
    pub home: Home,
    /// The port that was asked for; 0 for any.
    pub port: Option<u16>,
    /// Whether there is a window.
    pub surface: Surface,
    /// The passphrase.
    pub passphrase: Passphrase,
    /// Whether an empty folder becomes a test home, and any other is refused.
    pub insecure_test: bool,
    /// The port's limits.
    pub limits: Limits,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Brings the window to the front, when a second start asks for it.
    pub raise: Option<Arc<dyn Fn() + Send + Sync>>,
}

/// A running engine.
pub struct Engine {
    /// Where requests meet decisions.
    pub broker: Broker,
    /// How others find it.
    pub endpoint: Endpoint,
    /// Whether this start was the first on an empty folder.
    pub first_start: bool,
    home: Home,
    shutdown: CancellationToken,
    port: oneshot::Receiver<()>,
    terminals: JoinHandle<()>,
    run_folders: JoinHandle<()>,
    _lock: Lock,
}

impl Options {
    /// The usual start on a data folder.
    pub fn new(home: Home, surface: Surface) -> Self {
        Self {
            home,
            port: None,
            surface,
            passphrase: Passphrase::Unsaid,
            insecure_test: false,
            limits: Limits::default(),
            clock: Arc::new(countersign_broker::SystemClock),
            raise: None,
        }
    }
}

impl Engine {
    /// Starts: the lock, the store, the broker, the port, the person's socket, and last the discovery file.
    pub async fn start(options: Options, shell: Arc<dyn Shell>) -> Result<Self, HostError> {
        system::prepare();
        options.home.prepare()?;
        let lock = options.home.lock()?;
        let mut store = Store::open(&options.home.store())?;
        // An empty file in a folder that was used before is a file that was lost, not a first start.
        let first_start = store.read(|db| db.is_blank())? && !options.home.was_used();
        let test_home = prepare_test_home(&mut store, options.insecure_test, first_start)?;
        prepare_passphrase(&mut store, &options.passphrase, first_start)?;
        let kept = store.read(|db| db.setting(PORT))?.and_then(|text| text.parse().ok());
        let (listeners, number) = port::bind(options.port, kept).await?;
        // What is kept stays kept when a stranger sits there for a while: agents know that number.
        if kept.is_none() {
            store.write(|tx| tx.set_setting(PORT, &number.to_string()))?;
        }
        let (news, heard) = News::before(shell);
        let broker = Broker::start(store, options.clock.clone(), Arc::new(news))?;
        #[cfg(unix)]
        broker.serve_runs(Arc::new(crate::runner::Processes::new(options.clock.clone())));
        let shutdown = CancellationToken::new();
        let port = port::serve(listeners, broker.clone(), options.limits, shutdown.clone())?;
        let path = options.home.socket()?;
        let listener = socket::bind(&path)?;
        let run_folders = tokio::spawn(run_folders::serve(broker.clone(), heard.clone(), shutdown.clone()));
        let (surface, clock) = (options.surface, options.clock);
        let desk = Desk {
            broker: broker.clone(),
            clock,
            surface,
            test_home,
            tries: Tries::default(),
            raise: options.raise,
            news: heard,
        };
        let terminals = tokio::spawn(socket::serve(listener, Arc::new(desk), shutdown.clone()));
        let endpoint = Endpoint {
            url: format!("http://127.0.0.1:{number}"),
            socket: path,
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            test_home,
        };
        endpoint.write(&options.home)?;
        Ok(Self {
            broker,
            endpoint,
            first_start,
            home: options.home,
            shutdown,
            port,
            terminals,
            run_folders,
            _lock: lock,
        })
    }

    /// The data folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Whether decisions here mean nothing.
    pub fn is_test_home(&self) -> bool {
        self.endpoint.test_home
    }

    /// Whether a passphrase is set.
    pub fn has_passphrase(&self) -> Result<bool, HostError> {
        Ok(self.broker.read(|db| Ok(db.setting(passphrase::SETTING)?))?.is_some())
    }

    /// Sets the passphrase, if none is set: only a person at the window, or at the first start, does that.
    pub async fn set_passphrase(&self, passphrase: &str) -> Result<bool, HostError> {
        let kept = passphrase::digest(passphrase)?;
        Ok(self.broker.set_setting_once(passphrase::SETTING, &kept).await?)
    }

    /// Replaces an agent's token: returned once, and written to where its bridge keeps it, if that is so; then true.
    pub async fn rotate(&self, agent: &AgentId, person: Person) -> Result<(String, bool), BrokerError> {
        let token = self.broker.rotate(agent, person).await?;
        let kept = tokens::replace(&self.home, agent.as_str(), &token).unwrap_or_else(|error| {
            tracing::warn!(%error, "the new token could not be written to where the bridge keeps it");
            false
        });
        Ok((token, kept))
    }

    /// Ends: those who wait are told that nothing was decided, and what is on disk stays.
    pub async fn stop(self) {
        self.endpoint.remove(&self.home);
        self.shutdown.cancel();
        let ended = async {
            // A thread or a task that panicked has ended too.
            let _ = self.port.await;
            let _ = self.terminals.await;
            let _ = self.run_folders.await;
        };
        let broker = self.broker.clone();
        // Beside the connections' end; with an end of its own to its patience.
        let runs = tokio::task::spawn_blocking(move || broker.stop_runs());
        if tokio::time::timeout(END, ended).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        let _ = runs.await;
    }
}

fn prepare_test_home(store: &mut Store, insecure_test: bool, blank: bool) -> Result<bool, HostError> {
    let marked = store.read(|db| db.setting(TEST_HOME))?.is_some();
    if insecure_test && !marked {
        if !blank {
            return Err(HostError::NotATestHome);
        }
        store.write(|tx| tx.set_setting(TEST_HOME, "yes"))?;
    }
    Ok(marked || insecure_test)
}

fn prepare_passphrase(store: &mut Store, given: &Passphrase, blank: bool) -> Result<(), HostError> {
    let Passphrase::Given(passphrase) = given else { return Ok(()) };
    match store.read(|db| db.setting(passphrase::SETTING))? {
        Some(kept) if passphrase::fits(passphrase, &kept) => Ok(()),
        Some(_) => Err(HostError::WrongPassphrase),
        None if blank => {
            let kept = passphrase::digest(passphrase)?;
            Ok(store.write(|tx| tx.set_setting(passphrase::SETTING, &kept))?)
        }
        None => Err(HostError::LatePassphrase),
    }
}
