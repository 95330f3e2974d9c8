//! Deadlines. They run on the boot clock: a wall clock that somebody turns expires nothing and saves nothing, and a
//! sleep counts. Only across a restart does the wall clock say how much is left.

use crate::decide;
use crate::error::BrokerError;
use crate::writer::Work;
use countersign_core::answer;
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::request::{Decision, OnExpiry, Request, State};
use countersign_core::time::{Millis, Now};
use countersign_core::who_may_decide::{May, may_decide};
use countersign_store::{Store, StoreError};
use std::collections::{BTreeSet, HashMap};

/// When each pending request's time runs out, by the boot clock.
#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    by_time: BTreeSet<(Millis, RequestId)>,
    by_request: HashMap<RequestId, Millis>,
}

impl Deadlines {
    /// What the store still has pending, at start.
    pub(crate) fn load(store: &Store, now: Now) -> Result<Self, StoreError> {
        let mut deadlines = Self::default();
        for (at, id) in store.read(|db| db.deadlines())? {
            deadlines.set(id, Millis(now.boot.0 + at.since(now.wall).0));
        }
        Ok(deadlines)
    }

    pub(crate) fn set(&mut self, id: RequestId, at: Millis) {
        if let Some(before) = self.by_request.insert(id.clone(), at) {
            self.by_time.remove(&(before, id.clone()));
        }
        self.by_time.insert((at, id));
    }

    pub(crate) fn next(&self) -> Option<Millis> {
        self.by_time.first().map(|(at, _)| *at)
    }

    pub(crate) fn due(&self, boot: Millis) -> Vec<RequestId> {
        self.by_time.iter().take_while(|(at, _)| *at <= boot).map(|(_, id)| id.clone()).collect()
    }

    /// Tries these again later.
    pub(crate) fn put_off(&mut self, ids: &[RequestId], at: Millis) {
        for id in ids {
            self.set(id.clone(), at);
        }
    }

    pub(crate) fn forget(&mut self, ids: &[RequestId]) {
        for id in ids {
            if let Some(at) = self.by_request.remove(id) {
                self.by_time.remove(&(at, id.clone()));
            }
        }
    }
}

/// Ends a request whose time ran out: with its defaults if it asked for that and its class allows it, else unanswered.
pub(crate) fn expire(work: &mut Work<'_>, id: &RequestId) -> Result<(), BrokerError> {
    let Some(request) = work.tx.request(id)?.filter(|request| request.state == State::Pending) else { return Ok(()) };
    match default_decision(work, &request) {
        Some(decision) => decide::settle(work, &request, State::Answered, Some(decision)),
        None => decide::settle(work, &request, State::Expired, None),
    }
    .map(|_| ())
}

fn default_decision(work: &Work<'_>, request: &Request) -> Option<Decision> {
    let wanted = request.ask.on_expiry == OnExpiry::Default;
    let allowed = matches!(may_decide(request.ask.class, Channel::Expiry), May::Default);
    let answers = answer::defaults(&request.ask.questions).ok().filter(|_| wanted && allowed)?;
    Some(Decision {
        answers,
        channel: Channel::Expiry,
        unattended: false,
        comment: None,
        at: work.at(),
        digest: request.digest,
        mode: None,
        step: None,
        file: None,
        remarks: Vec::new(),
    })
}
