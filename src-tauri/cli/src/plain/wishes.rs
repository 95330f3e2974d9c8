//! What a line comes to that is a command.

use super::state::Plain;
use crate::tui::event::Effect;
use crate::tui::{Wish, remark};
use crate::words::fill;
use countersign_core::class::Class;
use countersign_core::mode::Mode;
use countersign_host::{Command, StepCommand};

impl Plain {
    pub(super) fn wish(&mut self, wish: Wish) -> Vec<Effect> {
        let words = self.words;
        match wish {
            Wish::Quit => return vec![Effect::Quit],
            Wish::Help => words.plain_help.lines().for_each(|line| self.say(line)),
            Wish::List => self.print_list(),
            Wish::Secrets => {
                self.secrets = !self.secrets;
                self.say(if self.secrets { words.secrets_shown } else { words.secrets_masked });
                self.print();
            }
            Wish::Open => return vec![Effect::Do(Box::new(Command::Raise))],
            Wish::Skip => {
                if let Some(current) = self.current.take() {
                    self.put_off.insert(current.asked.id);
                }
                return self.next();
            }
            Wish::Remark(typed) => match (&mut self.current, remark(&typed)) {
                (Some(current), Some(remark)) if current.asked.class == Class::Plan => current.remarks.push(remark),
                _ => self.say(words.bad_remark),
            },
            Wish::Into(mode) => match &mut self.current {
                Some(current) if current.asked.plan.as_ref().is_some_and(|plan| plan.modes.contains(&mode)) => {
                    current.landing = Some(mode);
                    self.say(&fill(words.leads_to, &[words.mode(mode)]));
                }
                _ => self.say(words.switches_nothing),
            },
            Wish::Remember(place, until) => match &mut self.current {
                Some(current) if current.asked.step.as_ref().is_some_and(|step| place < step.offered.len()) => {
                    current.remember = Some((place, until));
                }
                _ => self.say(words.never_remembered),
            },
            Wish::Stop { release } => match self.current.as_ref().map(|current| current.asked.session.id.clone()) {
                Some(session) => {
                    return vec![Effect::Do(Box::new(Command::Steps(StepCommand::Stop { session, release })))];
                }
                None => self.say(words.no_session),
            },
            Wish::Comment(text) => {
                if let Some(current) = &mut self.current {
                    current.comment.push(text);
                }
            }
            Wish::Decline(comment) => {
                let Some(current) = &self.current else { return Vec::new() };
                let id = current.asked.id.clone();
                let comment = comment.or_else(|| (!current.comment.is_empty()).then(|| current.comment.join("\n")));
                self.sending = Some(id.clone());
                return vec![Effect::Do(Box::new(Command::Decline { id, comment }))];
            }
            Wish::Plan | Wish::Mode(_) => {
                let Some(session) = self.current.as_ref().map(|current| &current.asked.session) else {
                    self.say(words.no_session);
                    return Vec::new();
                };
                let mode = match wish {
                    Wish::Mode(mode) => (session.mode != Mode::Autonomous).then_some(mode),
                    _ => session.toggled_plan(),
                };
                let id = session.id.clone();
                match mode {
                    Some(mode) => return vec![Effect::Do(Box::new(Command::Mode { session: id, mode: Some(mode) }))],
                    None => self.say(words.mode_fixed),
                }
            }
        }
        Vec::new()
    }
}
