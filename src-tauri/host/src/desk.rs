//! Where terminals are served: each line's verb, and the proof without which nothing is changed.

mod specs;
pub(crate) mod watch;

use crate::command::{Command, Reply, Surface};
use crate::passphrase::{self, Tries};
use crate::shown::{self, shown, whole};
use crate::step_command;
use crate::system;
use crate::trust;
use countersign_broker::{ArrivalKind, Broker, BrokerError, Clock, Person, TerminalState, Verdict};
use countersign_core::channel::Channel;
use countersign_core::limit;
use countersign_core::time::Millis;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch as news;

/// Requests that one list shows at the most.
const LISTED: u32 = 10_000;
/// What a verb is told that changes something.
const PROOF_NEEDED: &str = "this takes a proof that a person is there";
/// Sessions that one list shows at the most.
const SESSIONS: u32 = 200;

/// What all terminals of one process share.
pub(crate) struct Desk {
    pub(crate) broker: Broker,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) surface: Surface,
    pub(crate) test_home: bool,
    pub(crate) tries: Tries,
    pub(crate) raise: Option<Arc<dyn Fn() + Send + Sync>>,
    pub(crate) news: news::Receiver<u64>,
}

/// One terminal's line. A proof lives here: it ends with the connection, or after an hour.
pub(crate) struct Terminal {
    desk: Arc<Desk>,
    peer: Option<u32>,
    proof: Option<(bool, Millis)>,
}

/// An arrival that goes with its terminal.
struct Withdrawn {
    broker: Broker,
    id: String,
}

impl Drop for Withdrawn {
    fn drop(&mut self) {
        self.broker.withdraw_terminal(&self.id);
    }
}

pub(crate) fn refused(code: &str, message: impl Into<String>) -> Reply {
    Reply::Error { code: code.into(), message: message.into() }
}

impl From<BrokerError> for Reply {
    fn from(error: BrokerError) -> Self {
        refused(error.code(), error.to_string())
    }
}

impl Terminal {
    /// `peer` is the process on the other end, as the system says.
    pub(crate) fn new(desk: Arc<Desk>, peer: Option<u32>) -> Self {
        Self { desk, peer, proof: None }
    }

    /// Serves one command. `say` writes a line in between.
    pub(crate) async fn serve(&mut self, command: Command, say: impl AsyncFnOnce(Reply)) -> Reply {
        if let Command::Specs(command) = command {
            let person = if command.takes_proof() { self.person() } else { None };
            if command.takes_proof() && person.is_none() {
                return refused("proof_needed", PROOF_NEEDED);
            }
            return specs::serve(&self.desk.broker, command, person).await.unwrap_or_else(Reply::from);
        }
        if let Command::Steps(command) = command {
            let person = if command.takes_proof() { self.person() } else { None };
            if command.takes_proof() && person.is_none() {
                return refused("proof_needed", PROOF_NEEDED);
            }
            return step_command::serve(&self.desk.broker, command, person).await.unwrap_or_else(Reply::from);
        }
        if command.takes_proof() {
            return match self.person() {
                Some(person) => self.change(command, person).await.unwrap_or_else(Reply::from),
                None => refused("proof_needed", PROOF_NEEDED),
            };
        }
        match command {
            Command::Prove { passphrase, unattended } => self.prove(&passphrase, unattended).await,
            Command::ProveInWindow => self.prove_in_window(say).await,
            Command::TrustState { workspace } => trust::state(&self.desk, &workspace).await.unwrap_or_else(Reply::from),
            Command::ReviewTrust { workspace } => {
                trust::review(&self.desk, &workspace).await.unwrap_or_else(Reply::from)
            }
            other => self.look(other).unwrap_or_else(Reply::from),
        }
    }

    fn person(&self) -> Option<Person> {
        let (unattended, until) = self.proof?;
        let channel = match self.desk.surface {
            Surface::Desktop => Channel::Terminal,
            Surface::Serve => Channel::Serve,
        };
        (self.desk.clock.now().boot < until).then_some(Person { channel, unattended })
    }

    fn prove_for_an_hour(&mut self, unattended: bool) -> Reply {
        self.proof = Some((unattended, Millis(self.desk.clock.now().boot.0 + limit::PROOF_MILLIS)));
        Reply::Ok(json!({"proven": true, "unattended": unattended}))
    }

    async fn prove(&mut self, passphrase: &str, unattended: bool) -> Reply {
        if self.desk.surface == Surface::Desktop && !unattended {
            return refused(
                "wrong_proof",
                "the app is running: prove that you are there by typing the code into its window",
            );
        }
        let desk = self.desk.clone();
        let _turn = desk.tries.turn.lock().await;
        if let Some(seconds) = desk.tries.wait(desk.clock.now()) {
            return refused("too_many", format!("too many wrong passphrases; try again in {seconds} s"));
        }
        let kept = match self.desk.broker.read(|db| Ok(db.setting(passphrase::SETTING)?)) {
            Ok(Some(kept)) => kept,
            Ok(None) => return refused("no_passphrase", "no passphrase is set; set one in the window under Settings"),
            Err(error) => return error.into(),
        };
        let given = passphrase.to_owned();
        // Argon2 takes tens of milliseconds on purpose; the port must not wait for it.
        let fits = tokio::task::spawn_blocking(move || passphrase::fits(&given, &kept)).await.unwrap_or(false);
        self.desk.tries.tried(fits, self.desk.clock.now());
        if fits {
            self.prove_for_an_hour(unattended)
        } else {
            refused("wrong_passphrase", "that is not the passphrase")
        }
    }

