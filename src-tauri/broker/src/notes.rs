//! The note to an agent whose session is in another mode than it was told: with the first result after the change, once.
//!
//! It counts as told when the result that carries it was written without an error, and that is on disk; until then no other result
//! carries it, and when that one is lost, the next does.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::Message;
use crate::writer::Work;
use countersign_core::id::SessionId;
use countersign_core::mode::{Mode, note};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sessions to whose agents a note is on its way: one at a time, so that they arrive in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<HashSet<SessionId>>>);

impl Notes {
    fn under_way(&self) -> MutexGuard<'_, HashSet<SessionId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A note that goes with a result.
#[derive(Debug)]
pub struct Note {
    /// What it says.
    pub text: String,
    /// Goes with the result to its end.
    pub telling: Telling,
}

/// A note on its way. Dropped before it arrived, it was not told.
#[derive(Debug)]
pub struct Telling {
    session: SessionId,
    mode: Mode,
    /// What decisions had told it when this was said.
    count: u32,
    notes: Notes,
}

impl Drop for Telling {
    fn drop(&mut self) {
        self.notes.under_way().remove(&self.session);
    }
}

/// Keeps that the agent was told; where a decision told it something else meanwhile, that is what it heard last.
pub(crate) fn told(work: &Work<'_>, telling: &Telling) -> Result<(), BrokerError> {
    Ok(work.tx.set_noted_mode(&telling.session, telling.mode, telling.count)?)
}

impl Broker {
    /// The note that this agent's next result is to carry, if there is one and no other result carries it.
    pub fn note(&self, caller: &Caller) -> Result<Option<Note>, BrokerError> {
        let Some(knows) = self.read(|db| Ok(db.told_mode(&caller.session)?))? else { return Ok(None) };
        let Some(text) = note::due(knows.told, knows.now) else { return Ok(None) };
        let (session, notes) = (caller.session.clone(), self.inner.notes.clone());
        if !notes.under_way().insert(session.clone()) {
            return Ok(None);
        }
        Ok(Some(Note { text, telling: Telling { session, mode: knows.now, count: knows.count, notes } }))
    }

    /// The result that carried a note was written without an error.
    pub fn told(&self, telling: Telling) {
        // When the broker has stopped, the note is said again after the next start.
        let _ = self.inner.queue.send(Message::Told { telling });
    }
}
