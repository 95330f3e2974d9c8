//! A paired program that asks over plain HTTP.

use countersign_client::{Port, PortError};
use serde_json::{Value, json};

/// An agent with its token.
#[derive(Debug, Clone)]
pub struct Agent {
    /// Its id.
    pub id: String,
    /// Its token.
    pub token: String,
    /// The port, as this agent sees it.
    pub port: Port,
}

impl Agent {
    /// An agent at this address.
    pub fn new(url: &str, id: &str, token: &str) -> Self {
        Self { id: id.to_owned(), token: token.to_owned(), port: Port::at(url).with_token(token) }
    }

    /// The same agent, at another address.
    pub fn at(&self, url: &str) -> Self {
        Self::new(url, &self.id, &self.token)
    }

    /// Calls a tool.
    pub async fn try_call(&self, tool: &str, arguments: Value) -> Result<Value, PortError> {
        self.port.call(tool, &arguments).await
    }

    /// Calls a tool that must be let in: `{structuredContent, text, isError}`.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let said = self.try_call(tool, arguments).await;
        said.unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    /// Asks without waiting; the request's id.
    pub async fn ask(&self, text: &str) -> String {
        let said = self.call("ask_human", question(text)).await;
        let id = said["structuredContent"]["request"]["id"].as_str();
        id.unwrap_or_else(|| panic!("no id: {said}")).to_owned()
    }
}

/// A plain question that is not held.
pub fn question(text: &str) -> Value {
    json!({"question": text, "options": ["Red", "Blue"], "hold_seconds": 0})
}