    async fn prove_in_window(&mut self, say: impl AsyncFnOnce(Reply)) -> Reply {
        if self.desk.surface == Surface::Serve {
            return refused("wrong_proof", "there is no window; the passphrase is the proof");
        }
        let proof = match self.desk.broker.begin_terminal(system::program_of(self.peer)) {
            Ok(proof) => proof,
            Err(error) => return error.into(),
        };
        // Dropped with the line: a terminal that hung up must not be let in, nor stand in others' way.
        let _withdrawn = Withdrawn { broker: self.desk.broker.clone(), id: proof.id.clone() };
        say(Reply::Ok(json!({"code": proof.code, "expires_in": proof.expires_in.0 / 1_000}))).await;
        match self.desk.broker.await_terminal(&proof.id, Duration::from_millis(proof.expires_in.0)).await {
            TerminalState::Proven => self.prove_for_an_hour(false),
            TerminalState::Closed => refused(
                "not_proven",
                "too many wrong codes were typed, so codes are closed for a while; nobody refused this",
            ),
            TerminalState::Refused | TerminalState::Waiting => {
                refused("not_proven", "the code was not typed into the window in time, or was refused")
            }
        }
    }

    fn look(&self, command: Command) -> Result<Reply, BrokerError> {
        let broker = &self.desk.broker;
        Ok(Reply::Ok(match command {
            Command::Hello => json!({
                "surface": self.desk.surface,
                "test_home": self.desk.test_home,
                "passphrase_set": broker.read(|db| Ok(db.setting(passphrase::SETTING)?))?.is_some(),
                "version": env!("CARGO_PKG_VERSION"),
                "language": broker.read(|db| Ok(db.setting("language")?))?,
            }),
            Command::Raise => match &self.desk.raise {
                Some(raise) => {
                    raise();
                    json!({"raised": true})
                }
                None => json!({"raised": false}),
            },
            Command::Pairings => {
                let waiting =
                    broker.arrivals().waiting.into_iter().filter(|arrival| arrival.kind == ArrivalKind::Pairing);
                let line = |arrival: countersign_broker::Arrival| {
                    let program = arrival.program;
                    json!({
                        "id": arrival.id, "name": program.name, "client": program.client, "workspace": program.workspace,
                        "pid": program.pid, "program": program.path, "folder": program.folder, "expires_at": arrival.expires_at,
                    })
                };
                Value::Array(waiting.map(line).collect())
            }
            Command::List { workspace } => {
                let line = |listed: countersign_broker::Listed| match broker.detail(&listed.row.id) {
                    Ok(detail) => shown(broker, &detail),
                    // One damaged row hides no other; it says what is wrong.
                    Err(error) => json!({
                        "id": listed.row.id, "state": "pending", "class": listed.row.class, "kind": listed.row.tool,
                        "title": listed.row.title, "agent": listed.row.agent, "workspace": listed.row.workspace,
                        "questions": [], "error": error.to_string(),
                    }),
                };
                Value::Array(broker.open_list(workspace.as_deref(), LISTED)?.into_iter().map(line).collect())
            }
            Command::Show { id } => whole(broker, &id)?,
            Command::Sessions => {
                let rows = broker.read(|db| Ok(db.latest_sessions(SESSIONS)?))?;
                Value::Array(rows.iter().map(shown::session).collect())
            }
            Command::Mode { session, mode: None } => shown::session(&broker.session(&session)?),
            Command::Prove { .. }
            | Command::ProveInWindow
            | Command::Watch
            | Command::AcceptPairing { .. }
            | Command::RefusePairing { .. }
            | Command::Mode { mode: Some(_), .. }
            | Command::Specs(_)
            | Command::Steps(_)
            | Command::Answer { .. }
            | Command::AnswerPlan { .. }
            | Command::TrustState { .. }
            | Command::ReviewTrust { .. }
            | Command::Trust { .. }
            | Command::Decline { .. } => return Ok(refused("wrong_use", "that is not something to look at")),
        }))
    }

    async fn change(&self, command: Command, person: Person) -> Result<Reply, BrokerError> {
        let broker = &self.desk.broker;
        let (id, verdict) = match command {
            Command::AcceptPairing { code, scopes } => {
                broker.accept_arrival(None, &code, scopes, person)?;
                return Ok(Reply::Ok(json!({"accepted": true})));
            }
            Command::RefusePairing { code } => {
                broker.refuse_arrival(&code)?;
                return Ok(Reply::Ok(json!({"refused": true})));
            }
            Command::Mode { session, mode: Some(mode) } => {
                broker.set_mode(&session, mode, person).await?;
                return Ok(Reply::Ok(shown::session(&broker.session(&session)?)));
            }
            Command::Trust { workspace, digest } => return trust::give(&self.desk, person, &workspace, digest).await,
            Command::Answer { id, answers, comment, typed } => (id, Verdict::Answer { answers, comment, typed }),
            Command::AnswerPlan { id, answers, comment, remarks, mode } => {
                (id, Verdict::Plan { answers, comment, remarks, mode })
            }
            Command::Decline { id, comment } => (id, Verdict::Decline { comment }),
            Command::Hello
            | Command::Raise
            | Command::Prove { .. }
            | Command::ProveInWindow
            | Command::Pairings
            | Command::Watch
            | Command::List { .. }
            | Command::Mode { mode: None, .. }
            | Command::Specs(_)
            | Command::Steps(_)
            | Command::Sessions
            | Command::TrustState { .. }
            | Command::ReviewTrust { .. }
            | Command::Show { .. } => {
                return Ok(refused("wrong_use", "that changes nothing"));
            }
        };
        broker.decide(person, &id, None, verdict).await?;
        Ok(Reply::Ok(whole(broker, &id)?))
    }
}
