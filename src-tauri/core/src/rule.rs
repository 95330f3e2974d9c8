//! The person's rules for steps: what always passes, is always asked about, or never passes.
//!
//! The strictest that matches wins. Letting pass takes certainty, standing in the way takes a suspicion: an allowing rule covers one
//! plain command or paths that are all known; an asking or denying one matches whatever may be meant by it. Absent: clocks, files.

mod covers;
mod never;
#[cfg(test)]
mod tests;

pub use covers::{matches, strictest};
pub use never::never;

use crate::id::{AgentId, RequestId, SessionId, WorkspaceId};
use crate::limit;
use crate::shell;
use crate::step::{Step, runs_commands};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What a rule does, from loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It passes without a question.
    Allow,
    /// It is asked about, whatever else would let it pass.
    Ask,
    /// It does not pass.
    Deny,
}

impl Effect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The effect of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.word() == word)
    }
}

/// Which commands a rule is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandMatch {
    /// Those that begin with these words.
    Prefix(Vec<String>),
    /// This text and no other.
    Exact(String),
}

/// Which steps a rule is about. What is none is any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scope {
    /// The tool's name.
    pub tool: Option<String>,
    /// The command.
    pub command: Option<CommandMatch>,
    /// A folder, absolute: paths that are it or beneath it.
    pub path: Option<String>,
    /// The workspace.
    pub workspace: Option<WorkspaceId>,
    /// The agent.
    pub agent: Option<AgentId>,
    /// The session.
    pub session: Option<SessionId>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its number; 0 before it is kept.
    pub id: i64,
    /// What it does.
    pub effect: Effect,
    /// To which steps.
    pub scope: Scope,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// Through which channel the person made it.
    pub made_by: String,
    /// When.
    pub made_at: Timestamp,
    /// The request whose decision it remembers.
    pub request: Option<RequestId>,
}

/// A rule that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// What is to be done.
    pub effect: Effect,
    /// Because of which rule.
    pub rule: i64,
}

/// Who takes a step, and when.
#[derive(Debug, Clone, Copy)]
pub struct Who<'a> {
    /// The agent.
    pub agent: &'a AgentId,
    /// Its session.
    pub session: &'a SessionId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Now.
    pub at: Timestamp,
}

/// Why a rule can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// It is about everything.
    #[error("a rule names a tool, a command or a folder; this one would be about everything")]
    Everything,
    /// It would let any command pass.
    #[error("a rule that allows what runs commands names the command: by its first words, or exactly")]
    AnyCommand,
    /// Its command can't be under a rule that allows.
    #[error("no rule can allow this: {0}")]
    Never(String),
    /// A prefix that is none.
    #[error("a command's beginning is plain words, such as `git push`: {0}")]
    Prefix(String),
    /// Its folder is none.
    #[error("a rule's folder is an absolute path without `..`")]
    Path,
    /// One of its texts.
    #[error("{0}")]
    Text(#[from] limit::TextError),
}

impl Scope {
    /// Checks a rule before it is made. `own` are this program's own folders.
    pub fn check(&self, effect: Effect, own: &[String]) -> Result<(), RuleError> {
        if self.tool.is_none() && self.command.is_none() && self.path.is_none() {
            return Err(RuleError::Everything);
        }
        if let Some(tool) = &self.tool {
            limit::check_line("tool", tool, limit::STEP_TOOL_CHARS)?;
        }
        if let Some(path) = &self.path {
            limit::check_line("path", path, limit::ARGUMENT_CHARS)?;
            if !path.starts_with('/') || path.split('/').any(|part| part == ".." || part == ".") {
                return Err(RuleError::Path);
            }
        }
        let words = match &self.command {
            Some(CommandMatch::Exact(text)) => {
                limit::check_text("command", text, shell::READ_BYTES)?;
                None
            }
            Some(CommandMatch::Prefix(words)) => {
                let bad =
                    words.is_empty() || words.iter().any(|word| word.is_empty() || word.chars().any(char::is_control));
                if bad {
                    return Err(RuleError::Prefix(
                        "each word has at least one character, and no control characters".into(),
                    ));
                }
                limit::check_line("command", &words.join(" "), limit::ARGUMENT_CHARS)?;
                Some(words.iter().map(String::as_str).collect::<Vec<_>>())
            }
            None => None,
        };
        if effect != Effect::Allow {
            return Ok(());
        }
        if self.command.is_none() && self.tool.as_deref().is_none_or(runs_commands) && self.path.is_none() {
            return Err(RuleError::AnyCommand);
        }
        if self.command.is_none() && self.tool.as_deref().is_some_and(runs_commands) {
            return Err(RuleError::AnyCommand);
        }
        if let Some(words) = &words
            && shell::runs_another(words)
        {
            return Err(RuleError::Never(format!("`{}` runs other programs", words.join(" "))));
        }
        never::never_made(self, own).map_or(Ok(()), |why| Err(RuleError::Never(why.into())))
    }
}

/// A command's beginning as a person types it: plain words.
pub fn prefix_of(text: &str) -> Result<Vec<String>, RuleError> {
    shell::plain::words(text)
        .ok_or_else(|| RuleError::Prefix("no operators, variables, patterns, assignments or redirections".into()))
}

/// Whether the session, the agent and the moment are those of a rule.
pub(crate) fn is_about(rule: &Rule, who: Who<'_>) -> bool {
    let scope = &rule.scope;
    scope.workspace.is_none_or(|workspace| workspace == who.workspace)
        && scope.agent.as_ref().is_none_or(|agent| agent == who.agent)
        && scope.session.as_ref().is_none_or(|session| session == who.session)
        && rule.expires_at.is_none_or(|at| who.at < at)
}

/// Whether a step is of the rule's tool.
pub(crate) fn is_of_tool(rule: &Rule, step: &Step) -> bool {
    rule.scope.tool.as_deref().is_none_or(|tool| tool == step.call.tool)
}
