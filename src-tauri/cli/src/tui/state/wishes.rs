//! Commands behind a slash, and the session's mode.

use super::{Effect, Overlay, State};
use crate::tui::command::{self, Wish};
use crate::tui::panel;
use crate::words::fill;
use countersign_core::class::Class;
use countersign_core::id::SessionId;
use countersign_core::mode::Mode;
use countersign_core::safe_text::SafeText;
use countersign_host::{Command, StepCommand};

impl State {
    pub(super) fn command(&mut self, typed: &str) -> Vec<Effect> {
        let Some(wish) = command::read(typed) else {
            self.note = Some(fill(self.words.not_a_command, &[&SafeText::line(typed.trim()).plain()]));
            return Vec::new();
        };
        match wish {
            Wish::Plan => self.switch(|session| session.toggled_plan()),
            Wish::Mode(mode) => self.switch(|session| (session.mode != Mode::Autonomous).then_some(mode)),
            Wish::Skip => {
                let next = self.place_in_queue().map(|(at, _)| at);
                self.later();
                let id = next.and_then(|at| self.rows.get(at).or(self.rows.first())).map(|row| row.id.clone());
                id.map_or_else(Vec::new, |id| self.open(id, false))
            }
            Wish::List => self.later(),
            Wish::Decline(comment) => {
                let Some(panel) = &self.panel else { return Vec::new() };
                let id = panel.asked.id.clone();
                let comment =
                    comment.or_else(|| (!panel.comment.is_blank()).then(|| panel.comment.text().trim().to_owned()));
                self.decide(id.clone(), Command::Decline { id, comment })
            }
            Wish::Comment(text) => {
                if let Some(panel) = &mut self.panel {
                    panel.comment.set(&text);
                }
                Vec::new()
            }
            Wish::Remark(typed) => {
                let remark = panel::remark(&typed);
                match (&mut self.panel, remark) {
                    (Some(panel), Some(remark)) if panel.asked.class == Class::Plan => panel.remark(remark),
                    _ => self.note = Some(self.words.bad_remark.into()),
                }
                Vec::new()
            }
            Wish::Into(mode) => {
                match &mut self.panel {
                    Some(panel) if panel.asked.plan.as_ref().is_some_and(|plan| plan.modes.contains(&mode)) => {
                        panel.landing = Some(mode);
                    }
                    _ => self.note = Some(self.words.switches_nothing.into()),
                }
                Vec::new()
            }
            Wish::Remember(place, until) => {
                match &mut self.panel {
                    Some(panel) if panel.asked.step.as_ref().is_some_and(|step| place < step.offered.len()) => {
                        panel.remember = Some((place, until));
                    }
                    _ => self.note = Some(self.words.never_remembered.into()),
                }
                Vec::new()
            }
            Wish::Stop { release } => match self.session().map(|session| session.id.clone()) {
                Some(session) => vec![Effect::Do(Box::new(Command::Steps(StepCommand::Stop { session, release })))],
                None => {
                    self.note = Some(self.words.no_session.into());
                    Vec::new()
                }
            },
            Wish::Secrets => {
                self.toggle_secrets();
                Vec::new()
            }
            Wish::Open => vec![Effect::Do(Box::new(Command::Raise))],
            Wish::Help => {
                self.overlay = Some(Overlay::Help);
                Vec::new()
            }
            Wish::Quit => vec![Effect::Quit],
        }
    }

    pub(super) fn toggle_secrets(&mut self) {
        self.secrets = !self.secrets;
        self.note = Some(if self.secrets { self.words.secrets_shown } else { self.words.secrets_masked }.into());
    }

    /// Shift+Tab: guided, interactive, plan, and round again.
    pub(super) fn cycle_mode(&mut self) -> Vec<Effect> {
        self.switch(crate::asked::Session::next_mode)
    }

    fn switch(&mut self, to: impl FnOnce(&crate::asked::Session) -> Option<Mode>) -> Vec<Effect> {
        if !self.here {
            self.note = Some(self.words.away.into());
            return Vec::new();
        }
        let found: Option<(SessionId, Option<Mode>)> = self.session().map(|session| (session.id.clone(), to(session)));
        match found {
            Some((session, Some(mode))) => vec![Effect::Do(Box::new(Command::Mode { session, mode: Some(mode) }))],
            Some((_, None)) => {
                self.note = Some(self.words.mode_fixed.into());
                Vec::new()
            }
            None => {
                self.note = Some(self.words.no_session.into());
                Vec::new()
            }
        }
    }
}
