//! `countersign trust`: which commands of a folder may run, and what changed since they were trusted.

use crate::exit::{Exit, Refusal};
use crate::line::Line;
use crate::out::out;
use crate::workspace;
use anyhow::Context as _;
use clap::Args;
use countersign_core::digest::Digest;
use countersign_core::safe_text::SafeText;
use countersign_core::trust::TrustState;
use countersign_host::{Command, Home, Surface};
use serde_json::Value;
use std::path::PathBuf;

/// Show whether a folder's commands (countersign.toml) are trusted and what changed; under `serve`, trust them after the proof.
#[derive(Args)]
pub struct Trust {
    /// The folder [default: the current one; its git root, if it has one]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// A file whose first line is the passphrase; such a proof trusts commands in a test home only
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Trust {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let workspace = workspace::of(self.folder.as_deref())?;
        let mut line = Line::open(&Home::locate(None)?).await?;
        let shown = line.say(&Command::TrustState { workspace: workspace.clone() }).await?;
        match state_of(&shown)? {
            TrustState::Trusted => {}
            TrustState::None | TrustState::Mistake => {
                self.print(&shown);
                let problem = shown["problem"].as_str().unwrap_or("there are no commands").to_owned();
                return Err(Refusal::refused(problem).into());
            }
            TrustState::Untrusted | TrustState::Changed => return self.ask(&mut line, workspace, shown).await,
        }
        self.print(&shown);
        Ok(Exit::Done)
    }

    async fn ask(&self, line: &mut Line, workspace: String, shown: Value) -> anyhow::Result<Exit> {
        let hello = line.say(&Command::Hello).await?;
        let surface: Surface = serde_json::from_value(hello["surface"].clone()).context("an unknown answer")?;
        if surface == Surface::Desktop {
            let asked = line.say(&Command::ReviewTrust { workspace }).await?;
            self.print(&asked);
            eprintln!("They are not trusted. Decide in the dialog that Countersign shows now.");
            return Ok(Exit::Done);
        }
        // What is trusted is what was shown: before the proof, and by its digest.
        if !self.json {
            self.print(&shown);
        }
        let digest: Digest = serde_json::from_value(shown["digest"].clone()).context("an unknown answer")?;
        eprintln!("They are not trusted. To trust exactly what is shown, prove that you are there; Ctrl+C leaves it.");
        let trusted = match line.prove(self.passphrase_file.as_deref()).await {
            Ok(()) => line.say(&Command::Trust { workspace, digest }).await,
            Err(error) => Err(error),
        };
        match trusted {
            Ok(trusted) => {
                self.print(&trusted);
                Ok(Exit::Done)
            }
            Err(error) => {
                if self.json {
                    self.print(&shown);
                }
                Err(error)
            }
        }
    }

    fn print(&self, shown: &Value) {
        if self.json {
            out!("{shown}");
            return;
        }
        let plain = |value: &Value| SafeText::line(value.as_str().unwrap_or_default()).plain();
        out!("{}: {}", plain(&shown["workspace"]), plain(&shown["state"]));
        let names = |part: &str| shown[part].as_array().cloned().unwrap_or_default();
        for check in names("checks") {
            out!("  check  {}", plain(&check));
        }
        for target in names("targets") {
            let protected = if target["protected"] == true { " (protected)" } else { "" };
            out!("  target {}{protected}", plain(&target["name"]));
        }
        // Lines of files, each marked, so that none passes for one of this program's own.
        let changes = SafeText::lines(shown["changes"].as_str().unwrap_or_default()).revealed();
        changes.lines().for_each(|line| out!("  │ {line}"));
    }
}

fn state_of(shown: &Value) -> anyhow::Result<TrustState> {
    serde_json::from_value(shown["state"].clone())
        .context("what answers on the socket is not this version of Countersign")
}
