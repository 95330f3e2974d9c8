//! A terminal's line to the process that has the data folder: the owner-only socket, one JSON object a line.

use crate::exit::{Exit, Refusal};
use anyhow::Context as _;
use countersign_host::{Command, Endpoint, Home, Reply, Surface};
use serde_json::Value;
use std::io::IsTerminal as _;
use std::path::Path;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// An open line.
pub struct Line {
    lines: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
}

impl Line {
    /// Opens it.
    pub async fn open(home: &Home) -> anyhow::Result<Self> {
        let endpoint = Endpoint::read(home).ok_or_else(Refusal::not_running)?;
        let stream = UnixStream::connect(&endpoint.socket).await.map_err(|_| Refusal::not_running())?;
        let (read, write) = stream.into_split();
        Ok(Self { lines: BufReader::new(read), write })
    }

    /// Says something and hears what it came to.
    pub async fn say(&mut self, command: &Command) -> anyhow::Result<Value> {
        granted(self.ask(command).await?)
    }

    /// Says something and hears what it came to, a refusal with its code. An error is a line that is cut.
    pub async fn ask(&mut self, command: &Command) -> anyhow::Result<Reply> {
        let mut line = serde_json::to_vec(command)?;
        line.push(b'\n');
        self.write.write_all(&line).await.map_err(|_| Refusal::not_running())?;
        self.hear().await
    }

    /// Hears what is said next.
    pub async fn hear(&mut self) -> anyhow::Result<Reply> {
        let mut line = String::new();
        if self.lines.read_line(&mut line).await.unwrap_or(0) == 0 {
            return Err(Refusal {
                exit: Exit::NotRunning,
                message: "Countersign went away; nothing was decided".into(),
            }
            .into());
        }
        serde_json::from_str(&line).context("what answers on the socket is not Countersign")
    }

    /// Proves that a person is there: with a passphrase from a file, else as the running process wants it.
    pub async fn prove(&mut self, passphrase_file: Option<&Path>) -> anyhow::Result<()> {
        if let Some(file) = passphrase_file {
            let passphrase = read_passphrase(file)?;
            self.say(&Command::Prove { passphrase, unattended: true }).await?;
            return Ok(());
        }
        let hello = self.say(&Command::Hello).await?;
        let surface: Surface = serde_json::from_value(hello["surface"].clone()).context("an unknown answer")?;
        match surface {
            Surface::Serve => {
                if !std::io::stdin().is_terminal() {
                    let message = "this takes a proof that a person is there: type the passphrase on a terminal, or give --passphrase-file";
                    return Err(Refusal { exit: Exit::Refused, message: message.into() }.into());
                }
                let passphrase = rpassword::prompt_password("Passphrase: ")?;
                self.say(&Command::Prove { passphrase, unattended: false }).await?;
            }
            Surface::Desktop => {
                let shown = self.say(&Command::ProveInWindow).await?;
                eprintln!(
                    "Type this code into the Countersign window, under Agents: {}",
                    shown["code"].as_str().unwrap_or("?")
                );
                granted(self.hear().await?)?;
            }
        }
        Ok(())
    }
}

/// What was asked for, or the refusal as an error.
fn granted(reply: Reply) -> anyhow::Result<Value> {
    match reply {
        Reply::Ok(value) => Ok(value),
        Reply::Error { code, message } => {
            let exit = match code.as_str() {
                "wrong_use" => Exit::WrongUse,
                "stopped" => Exit::NotRunning,
                _ => Exit::Refused,
            };
            Err(Refusal { exit, message }.into())
        }
    }
}

/// The first line of a passphrase file.
pub fn read_passphrase(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Refusal::usage(format!("the passphrase file {} can't be read: {error}", file.display())))?;
    let line = text.lines().next().unwrap_or_default().to_owned();
    if line.is_empty() {
        return Err(Refusal::usage(format!("the passphrase file {} is empty", file.display())).into());
    }
    Ok(line)
}
