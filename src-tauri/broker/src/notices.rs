//! What the port must hear of by itself, beside the answers to its own calls. Told after the commit, as everything is.

use countersign_core::id::{AgentId, SessionId};
use tokio::sync::broadcast;

/// Notices that one listener may be behind; one that is further behind is told so and looks at everything.
const BEHIND: usize = 1_024;

/// One thing to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A session's mode changed, and with it the tools it has.
    Mode(SessionId),
    /// What an agent may do changed, and with it the tools of all its sessions.
    Scopes(AgentId),
}

/// Tells everyone who listens.
#[derive(Debug, Clone)]
pub(crate) struct Notices(broadcast::Sender<Notice>);

impl Default for Notices {
    fn default() -> Self {
        Self(broadcast::Sender::new(BEHIND))
    }
}

impl Notices {
    pub(crate) fn listen(&self) -> broadcast::Receiver<Notice> {
        self.0.subscribe()
    }

    pub(crate) fn tell(&self, notice: Notice) {
        // Nobody listens where there is no port.
        let _ = self.0.send(notice);
    }
}
