//! The whole screen as a state: what waits, which request is open, what is typed, what was sent and what it came to. Takes events,
//! gives effects; draws nothing, waits for nothing, reads no clock.

mod keys;
#[cfg(test)]
mod tests;
mod wishes;

pub use super::event::{Effect, Event, Hello};
use super::field::Field;
use super::panel::{Measured, Panel, Say};
use crate::asked::{Asked, Row, Session};
use crate::link;
use crate::words::{Words, fill};
use countersign_core::id::RequestId;
use countersign_core::request::State as Standing;
use countersign_core::safe_text::SafeText;
use countersign_host::{Command, StepCommand, Surface};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nothing waits.
    Empty,
    /// The list of what waits.
    List,
    /// One request.
    Panel,
}

/// How it is proven that a person is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// The passphrase as it is typed; masked.
    pub field: Field,
    /// The code for the window, once it is there.
    pub code: Option<String>,
    /// Whether there is a window in which it is proven.
    pub in_window: bool,
    /// Whether it is being looked at.
    pub busy: bool,
    /// Why the last try did not do.
    pub wrong: Option<String>,
}

/// What lies over all else.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// The proof.
    Proof(Proof),
    /// A command is being typed.
    Command(Field),
    /// What the keys do.
    Help,
    /// A request ended elsewhere while it was open.
    Ended {
        /// How, and by whom.
        text: String,
        /// What the person had typed for it.
        typed: Vec<String>,
    },
}

/// The whole screen.
pub struct State {
    /// The language.
    pub words: &'static Words,
    /// What the other end is.
    pub hello: Hello,
    /// Whether it is there.
    pub here: bool,
    /// What is open.
    pub rows: Vec<Row>,
    /// Whether there is more.
    pub more: bool,
    /// Who works.
    pub sessions: Vec<Session>,
    /// Where the person is.
    pub place: Place,
    /// Which row of the list, or which session, is chosen.
    pub cursor: usize,
    /// The request that is open.
    pub panel: Option<Panel>,
    /// What lies over it.
    pub overlay: Option<Overlay>,
    /// One thing to say, until the next key.
    pub note: Option<String>,
    /// Whether secrets are shown.
    pub secrets: bool,
    /// Whether keys decide nothing for a moment.
    pub inert: bool,
    inert_turn: u64,
    /// Requests that were left, with what was typed for them.
    kept: HashMap<RequestId, Panel>,
    /// Requests that the person left pending.
    put_off: HashSet<RequestId>,
    /// Where in the queue the open request was seen last.
    at: usize,
    /// The request that shall be open, and whether it comes up by itself.
    wanted: Option<(RequestId, bool)>,
    /// The request whose decision is on its way.
    sending: Option<RequestId>,
    /// What waits for the proof.
    held: Option<Box<Command>>,
}

impl State {
    /// Nothing heard yet.
    pub fn new(words: &'static Words, hello: Hello) -> Self {
        Self {
            words,
            hello,
            here: true,
            rows: Vec::new(),
            more: false,
            sessions: Vec::new(),
            place: Place::Empty,
            cursor: 0,
            panel: None,
            overlay: None,
            note: None,
            secrets: false,
            inert: false,
            inert_turn: 0,
            kept: HashMap::new(),
            put_off: HashSet::new(),
            at: 0,
            wanted: None,
            sending: None,
            held: None,
        }
    }

    /// Which of how many the open request is.
    pub fn place_in_queue(&self) -> Option<(usize, usize)> {
        let id = &self.panel.as_ref()?.asked.id;
        self.rows.iter().position(|row| row.id == *id).map(|at| (at + 1, self.rows.len()))
    }

    /// The session whose mode the keys change.
    pub fn session(&self) -> Option<&Session> {
        match self.place {
            Place::Panel => self.panel.as_ref().map(|panel| &panel.asked.session),
            Place::Empty => self.sessions.get(self.cursor),
            Place::List => None,
        }
    }

    /// How the open request was drawn.
    pub fn measure(&mut self, measured: Measured) {
        if let Some(panel) = &mut self.panel {
            panel.measure(measured);
        }
    }

