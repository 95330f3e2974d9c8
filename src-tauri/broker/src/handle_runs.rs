//! The handle's part for runs and trust: what agents and the person ask for, and what the runner tells.

use crate::agents::{Caller, spelled};
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::folder::{self, FolderError, Observed};
use crate::message::{Message, Reply};
use crate::person::Person;
use crate::runs::{self, Checks, Deployed};
use crate::specs::Gated;
use crate::trusts::{self, Folder, TrustView};
use crate::writer::{Effect, Place, Tell, attempt, run};
use countersign_core::id::{RunId, SpecId, WorkspaceId};
use countersign_core::request::Request;
use countersign_core::run::{Run, RunEnd};
use countersign_core::spec::SpecRow;
use countersign_store::{Db, Tx};
use serde_json::{Map, Value};
use std::time::Duration;

/// What can happen to runs and trust.
pub(crate) enum RunMessage {
    /// An agent deploys.
    Deploy {
        caller: Caller,
        term: String,
        environment: String,
        answers: Map<String, Value>,
        folder: Box<Folder>,
        reply: Reply<Gated<Deployed>>,
    },
    /// The person deploys.
    DeployForPerson {
        person: Person,
        workspace: WorkspaceId,
        spec: SpecId,
        environment: String,
        folder: Box<Folder>,
        reply: Reply<Deployed>,
    },
    /// The person runs a spec's checks.
    CheckForPerson { person: Person, workspace: WorkspaceId, spec: SpecId, folder: Box<Folder>, reply: Reply<Checks> },
    /// An agent ends a run.
    Cancel { caller: Caller, id: RunId, reply: Reply<Run> },
    /// The person ends a run.
    CancelForPerson { person: Person, id: RunId, reply: Reply<Run> },
    /// The person wants to see what could be trusted.
    Review { path: String, folder: Box<Folder>, reply: Reply<Option<Request>> },
    /// A run's program is about to be started.
    Began { id: RunId, reply: Reply<bool> },
    /// What a run printed so far.
    Printed { id: RunId, output: Vec<u8>, total: u64 },
    /// A run is over.
    Over { id: RunId, end: RunEnd, output: Vec<u8>, total: u64, reply: Reply<Option<Run>> },
    /// What a run would start is not what was trusted.
    Stale { id: RunId, seen: Box<Result<Observed, FolderError>>, reply: Reply<()> },
}

/// Does one of them, in its part of the transaction.
pub(crate) fn handle(tx: &Tx<'_>, at: &Place, effects: &mut Vec<Effect>, message: RunMessage) -> Tell {
    match message {
        RunMessage::Deploy { caller, term, environment, answers, folder, reply } => {
            run(tx, at, effects, reply, |w| runs::deploy(w, &caller, &term, &environment, &answers, &folder))
        }
        RunMessage::DeployForPerson { person, workspace, spec, environment, folder, reply } => {
            run(tx, at, effects, reply, |w| runs::deploy_for_person(w, person, workspace, spec, &environment, &folder))
        }
        RunMessage::CheckForPerson { person, workspace, spec, folder, reply } => {
            run(tx, at, effects, reply, |w| runs::check_for_person(w, person, workspace, spec, &folder))
        }
        RunMessage::Cancel { caller, id, reply } => run(tx, at, effects, reply, |w| runs::cancel(w, &caller, &id)),
        RunMessage::CancelForPerson { person, id, reply } => {
            run(tx, at, effects, reply, |w| runs::cancel_for_person(w, person, &id))
        }
        RunMessage::Review { path, folder, reply } => run(tx, at, effects, reply, |w| runs::review(w, &path, &folder)),
        RunMessage::Began { id, reply } => run(tx, at, effects, reply, |w| runs::began(w, &id)),
        RunMessage::Printed { id, output, total } => {
            if let Err(error) = attempt(tx, at, effects, |w| runs::printed(w, &id, &output, total)) {
                tracing::warn!(%error, run = %id, "what a run printed could not be kept; it is tried again");
            }
            Box::new(|_| {})
        }
        RunMessage::Over { id, end, output, total, reply } => {
            run(tx, at, effects, reply, |w| runs::over(w, &id, &end, Some((&output, total))))
        }
        RunMessage::Stale { id, seen, reply } => run(tx, at, effects, reply, |w| runs::stale(w, &id, *seen)),
    }
}

