//! The plain inbox as a state: what is printed, what the next line answers, and what a line comes to.

use crate::asked::{Asked, Row};
use crate::link;
use crate::tui::event::{Effect, Event, Hello};
use crate::tui::{Until, read_command};
use crate::words::{Words, fill};
use countersign_core::id::RequestId;
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::question::QuestionType;
use countersign_core::request::State as Standing;
use countersign_core::safe_text::SafeText;
use countersign_host::{Command, StepCommand, Surface};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// What the next line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    Question(usize),
    Comment,
    Word,
    /// It is decided elsewhere; only commands.
    Nothing,
}

pub(super) struct Current {
    pub(super) asked: Asked,
    pub(super) answers: Map<String, Value>,
    pub(super) comment: Vec<String>,
    pub(super) commented: bool,
    pub(super) remarks: Vec<GivenRemark>,
    pub(super) landing: Option<Mode>,
    pub(super) remember: Option<(usize, Until)>,
    pub(super) word: Option<String>,
    pub(super) wants: Wants,
}

/// The plain inbox.
pub struct Plain {
    pub(super) words: &'static Words,
    pub(super) hello: Hello,
    pub(super) here: bool,
    pub(super) rows: Vec<Row>,
    pub(super) current: Option<Current>,
    pub(super) wanted: Option<RequestId>,
    pub(super) put_off: HashSet<RequestId>,
    pub(super) sending: Option<RequestId>,
    pub(super) held: Option<Box<Command>>,
    pub(super) proving: bool,
    pub(super) secrets: bool,
    pub(super) told_empty: bool,
    /// Whether there will be no more lines.
    pub(super) ended: bool,
    /// Lines to print.
    pub out: Vec<String>,
    /// Whether what came up by itself is too new to be answered; for terminals.
    pub inert: bool,
    pub(super) turn: u64,
}

impl Plain {
    /// Nothing heard yet.
    pub fn new(words: &'static Words, hello: Hello) -> Self {
        Self {
            words,
            hello,
            here: true,
            rows: Vec::new(),
            current: None,
            wanted: None,
            put_off: HashSet::new(),
            sending: None,
            held: None,
            proving: false,
            secrets: false,
            told_empty: false,
            ended: false,
            out: vec![words.plain_start.into()],
            inert: false,
            turn: 0,
        }
    }

    /// What stands before the next line, and whether that line is hidden; none while nothing is asked.
    pub fn prompt(&self) -> Option<(String, bool)> {
        if self.proving {
            return (self.hello.surface == Surface::Serve).then(|| (self.words.plain_passphrase.into(), true));
        }
        if self.sending.is_some() || self.held.is_some() {
            return None;
        }
        let current = self.current.as_ref()?;
        let words = self.words;
        let text = match current.wants {
            Wants::Comment => words.plain_comment,
            Wants::Nothing => "",
            Wants::Word => {
                return Some((fill(words.ask_word, &[&plain(current.word.as_deref().unwrap_or_default())]), false));
            }
            Wants::Question(at) => match current.asked.questions.get(at).map(|question| (question.kind, question)) {
                Some((QuestionType::Text, _)) => words.plain_prompt_text,
                Some((QuestionType::Confirm, _)) => words.plain_prompt_confirm,
                Some((QuestionType::MultiChoice, _)) => words.plain_prompt_many,
                Some((QuestionType::Choice, question)) if question.allow_other => words.plain_prompt_own,
                Some((QuestionType::Choice, _)) | None => words.plain_prompt_choice,
            },
        };
        Some((text.into(), false))
    }

