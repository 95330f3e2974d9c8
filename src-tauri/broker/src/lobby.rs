//! The broker's side for those who want in: programs that pair, terminals that act for the person.

use crate::agents;
use crate::arrivals::{ArrivalKind, Arrivals, Pairing, PairingState, Program, Register, Stage, TerminalState, Terms};
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::Message;
use crate::person::Person;
use crate::shell::Change;
use countersign_core::limit;
use countersign_core::scope::Scopes;
use countersign_core::time::Now;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

impl Broker {
    /// A program asks to be paired; it must show the code.
    pub async fn begin_pairing(&self, mut program: Program) -> Result<Pairing, BrokerError> {
        for (field, text) in [("name", &program.name), ("client", &program.client)] {
            if field == "name" || !text.is_empty() {
                limit::check_line(field, text, limit::QUESTION_ID_CHARS)
                    .map_err(|error| BrokerError::Invalid(error.to_string()))?;
            }
        }
        let kind = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if program.client.len() > 40 || !program.client.chars().all(kind) {
            return Err(BrokerError::Invalid(
                "`client` is a kind such as claude-code: at most 40 of a-z, A-Z, 0-9, - _ .".into(),
            ));
        }
        // Shown, and compared with later, in the one spelling that calls have.
        program.workspace =
            program.workspace.as_deref().map(agents::spelled).transpose()?.filter(|own| !own.is_empty());
        self.arrive(|register, now| register.begin(ArrivalKind::Pairing, program, now))
    }

    /// How a pairing stands, at the latest after `at_most`. The token is given once.
    pub async fn await_pairing(&self, id: &str, at_most: Duration) -> Result<PairingState, BrokerError> {
        let (stage, program) = match self.await_stage(id, at_most).await {
            None => return Ok(PairingState::Expired),
            Some((Stage::Waiting, _)) => return Ok(PairingState::Waiting),
            Some(found) => found,
        };
        self.register().take(id);
        match stage {
            Stage::Accepted(terms) => {
                let (agent, token) = self.send(|reply| Message::Pair { program, terms, reply }).await?;
                Ok(PairingState::Accepted { agent, token })
            }
            Stage::Waiting | Stage::Refused => Ok(PairingState::Refused),
        }
    }

    /// A terminal wants to act for the person; it must show the code.
    pub fn begin_terminal(&self, program: Program) -> Result<Pairing, BrokerError> {
        self.arrive(|register, now| register.begin(ArrivalKind::Terminal, program, now))
    }

    /// A terminal went away before its code was typed.
    pub fn withdraw_terminal(&self, id: &str) {
        let withdrawn = self.arrive(|register, _| {
            register.take(id);
            Ok(())
        });
        // Taking out what is there, or not, can't be refused.
        debug_assert!(withdrawn.is_ok());
    }

    /// How a terminal's proof stands, at the latest after `at_most`.
    pub async fn await_terminal(&self, id: &str, at_most: Duration) -> TerminalState {
        match self.await_stage(id, at_most).await {
            Some((Stage::Waiting, _)) => TerminalState::Waiting,
            Some((Stage::Accepted(_), _)) => {
                self.register().take(id);
                TerminalState::Proven
            }
            Some((Stage::Refused, _)) | None => TerminalState::Refused,
        }
    }

    /// Who wants to pair, or to act for the person.
    pub fn arrivals(&self) -> Arrivals {
        let now = self.inner.clock.now();
        self.register().shown(now)
    }

    /// The person typed a code, for one arrival (by the id that surfaces show) or for any pairing that shows it. A program may do
    /// what the scopes say.
    pub fn accept_arrival(
        &self,
        id: Option<&str>,
        code: &str,
        scopes: Scopes,
        person: Person,
    ) -> Result<(), BrokerError> {
        let kind = id.is_none().then_some(ArrivalKind::Pairing);
        let terms = Terms { unattended: person.unattended, scopes };
        self.arrive(|register, now| register.accept(id, kind, code, terms, now))
    }

    /// The person said no, to an id or a code.
    pub fn refuse_arrival(&self, id_or_code: &str) -> Result<(), BrokerError> {
        self.arrive(|register, now| register.refuse(id_or_code, now))
    }

    async fn await_stage(&self, id: &str, at_most: Duration) -> Option<(Stage, Program)> {
        let mut arrived = self.inner.arrived.subscribe();
        let settled = async {
            loop {
                let now = self.inner.clock.now();
                let found = self.register().stage(id, now);
                match found {
                    Some((Stage::Waiting, _)) => {}
                    other => return other,
                }
                if arrived.changed().await.is_err() {
                    return None;
                }
            }
        };
        match tokio::time::timeout(at_most, settled).await {
            Ok(found) => found,
            Err(_) => {
                let now = self.inner.clock.now();
                self.register().stage(id, now)
            }
        }
    }

    fn arrive<T>(&self, change: impl FnOnce(&mut Register, Now) -> Result<T, BrokerError>) -> Result<T, BrokerError> {
        let now = self.inner.clock.now();
        let done = change(&mut self.register(), now);
        self.inner.arrived.send_modify(|count| *count += 1);
        self.inner.shell.changed(Change::Arrivals);
        done
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        self.inner.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
