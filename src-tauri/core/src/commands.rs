//! `countersign.toml`: the checks and deploy targets of a workspace.

use std::collections::BTreeMap;

/// What the file declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commands {
    /// By name.
    pub checks: BTreeMap<String, Command>,
    /// By the environment's name.
    pub targets: BTreeMap<String, Target>,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments.
    pub run: Vec<String>,
    /// The working folder, beneath the workspace.
    pub dir: String,
    /// Variables that are passed on.
    pub env: Vec<String>,
    /// How long it may take.
    pub timeout_seconds: u64,
}

/// One deploy target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What deploys to it.
    pub command: Command,
    /// Whether each deployment to it is asked about.
    pub protected: bool,
}

/// A mistake in the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct CommandsError {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl Commands {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Self, CommandsError> {
        use serde::Deserialize;
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            #[serde(default)]
            checks: BTreeMap<String, One>,
            #[serde(default)]
            targets: BTreeMap<String, One>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct One {
            run: Vec<String>,
            dir: Option<String>,
            #[serde(default)]
            env: Vec<String>,
            timeout_seconds: Option<u64>,
            protected: Option<bool>,
        }
        let command = |one: One| Command {
            run: one.run,
            dir: one.dir.unwrap_or_else(|| ".".into()),
            env: one.env,
            timeout_seconds: one.timeout_seconds.unwrap_or(600),
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let before = &text[..error.span().map_or(0, |span| span.start)];
            let line = before.matches('\n').count() as u32 + 1;
            let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as u32 + 1;
            CommandsError { line, column, message: error.message().to_owned() }
        })?;
        let target = |(name, one): (String, One)| {
            let live = ["production", "prod", "live"].contains(&name.to_lowercase().as_str());
            let protected = one.protected.unwrap_or(live);
            (name, Target { command: command(one), protected })
        };
        Ok(Self {
            checks: file.checks.into_iter().map(|(name, one)| (name, command(one))).collect(),
            targets: file.targets.into_iter().map(target).collect(),
        })
    }
}
