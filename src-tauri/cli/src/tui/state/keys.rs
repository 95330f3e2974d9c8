//! What each key does to the whole screen; what it does to a request's answers is the panel's.

use super::{Effect, Overlay, Place, State};
use crate::answer::elsewhere;
use crate::tui::field::Field;
use crate::tui::panel::{Panel, Turn};
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::plan::{Outcome, QUESTION};
use countersign_host::{Command, StepCommand};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Whether a key could decide or type something, and not only move.
const fn acts(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Enter | KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Delete | KeyCode::BackTab)
}

impl State {
    pub(super) fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c')) {
            return vec![Effect::Quit];
        }
        if self.inert && acts(key) {
            return self.calm_down();
        }
        self.note = None;
        match self.overlay.take() {
            Some(overlay) => self.key_over(overlay, key),
            None if control && key.code == KeyCode::Char('o') => {
                self.overlay = Some(Overlay::Command(Field::default()));
                Vec::new()
            }
            None if key.code == KeyCode::BackTab => self.cycle_mode(),
            None => match self.place {
                Place::Panel => self.key_panel(key),
                Place::List => self.key_list(key),
                Place::Empty => self.key_empty(key),
            },
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> Vec<Effect> {
        if self.inert {
            return self.calm_down();
        }
        match &mut self.overlay {
            Some(Overlay::Proof(proof)) if !proof.in_window => proof.field.insert_line(text),
            Some(Overlay::Command(field)) => field.insert_line(text),
            Some(Overlay::Proof(_) | Overlay::Help | Overlay::Ended { .. }) => {}
            None => {
                if let Some(panel) = &mut self.panel {
                    let turn = panel.paste(text);
                    return self.turn(turn);
                }
            }
        }
        Vec::new()
    }

    /// What was typed goes where it is typed; what was not, nowhere where it would decide.
    pub(super) fn burst(&mut self, text: &str, enter: bool) -> Vec<Effect> {
        let typing = match &self.overlay {
            Some(Overlay::Proof(proof)) => !proof.in_window,
            Some(Overlay::Command(_)) => true,
            Some(Overlay::Help | Overlay::Ended { .. }) => false,
            None => self.panel.as_mut().is_some_and(|panel| panel.typing().is_some()),
        };
        let command = text.strip_prefix('/').filter(|_| !typing && enter && self.overlay.is_none());
        if let (Some(command), false) = (command, self.inert) {
            return self.command(command);
        }
        let mut effects = self.paste(text);
        if enter && typing && !self.inert {
            effects.extend(self.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE)));
        }
        effects
    }

    fn key_over(&mut self, mut overlay: Overlay, key: KeyEvent) -> Vec<Effect> {
        match &mut overlay {
            Overlay::Help => return Vec::new(),
            Overlay::Ended { .. } => {
                if !matches!(key.code, KeyCode::Enter | KeyCode::Esc) {
                    self.overlay = Some(overlay);
                }
                return Vec::new();
            }
            Overlay::Proof(proof) => match key.code {
                KeyCode::Esc => {
                    self.held = None;
                    return vec![Effect::StopProving];
                }
                KeyCode::Enter if !proof.in_window && !proof.busy && !proof.field.text().is_empty() => {
                    (proof.busy, proof.wrong) = (true, None);
                    let typed = proof.field.text().to_owned();
                    self.overlay = Some(overlay);
                    return vec![Effect::Prove(typed)];
                }
                _ if !proof.in_window && !proof.busy => edit(&mut proof.field, key),
                _ => {}
            },
            Overlay::Command(field) => match key.code {
                KeyCode::Esc => return Vec::new(),
                KeyCode::Backspace if field.text().is_empty() => return Vec::new(),
                KeyCode::Enter => {
                    let typed = field.text().to_owned();
                    return self.command(&typed);
                }
                _ => edit(field, key),
            },
        }
        self.overlay = Some(overlay);
        Vec::new()
    }

    fn key_panel(&mut self, key: KeyEvent) -> Vec<Effect> {
        let typing = self.panel.as_mut().is_some_and(|panel| panel.typing().is_some());
        match key.code {
            KeyCode::Tab => return self.step(1),
            KeyCode::Left if !typing => return self.step(-1),
            KeyCode::Right if !typing => return self.step(1),
            KeyCode::Char(c) if !typing && key.modifiers.is_empty() => {
                if let Some(effects) = self.shortcut(c) {
                    return effects;
                }
            }
            _ => {}
        }
        let Some(panel) = &mut self.panel else { return Vec::new() };
        let turn = panel.key(key);
        if turn == Turn::Unused && key.code == KeyCode::Esc {
            return self.later();
        }
        self.turn(turn)
    }

    fn key_list(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Up => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Down => self.cursor = (self.cursor + 1).min(self.rows.len().saturating_sub(1)),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(10),
            KeyCode::PageDown => self.cursor = (self.cursor + 10).min(self.rows.len().saturating_sub(1)),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.rows.len().saturating_sub(1),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Right => return self.open_chosen(),
            KeyCode::Char('q') if key.modifiers.is_empty() => return vec![Effect::Quit],
            KeyCode::Char(c) if key.modifiers.is_empty() => return self.shortcut(c).unwrap_or_default(),
            _ => {}
        }
        Vec::new()
    }

    fn key_empty(&mut self, key: KeyEvent) -> Vec<Effect> {
        match key.code {
            KeyCode::Up => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Down => self.cursor = (self.cursor + 1).min(self.sessions.len().saturating_sub(1)),
            KeyCode::Char('q') if key.modifiers.is_empty() => return vec![Effect::Quit],
            KeyCode::Char(c) if key.modifiers.is_empty() => return self.shortcut(c).unwrap_or_default(),
            _ => {}
        }
        Vec::new()
    }

    /// Keys that mean the same wherever nothing is typed.
    fn shortcut(&mut self, c: char) -> Option<Vec<Effect>> {
        match c {
            '/' => self.overlay = Some(Overlay::Command(Field::default())),
            '?' => self.overlay = Some(Overlay::Help),
            'v' => self.toggle_secrets(),
            'o' => return Some(vec![Effect::Do(Box::new(Command::Raise))]),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn open_chosen(&mut self) -> Vec<Effect> {
        let Some(id) = self.rows.get(self.cursor).map(|row| row.id.clone()) else { return Vec::new() };
        self.put_off.remove(&id);
        self.open(id, false)
    }

    /// The request before the open one, or the next.
    fn step(&mut self, by: isize) -> Vec<Effect> {
        let (Some((at, count)), true) = (self.place_in_queue(), self.rows.len() > 1) else { return Vec::new() };
        let next = (at - 1 + count).saturating_add_signed(by) % count;
        let id = self.rows[next].id.clone();
        self.open(id, false)
    }

    /// It stays pending.
    pub(super) fn later(&mut self) -> Vec<Effect> {
        let left: Option<RequestId> = self.panel.as_ref().map(|panel| panel.asked.id.clone());
        self.leave();
        self.show_list();
        self.inert = false;
        if let Some(id) = left {
            self.cursor = self.rows.iter().position(|row| row.id == id).unwrap_or(self.cursor);
            self.put_off.insert(id);
        }
        Vec::new()
    }

    fn turn(&mut self, turn: Turn) -> Vec<Effect> {
        match turn {
            Turn::Taken | Turn::Unused => Vec::new(),
            Turn::Say(say) => {
                self.say(say);
                Vec::new()
            }
            Turn::Send { answers, comment, typed } => {
                let Some(id) = self.panel.as_ref().map(|panel| panel.asked.id.clone()) else { return Vec::new() };
                let command = match &self.panel {
                    Some(panel) if panel.asked.class == Class::Plan => {
                        let run = answers.get(QUESTION).is_some_and(|answer| answer == Outcome::Run.label());
                        let mode = panel.picked().filter(|_| run);
                        let remarks = panel.remarks.clone();
                        Command::AnswerPlan { id: id.clone(), answers, comment, remarks, mode }
                    }
                    Some(Panel { remember: Some((place, until)), .. }) => {
                        let allow = answers.values().any(|answer| answer == true);
                        let remember = Some((*place, until.word().to_owned()));
                        let id = id.clone();
                        Command::Steps(StepCommand::Decide { id, allow, edited: None, remember, comment })
                    }
                    Some(panel) => {
                        let answers = elsewhere(&panel.asked.kind, answers);
                        Command::Answer { id: id.clone(), answers, comment, typed }
                    }
                    None => Command::Answer { id: id.clone(), answers, comment, typed },
                };
                self.decide(id, command)
            }
        }
    }

    pub(super) fn decide(&mut self, id: RequestId, command: Command) -> Vec<Effect> {
        if !self.here {
            self.note = Some(self.words.away.into());
            return Vec::new();
        }
        // Once: a second Enter sends nothing.
        if self.sending.is_some() {
            return Vec::new();
        }
        self.sending = Some(id);
        vec![Effect::Do(Box::new(command))]
    }
}

/// The keys of a text of one line.
fn edit(field: &mut Field, key: KeyEvent) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('u') if control => field.delete_line(),
        KeyCode::Char('w') if control => field.delete_word(),
        KeyCode::Char('a') if control => field.home(),
        KeyCode::Char('e') if control => field.end(),
        KeyCode::Char(c) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
            field.insert(c.encode_utf8(&mut [0; 4]));
        }
        KeyCode::Backspace => field.backspace(),
        KeyCode::Delete => field.delete(),
        KeyCode::Left => field.left(),
        KeyCode::Right => field.right(),
        KeyCode::Home => field.home(),
        KeyCode::End => field.end(),
        _ => {}
    }
}
