//! A rule as a surface writes it, with the folder for the workspace and the command as one text.

use crate::agents::spelled;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::rules::NewRule;
use countersign_core::rule::{CommandMatch, Effect, Scope, prefix_of};
use serde::{Deserialize, Serialize};

/// What the person typed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleDraft {
    /// What it does.
    pub effect: Effect,
    /// To steps of this tool.
    pub tool: Option<String>,
    /// Whose command begins with these words, or is this text.
    pub command: Option<String>,
    /// Whether it is the whole command.
    pub exact: bool,
    /// About what is in this folder.
    pub path: Option<String>,
    /// In this workspace.
    pub workspace: Option<String>,
    /// For how many seconds.
    pub expires_in_seconds: Option<u64>,
}

impl Broker {
    /// The rule that is meant.
    pub fn rule_of(&self, draft: RuleDraft) -> Result<NewRule, BrokerError> {
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let invalid = |error: countersign_core::rule::RuleError| BrokerError::Invalid(error.to_string());
        let command = match draft.command.filter(|text| !text.trim().is_empty()) {
            Some(text) if draft.exact => Some(CommandMatch::Exact(text)),
            Some(text) => Some(CommandMatch::Prefix(prefix_of(&text).map_err(invalid)?)),
            None => None,
        };
        let workspace = match given(draft.workspace) {
            Some(folder) => {
                let folder = spelled(&folder)?;
                let known = self.read(|db| Ok(db.workspace_at(&folder)?))?;
                let missing = || BrokerError::NotFound(format!("no agent has worked in {folder:?} yet"));
                Some(known.ok_or_else(missing)?.id)
            }
            None => None,
        };
        let path = given(draft.path).map(|path| if path == "/" { path } else { path.trim_end_matches('/').to_owned() });
        let scope = Scope { tool: given(draft.tool), command, path, workspace, agent: None, session: None };
        Ok(NewRule { effect: draft.effect, scope, expires_in_seconds: draft.expires_in_seconds })
    }
}
