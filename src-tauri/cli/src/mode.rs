//! `countersign mode`: how strictly sessions are watched.

use crate::exit::Exit;
use crate::line::Line;
use crate::out::out;
use clap::{Args, ValueEnum};
use countersign_core::id::SessionId;
use countersign_core::mode::Mode as Strictness;
use countersign_core::safe_text::SafeText;
use countersign_host::{Command, Home};
use serde_json::Value;
use std::path::PathBuf;

/// Show a session's mode, or switch it; without a session, list them.
#[derive(Args)]
pub struct Mode {
    /// The session's id, as `countersign mode` and `countersign inbox show --json` print it
    session: Option<String>,
    /// The mode it shall be in from now on
    mode: Option<Wanted>,
    /// A file whose first line is the passphrase; such a proof makes a mode only stricter
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// The modes that a session can be switched to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// Asked before what others see or what is hard to undo
    Guided,
    /// Asked before every step
    Interactive,
    /// Reads and plans only
    Plan,
}

impl From<Wanted> for Strictness {
    fn from(wanted: Wanted) -> Self {
        match wanted {
            Wanted::Guided => Self::Guided,
            Wanted::Interactive => Self::Interactive,
            Wanted::Plan => Self::Plan,
        }
    }
}

impl Mode {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let command = match self.session {
            None => Command::Sessions,
            Some(session) => Command::Mode { session: SessionId(session), mode: self.mode.map(Into::into) },
        };
        let mut line = Line::open(&Home::locate(None)?).await?;
        if command.takes_proof() {
            line.prove(self.passphrase_file.as_deref()).await?;
        }
        match line.say(&command).await? {
            Value::Array(sessions) => sessions.iter().for_each(|session| print(session, self.json)),
            session => print(&session, self.json),
        }
        Ok(Exit::Done)
    }
}

fn print(session: &Value, as_json: bool) {
    if as_json {
        out!("{session}");
        return;
    }
    let word = |key: &str| SafeText::line(session[key].as_str().unwrap_or_default()).plain();
    out!("{}  {:<12} {}  {}", word("session"), word("mode"), word("agent"), word("workspace"));
}
