//! `countersign inbox`: look at what waits, and answer it, over the person's socket. Without a verb it is an inbox of its own
//! ([`crate::tui`], or [`crate::plain`]).

use crate::answer::Given;
use crate::exit::{Exit, Refusal};
use crate::facts;
use crate::line::Line;
use crate::out::out;
use crate::{plain, plan, step, tui, workspace};
use clap::{Args, Subcommand};
use countersign_core::id::{RequestId, SessionId};
use countersign_core::safe_text::SafeText;
use countersign_core::scope::Scopes;
use countersign_host::{Command, Home, StepCommand};
use serde_json::Value;
use std::path::PathBuf;

/// Look at what waits, and answer it; without a verb, an inbox in this terminal.
#[derive(Args)]
pub struct Inbox {
    /// A file whose first line is the passphrase; what it decides is recorded as unattended
    #[arg(long, value_name = "FILE", global = true)]
    passphrase_file: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
    /// Plain lines: numbered options, answers typed as 1,3 or in your own words
    #[arg(long)]
    plain: bool,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Programs that want to be paired; accept or refuse one by its code
    Pairings {
        #[command(subcommand)]
        verb: Option<PairingVerb>,
    },
    /// What waits, oldest first
    List {
        /// Only in this folder
        #[arg(long, value_name = "DIR")]
        workspace: Option<PathBuf>,
    },
    /// One request, whole
    Show {
        /// Its id
        id: String,
        /// Print what looks like a secret too, instead of ••••••••
        #[arg(long)]
        secrets: bool,
    },
    /// Answer a request
    Answer {
        /// Its id
        id: String,
        #[command(flatten)]
        given: Given,
        #[command(flatten)]
        plan: plan::Besides,
        /// Something to tell the agent besides
        #[arg(long, value_name = "T")]
        comment: Option<String>,
        /// The word that a yes to something destructive takes
        #[arg(long, value_name = "WORD")]
        typed: Option<String>,
        #[command(flatten)]
        step: step::Besides,
    },
    /// Stop a session: nothing of it passes until it is released
    Stop {
        /// Its id, as `countersign mode` prints it
        session: String,
        /// Release it again
        #[arg(long)]
        release: bool,
    },
    /// Say that you don't answer
    Decline {
        /// Its id
        id: String,
        /// Something to tell the agent besides
        #[arg(long, value_name = "T")]
        comment: Option<String>,
    },
}

#[derive(Subcommand)]
enum PairingVerb {
    /// Pair the program that shows this code
    Accept {
        /// The six digits
        code: String,
        /// What it may do: ask (ask you), specs (change specs), folders (work in other folders than its own); or none
        #[arg(long, value_name = "LIST", default_value = "ask,specs,folders", value_parser = Scopes::parse)]
        scopes: Scopes,
    },
    /// Refuse the program that shows this code
    Refuse {
        /// The six digits
        code: String,
    },
}

impl Inbox {
    /// Does what it was told.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let home = Home::locate(None)?;
        let verb = match self.verb {
            Some(_) if self.plain => {
                return Err(Refusal::usage("--plain is for the inbox itself; a verb prints plain lines anyway").into());
            }
            Some(verb) => verb,
            None if self.json => {
                return Err(Refusal::usage("--json is for the verbs; see `countersign inbox --help`").into());
            }
            None if self.plain || !tui::fits() => return plain::run(&home, self.passphrase_file.as_deref()).await,
            None => return tui::run(&home, self.passphrase_file.as_deref()).await,
        };
        let mut line = Line::open(&home).await?;
        let mut secrets = false;
        let command = match verb {
            Verb::Pairings { verb: None } => Command::Pairings,
            Verb::Pairings { verb: Some(PairingVerb::Accept { code, scopes }) } => {
                Command::AcceptPairing { code, scopes }
            }
            Verb::Pairings { verb: Some(PairingVerb::Refuse { code }) } => Command::RefusePairing { code },
            Verb::List { workspace } => {
                let workspace = workspace.map(|folder| workspace::of(Some(&folder))).transpose()?;
                Command::List { workspace }
            }
            Verb::Show { id, secrets: asked } => {
                secrets = asked;
                Command::Show { id: RequestId(id) }
            }
            Verb::Answer { id, given, plan, comment, typed, step } => {
                let id = RequestId(id);
                plan.check(given.plan)?;
                let request = line.say(&Command::Show { id: id.clone() }).await?;
                let answers = given.answers(&request)?;
                let decided = step.decides(&id, &request, &answers, comment.clone())?;
                match (given.plan, decided) {
                    (Some(_), _) => plan.command(id, answers, comment),
                    (None, Some(step)) => Command::Steps(step),
                    (None, None) => Command::Answer { id, answers, comment, typed },
                }
            }
            Verb::Stop { session, release } => {
                Command::Steps(StepCommand::Stop { session: SessionId(session), release })
            }
            Verb::Decline { id, comment } => Command::Decline { id: RequestId(id), comment },
        };
        if command.takes_proof() {
            line.prove(self.passphrase_file.as_deref()).await?;
        }
        let said = line.say(&command).await?;
        print(&said, self.json, secrets, &command);
        Ok(Exit::Done)
    }
}

