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
    /// The run folder in the header.
    run_folder: Option<String>,
}

impl Visitor {
    pub(crate) fn new(agent: Agent, headers: &HeaderMap) -> Self {
        let (folder, run_folder) = (session_key::workspace_of(headers), session_key::run_folder_of(headers));
        Self { agent, folder, run_folder }
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

    /// The run folder of a call that may ask: what it names, else the header's; checked, for it is an agent's word.
    pub(crate) fn run_folder(&self, broker: &Broker, named: Option<&str>) -> Result<Option<String>, BrokerError> {
        let named = named.filter(|folder| !folder.trim().is_empty()).or(self.run_folder.as_deref());
        named.map(|folder| broker.run_folder(&self.agent, folder)).transpose()
    }

    /// The same in the token's own folder, for what is the same everywhere.
    pub(crate) async fn enter_own(&self, broker: &Broker, session: Option<&str>) -> Result<Caller, BrokerError> {
        broker.enter(&self.agent, session, None).await
    }
}
