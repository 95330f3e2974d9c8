//! The program that asks, as the system tells: who holds the other end of the socket. Never from what an agent says.

use serde::{Deserialize, Serialize};

/// A process on this computer. Shown to the person; nothing is decided by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    /// Its process id, at the moment it asked.
    pub pid: u32,
    /// The file that it runs.
    pub path: Option<String>,
    /// The folder in which it runs.
    pub folder: Option<String>,
    /// Whether it asks through our own bridge, which it started.
    pub bridge: bool,
}