/// What a run printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutput {
    /// The bytes that are kept, both streams in order of arrival, with a line where the middle was cut.
    pub bytes: Vec<u8>,
    /// How many there were in all.
    pub total: u64,
}

/// A run with what it printed so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunView {
    /// The run.
    pub run: Run,
    /// Its output; none when it is not kept any more.
    pub output: Option<RunOutput>,
}

impl Broker {
    /// What a workspace's folder has of commands now. Reads files, away from the async threads.
    pub async fn folder(&self, workspace: WorkspaceId, path: &str) -> Result<Folder, BrokerError> {
        self.look(path, move |db, path, seen| Ok(Folder::new(db, Some(workspace), path, seen)?)).await
    }

    /// Looks at a folder, and at what is kept of it, where waiting harms nobody.
    async fn look<T: Send + 'static>(
        &self,
        path: &str,
        with: impl FnOnce(Db<'_>, &str, Result<Observed, FolderError>) -> Result<T, BrokerError> + Send + 'static,
    ) -> Result<T, BrokerError> {
        let (broker, path) = (self.clone(), path.to_owned());
        let turn = self.inner.looks.turn(&path).await;
        let looked = tokio::task::spawn_blocking(move || {
            let seen = folder::observe(&path, &folder::search_path(&path));
            // Held by the look itself: a caller who goes away makes no room for another.
            drop(turn);
            broker.read(|db| with(db, &path, seen))
        });
        looked.await.map_err(|_| BrokerError::Stopped)?
    }

    /// An agent deploys a spec, which it names by its id or by words of its title.
    pub async fn deploy_spec(
        &self,
        caller: &Caller,
        term: &str,
        environment: &str,
        answers: Map<String, Value>,
    ) -> Result<Gated<Deployed>, BrokerError> {
        let folder = Box::new(self.folder(caller.workspace, &caller.workspace_path).await?);
        let (caller, term, environment) = (caller.clone(), term.to_owned(), environment.to_owned());
        self.send(|reply| Message::Run(RunMessage::Deploy { caller, term, environment, answers, folder, reply })).await
    }

    /// The person deploys a spec: their own act, which no gate asks about again.
    pub async fn deploy(
        &self,
        person: Person,
        workspace: WorkspaceId,
        spec: SpecId,
        environment: &str,
    ) -> Result<Deployed, BrokerError> {
        let path = self.read(|db| Ok(db.workspace_path(workspace)?))?;
        let folder = Box::new(self.folder(workspace, &path).await?);
        let environment = environment.to_owned();
        let make = |reply| RunMessage::DeployForPerson { person, workspace, spec, environment, folder, reply };
        self.send(|reply| Message::Run(make(reply))).await
    }

    /// The person runs the checks that a spec's criteria name.
    pub async fn run_checks(
        &self,
        person: Person,
        workspace: WorkspaceId,
        spec: SpecId,
    ) -> Result<Checks, BrokerError> {
        let path = self.read(|db| Ok(db.workspace_path(workspace)?))?;
        let folder = Box::new(self.folder(workspace, &path).await?);
        let make = |reply| RunMessage::CheckForPerson { person, workspace, spec, folder, reply };
        self.send(|reply| Message::Run(make(reply))).await
    }

    /// What the last run of a check over this revision came to, if one is over.
    pub fn last_check(&self, workspace: WorkspaceId, spec: &SpecRow, name: &str) -> Result<Option<Run>, BrokerError> {
        self.read(|db| runs::last_check(db, workspace, spec, name))
    }

