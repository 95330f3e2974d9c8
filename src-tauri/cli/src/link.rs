//! The inbox's lines to the process that has the data folder: one that is told what is there, one that looks, one that does (and
//! holds the proof). Each is a task of its own; what it hears comes as an event. A line that is cut is opened again, and it is said.

use crate::asked::{Asked, Row, Session};
use crate::line::{Line, read_passphrase};
use crate::tui::event::{Event, Hello};
use countersign_core::id::RequestId;
use countersign_host::{Command, Home, Reply, StepCommand, Surface};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Between two tries to open a line to a process that went away.
const AGAIN: Duration = Duration::from_millis(250);

/// What the second line does.
#[derive(Debug)]
enum Deed {
    Do(Box<Command>),
    Prove(String),
    ProveInWindow,
    StopProving,
}

/// The lines. Dropped, they end.
pub struct Link {
    looks: UnboundedSender<RequestId>,
    deeds: UnboundedSender<Deed>,
}

/// What the process says of itself, and the language that the person set there.
pub async fn hello(home: &Home) -> anyhow::Result<(Hello, Option<String>)> {
    let mut line = Line::open(home).await?;
    let said = line.say(&Command::Hello).await?;
    Ok((greeting(&said), said["language"].as_str().map(str::to_owned)))
}

fn greeting(said: &Value) -> Hello {
    let surface = serde_json::from_value(said["surface"].clone()).unwrap_or(Surface::Desktop);
    Hello { surface, test_home: said["test_home"] == true }
}

impl Link {
    /// Opens them; what they hear goes to `events`.
    pub fn open(home: &Home, passphrase_file: Option<PathBuf>, events: UnboundedSender<Event>) -> Self {
        let home = Arc::new(home.clone());
        let ((looks, looked), (deeds, done)) = (unbounded_channel(), unbounded_channel());
        tokio::spawn(watch(home.clone(), events.clone()));
        tokio::spawn(look(home.clone(), looked, events.clone()));
        tokio::spawn(act(home, passphrase_file, done, events));
        Self { looks, deeds }
    }

    /// Looks at a request.
    pub fn look(&self, id: RequestId) {
        // A task that is gone is the end of the program.
        let _ = self.looks.send(id);
    }

    /// Says this.
    pub fn act(&self, command: Box<Command>) {
        let _ = self.deeds.send(Deed::Do(command));
    }

    /// Proves by a passphrase.
    pub fn prove(&self, passphrase: String) {
        let _ = self.deeds.send(Deed::Prove(passphrase));
    }

    /// Proves by a code that is typed into the window.
    pub fn prove_in_window(&self) {
        let _ = self.deeds.send(Deed::ProveInWindow);
    }

    /// Stops that.
    pub fn stop_proving(&self) {
        let _ = self.deeds.send(Deed::StopProving);
    }
}

/// The request that a command decides.
pub const fn decided(command: &Command) -> Option<&RequestId> {
    match command {
        Command::Answer { id, .. }
        | Command::AnswerPlan { id, .. }
        | Command::Steps(StepCommand::Decide { id, .. })
        | Command::Decline { id, .. } => Some(id),
        _ => None,
    }
}

