//! `countersign pair`: a program asks to be paired, shows six digits, and gets its token once.

use crate::exit::{Exit, Refusal};
use crate::out::out;
use crate::workspace;
use clap::Args;
use countersign_client::{Invitation, Outcome, Port};
use countersign_host::{Endpoint, Home, keep_token};
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

/// Why nobody was paired, when it was no person's no.
const CLOSED: &str = "too many wrong codes were typed, so pairing is closed for a while; nobody refused this program";

/// Pair a program.
#[derive(Args)]
pub struct Pair {
    /// What the program is called in the inbox
    #[arg(long)]
    name: String,
    /// What kind of client it is, such as claude-code, codex or gemini-cli
    #[arg(long, value_name = "KIND", default_value = "")]
    client: String,
    /// The folder it works in [default: the current one]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl Pair {
    /// Pairs.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let home = Home::locate(None)?;
        let endpoint = Endpoint::read(&home).ok_or_else(Refusal::not_running)?;
        let folder = workspace::of(self.workspace.as_deref())?;
        let port = Port::at(&endpoint.url);
        let invitation = Invitation::ask(&port, &self.name, &self.client, Some(&folder)).await?;
        if self.json {
            out!("{}", json!({"code": invitation.code, "expires_in": invitation.expires_in}));
        } else {
            let (first, last) = invitation.code.split_at_checked(3).unwrap_or((&invitation.code, ""));
            out!("Code: {first} {last}");
            out!("Type it into the Countersign window under Agents within {} seconds.", invitation.expires_in);
            out!("Under `countersign serve`: countersign inbox pairings accept {}", invitation.code);
        }
        std::io::stdout().flush()?;
        let (said, exit) = match invitation.outcome(&port).await? {
            Outcome::Paired { agent, token } => {
                let file = keep_token(&home, &agent, &token, &self.name, &folder)?;
                eprintln!("Paired. The token is kept in {} for `countersign mcp`.", file.display());
                (json!({"agent": agent, "token": token}), Exit::Done)
            }
            Outcome::Refused => (json!({"refused": "the person said no"}), Exit::Refused),
            Outcome::Closed => (json!({"refused": CLOSED}), Exit::Refused),
            Outcome::Expired => (json!({"refused": "nobody typed the code in time"}), Exit::TimedOut),
        };
        if self.json {
            out!("{said}");
        } else if let Some(why) = said["refused"].as_str() {
            eprintln!("Not paired: {why}.");
        }
        Ok(exit)
    }
}
