//! The one thread that writes: it drains what has queued up, commits it together, then tells.
//!
//! Many agents cost one disk flush. What one message did wrong undoes that message alone; a commit that fails is told
//! to everyone in it, and nothing of it counts.

use crate::clock::Clock;
use crate::error::BrokerError;
use crate::expiry::{self, Deadlines};
use crate::known::Known;
use crate::leases::Leases;
use crate::message::{Message, Reply};
use crate::notices::{Notice, Notices};
use crate::rules::Book;
use crate::runner::{RunEffect, Runs};
use crate::shell::{Change, Shell};
use crate::specs::Titles;
use crate::waiters::Waiters;
use crate::{agents, decide, handle_files, handle_runs, handle_steps, modes, notes, requests, specs, todos};
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, SessionId};
use countersign_core::request::Request;
use countersign_core::time::{Millis, Now, Timestamp};
use countersign_store::{Store, StoreError, Tx};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Messages in one commit, at the most.
const BATCH: usize = 512;

/// The longest sleep while a deadline is near or far: after the machine slept, this late at the most.
const LONGEST_NAP: Millis = Millis(5_000);

/// A pause in which nobody asks: then the store takes its write-ahead log over.
const PAUSE: Millis = Millis(50);

/// When a deadline that could not be kept (a full disk) is tried again.
const AGAIN: Millis = Millis(1_000);

/// Something to tell once it is on disk.
pub(crate) enum Effect {
    Asked(Arc<Request>),
    Settled(Arc<Request>),
    Changed(Change),
    Deadline(RequestId, Millis),
    Mode(SessionId),
    Scopes(AgentId),
    /// A token holds no more.
    TokenEnded(Digest),
    /// Something is to be done with a run.
    Run(RunEffect),
}

/// One part of a transaction: what a handler sees.
pub(crate) struct Work<'t> {
    pub(crate) tx: &'t Tx<'t>,
    pub(crate) now: Now,
    pub(crate) titles: Titles,
    pub(crate) book: Book,
    effects: Vec<Effect>,
}

impl Work<'_> {
    /// The wall clock's time, for rows.
    pub(crate) fn at(&self) -> Timestamp {
        self.now.wall
    }

    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}

/// Tells a caller how it went; with an error when the commit failed.
pub(crate) type Tell = Box<dyn FnOnce(Option<&BrokerError>)>;

pub(crate) struct Writer {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shell: Arc<dyn Shell>,
    pub(crate) waiters: Waiters,
    pub(crate) known: Known,
    pub(crate) titles: Titles,
    pub(crate) deadlines: Deadlines,
    pub(crate) notices: Notices,
    pub(crate) leases: Leases,
    pub(crate) runs: Arc<Runs>,
    pub(crate) book: Book,
}

impl Writer {
    /// Runs until every handle to the broker is gone.
    pub(crate) fn run(mut self, queue: &Receiver<Message>) {
        loop {
            let first = match self.nap() {
                None => match queue.recv() {
                    Ok(message) => Some(message),
                    Err(_) => return,
                },
                Some(nap) => match queue.recv_timeout(Duration::from_millis(nap.0)) {
                    Ok(message) => Some(message),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return,
                },
            };
            if self.store.needs_checkpoint() || (first.is_none() && self.store.wants_checkpoint()) {
                self.checkpoint();
            }
            let now = self.clock.now();
            if first.is_none() && self.deadlines.next().is_none_or(|at| at > now.boot) {
                continue;
            }
            let batch: Vec<Message> = first.into_iter().chain(queue.try_iter().take(BATCH)).collect();
            self.commit(batch, now);
        }
    }

    /// How long nothing is due; none: until somebody asks.
    fn nap(&self) -> Option<Millis> {
        let due = self.deadlines.next().map(|at| Millis(at.0.saturating_sub(self.clock.now().boot.0)).min(LONGEST_NAP));
        let pause = self.store.wants_checkpoint().then_some(PAUSE);
        due.into_iter().chain(pause).min()
    }

    fn checkpoint(&self) {
        if let Err(error) = self.store.checkpoint() {
            // Nothing is lost: what was committed is in the log, and stays there.
            tracing::warn!(%error, "the write-ahead log could not be taken over");
        }
    }