    /// Something happened.
    pub fn take(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::News { rows, .. } => {
                self.rows = rows;
                self.put_off.retain(|id| self.rows.iter().any(|row| row.id == *id));
                match &self.current {
                    Some(current) if !self.rows.iter().any(|row| row.id == current.asked.id) => {
                        vec![Effect::Look(current.asked.id.clone())]
                    }
                    Some(_) => Vec::new(),
                    None => self.next(),
                }
            }
            Event::Shown(asked) => self.shown(*asked),
            Event::NotShown(id, message) => {
                self.say(&plain(&message));
                self.put_off.insert(id);
                (self.current, self.wanted) = (None, None);
                self.next()
            }
            Event::Done(command, said) => self.done(&command, &said),
            Event::Refused { command, code, message } => self.refused(command, &code, &message),
            Event::Code(code) => {
                self.say(&fill(self.words.plain_code, &[&plain(&code)]));
                Vec::new()
            }
            Event::Proven => {
                self.proving = false;
                self.sending = self.held.as_ref().and_then(|command| link::decided(command)).cloned();
                self.held.take().map(Effect::Do).into_iter().collect()
            }
            Event::NotProven { code, message } => {
                self.say(&plain(&self.words.refusal(&code, &message)));
                if self.hello.surface == Surface::Desktop || self.ended || code == "no_passphrase" {
                    (self.proving, self.held) = (false, None);
                    return self.quit_if_ended();
                }
                Vec::new()
            }
            Event::Gone => {
                (self.here, self.sending, self.held, self.proving) = (false, None, None, false);
                self.say(self.words.away);
                Vec::new()
            }
            Event::Here(hello) => {
                if !self.here {
                    self.say(self.words.back_again);
                }
                (self.here, self.hello) = (true, hello);
                Vec::new()
            }
            Event::Calm(turn) => {
                self.inert &= turn != self.turn;
                Vec::new()
            }
            Event::Hung => self.end(),
            Event::Key(_) | Event::Paste(_) | Event::Burst { .. } | Event::Resized => Vec::new(),
        }
    }

    /// There will be no more lines: what is on its way is waited for.
    pub fn end(&mut self) -> Vec<Effect> {
        self.ended = true;
        self.quit_if_ended()
    }

    /// Whether it was said that nothing waits, and that still holds.
    pub const fn has_nothing(&self) -> bool {
        self.told_empty && self.current.is_none() && self.wanted.is_none() && self.sending.is_none()
    }

    fn quit_if_ended(&self) -> Vec<Effect> {
        let busy = self.sending.is_some() || (self.held.is_some() && !self.prompt().is_some_and(|(_, hidden)| hidden));
        if self.ended && !busy { vec![Effect::Quit] } else { Vec::new() }
    }

    /// A line, or several that came at once: one answer.
    pub fn typed(&mut self, text: &str) -> Vec<Effect> {
        if self.proving {
            return vec![Effect::Prove(text.trim_end_matches(['\r', '\n']).to_owned())];
        }
        let line = text.trim();
        let verbatim = matches!(self.current.as_ref().map(|current| current.wants), Some(Wants::Question(at))
            if self.current.as_ref().is_some_and(|current| current.asked.questions[at].kind == QuestionType::Text));
        match line.strip_prefix('/').filter(|rest| !rest.contains('\n')).map(|rest| (read_command(rest), rest)) {
            Some((Some(wish), _)) => return self.wish(wish),
            // A path is a text.
            Some((None, rest)) if !verbatim => {
                self.say(&fill(self.words.not_a_command, &[&plain(rest)]));
                return Vec::new();
            }
            Some((None, _)) | None => {}
        }
        let Some(current) = &mut self.current else { return Vec::new() };
        match current.wants {
            Wants::Nothing => Vec::new(),
            Wants::Comment => {
                if !line.is_empty() {
                    current.comment.push(line.to_owned());
                }
                self.finish()
            }
            Wants::Word => {
                let word = current.word.clone().unwrap_or_default();
                if line == word {
                    return self.send(Some(word));
                }
                self.say(&fill(self.words.wrong_word, &[&plain(&word)]));
                self.ask_again()
            }
            Wants::Question(at) => self.answer(at, text),
        }
    }

    fn done(&mut self, command: &Command, said: &Value) -> Vec<Effect> {
        let words = self.words;
        match command {
            Command::Steps(StepCommand::Stop { release, .. }) => {
                self.say(if *release { words.released } else { words.stopped });
                Vec::new()
            }
            Command::Answer { .. }
            | Command::AnswerPlan { .. }
            | Command::Steps(StepCommand::Decide { .. })
            | Command::Decline { .. } => {
                let declined = matches!(command, Command::Decline { .. });
                let text = if declined { words.declined_it } else { words.sent };
                self.sending = None;
                if let Some(current) = self.current.take() {
                    self.say(&fill(text, &[&plain(&current.asked.title)]));
                    self.rows.retain(|row| row.id != current.asked.id);
                }
                if self.ended { self.quit_if_ended() } else { self.next() }
            }
            Command::Mode { mode: Some(mode), .. } => {
                self.say(&fill(words.mode_now, &[words.mode(*mode)]));
                if let Some(current) = &mut self.current {
                    let session = &mut current.asked.session;
                    session.before_plan = (*mode == Mode::Plan).then_some(session.mode);
                    session.mode = *mode;
                }
                Vec::new()
            }
            Command::Raise => {
                self.say(if said["raised"] == true { words.raised } else { words.no_window });
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn refused(&mut self, command: Box<Command>, code: &str, message: &str) -> Vec<Effect> {
        self.sending = None;
        match code {
            "proof_needed" => {
                (self.held, self.proving) = (Some(command), true);
                match self.hello.surface {
                    Surface::Desktop => vec![Effect::ProveInWindow],
                    Surface::Serve => Vec::new(),
                }
            }
            "settled" | "not_found" => {
                self.current.iter().map(|current| Effect::Look(current.asked.id.clone())).collect()
            }
            _ => {
                self.say(&plain(&self.words.refusal(code, message)));
                self.ask_again();
                self.quit_if_ended()
            }
        }
    }

    pub(super) fn next(&mut self) -> Vec<Effect> {
        if self.wanted.is_some() || !self.here {
            return Vec::new();
        }
        match self.rows.iter().map(|row| &row.id).find(|id| !self.put_off.contains(id)).cloned() {
            Some(id) => {
                self.wanted = Some(id.clone());
                vec![Effect::Look(id)]
            }
            None => {
                if !self.told_empty {
                    self.told_empty = true;
                    self.say(self.words.plain_wait);
                }
                Vec::new()
            }
        }
    }

    fn shown(&mut self, asked: Asked) -> Vec<Effect> {
        let pending = asked.state == Standing::Pending;
        let open = self.current.as_ref().is_some_and(|current| current.asked.id == asked.id);
        if open && !pending && self.sending.as_ref() != Some(&asked.id) {
            self.current = None;
            let proving = std::mem::take(&mut self.proving);
            self.held = None;
            let by = asked.ended.as_ref().and_then(|ended| ended.by);
            self.say(&format!("{}: {}", plain(&asked.title), self.words.ended(asked.state, by)));
            let mut effects = if self.ended { self.quit_if_ended() } else { self.next() };
            effects.extend(proving.then_some(Effect::StopProving));
            return effects;
        }
        if open || self.wanted.take_if(|id| *id == asked.id).is_none() {
            return Vec::new();
        }
        if !pending {
            return self.next();
        }
        let here = asked.decided_here(self.hello.surface);
        self.current = Some(Current {
            wants: if here { Wants::Question(0) } else { Wants::Nothing },
            asked,
            answers: Map::new(),
            comment: Vec::new(),
            commented: false,
            remarks: Vec::new(),
            landing: None,
            remember: None,
            word: None,
        });
        self.told_empty = false;
        self.print();
        (self.inert, self.turn) = (true, self.turn + 1);
        vec![Effect::Calm(self.turn)]
    }
}

pub(super) fn plain(text: &str) -> String {
    SafeText::line(text).plain()
}
