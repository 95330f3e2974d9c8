//! MCP sessions of the older protocol versions: whose they are, and when they are closed. rmcp keeps them until told otherwise.
//!
//! They are transport only. Nothing of the product hangs on them: an agent that gets a new one loses nothing.

use crate::limits::Limits;
use countersign_core::id::AgentId;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long the closing of one session may take before it is left to itself.
const CLOSE: Duration = Duration::from_secs(1);

/// Who owns which session.
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    known: Mutex<HashMap<String, Entry>>,
    most: usize,
    idle: Duration,
    every: Duration,
}

struct Entry {
    agent: AgentId,
    used: Instant,
    open: usize,
}

/// A call or stream that is open in a session; while there is one, the session is not idle.
pub(super) struct Visit {
    id: String,
    sessions: Arc<Sessions>,
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(entry) = self.sessions.known().get_mut(&self.id) {
            entry.open = entry.open.saturating_sub(1);
            entry.used = Instant::now();
        }
    }
}

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>, limits: &Limits) -> Self {
        let (most, idle, every) = (limits.mcp_sessions, limits.mcp_session_idle, limits.mcp_reap_every);
        Self { manager, known: Mutex::default(), most, idle, every }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Comes into a session, if it is this agent's. Another's is as unknown as one that never was.
    pub(super) fn visit(self: &Arc<Self>, agent: &AgentId, id: &str) -> Option<Visit> {
        let mut known = self.known();
        let entry = known.get_mut(id).filter(|entry| entry.agent == *agent)?;
        entry.open += 1;
        Some(Visit { id: id.to_owned(), sessions: Arc::clone(self) })
    }

    /// A session was made. Over the cap of its agent, the longest idle one of it is closed.
    pub(super) async fn made(&self, agent: &AgentId, id: &str) {
        let closed = {
            let mut known = self.known();
            known.insert(id.to_owned(), Entry { agent: agent.clone(), used: Instant::now(), open: 0 });
            let mut own: Vec<_> = known.iter().filter(|(_, entry)| entry.agent == *agent).collect();
            let over = own.len().saturating_sub(self.most);
            own.retain(|(other, entry)| entry.open == 0 && other.as_str() != id);
            own.sort_by_key(|(_, entry)| entry.used);
            let closed: Vec<String> = own.into_iter().take(over).map(|(id, _)| id.clone()).collect();
            known.retain(|id, _| !closed.contains(id));
            closed
        };
        for id in closed {
            self.close(&id).await;
        }
    }

    /// The client ended it.
    pub(super) fn forget(&self, id: &str) {
        self.known().remove(id);
    }

    /// Looks for sessions to close, for ever.
    pub(super) async fn reap(&self) {
        let mut strays = HashSet::new();
        loop {
            tokio::time::sleep(self.every).await;
            self.sweep(&mut strays).await;
        }
    }

    /// Closes what is idle, and what rmcp has that nobody owns since the last time: its client left before it had the id.
    async fn sweep(&self, strays: &mut HashSet<String>) {
        let mut closed = self.take_idle(Instant::now());
        let held: Vec<String> = self.manager.sessions.read().await.keys().map(ToString::to_string).collect();
        let unowned: HashSet<String> = {
            let known = self.known();
            held.into_iter().filter(|id| !known.contains_key(id)).collect()
        };
        closed.extend(strays.intersection(&unowned).cloned());
        for id in &closed {
            self.close(id).await;
        }
        *strays = unowned;
    }

    fn take_idle(&self, now: Instant) -> Vec<String> {
        let mut closed = Vec::new();
        self.known().retain(|id, entry| {
            let keep = entry.open > 0 || now.saturating_duration_since(entry.used) < self.idle;
            if !keep {
                closed.push(id.clone());
            }
            keep
        });
        closed
    }

    async fn close(&self, id: &str) {
        match timeout(CLOSE, self.manager.close_session(&id.into())).await {
            Ok(Ok(())) => tracing::debug!("an idle MCP session was closed"),
            Ok(Err(error)) => tracing::debug!(%error, "an idle MCP session didn't close"),
            Err(_) => tracing::debug!("an idle MCP session takes its time to close"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(most: usize) -> Arc<Sessions> {
        let limits = Limits { mcp_sessions: most, ..Limits::default() };
        Arc::new(Sessions::new(Arc::default(), &limits))
    }

    fn agent(name: &str) -> AgentId {
        AgentId(name.into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_is_its_agents_alone() {
        let sessions = sessions(8);
        sessions.made(&agent("a"), "s").await;
        assert!(sessions.visit(&agent("a"), "s").is_some());
        assert!(sessions.visit(&agent("b"), "s").is_none());
        assert!(sessions.visit(&agent("a"), "t").is_none());
        sessions.forget("s");
        assert!(sessions.visit(&agent("a"), "s").is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_session_goes_and_one_with_an_open_call_stays() {
        let sessions = sessions(8);
        sessions.made(&agent("a"), "idle").await;
        sessions.made(&agent("a"), "busy").await;
        let visit = sessions.visit(&agent("a"), "busy").expect("there");
        tokio::time::advance(Duration::from_secs(31 * 60)).await;
        sessions.sweep(&mut HashSet::new()).await;
        assert!(sessions.visit(&agent("a"), "idle").is_none());
        drop(visit);
        sessions.sweep(&mut HashSet::new()).await;
        assert!(sessions.visit(&agent("a"), "busy").is_some(), "idle only since its call ended");
    }

    #[tokio::test(start_paused = true)]
    async fn over_the_cap_the_longest_idle_one_of_that_agent_goes() {
        let sessions = sessions(2);
        sessions.made(&agent("b"), "other").await;
        for id in ["1", "2", "3"] {
            tokio::time::advance(Duration::from_secs(1)).await;
            sessions.made(&agent("a"), id).await;
        }
        let there = |who: &str, id| sessions.visit(&agent(who), id).is_some();
        assert_eq!([there("a", "1"), there("a", "2"), there("a", "3"), there("b", "other")], [false, true, true, true]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_whose_client_left_before_it_had_the_id_is_closed() {
        let sessions = sessions(2);
        let (_id, _transport) = sessions.manager.create_session().await.expect("made");
        let mut strays = HashSet::new();
        sessions.sweep(&mut strays).await;
        assert_eq!(sessions.manager.sessions.read().await.len(), 1, "it may be on its way");
        sessions.sweep(&mut strays).await;
        assert_eq!(sessions.manager.sessions.read().await.len(), 0);
    }
}
