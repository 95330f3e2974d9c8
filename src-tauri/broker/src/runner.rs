//! What starts processes, as the broker sees it, and what it tells back.
//!
//! A run's place in the queue is kept here; the writer asks for it only after it is on disk.

mod stamps;
mod turn;

use crate::broker::{Broker, Inner};
use crate::error::BrokerError;
use crate::folder::{self, FolderError, Observed};
use crate::handle_runs::RunMessage;
use crate::message::Message;
use crate::shell::Change;
use countersign_core::digest::Digest;
use countersign_core::id::{RunId, SpecId, WorkspaceId};
use countersign_core::output::Output;
use countersign_core::run::{RunCommand, RunEnd, RunKind};
use stamps::Seen;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use tokio::sync::{oneshot, watch};
use turn::Turns;

/// A run to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOrder {
    /// Which.
    pub id: RunId,
    /// Where.
    pub workspace: WorkspaceId,
    /// The workspace's folder.
    pub folder: String,
    /// What for.
    pub kind: RunKind,
    /// The check's name, or the environment's.
    pub name: String,
    /// For which spec.
    pub spec: SpecId,
    /// What is run.
    pub command: RunCommand,
    /// Where programs are looked for, as it was trusted.
    pub path_env: String,
    /// What it rests on.
    pub trust: Digest,
    /// Whether the person wants it themselves: it goes before what agents want.
    pub by_person: bool,
}

/// What starts processes. Each method returns at once, but for [`Runner::stop`].
pub trait Runner: Send + Sync + 'static {
    /// Starts a run, and tells how it goes on.
    fn run(&self, order: RunOrder, told: Teller);
    /// Ends a run with all that it started; it tells so.
    fn cancel(&self, id: &RunId);
    /// Ends all runs as interrupted, and waits until they are ended.
    fn stop(&self);
    /// Ends what is left of runs that were interrupted by a crash.
    fn sweep(&self, runs: &[RunId]);
}

/// The live side of all runs: who waits for a turn, and what those that go on have printed.
#[derive(Default)]
pub(crate) struct Runs {
    attached: OnceLock<Attached>,
    turns: Mutex<Turns>,
    /// Counts runs that changed, for those who wait for one.
    changed: watch::Sender<u64>,
}

struct Attached {
    runner: Arc<dyn Runner>,
    inner: Weak<Inner>,
}

/// What the writer wants done with runs, once it is on disk.
pub(crate) enum RunEffect {
    /// It has a place in the queue.
    Queued(Box<RunOrder>),
    /// The person wants it too: it goes before what agents want.
    Preferred(RunId),
    /// It is to end; its program may go on still.
    Cancel(RunId),
    /// It goes on.
    Began,
    /// It is over.
    Over(RunId),
}

impl Runs {
    pub(crate) fn attach(&self, runner: Arc<dyn Runner>, inner: &Arc<Inner>) {
        // The first one stays: a second would not know of what goes on.
        let _ = self.attached.set(Attached { runner, inner: Arc::downgrade(inner) });
    }

    pub(crate) fn runner(&self) -> Option<Arc<dyn Runner>> {
        self.attached.get().map(|attached| attached.runner.clone())
    }

    /// Hears when any run changes.
    pub(crate) fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// What a run that goes on has printed so far.
    pub(crate) fn output(&self, id: &RunId) -> Option<(Vec<u8>, u64)> {
        let output = self.turns().output(id)?;
        let output = output.lock().unwrap_or_else(PoisonError::into_inner);
        Some((output.kept(), output.total()))
    }

    /// Does what the writer wants. On the writer's thread, after the commit.
    pub(crate) fn tell(&self, effect: RunEffect) {
        match effect {
            RunEffect::Queued(order) => self.turns().wait(*order),
            RunEffect::Preferred(id) => self.turns().prefer(&id),
            RunEffect::Cancel(id) => {
                if let Some(runner) = self.runner() {
                    runner.cancel(&id);
                }
            }
            RunEffect::Began => {}
            RunEffect::Over(id) => self.turns().over(&id),
        }
        self.start();
        self.changed.send_modify(|count| *count += 1);
    }

    /// Starts what has its turn.
    fn start(&self) {
        let Some(attached) = self.attached.get() else { return };
        while let Some((order, output)) = self.next() {
            let (id, inner, seen) = (order.id.clone(), attached.inner.clone(), OnceLock::new());
            let told = Teller { id, order: order.clone(), output, inner, seen };
            attached.runner.run(order, told);
        }
    }

