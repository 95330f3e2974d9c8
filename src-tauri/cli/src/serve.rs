//! `countersign serve`: the engine without a window.

use crate::exit::Exit;
use crate::line::read_passphrase;
use crate::out::out;
use clap::Args;
use countersign_host::{Engine, Home, Options, Passphrase, Surface};
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

/// Run without a window.
#[derive(Args)]
pub struct Serve {
    /// The port on 127.0.0.1; 0 takes a free one [default: the one used before, else 4780]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The data folder [default: COUNTERSIGN_HOME, else the system's place for data]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// A file whose first line is the passphrase: set at the first start on an empty folder, and must match later
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Make an empty folder a test home, in which a passphrase from a file may decide everything
    #[arg(long)]
    insecure_test: bool,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl Serve {
    /// Serves until it is told to end.
    pub async fn run(self) -> anyhow::Result<Exit> {
        let home = Home::locate(self.home.as_deref())?;
        let passphrase = match &self.passphrase_file {
            Some(file) => Passphrase::Given(read_passphrase(file)?),
            None => Passphrase::Unsaid,
        };
        let options = Options {
            port: self.port,
            passphrase,
            insecure_test: self.insecure_test,
            ..Options::new(home, Surface::Serve)
        };
        let ended = ending();
        let engine = Engine::start(options, Arc::new(())).await?;
        if engine.first_start && self.passphrase_file.is_none() && std::io::stdin().is_terminal() {
            set_passphrase(&engine).await?;
        }
        if !engine.has_passphrase()? {
            eprintln!(
                "No passphrase is set, so nobody can answer from a terminal. Set one in the app's window under Settings."
            );
        }
        if engine.is_test_home() {
            eprintln!("This is a test home: what is decided here means nothing.");
        }
        if self.json {
            let mut line = json!({"listening": engine.endpoint.url, "home": engine.home()});
            if engine.is_test_home() {
                line["test_home"] = json!(true);
            }
            out!("{line}");
        } else {
            out!("Listening on {}; data in {}.", engine.endpoint.url, engine.home().display());
            out!("See what waits, and answer it, with `countersign inbox` in another terminal. Ctrl+C ends.");
        }
        std::io::stdout().flush()?;
        ended.await;
        engine.stop().await;
        Ok(Exit::Done)
    }
}

async fn set_passphrase(engine: &Engine) -> anyhow::Result<()> {
    eprintln!(
        "This data folder is new. Choose a passphrase (8 characters or more): it proves that you are there when you answer from a terminal."
    );
    loop {
        let first = rpassword::prompt_password("New passphrase: ")?;
        let again = rpassword::prompt_password("Once more: ")?;
        if first != again {
            eprintln!("They differ; try again.");
            continue;
        }
        match engine.set_passphrase(&first).await {
            Ok(_) => return Ok(()),
            Err(error) => eprintln!("{error}"),
        }
    }
}

/// Ctrl+C, or the system's wish. Listened for from the start, so that none is missed.
#[cfg(unix)]
fn ending() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        match (interrupt, terminate) {
            (Ok(mut interrupt), Ok(mut terminate)) => {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            }
            _ => std::future::pending().await,
        }
    }
}

#[cfg(not(unix))]
async fn ending() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
