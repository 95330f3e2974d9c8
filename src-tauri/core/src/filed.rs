//! What became of a file by a decision: kept with it, because the file may be another later.

use crate::given::{self, GivenFile};
use crate::mode::Deed;
use crate::retire::{self, Retired};
use serde::{Deserialize, Serialize};

/// What was done with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Filed {
    /// The person gave it.
    Given(GivenFile),
    /// It was put away.
    Retired(Retired),
}

impl Filed {
    /// Where it is now, relative to the workspace.
    pub fn path(&self) -> &str {
        match self {
            Self::Given(file) => &file.path,
            Self::Retired(file) => &file.path,
        }
    }
}

/// What a tool does that asks by itself, as far as modes go.
pub fn deed(tool: &str) -> Deed {
    if [given::TOOL, retire::TOOL].contains(&tool) { Deed::Takes } else { Deed::Asks }
}
