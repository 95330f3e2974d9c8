//! Agents and sessions that were looked up before: each call names both, and a look into the file after somebody's commit costs
//! as much as all else that is done for the call before it asks.
//!
//! Nothing here outlives a change: whatever commits one (`Change::Agents`) empties it before anybody is told, and a look that
//! began before that commit is not kept.

use countersign_core::digest::Digest;
use countersign_core::id::AgentId;
use countersign_store::{Agent, Session};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Entries of a kind; more, and it starts over.
const MOST: usize = 4_096;

/// What is known, shared by the writer and all who call.
#[derive(Clone, Default)]
pub(crate) struct Known(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// Counts the changes.
    age: u64,
    agents: HashMap<Digest, Agent>,
    sessions: HashMap<Place, Session>,
}

/// Where a session is found: whose, in which folder, by which name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) agent: AgentId,
    pub(crate) folder: String,
    pub(crate) key: String,
}

/// When a look into the file began.
#[derive(Clone, Copy)]
pub(crate) struct Age(u64);

impl Known {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A change was committed.
    pub(crate) fn forget(&self) {
        let mut entries = self.entries();
        *entries = Entries { age: entries.age + 1, ..Entries::default() };
    }

    /// The agent with this token, or since when to look for it.
    pub(crate) fn agent(&self, token: &Digest) -> Result<Agent, Age> {
        let entries = self.entries();
        entries.agents.get(token).cloned().ok_or(Age(entries.age))
    }

    /// Keeps an agent that was found.
    pub(crate) fn keep_agent(&self, since: Age, agent: &Agent) {
        let mut entries = self.entries();
        if entries.age == since.0 {
            keep(&mut entries.agents, agent.token_hash, agent.clone());
        }
    }

    /// The session at this place, or since when to look for it.
    pub(crate) fn session(&self, place: &Place) -> Result<Session, Age> {
        let entries = self.entries();
        entries.sessions.get(place).cloned().ok_or(Age(entries.age))
    }

    /// Keeps a session that was found.
    pub(crate) fn keep_session(&self, since: Age, place: Place, session: &Session) {
        let mut entries = self.entries();
        if entries.age == since.0 {
            keep(&mut entries.sessions, place, session.clone());
        }
    }
}

fn keep<K: Hash + Eq, V>(map: &mut HashMap<K, V>, key: K, value: V) {
    if map.len() >= MOST {
        map.clear();
    }
    map.insert(key, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::scope::Scopes;
    use countersign_core::time::Timestamp;

    fn agent(n: u8) -> Agent {
        Agent {
            id: AgentId(n.to_string()),
            name: "a".into(),
            client: String::new(),
            workspace: None,
            token_hash: Digest([n; 32]),
            hold_seconds: 50,
            scopes: Scopes::ALL,
            created_at: Timestamp(0),
            revoked_at: None,
        }
    }

    #[test]
    fn what_was_found_is_known_until_something_changes() {
        let known = Known::default();
        let since = known.agent(&Digest([1; 32])).expect_err("unknown at first");
        known.keep_agent(since, &agent(1));
        assert_eq!(known.agent(&Digest([1; 32])).ok(), Some(agent(1)));
        known.forget();
        assert!(known.agent(&Digest([1; 32])).is_err());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let known = Known::default();
        let since = known.agent(&Digest([1; 32])).expect_err("unknown at first");
        known.forget();
        known.keep_agent(since, &agent(1));
        assert!(known.agent(&Digest([1; 32])).is_err());
    }
}
