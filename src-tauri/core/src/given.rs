//! A file that the person gave, or set aside: a fact kept with the decision that did it.

use serde::{Deserialize, Serialize};

/// Where it is now, and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Its path in the workspace, with `/` between folders.
    pub path: String,
    /// What it was called where the person has it.
    pub name: String,
    /// Its size, in bytes.
    pub bytes: u64,
    /// The SHA-256 of its content, in lower-case hexadecimal digits.
    pub sha256: String,
    /// Whether a file of the same content was there already, so that nothing was copied.
    #[serde(default)]
    pub already_there: bool,
}
