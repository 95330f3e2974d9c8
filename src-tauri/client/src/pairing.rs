//! The program's side of pairing.

use crate::port::{Port, PortError};
use serde_json::{Value, json};

/// What a program shows while the person types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The secret with which it asks how it went.
    pub id: String,
    /// Six digits.
    pub code: String,
    /// Seconds that they hold.
    pub expires_in: u64,
}

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Paired. The token is given this once.
    Paired {
        /// Who the program is from now on.
        agent: String,
        /// Its token.
        token: String,
    },
    /// The person said no.
    Refused,
    /// Too many wrong codes were typed: pairing closed, with all that waited.
    Closed,
    /// Nobody typed the code in time.
    Expired,
}

impl Invitation {
    /// Asks to be paired.
    pub async fn ask(port: &Port, name: &str, client: &str, workspace: Option<&str>) -> Result<Self, PortError> {
        let said = port.post("/v1/pair", &json!({"name": name, "client": client, "workspace": workspace})).await?;
        let text = |key: &str| said[key].as_str().map(str::to_owned);
        match (text("id"), text("code"), said["expires_in"].as_u64()) {
            (Some(id), Some(code), Some(expires_in)) => Ok(Self { id, code, expires_in }),
            _ => Err(PortError::Foreign { url: port.url().to_owned(), why: "it gave no code".into() }),
        }
    }

    /// Waits until the person typed the code, said no, or let its time pass.
    pub async fn outcome(&self, port: &Port) -> Result<Outcome, PortError> {
        loop {
            let said = port.get(&format!("/v1/pair/{}?wait=25", self.id)).await?;
            match (said["state"].as_str(), said["agent"].as_str(), said["token"].as_str()) {
                (Some("waiting"), _, _) => {}
                (Some("accepted"), Some(agent), Some(token)) => {
                    return Ok(Outcome::Paired { agent: agent.to_owned(), token: token.to_owned() });
                }
                (Some("refused"), _, _) => return Ok(Outcome::Refused),
                (Some("closed"), _, _) => return Ok(Outcome::Closed),
                (Some("expired"), _, _) => return Ok(Outcome::Expired),
                _ => {
                    return Err(PortError::Foreign {
                        url: port.url().to_owned(),
                        why: format!("{} is no state", Value::clone(&said["state"])),
                    });
                }
            }
        }
    }
}
