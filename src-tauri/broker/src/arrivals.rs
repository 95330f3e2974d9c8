//! Programs that want to pair, and terminals that want to act for the person. Each shows six digits, which the person
//! types where they can be trusted. Kept in memory alone: a code lives two minutes.

use crate::error::BrokerError;
use crate::random;
use countersign_core::id::AgentId;
use countersign_core::limit;
use countersign_core::scope::Scopes;
use countersign_core::time::{Millis, Now, Timestamp};

/// How many of a kind may wait at once; more are told to come back.
const MOST: usize = 16;

/// How long one whose line broke may take to come back; then it has ended.
const BACK: Millis = Millis(3_000);

/// A program that asks to be paired, as it says and as the system says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// What it calls itself.
    pub name: String,
    /// What kind of client it says it is.
    pub client: String,
    /// The folder it wants to work in.
    pub workspace: Option<String>,
    /// The process on the other end of the socket, where the system can tell.
    pub pid: Option<u32>,
    /// That process's program.
    pub path: Option<String>,
    /// That process's folder.
    pub folder: Option<String>,
}

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrivalKind {
    /// To be an agent.
    Pairing,
    /// To act for the person, from a terminal.
    Terminal,
}

/// One that waits, as the person sees it: without its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Names it on surfaces; not the program's secret.
    pub id: String,
    /// What it wants.
    pub kind: ArrivalKind,
    /// Who it is.
    pub program: Program,
    /// Until when its code holds, by the wall clock.
    pub expires_at: Timestamp,
}

/// All that wait.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrivals {
    /// Oldest first.
    pub waiting: Vec<Arrival>,
    /// Until when pairing is closed, by the wall clock.
    pub closed_until: Option<Timestamp>,
}

/// What the program that begins a pairing gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Its secret, with which it asks how it went.
    pub id: String,
    /// The six digits that it shows.
    pub code: String,
    /// How long they hold.
    pub expires_in: Millis,
}

/// How a pairing stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairingState {
    /// The person has not typed the code yet.
    Waiting,
    /// Paired. The token is given this once.
    Accepted {
        /// Who the program is from now on.
        agent: AgentId,
        /// Its token.
        token: String,
    },
    /// The person said no.
    Refused,
    /// Too many wrong codes were typed: pairing closed, with all that waited.
    Closed,
    /// Its time ran out, or it is unknown.
    Expired,
}

/// How a terminal's proof stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalState {
    /// The person has not typed the code yet.
    Waiting,
    /// They have: a person is there.
    Proven,
    /// The person said no, or its time ran out.
    Refused,
    /// Too many wrong codes were typed.
    Closed,
}

/// What an arrival is let in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Whether nobody was there, but a file with the passphrase.
    pub(crate) unattended: bool,
    /// What a program may do from then on; says nothing of a terminal.
    pub(crate) scopes: Scopes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Accepted(Terms),
    Refused,
    Closed,
}

#[derive(Debug)]
struct Entry {
    arrival: Arrival,
    secret: String,
    code: String,
    stage: Stage,
    until: Millis,
    /// Lines on which its program hears how it went.
    lines: usize,
    /// When the last of them broke.
    left: Option<Millis>,
}

impl Entry {
    /// When it goes by itself.
    fn goes(&self) -> Millis {
        let left = self.left.filter(|_| self.stage == Stage::Waiting).map(|left| Millis(left.0 + BACK.0));
        left.map_or(self.until, |left| left.min(self.until))
    }
}

/// The register of arrivals. Its times are the boot clock's.
#[derive(Debug, Default)]
pub(crate) struct Register {
    entries: Vec<Entry>,
    wrong: u32,
    closed_until: Option<Millis>,
    /// One went by itself, and nobody was told yet.
    untold: bool,
}

