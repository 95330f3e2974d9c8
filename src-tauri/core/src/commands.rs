//! A workspace's `countersign.toml`: the commands that may be trusted to check a spec and to deploy it.
//!
//! What the file may say is in `docs/countersign-toml.md`. Reading it runs nothing and looks at no other file; which
//! files its arguments may name is a list of candidates, for whoever looks whether they exist.

mod paths;
mod read;

use serde::Serialize;

pub(crate) use paths::{is_absolute, pieces, places};

/// What a workspace's file declares, in its order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Commands {
    /// `[checks.NAME]`.
    pub checks: Vec<Check>,
    /// `[targets.NAME]`.
    pub targets: Vec<Target>,
}

/// A command that tells whether criteria hold.
pub type Check = Command;

/// A program with its arguments, and how it is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Command {
    /// Its name among the checks or the targets.
    pub name: String,
    /// The argument vector: the program, and what it is given. No shell reads it.
    pub run: Vec<String>,
    /// The folder that it runs in, from the workspace's: `.` or names with `/` between.
    pub dir: String,
    /// The variables of the house's environment that it is given besides the usual ones.
    pub env: Vec<String>,
    /// After so many seconds it is stopped.
    pub timeout_seconds: u32,
}

/// A place that a spec can be deployed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Target {
    /// What deploys it.
    #[serde(flatten)]
    pub command: Command,
    /// Whether a person must say yes each time.
    pub protected: bool,
}

/// What is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("countersign.toml, line {line}, column {column}: {message}")]
pub struct CommandsError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The field, the limit and the way out.
    pub message: String,
}

impl Commands {
    /// Reads a file. An empty one declares nothing. Of several mistakes one is told.
    pub fn parse(text: &str) -> Result<Self, CommandsError> {
        read::parse(text)
    }

    /// The check of that name.
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }

    /// The target of that name.
    pub fn target(&self, name: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.command.name == name)
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.checks.is_empty() && self.targets.is_empty()
    }

    /// Every command, checks first.
    pub fn all(&self) -> impl Iterator<Item = &Command> {
        self.checks.iter().chain(self.targets.iter().map(|target| &target.command))
    }

    /// The paths that the arguments may name, each once and in order: from the workspace's folder with `/` between, or
    /// absolute as they are written. Most don't exist. A path may hold `..` and links: the caller resolves it and drops
    /// what isn't a file inside the workspace.
    pub fn candidate_paths(&self) -> Vec<String> {
        paths::candidates(self)
    }
}

#[cfg(test)]
mod tests;
