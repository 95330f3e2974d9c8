//! A terminal's line to the process that has the data folder, as `countersign inbox` opens it.

use crate::home::Home;
use crate::until::in_time;
use countersign_host::{Command, Reply};
use serde_json::Value;
use std::io;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// An open line.
pub struct Terminal {
    lines: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
}

impl Terminal {
    /// Opens it.
    pub async fn open(home: &Home) -> io::Result<Self> {
        let endpoint = home.endpoint().ok_or(io::ErrorKind::NotFound)?;
        let (read, write) = UnixStream::connect(endpoint["socket"].as_str().unwrap_or_default()).await?.into_split();
        Ok(Self { lines: BufReader::new(read), write })
    }

    /// Says something and hears what it came to; an error when the other side is gone.
    pub async fn say(&mut self, command: &Command) -> io::Result<Reply> {
        self.tell(command).await?;
        self.hear().await
    }

    /// Says something and does not wait.
    pub async fn tell(&mut self, command: &Command) -> io::Result<()> {
        let mut line = serde_json::to_vec(command)?;
        line.push(b'\n');
        self.write.write_all(&line).await
    }

    /// Hears the next line.
    pub async fn hear(&mut self) -> io::Result<Reply> {
        let mut line = String::new();
        if in_time("a reply", self.lines.read_line(&mut line)).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    /// Proves that a person is there.
    pub async fn prove(&mut self, passphrase: &str, unattended: bool) -> io::Result<Reply> {
        self.say(&Command::Prove { passphrase: passphrase.to_owned(), unattended }).await
    }

    /// Says something that must go well.
    pub async fn must(&mut self, command: &Command) -> io::Result<Value> {
        match self.say(command).await? {
            Reply::Ok(value) => Ok(value),
            Reply::Error { code, message } => panic!("{code}: {message}"),
        }
    }
}
