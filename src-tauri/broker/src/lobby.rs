//! The broker's side for those who want in: programs that pair, terminals that act for the person.

use crate::agents;
use crate::arrivals::{ArrivalKind, Arrivals, Pairing, PairingState, Program, Register, Stage, TerminalState, Terms};
use crate::broker::{Broker, Inner};
use crate::error::BrokerError;
use crate::message::Message;
use crate::person::Person;
use crate::shell::Change;
use countersign_core::limit;
use countersign_core::scope::Scopes;
use countersign_core::time::Now;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// The longest sleep while one waits: after the machine slept, it goes this late at the most.
const LONGEST_NAP: Duration = Duration::from_secs(1);

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
        program.workspace = program
            .workspace
            .as_deref()
            .map(agents::spelled)
            .transpose()?
            .filter(|own| !own.is_empty())
            .map(agents::resolved);
        self.begin(ArrivalKind::Pairing, program)
    }

    /// How a pairing stands, at the latest after `at_most`. The token is given once. Whoever stops waiting before this
    /// returns has a moment to come back; then its program counts as ended.
    pub async fn await_pairing(&self, id: &str, at_most: Duration) -> Result<PairingState, BrokerError> {
        let mut line = Line::open(self, id);
        let found = self.await_stage(id, at_most).await;
        line.broke = false;
        let (stage, program) = match found {
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
            Stage::Closed => Ok(PairingState::Closed),
            Stage::Waiting | Stage::Refused => Ok(PairingState::Refused),
        }
    }

    /// A terminal wants to act for the person; it must show the code.
    pub fn begin_terminal(&self, program: Program) -> Result<Pairing, BrokerError> {
        self.begin(ArrivalKind::Terminal, program)
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
            Some((Stage::Closed, _)) => TerminalState::Closed,
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

    fn begin(&self, kind: ArrivalKind, program: Program) -> Result<Pairing, BrokerError> {
        let pairing = self.arrive(|register, now| register.begin(kind, program, now))?;
        tokio::spawn(go_by_itself(Arc::downgrade(&self.inner), self.inner.arrived.subscribe(), pairing.id.clone()));
        Ok(pairing)
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

    fn tell_who_went(&self, now: Now) {
        if self.register().take_untold(now) {
            self.inner.arrived.send_modify(|count| *count += 1);
            self.inner.shell.changed(Change::Arrivals);
        }
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        self.inner.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program that listens for how its pairing went.
struct Line<'b> {
    broker: &'b Broker,
    id: String,
    /// Nothing was told on it.
    broke: bool,
}

impl<'b> Line<'b> {
    fn open(broker: &'b Broker, id: &str) -> Self {
        broker.register().line_opened(id);
        Self { broker, id: id.to_owned(), broke: true }
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        let inner = &self.broker.inner;
        self.broker.register().line_closed(&self.id, self.broke, inner.clock.now());
        if self.broke {
            inner.arrived.send_modify(|count| *count += 1);
        }
    }
}

/// Tells when one goes that nobody settled. It keeps no handle: the broker ends when everyone else's is gone.
async fn go_by_itself(inner: Weak<Inner>, mut arrived: watch::Receiver<u64>, id: String) {
    loop {
        let nap = {
            let Some(inner) = inner.upgrade() else { return };
            let broker = Broker { inner };
            let now = broker.inner.clock.now();
            let goes = broker.register().goes(&id);
            match goes.filter(|at| *at > now.boot) {
                Some(at) => Duration::from_millis(at.0 - now.boot.0).min(LONGEST_NAP),
                None => return broker.tell_who_went(now),
            }
        };
        // Who settles it, tells; here only when it goes may have changed.
        if let Ok(Err(_)) = tokio::time::timeout(nap, arrived.changed()).await {
            return;
        }
    }
}