async fn watch(home: Arc<Home>, events: UnboundedSender<Event>) {
    loop {
        // Whether it was there: what never was has not gone away.
        let there = watch_once(&home, &events).await.unwrap_or_default();
        if there && events.send(Event::Gone).is_err() {
            return;
        }
        if events.is_closed() {
            return;
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn watch_once(home: &Home, events: &UnboundedSender<Event>) -> anyhow::Result<bool> {
    let mut line = Line::open(home).await?;
    let hello = greeting(&line.say(&Command::Hello).await?);
    let mut news = line.ask(&Command::Watch).await;
    if news.is_ok() {
        events.send(Event::Here(hello))?;
    }
    while let Ok(reply) = news {
        match reply {
            Reply::Ok(said) => events.send(Event::News {
                rows: Row::all(&said),
                more: said["more"] == true,
                sessions: Session::all(&said),
            })?,
            // One look that failed; the next change is another.
            Reply::Error { .. } => {}
        }
        news = line.hear().await;
    }
    Ok(true)
}

/// Says something on a line that is opened where it is not open.
async fn on(line: &mut Option<Line>, home: &Home, command: &Command) -> anyhow::Result<Reply> {
    if line.is_none() {
        *line = Some(Line::open(home).await?);
    }
    let open = line.as_mut().expect("BUG: it was just opened");
    let said = open.ask(command).await;
    if said.is_err() {
        *line = None;
    }
    said
}

async fn look(home: Arc<Home>, mut wanted: UnboundedReceiver<RequestId>, events: UnboundedSender<Event>) {
    let mut line = None;
    while let Some(mut id) = wanted.recv().await {
        // Of several looks at the same one the last is enough.
        while let Ok(next) = wanted.try_recv() {
            if next != id {
                say(&mut line, &home, id, &events).await;
                id = next;
            }
        }
        say(&mut line, &home, id, &events).await;
    }
}

async fn say(line: &mut Option<Line>, home: &Home, id: RequestId, events: &UnboundedSender<Event>) {
    // Where the line was cut, the one that watches says so, and what it hears next asks again.
    let Ok(reply) = on(line, home, &Command::Show { id: id.clone() }).await else { return };
    let event = match reply {
        Reply::Ok(said) => match Asked::read(&said) {
            Ok(asked) => Event::Shown(Box::new(asked)),
            Err(error) => Event::NotShown(id, error),
        },
        Reply::Error { message, .. } => Event::NotShown(id, message),
    };
    let _ = events.send(event);
}

async fn act(
    home: Arc<Home>,
    passphrase_file: Option<PathBuf>,
    mut deeds: UnboundedReceiver<Deed>,
    events: UnboundedSender<Event>,
) {
    let mut line = None;
    while let Some(deed) = deeds.recv().await {
        let event = match deed {
            Deed::Do(command) => done(&mut line, &home, passphrase_file.as_ref(), command).await,
            Deed::Prove(passphrase) => {
                proven(on(&mut line, &home, &Command::Prove { passphrase, unattended: false }).await)
            }
            Deed::ProveInWindow => match prove_in_window(&mut line, &home, &mut deeds, &events).await {
                Some(event) => event,
                None => continue,
            },
            Deed::StopProving => continue,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

async fn done(line: &mut Option<Line>, home: &Home, passphrase_file: Option<&PathBuf>, command: Box<Command>) -> Event {
    let mut said = on(line, home, &command).await;
    if let (Some(file), Ok(Reply::Error { code, .. })) = (passphrase_file, &said)
        && code == "proof_needed"
    {
        said = match read_passphrase(file) {
            Ok(passphrase) => match on(line, home, &Command::Prove { passphrase, unattended: true }).await {
                Ok(Reply::Ok(_)) => on(line, home, &command).await,
                refused => refused,
            },
            Err(error) => Ok(Reply::Error { code: "wrong_use".into(), message: error.to_string() }),
        };
    }
    match said {
        Ok(Reply::Ok(said)) => Event::Done(command, said),
        Ok(Reply::Error { code, message }) => Event::Refused { command, code, message },
        Err(error) => Event::Refused { command, code: "gone".into(), message: error.to_string() },
    }
}

fn proven(said: anyhow::Result<Reply>) -> Event {
    match said {
        Ok(Reply::Ok(_)) => Event::Proven,
        Ok(Reply::Error { code, message }) => Event::NotProven { code, message },
        Err(error) => Event::NotProven { code: "gone".into(), message: error.to_string() },
    }
}

/// Shows a code and waits until it is typed, or the person thinks better of it: then nothing is to be told.
async fn prove_in_window(
    line: &mut Option<Line>,
    home: &Home,
    deeds: &mut UnboundedReceiver<Deed>,
    events: &UnboundedSender<Event>,
) -> Option<Event> {
    let shown = match on(line, home, &Command::ProveInWindow).await {
        Ok(Reply::Ok(shown)) => shown,
        refused => return Some(proven(refused)),
    };
    let _ = events.send(Event::Code(shown["code"].as_str().unwrap_or("?").to_owned()));
    let open = line.as_mut()?;
    loop {
        tokio::select! {
            said = open.hear() => return Some(proven(said)),
            deed = deeds.recv() => match deed {
                // What else is wanted meanwhile waits for nothing: it is refused as long as nothing is proven.
                Some(Deed::Do(_) | Deed::Prove(_) | Deed::ProveInWindow) => {}
                Some(Deed::StopProving) | None => {
                    // Hanging up withdraws the code.
                    *line = None;
                    return None;
                }
            },
        }
    }
}