    fn commit(&mut self, batch: Vec<Message>, now: Now) {
        let mut tells: Vec<Tell> = Vec::with_capacity(batch.len());
        let mut effects = Vec::new();
        let due = self.deadlines.due(now.boot);
        let at = Place { now, titles: self.titles.clone(), book: self.book.clone() };
        let committed = self.store.write(|tx| {
            if due.is_empty() && batch.len() == 1 {
                tx.expect_single_part();
            }
            // What is past its deadline ends before anything that arrived later is looked at.
            for id in &due {
                if let Err(error) = attempt(tx, &at, &mut effects, |work| expiry::expire(work, id)) {
                    // One damaged row must not stop everyone else; it stays pending and says what is wrong when it is read.
                    tracing::error!(%error, request = %id, "a deadline passed and could not be kept");
                }
            }
            for message in batch {
                tells.push(handle(tx, &at, &mut effects, message));
            }
            Ok::<_, StoreError>(())
        });
        self.book.settle(&self.store);
        match committed {
            Ok(()) => {
                self.deadlines.forget(&due);
                self.tell(effects);
                tells.into_iter().for_each(|tell| tell(None));
            }
            Err(error) => {
                self.deadlines.put_off(&due, Millis(now.boot.0 + AGAIN.0));
                tracing::error!(%error, "a commit failed");
                let error = BrokerError::from(error);
                tells.into_iter().for_each(|tell| tell(Some(&error)));
            }
        }
    }

    fn tell(&mut self, effects: Vec<Effect>) {
        if effects.iter().any(|effect| matches!(effect, Effect::Changed(Change::Agents))) {
            self.known.forget();
        }
        let mut changed: Vec<Change> = Vec::new();
        for effect in effects {
            let change = match effect {
                Effect::Asked(request) => {
                    self.shell.asked(&request);
                    Some(Change::List)
                }
                Effect::Settled(request) => {
                    self.deadlines.forget(std::slice::from_ref(&request.id));
                    self.waiters.wake(&request);
                    self.shell.settled(&request);
                    Some(Change::List)
                }
                Effect::Changed(change) => Some(change),
                Effect::Deadline(id, at) => {
                    self.deadlines.set(id, at);
                    None
                }
                Effect::TokenEnded(token) => {
                    self.leases.end(&token);
                    None
                }
                Effect::Run(effect) => {
                    self.runs.tell(effect);
                    Some(Change::Runs)
                }
                Effect::Mode(session) => {
                    self.notices.tell(Notice::Mode(session));
                    None
                }
                Effect::Scopes(agent) => {
                    self.notices.tell(Notice::Scopes(agent));
                    None
                }
            };
            if let Some(change) = change.filter(|change| !changed.contains(change)) {
                changed.push(change);
            }
        }
        changed.into_iter().for_each(|change| self.shell.changed(change));
    }
}

/// What all parts of one transaction have beside it.
pub(crate) struct Place {
    now: Now,
    titles: Titles,
    book: Book,
}

