//! The processes of runs: each in a group of its own, with a thread that follows it from its start to its end.
//!
//! No shell reads a command, its environment is made from a list, and its input is empty. What a run left in its group ends with it,
//! and all that it started when it is ended early; its first process is reaped last, so that its number and its group's are nobody
//! else's as long as they are signalled.

mod kin;
mod output;
mod process;
mod remains;
#[cfg(test)]
mod tests;

use countersign_broker::{Clock, RunOrder, Runner, Teller};
use countersign_core::id::RunId;
use countersign_core::run::{RunEnd, RunState};
use countersign_core::time::Millis;
use output::Reading;
use process::Process;
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a run is looked after.
const TICK: Duration = Duration::from_millis(100);
/// How often what was printed is kept, while there is more.
const KEEP: Millis = Millis(1_000);
/// How often it is looked who descends from a run.
const KIN: Millis = Millis(500);
/// How long processes have between being asked to end and being ended.
const GRACE: Millis = Millis(5_000);
/// The same when this process ends: whoever waits for it is not patient.
const GRACE_AT_END: Millis = Millis(1_000);
/// How long what a command left running may print after it.
const DRAIN: Millis = Millis(1_000);
/// How long the system has to take a killed process away.
const KILLED: Millis = Millis(5_000);
/// How long the end of this process waits for its runs.
const STOP: Duration = Duration::from_secs(4);

/// Runs processes.
pub(crate) struct Processes {
    shared: Arc<Shared>,
}

struct Shared {
    clock: Arc<dyn Clock>,
    going: Mutex<Going>,
    ended: Condvar,
}

#[derive(Default)]
struct Going {
    runs: HashMap<RunId, Sender<Event>>,
    stopped: bool,
}

/// What a run's thread hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// Somebody wants it ended.
    Cancel,
    /// This process ends.
    Stop,
    /// The command's own process has exited.
    Exited,
    /// Nobody can print any more.
    Closed,
}

impl Processes {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { shared: Arc::new(Shared { clock, going: Mutex::default(), ended: Condvar::new() }) }
    }
}

impl Shared {
    fn going(&self) -> MutexGuard<'_, Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Millis {
        self.clock.now().boot
    }
}

impl Runner for Processes {
    fn run(&self, order: RunOrder, told: Teller) {
        let (hears, events) = channel();
        {
            let mut going = self.shared.going();
            if going.stopped {
                // It stays queued, and shows as interrupted from the next start on.
                return;
            }
            going.runs.insert(order.id.clone(), hears.clone());
        }
        let (shared, id, told) = (self.shared.clone(), order.id.clone(), Arc::new(told));
        let teller = told.clone();
        let thread = std::thread::Builder::new().name("run".into()).spawn(move || {
            let _gone = Gone { shared: shared.clone(), id: order.id.clone() };
            if let Some(end) = conduct(&shared, &order, &teller, &hears, &events) {
                teller.ended(&end);
            }
        });
        if let Err(error) = thread {
            self.shared.going().runs.remove(&id);
            // Not on this thread: it is the writer's, which would wait for itself.
            let end = RunEnd::unstarted(format!("no thread could be started for it: {error}"));
            tracing::error!(%error, run = %id, "a run could not be started");
            told.ended_later(end);
        }
    }

    fn cancel(&self, id: &RunId) {
        if let Some(run) = self.shared.going().runs.get(id) {
            // One that is over by now needs no telling.
            let _ = run.send(Event::Cancel);
        }
    }

    fn stop(&self) {
        let mut going = self.shared.going();
        going.stopped = true;
        for run in going.runs.values() {
            let _ = run.send(Event::Stop);
        }
        let left = self.shared.ended.wait_timeout_while(going, STOP, |going| !going.runs.is_empty());
        let (left, _) = left.unwrap_or_else(PoisonError::into_inner);
        if !left.runs.is_empty() {
            tracing::warn!(runs = left.runs.len(), "some runs did not end in time");
        }
    }

    fn sweep(&self, runs: &[RunId]) {
        if runs.is_empty() {
            return;
        }
        let runs = runs.to_vec();
        let swept = std::thread::Builder::new().name("sweep".into()).spawn(move || remains::end_all_of(&runs));
        if let Err(error) = swept {
            tracing::warn!(%error, "what is left of interrupted runs was not looked for");
        }
    }
}

/// Takes a run off the list, however its thread ends.
struct Gone {
    shared: Arc<Shared>,
    id: RunId,
}

impl Drop for Gone {
    fn drop(&mut self) {
        self.shared.going().runs.remove(&self.id);
        self.shared.ended.notify_all();
    }
}

/// One run, from its start to its end; none when it was over before it began.
fn conduct(
    shared: &Shared,
    order: &RunOrder,
    told: &Arc<Teller>,
    hears: &Sender<Event>,
    events: &Receiver<Event>,
) -> Option<RunEnd> {
    let folder = told.begin()?;
    let unstarted = |state| Some(RunEnd { state, exit_code: None, reason: Some("it had not begun".into()) });
    match events.try_recv() {
        Ok(Event::Cancel) => return unstarted(RunState::Cancelled),
        Ok(Event::Stop) => return unstarted(RunState::Interrupted),
        Ok(Event::Exited | Event::Closed) | Err(_) => {}
    }
    let (mut process, output) = match process::start(order, &folder) {
        Ok(started) => started,
        Err(why) => return Some(RunEnd::unstarted(why)),
    };
    let watched = Reading::start(output, told.clone(), hears.clone())
        .and_then(|reading| process.tell_exit(hears.clone()).map(|()| reading));
    let reading = match watched {
        Ok(reading) => reading,
        Err(why) => {
            process.kill();
            process.reap();
            return Some(RunEnd::unstarted(why));
        }
    };
    let timeout = Millis::seconds(order.command.timeout_seconds);
    let (exited, closed, kept_at, looked_at) = (false, false, shared.now(), shared.now());
    let following =
        Following { id: &order.id, shared, told, events, process, reading, exited, closed, kept_at, looked_at };
    Some(counted(following.follow(timeout), told))
}

