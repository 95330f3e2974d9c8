//! Trust: which commands of a workspace may run, and over which files the person said so.
//!
//! What is trusted is a [`Snapshot`]: the text of `countersign.toml`, every file of the workspace that an argument vector names, and
//! the `PATH` on which programs are found. Whatever differs from it is not trusted. Absent: reading files, which is the broker's.

mod uncovered;
mod words;

use crate::answer::{Answer, Answers};
use crate::commands::{Command, Commands};
use crate::digest::Digest;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

pub use words::{ask, changes, ending};
pub(crate) use words::{code, described, fenced};

/// The file that declares the commands, beneath the workspace.
pub const FILE: &str = "countersign.toml";
/// The tool that a request for trust stands for.
pub const TOOL: &str = "trust_commands";
/// Its question.
pub const QUESTION: &str = "confirm-trust";
/// The word that a yes takes.
pub const TYPED: &str = "trust";
/// Stands behind where a link leads when nothing is there.
pub const NOTHING: &str = " (nothing is there)";

/// A file, a folder or a link that the commands name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Named {
    /// As it is named, relative to the workspace, with `/`.
    pub path: String,
    /// Where it really is, when links lead elsewhere: relative to the workspace, or absolute and outside of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The SHA-256 of its content; none for a folder, for what is outside of the workspace, and for a link to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Whether its owner may execute it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
    /// Its content, to show what changed; none where it is no text or too long. Its digest stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// All that a trust is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Where the folder really is, without links; empty in what was trusted before this was looked at.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub root: String,
    /// The text of `countersign.toml`.
    pub config: String,
    /// What its argument vectors name, by path, each once.
    pub files: Vec<Named>,
    /// Where programs are looked for.
    pub path_env: String,
}

impl Snapshot {
    /// The digest that stands for it.
    pub fn digest(&self) -> Digest {
        let files: Vec<_> =
            self.files.iter().map(|file| json!([file.path, file.at, file.digest, file.executable])).collect();
        let config = Digest::of_bytes(self.config.as_bytes());
        let mut over = json!({"config": config, "files": files, "path_env": self.path_env});
        if !self.root.is_empty() {
            over["root"] = json!(self.root);
        }
        Digest::of(&over)
    }

    /// What differs from an earlier one, by name, for a sentence.
    pub fn differs(&self, before: &Self) -> Vec<String> {
        let mut names = Vec::new();
        if self.root != before.root {
            names.push("where the folder is".to_owned());
        }
        if self.config != before.config {
            names.push(FILE.to_owned());
        }
        let key = |file: &Named| (file.path.clone(), file.at.clone(), file.digest, file.executable);
        let (now, old): (BTreeSet<_>, BTreeSet<_>) =
            (self.files.iter().map(key).collect(), before.files.iter().map(key).collect());
        names.extend(now.symmetric_difference(&old).map(|(path, ..)| path.clone()).collect::<BTreeSet<_>>());
        if self.path_env != before.path_env {
            names.push("PATH".to_owned());
        }
        names
    }

    /// The same folder, with programs looked for where they were when it was trusted.
    pub fn with_path(self, path_env: &str) -> Self {
        Self { path_env: path_env.to_owned(), ..self }
    }
}

/// How a workspace's commands stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TrustState {
    /// There is no `countersign.toml`.
    None,
    /// There is one, with a mistake in it.
    Mistake,
    /// There is one that nobody ever trusted.
    Untrusted,
    /// Something changed since it was trusted.
    Changed,
    /// It is as it was when it was trusted.
    Trusted,
}

/// All commands, with what each is for: `check NAME`, `target NAME`.
pub fn all(commands: &Commands) -> impl Iterator<Item = (String, &Command)> {
    let checks = commands.checks.iter().map(|check| (format!("check {}", check.name), check));
    let targets = commands.targets.iter().map(|target| (format!("target {}", target.command.name), &target.command));
    checks.chain(targets)
}

/// Whether the person said yes to a request for trust.
pub fn is_yes(answers: &Answers) -> bool {
    answers.0.get(QUESTION) == Some(&Answer::Confirm(true))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::commands::Target;

    pub(crate) fn command(name: &str, run: &[&str]) -> Command {
        let run = run.iter().map(|argument| (*argument).to_owned()).collect();
        Command { name: name.into(), run, dir: ".".into(), env: vec![], timeout_seconds: 600 }
    }

    pub(crate) fn commands() -> Commands {
        let target = |name, protected| Target { command: command(name, &["./deploy.sh", "--fast"]), protected };
        Commands {
            checks: vec![command("unit", &["cargo", "test"])],
            targets: vec![target("production", true), target("staging", false)],
        }
    }

    pub(crate) fn file(path: &str, text: &str) -> Named {
        let digest = Some(Digest::of_bytes(text.as_bytes()));
        Named { path: path.into(), at: None, digest, executable: true, text: Some(text.into()) }
    }

    pub(crate) fn snapshot() -> Snapshot {
        Snapshot {
            root: "/w/shop".into(),
            config: "[checks.unit]\nrun = [\"cargo\", \"test\"]\n".into(),
            files: vec![file("deploy.sh", "#!/bin/sh\necho one\n")],
            path_env: "/usr/bin:/bin".into(),
        }
    }

    #[test]
    fn the_digest_is_over_all_that_decides_what_runs_and_not_over_what_is_kept_to_show() {
        let base = snapshot();
        let changes: [fn(&mut Snapshot); 10] = [
            |s| s.root = "/w/other".into(),
            |s| s.root.clear(),
            |s| s.config.push(' '),
            |s| s.path_env.push_str(":/opt"),
            |s| s.files[0].path.push('x'),
            |s| s.files[0].at = Some("elsewhere".into()),
            |s| s.files[0].digest = None,
            |s| s.files[0].digest = Some(Digest([1; 32])),
            |s| s.files[0].executable = false,
            |s| s.files.clear(),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut other = base.clone();
            change(&mut other);
            assert_ne!(other.digest(), base.digest(), "change {i}");
        }
        let mut unseen = base.clone();
        unseen.files[0].text = None;
        assert_eq!(unseen.digest(), base.digest());
        let text = serde_json::to_string(&base).expect("JSON");
        assert_eq!(serde_json::from_str::<Snapshot>(&text).ok(), Some(base));
    }

    #[test]
    fn what_differs_is_named_each_once() {
        let before = snapshot();
        let mut now = before.clone();
        assert_eq!(now.differs(&before), Vec::<String>::new());
        now.root.push('2');
        now.config.push(' ');
        now.path_env.push_str(":/opt");
        now.files = vec![file("deploy.sh", "else"), file("a.sh", "")];
        assert_eq!(now.differs(&before), ["where the folder is", "countersign.toml", "a.sh", "deploy.sh", "PATH"]);
    }
}