/// Runs one part; what it wants told is added only if it succeeded.
pub(crate) fn attempt<T>(
    tx: &Tx<'_>,
    at: &Place,
    effects: &mut Vec<Effect>,
    handler: impl FnOnce(&mut Work<'_>) -> Result<T, BrokerError>,
) -> Result<T, BrokerError> {
    let (done, told) = tx.attempt(|tx| {
        let mut work = Work { tx, now: at.now, titles: at.titles.clone(), book: at.book.clone(), effects: Vec::new() };
        handler(&mut work).map(|done| (done, work.effects))
    })?;
    effects.extend(told);
    Ok(done)
}

/// Runs one part, and tells its caller how that went once it is on disk.
pub(crate) fn run<T: 'static>(
    tx: &Tx<'_>,
    at: &Place,
    effects: &mut Vec<Effect>,
    reply: Reply<T>,
    handler: impl FnOnce(&mut Work<'_>) -> Result<T, BrokerError>,
) -> Tell {
    let result = attempt(tx, at, effects, handler);
    Box::new(move |failed| {
        // A caller that is gone has nobody to tell.
        let _ = reply.send(match failed {
            None => result,
            Some(error) => Err(error.clone()),
        });
    })
}

fn handle(tx: &Tx<'_>, at: &Place, effects: &mut Vec<Effect>, message: Message) -> Tell {
    match message {
        Message::Enter { agent, key, workspace, reply } => {
            run(tx, at, effects, reply, |w| agents::enter(w, &agent, &key, &workspace))
        }
        Message::Present { caller, here, reply } => run(tx, at, effects, reply, |w| agents::present(w, &caller, here)),
        Message::Pair { program, terms, reply } => run(tx, at, effects, reply, |w| agents::pair(w, program, terms)),
        Message::Revoke { agent, person, reply } => run(tx, at, effects, reply, |w| agents::revoke(w, &agent, person)),
        Message::Rotate { agent, person, reply } => run(tx, at, effects, reply, |w| agents::rotate(w, &agent, person)),
        Message::SetScopes { agent, scopes, person, reply } => {
            run(tx, at, effects, reply, |w| agents::set_scopes(w, &agent, scopes, person))
        }
        Message::SetMode { session, mode, person, reply } => {
            run(tx, at, effects, reply, |w| modes::set(w, &session, mode, person))
        }
        Message::RequestMode { caller, mode, reply } => {
            run(tx, at, effects, reply, |w| modes::request(w, &caller, mode))
        }
        Message::Ask { caller, ask, reply } => run(tx, at, effects, reply, |w| requests::ask(w, &caller, ask)),
        Message::Cancel { caller, id, reply } => run(tx, at, effects, reply, |w| requests::cancel(w, &caller, &id)),
        Message::AnswerInProgram { caller, id, answers, comment, reply } => {
            run(tx, at, effects, reply, |w| requests::answer_in_program(w, &caller, &id, answers, comment))
        }
        Message::Collected { id } => {
            if let Err(error) = attempt(tx, at, effects, |w| requests::collected(w, &id)) {
                tracing::warn!(%error, "that an answer was collected could not be kept; it will be handed out again");
            }
            Box::new(|_| {})
        }
        Message::Told { telling } => {
            if let Err(error) = attempt(tx, at, effects, |w| notes::told(w, &telling)) {
                tracing::warn!(%error, "that a note was told could not be kept; it will be said again");
            }
            // It is under way until it is on disk.
            Box::new(move |_| drop(telling))
        }
        Message::Decide { person, id, digest, shown, verdict, reply } => {
            run(tx, at, effects, reply, |w| decide::decide(w, person, &id, digest, shown.as_ref(), verdict))
        }
        Message::Draft { id, draft, reply } => run(tx, at, effects, reply, |w| decide::draft(w, &id, &draft)),
        Message::CreateSpec { caller, spec, answers, reply } => {
            run(tx, at, effects, reply, |w| specs::create(w, &caller, &spec, &answers))
        }
        Message::ActOnSpec { caller, term, act, answers, seen, reply } => {
            run(tx, at, effects, reply, |w| specs::call(w, &caller, &term, &act, &answers, *seen))
        }
        Message::MakeSpec { person, workspace, spec, reply } => {
            run(tx, at, effects, reply, |w| specs::create_for_person(w, person, workspace, &spec))
        }
        Message::DoToSpec { person, workspace, id, act, reply } => {
            run(tx, at, effects, reply, |w| specs::act_for_person(w, person, workspace, id, &act))
        }
        Message::ImportSpecs { caller, import, answers, reply } => {
            run(tx, at, effects, reply, |w| specs::import_call(w, &caller, &import, &answers))
        }
        Message::BringInSpecs { person, workspace, import, reply } => {
            run(tx, at, effects, reply, |w| specs::import_for_person(w, person, workspace, &import))
        }
        Message::OpenWorkspace { person, path, reply } => {
            run(tx, at, effects, reply, |w| specs::open_workspace(w, person, &path))
        }
        Message::SetRules { person, workspace, rules, reply } => {
            run(tx, at, effects, reply, |w| specs::set_rules(w, person, workspace, rules))
        }
        Message::Set { key, value, only_new, reply } => run(tx, at, effects, reply, |w| {
            if only_new && w.tx.setting(&key)?.is_some() {
                return Ok(false);
            }
            w.tx.set_setting(&key, &value)?;
            Ok(true)
        }),
        Message::SetTodos { caller, todos, reply } => run(tx, at, effects, reply, |w| todos::set(w, &caller, &todos)),
        Message::Files(message) => handle_files::handle(tx, at, effects, message),
        Message::Run(message) => handle_runs::handle(tx, at, effects, message),
        Message::Step(message) => handle_steps::handle(tx, at, effects, message),
        Message::Tick { reply } => run(tx, at, effects, reply, |_| Ok(())),
    }
}
