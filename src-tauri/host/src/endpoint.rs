//! The discovery file: how clients and terminals find the process that has the data folder.

use crate::error::HostError;
use crate::home::{Home, write_private};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// `endpoint.json`, readable by the owner only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// The agents' port, such as `http://127.0.0.1:4780`.
    pub url: String,
    /// The person's socket.
    pub socket: PathBuf,
    /// The process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// Whether this is a test home, whose decisions mean nothing.
    pub test_home: bool,
}

impl Endpoint {
    /// Reads it. None when nothing runs, as far as the file tells; it stays behind after a crash, and then nothing
    /// listens.
    pub fn read(home: &Home) -> Option<Self> {
        let text = std::fs::read_to_string(home.endpoint()).ok()?;
        serde_json::from_str(&text).ok()
    }

    pub(crate) fn write(&self, home: &Home) -> Result<(), HostError> {
        let text = serde_json::to_string_pretty(self).expect("BUG: an endpoint is plain JSON");
        Ok(write_private(&home.endpoint(), &text)?)
    }

    /// Removes it and the socket, unless they are another process's by now.
    pub(crate) fn remove(&self, home: &Home) {
        if Self::read(home).is_some_and(|found| found.pid == self.pid) {
            // Gone already is as good; a new start makes both anew.
            let _ = std::fs::remove_file(home.endpoint());
            let _ = std::fs::remove_file(&self.socket);
        }
    }
}