impl Register {
    /// Lets a program in line, with a code of its own.
    pub(crate) fn begin(&mut self, kind: ArrivalKind, program: Program, now: Now) -> Result<Pairing, BrokerError> {
        self.sweep(now);
        self.check_open(now)?;
        if self.entries.iter().filter(|e| e.stage == Stage::Waiting && e.arrival.kind == kind).count() >= MOST {
            return Err(BrokerError::TooMany {
                what: format!("{MOST} programs wait to be paired"),
                retry_after_seconds: limit::CODE_MILLIS / 1_000,
            });
        }
        let code = loop {
            let code = random::code();
            if !self.entries.iter().any(|entry| entry.code == code) {
                break code;
            }
        };
        let secret = random::secret();
        let span = Millis(limit::CODE_MILLIS);
        self.entries.push(Entry {
            arrival: Arrival { id: random::secret(), kind, program, expires_at: now.wall.plus(span) },
            secret: secret.clone(),
            code: code.clone(),
            stage: Stage::Waiting,
            until: Millis(now.boot.0 + span.0),
            lines: 0,
            left: None,
        });
        Ok(Pairing { id: secret, code, expires_in: span })
    }

    /// The person typed a code, for one arrival or for whichever shows it. Five wrong ones close all of it.
    pub(crate) fn accept(
        &mut self,
        id: Option<&str>,
        kind: Option<ArrivalKind>,
        code: &str,
        terms: Terms,
        now: Now,
    ) -> Result<(), BrokerError> {
        self.sweep(now);
        self.check_open(now)?;
        // Compared with nothing, so no try at a code.
        if id.is_some_and(|id| !self.entries.iter().any(|e| e.stage == Stage::Waiting && e.arrival.id == id)) {
            return Err(BrokerError::NotFound(
                "it waits no more: its time ran out, or its program ended; start that again".into(),
            ));
        }
        let typed: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let fits = |e: &&mut Entry| {
            e.stage == Stage::Waiting
                && e.code == typed
                && id.is_none_or(|id| e.arrival.id == id)
                && kind.is_none_or(|kind| e.arrival.kind == kind)
        };
        if let Some(entry) = self.entries.iter_mut().find(fits) {
            if entry.arrival.kind == ArrivalKind::Pairing {
                // The code was right; it still is when they say it again with other scopes.
                terms.scopes.check_own(entry.arrival.program.workspace.as_deref())?;
            }
            entry.stage = Stage::Accepted(terms);
            self.wrong = 0;
            return Ok(());
        }
        self.wrong += 1;
        if self.wrong < limit::CODE_TRIES {
            return Err(BrokerError::WrongCode { tries_left: limit::CODE_TRIES - self.wrong });
        }
        self.wrong = 0;
        self.closed_until = Some(Millis(now.boot.0 + limit::CLOSED_MILLIS));
        for entry in self.entries.iter_mut().filter(|entry| entry.stage == Stage::Waiting) {
            entry.stage = Stage::Closed;
        }
        self.check_open(now)
    }

    /// The person said no, to an id or a code. Saying no to what is not there is no try at a code.
    pub(crate) fn refuse(&mut self, id_or_code: &str, now: Now) -> Result<(), BrokerError> {
        self.sweep(now);
        let named = |e: &&mut Entry| e.stage == Stage::Waiting && (e.arrival.id == id_or_code || e.code == id_or_code);
        match self.entries.iter_mut().find(named) {
            Some(entry) => {
                entry.stage = Stage::Refused;
                Ok(())
            }
            None => Err(BrokerError::NotFound("nothing with that code waits to be paired".into())),
        }
    }

    /// How the one with this secret stands; none when its time ran out.
    pub(crate) fn stage(&mut self, secret: &str, now: Now) -> Option<(Stage, Program)> {
        self.sweep(now);
        self.entries.iter().find(|e| e.secret == secret).map(|e| (e.stage, e.arrival.program.clone()))
    }

    /// Takes the one with this secret out.
    pub(crate) fn take(&mut self, secret: &str) {
        self.entries.retain(|entry| entry.secret != secret);
    }

