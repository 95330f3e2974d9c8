//! `notifications/tools/list_changed`, for clients of the older protocol versions: the tools of a session follow its mode and its
//! agent's scopes. Clients of the newest version read the list anew when they want it: it is marked as good for no time at all.

use countersign_broker::{Broker, Notice};
use countersign_core::id::{AgentId, SessionId};
use rmcp::service::{Peer, RoleServer};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

/// How long one client may take to be told.
const TELL: Duration = Duration::from_secs(1);

/// Clients that listed their tools, by their MCP session, each with the session of ours that it listed them for.
#[derive(Clone, Default)]
pub(super) struct Listeners(Arc<Mutex<Known>>);

type Known = HashMap<String, Listener>;

struct Listener {
    agent: AgentId,
    /// None where the agent may not work in its folder.
    session: Option<SessionId>,
    peer: Peer<RoleServer>,
}

impl Listener {
    fn concerns(&self, notice: &Notice) -> bool {
        match notice {
            Notice::Mode(session) => self.session.as_ref() == Some(session),
            Notice::Scopes(agent) => self.agent == *agent,
        }
    }
}

impl Listeners {
    /// This client knows the tools of this session.
    pub(super) fn listed(&self, mcp_session: &str, agent: AgentId, session: Option<SessionId>, peer: Peer<RoleServer>) {
        let mut known = self.known();
        known.retain(|_, listener| !listener.peer.is_transport_closed());
        known.insert(mcp_session.to_owned(), Listener { agent, session, peer });
    }

    /// Tells those whose tools changed, for ever.
    pub(super) async fn tell(&self, broker: &Broker) {
        let mut notices = broker.notices();
        loop {
            let notice = match notices.recv().await {
                Ok(notice) => Some(notice),
                // Which ones were missed is not known, so everyone looks again.
                Err(RecvError::Lagged(_)) => None,
                Err(RecvError::Closed) => return std::future::pending().await,
            };
            for peer in self.of(notice.as_ref()) {
                tokio::spawn(async move {
                    match timeout(TELL, peer.notify_tool_list_changed()).await {
                        Ok(Ok(())) => {}
                        Ok(Err(error)) => tracing::debug!(%error, "a client could not be told that its tools changed"),
                        Err(_) => tracing::debug!("a client takes its time to hear that its tools changed"),
                    }
                });
            }
        }
    }

    fn of(&self, notice: Option<&Notice>) -> Vec<Peer<RoleServer>> {
        let known = self.known();
        let theirs = known.values().filter(|listener| notice.is_none_or(|notice| listener.concerns(notice)));
        theirs.map(|listener| listener.peer.clone()).collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