    fn next(&self) -> Option<(RunOrder, Arc<Mutex<Output>>)> {
        self.turns().next()
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Through which a run tells how it goes on. Its methods block for what must be on disk first: never on an async thread.
pub struct Teller {
    id: RunId,
    order: RunOrder,
    output: Arc<Mutex<Output>>,
    inner: Weak<Inner>,
    /// What was trusted, as it was when it began.
    seen: OnceLock<Seen>,
}

impl Teller {
    /// Looks at the folder once more. As it was trusted: the folder to run in, and the run is `running`. Else the run is over,
    /// and there is nothing to start.
    pub fn begin(&self) -> Option<PathBuf> {
        let RunOrder { folder, path_env, trust, command, .. } = &self.order;
        let seen = folder::observe(folder, path_env);
        let root = match seen {
            Ok(seen) if seen.snapshot.digest() == *trust => {
                let root = seen.snapshot.root.clone();
                // The first look is the one that it began with.
                drop(self.seen.set(Seen::new(folder, seen.snapshot)));
                root
            }
            seen => {
                self.stale(seen);
                return None;
            }
        };
        // From the root that was trusted, wherever the workspace's own name leads by now.
        match folder::working_folder(&root, &command.dir) {
            Ok(at) => {
                let began = self.ask(|reply| RunMessage::Began { id: self.id.clone(), reply });
                // Cancelled while it waited, or the store can't be written: it is over, or will be at the next start.
                began.is_some_and(|began| began.unwrap_or(false)).then_some(at)
            }
            Err(why) => {
                self.ended(&RunEnd::unstarted(why));
                None
            }
        }
    }

    /// Looks once more at what was trusted, after the run: what changed while it went on, by name. With any of it nobody knows
    /// what was run.
    pub fn changed(&self) -> Vec<String> {
        self.seen.get().map(|seen| seen.changed(&self.order.folder)).unwrap_or_default()
    }

    fn stale(&self, seen: Result<Observed, FolderError>) {
        let done = self.ask(|reply| RunMessage::Stale { id: self.id.clone(), seen: Box::new(seen), reply });
        if let Some(Err(error)) = done {
            self.ended(&RunEnd::unstarted(format!("the commands changed since they were trusted; {error}")));
        }
    }

    /// It printed this. False: nobody is there any more, end it.
    pub fn printed(&self, bytes: &[u8]) -> bool {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
        self.inner.strong_count() > 0
    }

    /// Tells the desktop that there is more to see.
    pub fn show(&self) {
        if let Some(inner) = self.inner.upgrade() {
            inner.shell.changed(Change::Runs);
        }
    }

    /// Keeps what was printed so far.
    pub fn keep(&self) {
        let Some(inner) = self.inner.upgrade() else { return };
        let (output, total) = self.printed_so_far();
        let message = RunMessage::Printed { id: self.id.clone(), output, total };
        // A broker that has stopped keeps nothing more.
        let _ = inner.queue.send(Message::Run(message));
    }

    /// It is over. Kept before this returns, unless the broker is gone or the disk stays full.
    pub fn ended(&self, end: &RunEnd) {
        for pause in [0, 1, 5, 30] {
            std::thread::sleep(std::time::Duration::from_secs(pause));
            let (output, total) = self.printed_so_far();
            let end = end.clone();
            match self.ask(|reply| RunMessage::Over { id: self.id.clone(), end, output, total, reply }) {
                Some(Err(error)) if !matches!(error, BrokerError::Stopped) => {
                    tracing::warn!(%error, run = %self.id, "how a run ended could not be kept; tried again");
                }
                Some(_) | None => return,
            }
        }
        tracing::error!(run = %self.id, "how a run ended could not be kept; it will show as interrupted");
    }

    /// It could not be started: told without waiting, from any thread.
    pub fn ended_later(&self, end: RunEnd) {
        let Some(inner) = self.inner.upgrade() else { return };
        let (reply, _) = oneshot::channel();
        let message = RunMessage::Over { id: self.id.clone(), end, output: Vec::new(), total: 0, reply };
        // A broker that has stopped shows it as interrupted at its next start.
        let _ = inner.queue.send(Message::Run(message));
    }

    fn printed_so_far(&self) -> (Vec<u8>, u64) {
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        (output.kept(), output.total())
    }

    /// Asks the writer, and waits; none when it is gone.
    fn ask<T>(
        &self,
        make: impl FnOnce(oneshot::Sender<Result<T, BrokerError>>) -> RunMessage,
    ) -> Option<Result<T, BrokerError>> {
        let (reply, answer) = oneshot::channel();
        self.inner.upgrade()?.queue.send(Message::Run(make(reply))).ok()?;
        answer.blocking_recv().ok()
    }
}

impl Broker {
    /// Commands can be run from now on. Without a runner, runs wait.
    pub fn serve_runs(&self, runner: Arc<dyn Runner>) {
        let left = self.inner.interrupted.clone();
        self.inner.runs.attach(runner.clone(), &self.inner);
        runner.sweep(&left);
    }

    /// Ends all runs, as `interrupted`. For the end of the process; blocks until they are ended.
    pub fn stop_runs(&self) {
        if let Some(runner) = self.inner.runs.runner() {
            runner.stop();
        }
    }
}