    /// An agent ends a run. It returns at once; the run is over when its processes are.
    pub async fn cancel_run(&self, caller: &Caller, id: &RunId) -> Result<Run, BrokerError> {
        let (caller, id) = (caller.clone(), id.clone());
        self.send(|reply| Message::Run(RunMessage::Cancel { caller, id, reply })).await
    }

    /// The person ends a run.
    pub async fn cancel_run_for_person(&self, person: Person, id: &RunId) -> Result<Run, BrokerError> {
        let id = id.clone();
        self.send(|reply| Message::Run(RunMessage::CancelForPerson { person, id, reply })).await
    }

    /// A run with what it printed so far.
    pub fn run(&self, id: &RunId) -> Result<RunView, BrokerError> {
        // The live side first: what is over by now is in the store.
        let live = self.inner.runs.output(id);
        self.read(|db| {
            let run = db.run(id)?.ok_or_else(|| runs::unknown(id))?;
            let output = match live.filter(|_| !run.state.is_over()) {
                Some(live) => Some(live),
                None => db.run_output(id)?,
            };
            Ok(RunView { run, output: output.map(|(bytes, total)| RunOutput { bytes, total }) })
        })
    }

    /// The same for an agent: only of a folder that it may work in.
    pub fn run_of(&self, caller: &Caller, id: &RunId) -> Result<RunView, BrokerError> {
        let view = self.run(id)?;
        self.read(|db| runs::readable(db, caller, &view.run))?;
        Ok(view)
    }

    /// Waits until a run is over, at most so long.
    pub async fn wait_run(&self, id: &RunId, at_most: Duration) -> Result<(), BrokerError> {
        let mut changed = self.inner.runs.listen();
        let over = async {
            loop {
                if self.run(id)?.run.state.is_over() || changed.changed().await.is_err() {
                    return Ok(());
                }
            }
        };
        tokio::time::timeout(at_most, over).await.unwrap_or(Ok(()))
    }

    /// The newest runs of a spec, newest first.
    pub fn runs_of(&self, workspace: WorkspaceId, spec: SpecId, limit: u32) -> Result<Vec<Run>, BrokerError> {
        self.read(|db| Ok(db.runs_of(workspace, spec, limit)?))
    }

    /// How a workspace's commands stand, and what is there that is not trusted.
    pub async fn trust_state(&self, workspace: WorkspaceId) -> Result<TrustView, BrokerError> {
        let path = self.read(|db| Ok(db.workspace_path(workspace)?))?;
        self.trust_state_at(&path).await
    }

    /// The same for a folder, whether an agent ever worked in it or not.
    pub async fn trust_state_at(&self, path: &str) -> Result<TrustView, BrokerError> {
        let path = spelled(path)?;
        self.look(&path, |db, path, seen| {
            let workspace = db.workspace_at(path)?.map(|workspace| workspace.id);
            Ok(trusts::view(db, workspace, seen)?)
        })
        .await
    }

    /// The person wants to review what could be trusted: the request for it, in Countersign's own name; none when all is trusted.
    pub async fn review_trust(&self, workspace: WorkspaceId) -> Result<Option<Request>, BrokerError> {
        let path = self.read(|db| Ok(db.workspace_path(workspace)?))?;
        self.review_trust_at(&path).await
    }

    /// The same for a folder, whether an agent ever worked in it or not.
    pub async fn review_trust_at(&self, path: &str) -> Result<Option<Request>, BrokerError> {
        let path = spelled(path)?;
        let look = |db: Db<'_>, path: &str, seen| {
            let workspace = db.workspace_at(path)?.map(|workspace| workspace.id);
            Ok(Folder::new(db, workspace, path, seen)?)
        };
        let folder = Box::new(self.look(&path, look).await?);
        self.send(|reply| Message::Run(RunMessage::Review { path, folder, reply })).await
    }
}