    /// Something happened.
    pub fn take(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Burst { text, enter } => self.burst(&text, enter),
            Event::Resized => Vec::new(),
            Event::Hung => vec![Effect::Quit],
            Event::News { rows, more, sessions } => self.news(rows, more, sessions),
            Event::Shown(asked) => self.shown(*asked),
            Event::NotShown(id, message) => self.not_shown(&id, message),
            Event::Done(command, said) => self.done(&command, &said),
            Event::Refused { command, code, message } => self.refused(command, &code, &message),
            Event::Code(code) => {
                if let Some(Overlay::Proof(proof)) = &mut self.overlay {
                    proof.code = Some(code);
                }
                Vec::new()
            }
            Event::Proven => {
                if matches!(self.overlay, Some(Overlay::Proof(_))) {
                    self.overlay = None;
                }
                self.sending = self.held.as_ref().and_then(|held| link::decided(held)).cloned();
                self.held.take().map(Effect::Do).into_iter().collect()
            }
            Event::NotProven { code, message } => self.not_proven(&code, &message),
            Event::Gone => {
                (self.here, self.sending) = (false, None);
                if let Some(Overlay::Proof(_)) = self.overlay {
                    (self.overlay, self.held) = (None, None);
                }
                Vec::new()
            }
            Event::Here(hello) => {
                if !self.here {
                    self.note = Some(self.words.back_again.into());
                }
                (self.here, self.hello) = (true, hello);
                Vec::new()
            }
            Event::Calm(turn) => {
                self.inert &= turn != self.inert_turn;
                Vec::new()
            }
        }
    }

    fn news(&mut self, rows: Vec<Row>, more: bool, sessions: Vec<Session>) -> Vec<Effect> {
        let chosen = match self.place {
            Place::List => self.rows.get(self.cursor).map(|row| row.id.clone()),
            Place::Empty | Place::Panel => None,
        };
        (self.rows, self.more, self.sessions) = (rows, more, sessions);
        self.at = self.place_in_queue().map_or(self.at, |(at, _)| at - 1);
        let open = |id: &RequestId| self.rows.iter().any(|row| row.id == *id);
        self.put_off.retain(open);
        self.kept.retain(|id, _| open(id));
        match self.place {
            // Still there, or not any more: a look tells, and by whom.
            Place::Panel => self.panel.iter().map(|panel| Effect::Look(panel.asked.id.clone())).collect(),
            Place::List if self.rows.is_empty() => {
                (self.place, self.cursor) = (Place::Empty, 0);
                Vec::new()
            }
            Place::List => {
                let at = chosen.and_then(|id| self.rows.iter().position(|row| row.id == id));
                self.cursor = at.unwrap_or(self.cursor).min(self.rows.len() - 1);
                Vec::new()
            }
            Place::Empty => match self.rows.first().map(|row| row.id.clone()) {
                Some(id) if self.wanted.is_none() => self.open(id, true),
                Some(_) | None => {
                    self.cursor = self.cursor.min(self.sessions.len().saturating_sub(1));
                    Vec::new()
                }
            },
        }
    }

    /// Looks at a request in order to open it. `by_itself`: no key of the person's asked for it.
    fn open(&mut self, id: RequestId, by_itself: bool) -> Vec<Effect> {
        self.wanted = Some((id.clone(), by_itself));
        vec![Effect::Look(id)]
    }

    fn shown(&mut self, asked: Asked) -> Vec<Effect> {
        let pending = asked.state == Standing::Pending;
        if let Some(panel) = self.panel.as_mut().filter(|panel| panel.asked.id == asked.id) {
            if pending {
                panel.refresh(asked);
                return Vec::new();
            }
            let ours = self.sending.as_ref() == Some(&asked.id);
            return if ours { Vec::new() } else { self.ended(&asked) };
        }
        match self.wanted.take_if(|(id, _)| *id == asked.id) {
            Some((_, by_itself)) if pending => {
                self.leave();
                self.note = self.note.take().filter(|_| by_itself);
                let mut panel =
                    self.kept.remove(&asked.id).unwrap_or_else(|| Panel::new(asked.clone(), self.hello.surface));
                panel.refresh(asked);
                (self.panel, self.place) = (Some(panel), Place::Panel);
                self.at = self.place_in_queue().map_or(self.at, |(at, _)| at - 1);
                // Who goes there looks there.
                self.inert = false;
                if by_itself { self.calm_down() } else { Vec::new() }
            }
            Some(_) => {
                self.note = Some(self.how_it_ended(&asked));
                self.show_list();
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn how_it_ended(&self, asked: &Asked) -> String {
        let by = asked.ended.as_ref().and_then(|ended| ended.by);
        format!("{}: {}", SafeText::line(&asked.title).plain(), self.words.ended(asked.state, by))
    }

    /// The open request was settled elsewhere: it goes, and what was typed stays to be read.
    fn ended(&mut self, asked: &Asked) -> Vec<Effect> {
        let typed = self.panel.take().map(|panel| panel.typed().into_iter().map(str::to_owned).collect());
        let proving = matches!(self.overlay.take(), Some(Overlay::Proof(_)));
        self.held = None;
        self.show_list();
        self.overlay = Some(Overlay::Ended { text: self.how_it_ended(asked), typed: typed.unwrap_or_default() });
        let mut effects = self.calm_down();
        effects.extend(proving.then_some(Effect::StopProving));
        effects
    }

    fn not_shown(&mut self, id: &RequestId, message: String) -> Vec<Effect> {
        let wanted = self.wanted.take_if(|(wanted, _)| wanted == id).is_some();
        if wanted || self.panel.as_ref().is_some_and(|panel| panel.asked.id == *id) {
            self.note = Some(SafeText::line(&message).plain());
            self.leave();
            self.show_list();
        }
        Vec::new()
    }

    /// Puts the open request aside, with what was typed for it.
    fn leave(&mut self) {
        if let Some(panel) = self.panel.take() {
            self.kept.insert(panel.asked.id.clone(), panel);
        }
    }

    fn show_list(&mut self) {
        self.place = if self.rows.is_empty() { Place::Empty } else { Place::List };
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    /// For a moment keys decide nothing: what is on the screen came up by itself.
    fn calm_down(&mut self) -> Vec<Effect> {
        self.inert = true;
        self.inert_turn += 1;
        vec![Effect::Calm(self.inert_turn)]
    }

    fn done(&mut self, command: &Command, said: &Value) -> Vec<Effect> {
        let (id, text) = match command {
            Command::Steps(StepCommand::Stop { session, release }) => {
                self.note = Some(if *release { self.words.released } else { self.words.stopped }.into());
                if let Some(panel) = self.panel.as_mut().filter(|panel| panel.asked.session.id == *session) {
                    panel.asked.session.stopped = !release;
                }
                return Vec::new();
            }
            Command::Answer { id, .. }
            | Command::AnswerPlan { id, .. }
            | Command::Steps(StepCommand::Decide { id, .. }) => (id, self.words.sent),
            Command::Decline { id, .. } => (id, self.words.declined_it),
            Command::Mode { mode: Some(mode), session } => {
                self.note = Some(fill(self.words.mode_now, &[self.words.mode(*mode)]));
                if let Some(panel) = self.panel.as_mut().filter(|panel| panel.asked.session.id == *session) {
                    let now = &mut panel.asked.session;
                    now.before_plan = (*mode == countersign_core::mode::Mode::Plan).then_some(now.mode);
                    now.mode = *mode;
                }
                return Vec::new();
            }
            Command::Raise => {
                let raised = said["raised"] == true;
                self.note = Some(if raised { self.words.raised } else { self.words.no_window }.into());
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        self.sending = None;
        let Some(panel) = self.panel.take_if(|panel| panel.asked.id == *id) else { return Vec::new() };
        self.note = Some(fill(text, &[&SafeText::line(&panel.asked.title).plain()]));
        self.rows.retain(|row| row.id != *id);
        self.show_list();
        let after = self.rows.iter().skip(self.at).chain(self.rows.iter().take(self.at));
        let next = after.map(|row| row.id.clone()).find(|id| !self.put_off.contains(id));
        next.map_or_else(Vec::new, |id| self.open(id, true))
    }

    fn refused(&mut self, command: Box<Command>, code: &str, message: &str) -> Vec<Effect> {
        self.sending = None;
        match code {
            "proof_needed" => {
                let in_window = self.hello.surface == Surface::Desktop;
                self.held = Some(command);
                self.overlay = Some(Overlay::Proof(Proof {
                    field: Field::default(),
                    code: None,
                    in_window,
                    busy: in_window,
                    wrong: None,
                }));
                in_window.then_some(Effect::ProveInWindow).into_iter().collect()
            }
            "settled" | "not_found" => self.panel.iter().map(|panel| Effect::Look(panel.asked.id.clone())).collect(),
            _ => {
                self.note = Some(SafeText::line(&self.words.refusal(code, message)).plain());
                Vec::new()
            }
        }
    }

    fn not_proven(&mut self, code: &str, message: &str) -> Vec<Effect> {
        let wrong = SafeText::line(&self.words.refusal(code, message)).plain();
        match &mut self.overlay {
            Some(Overlay::Proof(proof)) if !proof.in_window => {
                (proof.busy, proof.wrong) = (false, Some(wrong));
                proof.field.clear();
            }
            _ => {
                (self.overlay, self.held) = (None, None);
                self.note = Some(wrong);
            }
        }
        Vec::new()
    }

    fn say(&mut self, say: Say) {
        let words = self.words;
        let shown = |text: &str| SafeText::line(text).plain();
        self.note = Some(match say {
            Say::MarkOne => words.mark_one.into(),
            Say::NeedsAnswer => words.needs_answer.into(),
            Say::NotPattern(pattern) => fill(words.not_pattern, &[&shown(&pattern)]),
            Say::ReadToEnd => words.read_to_end.into(),
            Say::InWindow => words.in_window.into(),
            Say::EnterNever(key) => fill(words.enter_never, &[&key.to_string()]),
            Say::WrongWord(word) => fill(words.wrong_word, &[&shown(&word)]),
            Say::NeverRemembered => words.never_remembered.into(),
            Say::SwitchesNothing => words.switches_nothing.into(),
            Say::Pasted => words.pasted.into(),
            Say::Wrong(message) => shown(&message),
        });
    }
}