/// What passed over files that were not, all the while, as they were trusted did not pass: nobody knows what was run.
fn counted(end: RunEnd, told: &Teller) -> RunEnd {
    if end.state != RunState::Passed {
        return end;
    }
    let changed = told.changed();
    if changed.is_empty() {
        return end;
    }
    let reason = format!("{} changed while it ran, so that it exited with 0 does not count", changed.join(", "));
    RunEnd { state: RunState::Failed, exit_code: None, reason: Some(reason) }
}

struct Following<'r> {
    id: &'r RunId,
    shared: &'r Shared,
    told: &'r Teller,
    events: &'r Receiver<Event>,
    process: Process,
    reading: Reading,
    exited: bool,
    closed: bool,
    kept_at: Millis,
    looked_at: Millis,
}

impl Following<'_> {
    fn follow(mut self, timeout: Millis) -> RunEnd {
        let deadline = Millis(self.shared.now().0.saturating_add(timeout.0));
        let early = loop {
            match self.hear() {
                Some(Event::Cancel) => break Some(RunState::Cancelled),
                Some(Event::Stop) => break Some(RunState::Interrupted),
                _ if self.exited => break None,
                _ if self.reading.is_alone() => break Some(RunState::Interrupted),
                _ if self.shared.now() >= deadline => break Some(RunState::TimedOut),
                _ => {}
            }
        };
        let left = match early {
            Some(state) => {
                let grace = if state == RunState::Interrupted { GRACE_AT_END } else { GRACE };
                self.end_all(grace);
                // What was never seen, but carries the run's mark: the person wants an end of all of it.
                remains::end_all_of(std::slice::from_ref(self.id));
                false
            }
            None => self.after_exit(),
        };
        // Whoever left the group and still holds the pipe must not hold up the run.
        self.wait(DRAIN, |now| now.closed);
        self.reading.end();
        let status = if self.exited { self.process.reap() } else { None };
        self.end(early, status, left)
    }

    fn end(&self, early: Option<RunState>, status: Option<std::process::ExitStatus>, left: bool) -> RunEnd {
        let Some(status) = status else {
            return RunEnd {
                state: early.unwrap_or(RunState::Failed),
                exit_code: None,
                reason: Some("its process could not be ended".into()),
            };
        };
        if let Some(state) = early {
            return RunEnd { state, exit_code: None, reason: None };
        }
        let left = left.then(|| "what it left running was ended".to_owned());
        match status.code() {
            Some(0) => RunEnd { state: RunState::Passed, exit_code: Some(0), reason: left },
            Some(code) => RunEnd { state: RunState::Failed, exit_code: Some(code), reason: left },
            None => RunEnd { state: RunState::Failed, exit_code: None, reason: Some(process::signal_of(status)) },
        }
    }

    /// The command exited by itself. What it left in its group may say its last words, and is ended; true if there was any.
    fn after_exit(&mut self) -> bool {
        self.wait(DRAIN, |now| now.closed);
        if !self.process.has_others() {
            return false;
        }
        self.end_group(GRACE_AT_END);
        true
    }

    /// Asks the whole group to end, and ends it after the grace.
    fn end_group(&mut self, grace: Millis) {
        self.process.signal_group(process::TERM);
        self.wait(grace, |now| now.exited && !now.process.has_others());
        self.process.kill();
        self.wait(KILLED, |now| now.exited);
    }

    /// The same with all that it started, in whatever group.
    fn end_all(&mut self, grace: Millis) {
        self.process.kin().look();
        self.process.signal_group(process::TERM);
        self.process.kin().ask();
        self.wait(grace, |now| {
            now.process.kin().look();
            now.exited && !now.process.has_others() && !now.process.kin().live()
        });
        self.process.kin().end();
        self.process.kill();
        self.wait(KILLED, |now| now.exited);
    }

    /// Goes on until something holds, at most so long.
    fn wait(&mut self, at_most: Millis, mut until: impl FnMut(&mut Self) -> bool) {
        let deadline = Millis(self.shared.now().0 + at_most.0);
        while !until(self) && self.shared.now() < deadline {
            self.hear();
        }
    }

    /// Hears what happens next, or that nothing did for a while; shows and keeps what was printed meanwhile.
    fn hear(&mut self) -> Option<Event> {
        let event = match self.events.recv_timeout(TICK) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // This run's own sender is on the list; not to spin if it ever is not.
                std::thread::sleep(TICK);
                None
            }
        };
        self.exited |= event == Some(Event::Exited);
        self.closed |= event == Some(Event::Closed);
        let now = self.shared.now();
        if now.0.saturating_sub(self.looked_at.0) >= KIN.0 {
            self.looked_at = now;
            self.process.kin().look();
        }
        if self.reading.has_more() {
            self.told.show();
            if now.0.saturating_sub(self.kept_at.0) >= KEEP.0 {
                self.kept_at = now;
                self.reading.keep();
            }
        }
        event
    }
}
