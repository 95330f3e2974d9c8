//! An agent at the door: its token was checked, and it may have said once for all its calls in which folder it works.

use crate::session_key;
use countersign_broker::{Agent, Broker, BrokerError, Caller};
use http::HeaderMap;

/// Who sent one HTTP request.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    pub(crate) agent: Agent,
    /// The folder in the header, as a bridge names it; it is no less an agent's word than the parameter.
    folder: Option<String>,
}

impl Visitor {
    pub(crate) fn new(agent: Agent, headers: &HeaderMap) -> Self {
        Self { agent, folder: session_key::workspace_of(headers) }
    }

    /// Finds or makes the session of a call: in the folder that the call names, else the header's, else the token's own.
    pub(crate) async fn enter(
        &self,
        broker: &Broker,
        session: Option<&str>,
        named: Option<&str>,
    ) -> Result<Caller, BrokerError> {
        let named = named.filter(|folder| !folder.trim().is_empty());
        broker.enter(&self.agent, session, named.or(self.folder.as_deref())).await
    }

    /// The same in the token's own folder, for what is the same everywhere.
    pub(crate) async fn enter_own(&self, broker: &Broker, session: Option<&str>) -> Result<Caller, BrokerError> {
        broker.enter(&self.agent, session, None).await
    }
}