fn print(said: &Value, json: bool, secrets: bool, command: &Command) {
    let items: Vec<&Value> = said.as_array().map_or_else(|| vec![said], |items| items.iter().collect());
    if json {
        items.iter().for_each(|item| out!("{item}"));
        return;
    }
    match command {
        Command::List { .. } if items.is_empty() => out!("Nothing is waiting for you."),
        Command::Pairings if items.is_empty() => out!("No program is waiting to be paired."),
        Command::List { .. } => items.iter().for_each(|item| out!("{}", row(item))),
        Command::Pairings => items.iter().for_each(|item| {
            out!("{} ({}) in {}", plain(&item["name"]), plain(&item["program"]), plain(&item["workspace"]));
        }),
        Command::AcceptPairing { .. } => out!("Paired."),
        Command::RefusePairing { .. } => out!("Refused."),
        Command::Show { .. } => items.iter().for_each(|item| whole(item, secrets)),
        Command::Answer { .. } | Command::AnswerPlan { .. } | Command::Decline { .. } => {
            items.iter().for_each(|item| {
                out!("{}: {}", plain(&item["state"]), plain(&item["title"]));
            })
        }
        Command::Steps(StepCommand::Stop { release, .. }) => {
            out!(
                "{}",
                if *release { "Released." } else { "Stopped: nothing of that session passes until you release it." }
            );
        }
        Command::Steps(_) => items.iter().for_each(|item| out!("{}: {}", plain(&item["state"]), plain(&item["title"]))),
        Command::Hello
        | Command::Raise
        | Command::Prove { .. }
        | Command::ProveInWindow
        | Command::Watch
        | Command::Sessions
        | Command::Specs(_)
        | Command::TrustState { .. }
        | Command::ReviewTrust { .. }
        | Command::Trust { .. }
        | Command::Mode { .. } => {}
    }
}

/// The labels of a question's options, which are texts or objects with a label.
fn options(question: &Value) -> Vec<String> {
    let label = |option: &Value| option.as_str().or(option["label"].as_str()).map(str::to_owned);
    question["options"].as_array().into_iter().flatten().filter_map(label).collect()
}

/// Text from agents as a terminal may show it: what would move the cursor or hide something is made visible.
fn plain(value: &Value) -> String {
    SafeText::line(value.as_str().unwrap_or_default()).plain()
}

fn row(item: &Value) -> String {
    format!(
        "{}  {}  [{}] {} in {}",
        plain(&item["id"]),
        plain(&item["title"]),
        plain(&item["class"]),
        plain(&item["agent"]),
        plain(&item["workspace"])
    )
}

fn whole(item: &Value, secrets: bool) {
    let shown = |safe: SafeText| if secrets { safe.revealed() } else { safe.plain() };
    let text = |value: &Value| shown(SafeText::line(value.as_str().unwrap_or_default()));
    // Lines of an agent's, each marked, so that none passes for one of this program's own.
    let quoted = |text: &str| shown(SafeText::lines(text)).lines().for_each(|line| out!("  │ {line}"));
    out!("{}", row(item));
    out!("State: {}", plain(&item["state"]));
    if let Some(session) = item["session"].as_str() {
        out!("Session: {} ({} mode)", SafeText::line(session).plain(), plain(&item["mode"]));
    }
    if matches!(item["class"].as_str(), Some("plan" | "destructive")) {
        out!("Program: {}", program(&item["program"]));
    }
    if let Some(context) = item["context"].as_str().filter(|_| item["step"].is_null()) {
        out!("Context:");
        quoted(context);
    }
    if item["step"].is_object() {
        step::show(&item["step"], secrets);
    }
    plan::whole(&item["plan"], shown);
    for question in item["questions"].as_array().into_iter().flatten() {
        out!("Question ({}):", plain(&question["type"]));
        quoted(question["question"].as_str().unwrap_or_default());
        for (n, option) in question["options"].as_array().into_iter().flatten().enumerate() {
            let label = if option.is_string() { option } else { &option["label"] };
            out!("  {}. {}", n + 1, text(label));
            for part in ["description", "preview"] {
                option[part].as_str().into_iter().for_each(quoted);
            }
        }
        if !question["default"].is_null() {
            out!("Default: {}", shown(SafeText::line(&question["default"].to_string())));
        }
    }
    facts::file(item);
    if item["class"] == "plan" && item["state"] == "pending" {
        plan::how(&item["plan"]);
    }
    // Of several things to do, what is not safe is its own word.
    let safe: Vec<&str> = item["safe_options"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if item["class"] == "destructive" {
        let options = item["questions"].as_array().into_iter().flatten().flat_map(options);
        for option in options.filter(|option| !safe.contains(&option.as_str())) {
            let option = SafeText::line(&option).plain();
            out!("To choose {option} takes --typed {option}");
        }
    }
    if let Some(word) = item["typed_word"].as_str() {
        out!("A yes takes --typed {}", SafeText::line(word).plain());
    }
    for claim in item["claims"].as_array().into_iter().flatten() {
        out!("The agent claims that you answered: {}", shown(SafeText::line(&claim["value"].to_string())));
    }
    if item["decision"].is_object() {
        out!(
            "Decided through {}: {}",
            plain(&item["decision"]["channel"]),
            shown(SafeText::line(&item["decision"]["answers"].to_string()))
        );
        plan::said(&item["decision"], "  ", shown);
    }
    facts::todos(item);
    if let Some(error) = item["error"].as_str() {
        out!("{}", SafeText::line(error).plain());
    }
}

/// The program on the other end of the socket, as the system told.
fn program(asker: &Value) -> String {
    let Some(pid) = asker["pid"].as_u64() else { return "could not be told".into() };
    let path = asker["path"].as_str().map_or("could not be told".into(), |path| SafeText::line(path).plain());
    let through = if asker["bridge"] == true { ", through Countersign's bridge" } else { "" };
    let folder =
        asker["folder"].as_str().map_or(String::new(), |folder| format!(" in {}", SafeText::line(folder).plain()));
    format!("{path} (process {pid}{through}){folder}")
}
