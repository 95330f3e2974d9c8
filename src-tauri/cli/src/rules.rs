//! `countersign workspace`: the person's rules for a folder.

use crate::exit::Exit;
use crate::line::Line;
use crate::out::out;
use crate::workspace;
use clap::{Args, ValueEnum};
use countersign_core::mode::Mode;
use countersign_core::workspace::EvidenceRule;
use countersign_host::{Command, Home, RulesChange, SpecCommand, SpecWish};
use std::path::PathBuf;

/// Show the rules of a workspace, or change some: how sessions start, and what specs take.
#[derive(Args)]
pub struct Rules {
    /// Its folder; the current one when absent
    dir: Option<PathBuf>,
    /// The mode in which sessions start
    #[arg(long)]
    mode: Option<Start>,
    /// Whether the first evidence moves an approved spec on, and a validation that finds all met moves it to done
    #[arg(long, value_name = "on|off", value_parser = switch)]
    auto_transitions: Option<bool>,
    /// Whose word on a criterion counts: an agent's too, or only a check's or yours
    #[arg(long)]
    evidence: Option<Word>,
    /// Whether policy questions are answered in Countersign alone, rather than through the agent
    #[arg(long, value_name = "on|off", value_parser = switch)]
    policy_in_app: Option<bool>,
    /// A file whose first line is the passphrase
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Start {
    /// Nobody is asked
    Autonomous,
    /// Asked before what others see or what is hard to undo
    Guided,
    /// Asked before every step
    Interactive,
    /// Reads and plans only
    Plan,
}

impl From<Start> for Mode {
    fn from(start: Start) -> Self {
        match start {
            Start::Autonomous => Self::Autonomous,
            Start::Guided => Self::Guided,
            Start::Interactive => Self::Interactive,
            Start::Plan => Self::Plan,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Word {
    /// An agent's word counts, and is shown as that
    Agent,
    /// Only a check or a person
    Checked,
}

impl From<Word> for EvidenceRule {
    fn from(word: Word) -> Self {
        match word {
            Word::Agent => Self::Agent,
            Word::Checked => Self::Checked,
        }
    }
}

fn switch(word: &str) -> Result<bool, String> {
    match word {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("on or off".into()),
    }
}

impl Rules {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let change = RulesChange {
            mode: self.mode.map(Into::into),
            auto_transitions: self.auto_transitions,
            evidence: self.evidence.map(Into::into),
            policy_in_app: self.policy_in_app,
        };
        let workspace = workspace::of(self.dir.as_deref())?;
        let command = Command::Specs(SpecCommand { workspace, wish: SpecWish::Rules(change) });
        let mut line = Line::open(&Home::locate(None)?).await?;
        if command.takes_proof() {
            line.prove(self.passphrase_file.as_deref()).await?;
        }
        let said = line.say(&command).await?;
        if self.json {
            out!("{said}");
            return Ok(Exit::Done);
        }
        let rules = &said["rules"];
        let switch = |key: &str| if rules[key] == true { "on" } else { "off" };
        out!("mode               {}", rules["mode"].as_str().unwrap_or_default());
        out!("auto-transitions   {}", switch("auto_transitions"));
        out!("evidence           {}", rules["evidence"].as_str().unwrap_or_default());
        out!("policy-in-app      {}", switch("policy_in_app"));
        Ok(Exit::Done)
    }
}