    /// The program of the one with this secret listens.
    pub(crate) fn line_opened(&mut self, secret: &str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.secret == secret) {
            entry.lines += 1;
            entry.left = None;
        }
    }

    /// It listens no more: because it was told something, or its line `broke`.
    pub(crate) fn line_closed(&mut self, secret: &str, broke: bool, now: Now) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.secret == secret) {
            entry.lines = entry.lines.saturating_sub(1);
            if broke && entry.lines == 0 {
                entry.left = Some(now.boot);
            }
        }
    }

    /// When the one with this secret goes by itself; none when it is gone.
    pub(crate) fn goes(&self, secret: &str) -> Option<Millis> {
        self.entries.iter().find(|entry| entry.secret == secret).map(Entry::goes)
    }

    /// What the person sees.
    pub(crate) fn shown(&mut self, now: Now) -> Arrivals {
        self.sweep(now);
        let closed = self.closed_until.filter(|until| *until > now.boot);
        Arrivals {
            waiting: self.entries.iter().filter(|e| e.stage == Stage::Waiting).map(|e| e.arrival.clone()).collect(),
            closed_until: closed.map(|until| now.wall.plus(Millis(until.0 - now.boot.0))),
        }
    }

    fn check_open(&self, now: Now) -> Result<(), BrokerError> {
        match self.closed_until {
            Some(until) if until > now.boot => {
                Err(BrokerError::PairingClosed { seconds: (until.0 - now.boot.0).div_ceil(1_000) })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether one went by itself of which nobody was told.
    pub(crate) fn take_untold(&mut self, now: Now) -> bool {
        self.sweep(now);
        std::mem::take(&mut self.untold)
    }

    fn sweep(&mut self, now: Now) {
        self.untold |= self.entries.iter().any(|e| e.stage == Stage::Waiting && e.goes() <= now.boot);
        self.entries.retain(|entry| entry.goes() > now.boot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Now = Now { wall: Timestamp(1_000_000), boot: Millis(50_000) };

    const TERMS: Terms = Terms { unattended: false, scopes: Scopes::ALL };

    fn later(seconds: u64) -> Now {
        Now { wall: START.wall.plus(Millis::seconds(seconds)), boot: Millis(START.boot.0 + seconds * 1_000) }
    }

    fn program(name: &str) -> Program {
        Program { name: name.into(), ..Program::default() }
    }

    #[test]
    fn a_code_holds_for_two_minutes_and_once() {
        let mut register = Register::default();
        let pairing = register.begin(ArrivalKind::Pairing, program("a"), START).expect("begins");
        assert_eq!(register.stage(&pairing.id, later(119)).map(|s| s.0), Some(Stage::Waiting));
        assert!(
            register
                .accept(None, None, &format!(" {} {} ", &pairing.code[..3], &pairing.code[3..]), TERMS, later(119))
                .is_ok()
        );
        assert!(matches!(
            register.accept(None, None, &pairing.code, TERMS, later(119)),
            Err(BrokerError::WrongCode { tries_left: 4 })
        ));
        let late = register.begin(ArrivalKind::Pairing, program("b"), START).expect("begins");
        assert!(register.accept(None, None, &late.code, TERMS, later(120)).is_err());
        assert_eq!(register.stage(&late.id, later(120)), None);
    }

    #[test]
    fn five_wrong_codes_burn_what_waits_and_close_pairing_for_a_while() {
        let mut register = Register::default();
        let pairing = register.begin(ArrivalKind::Pairing, program("a"), START).expect("begins");
        let wrong = if pairing.code == "000000" { "000001" } else { "000000" };
        for left in (1..5).rev() {
            assert!(
                matches!(register.accept(None, None, wrong, TERMS, START), Err(BrokerError::WrongCode { tries_left }) if tries_left == left)
            );
        }
        assert!(matches!(
            register.accept(None, None, wrong, TERMS, START),
            Err(BrokerError::PairingClosed { seconds: 600 })
        ));
        assert!(matches!(
            register.accept(None, None, &pairing.code, TERMS, START),
            Err(BrokerError::PairingClosed { .. })
        ));
        assert_eq!(register.stage(&pairing.id, START).map(|found| found.0), Some(Stage::Closed), "and it hears why");
        assert!(register.shown(START).waiting.is_empty());
        assert!(register.begin(ArrivalKind::Pairing, program("b"), later(599)).is_err());
        assert!(register.shown(later(599)).closed_until.is_some());
        assert!(register.begin(ArrivalKind::Pairing, program("b"), later(600)).is_ok());
    }

    #[test]
    fn a_code_typed_for_one_arrival_accepts_no_other() {
        let mut register = Register::default();
        let a = register.begin(ArrivalKind::Pairing, program("a"), START).expect("begins");
        register.begin(ArrivalKind::Terminal, program("b"), START).expect("begins");
        let shown = register.shown(START);
        let other = &shown.waiting[1].id;
        assert!(register.accept(Some(other), None, &a.code, TERMS, START).is_err());
        assert!(register.accept(None, Some(ArrivalKind::Terminal), &a.code, TERMS, START).is_err());
        assert!(register.accept(Some(&shown.waiting[0].id), None, &a.code, TERMS, START).is_ok());
        assert_eq!(register.shown(START).waiting.len(), 1);
    }

    #[test]
    fn a_program_that_named_no_folder_is_not_let_in_without_any_and_its_code_still_holds() {
        let mut register = Register::default();
        let none = Terms { scopes: Scopes::NONE, ..TERMS };
        let nowhere = register.begin(ArrivalKind::Pairing, program("a"), START).expect("begins");
        for _ in 0..limit::CODE_TRIES {
            let refused = register.accept(None, None, &nowhere.code, none, START);
            assert!(matches!(refused, Err(BrokerError::OutOfScope(_))), "{refused:?}");
        }
        assert!(register.accept(None, None, &nowhere.code, TERMS, START).is_ok());
        let somewhere = Program { workspace: Some("/w".into()), ..program("b") };
        let somewhere = register.begin(ArrivalKind::Pairing, somewhere, START).expect("begins");
        assert!(register.accept(None, None, &somewhere.code, none, START).is_ok());
        let terminal = register.begin(ArrivalKind::Terminal, program("c"), START).expect("begins");
        assert!(register.accept(None, None, &terminal.code, none, START).is_ok(), "a terminal has no scopes");
    }

    #[test]
    fn one_whose_line_broke_and_did_not_come_back_has_ended_and_a_code_for_it_is_no_try() {
        let mut register = Register::default();
        let [gone, back, told] = ["gone", "back", "told"]
            .map(|name| register.begin(ArrivalKind::Pairing, program(name), START).expect("begins"));
        for pairing in [&gone, &back, &back, &told] {
            register.line_opened(&pairing.id);
        }
        for (pairing, broke, at) in [(&gone, true, 1), (&back, true, 1), (&back, true, 1), (&told, false, 1)] {
            register.line_closed(&pairing.id, broke, later(at));
        }
        register.line_opened(&back.id);
        let id = register.shown(later(3)).waiting[0].id.clone();
        assert_eq!(register.shown(later(3)).waiting.len(), 3);
        assert_eq!(register.goes(&gone.id), Some(later(4).boot));
        let left: Vec<String> = register.shown(later(4)).waiting.into_iter().map(|one| one.program.name).collect();
        assert_eq!(left, ["back", "told"]);
        assert_eq!(register.goes(&gone.id), None);
        assert!(register.take_untold(later(4)) && !register.take_untold(later(4)), "told once");
        for _ in 0..9 {
            let refused = register.accept(Some(&id), None, &gone.code, TERMS, later(4));
            assert!(matches!(refused, Err(BrokerError::NotFound(_))), "{refused:?}");
        }
        assert!(register.accept(None, None, &back.code, TERMS, later(4)).is_ok());
    }

    #[test]
    fn a_crowd_is_told_to_come_back_and_refusing_is_no_try() {
        let mut register = Register::default();
        for _ in 0..MOST {
            register.begin(ArrivalKind::Pairing, program("x"), START).expect("begins");
        }
        assert!(matches!(register.begin(ArrivalKind::Pairing, program("x"), START), Err(BrokerError::TooMany { .. })));
        for _ in 0..10 {
            assert!(matches!(register.refuse("nope", START), Err(BrokerError::NotFound(_))));
        }
        let first = register.shown(START).waiting[0].id.clone();
        assert!(register.refuse(&first, START).is_ok());
        assert!(register.begin(ArrivalKind::Pairing, program("x"), START).is_ok());
    }
}
