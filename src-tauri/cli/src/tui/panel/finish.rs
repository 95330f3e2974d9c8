//! The way from answers to what is sent: what Enter never does, what must have been read, a comment, and the word that a yes takes.

use super::{Panel, Say, Stage, Turn};
use crate::asked::Asked;
use countersign_core::answer;
use countersign_core::class::Class;
use countersign_core::who_may_decide::is_no;
use serde_json::{Map, Value};

impl Panel {
    pub(super) fn enter_comment(&mut self) -> Turn {
        match self.back_to.take() {
            Some(stage) => {
                self.stage = stage;
                Turn::Taken
            }
            None => self.finish(),
        }
    }

    /// All is answered: sends it, or says what is missing.
    pub(super) fn finish(&mut self) -> Turn {
        let turn = self.send();
        if !matches!(turn, Turn::Taken) {
            self.meant = false;
        }
        turn
    }

    fn send(&mut self) -> Turn {
        if !self.decided_here() {
            return Turn::Say(Say::InWindow);
        }
        let values = (0..self.asked.questions.len()).filter_map(|at| {
            let id = self.asked.questions[at].id.clone();
            self.value(at).map(|value| (id, value))
        });
        let given: Map<String, Value> = values.collect();
        let checked = match answer::check(&self.asked.questions, &given) {
            Ok(checked) => checked,
            Err(error) => return Turn::Say(Say::Wrong(error.to_string())),
        };
        if !is_no(self.asked.class, &checked) && !self.asked.harmless() {
            if !self.end_seen {
                let page = isize::try_from(self.measured.page.max(2) - 1).unwrap_or(1);
                self.scroll(page);
                return Turn::Say(Say::ReadToEnd);
            }
            if let (false, Some(key)) = (self.meant, key_instead_of_enter(&self.asked)) {
                return Turn::Say(Say::EnterNever(key));
            }
        }
        if self.asked.wants_comment(&checked) && !self.commented && self.comment.is_blank() {
            self.commented = true;
            self.stage = Stage::Comment;
            return Turn::Taken;
        }
        let typed = self.asked.word_for(&checked);
        if let Some(word) = &typed {
            if self.stage != Stage::Word {
                self.word.clear();
                self.wanted = word.clone();
                self.stage = Stage::Word;
                return Turn::Taken;
            }
            if self.word.text().trim() != word {
                return Turn::Say(Say::WrongWord(word.clone()));
            }
        }
        let comment = (!self.comment.is_blank()).then(|| self.comment.text().trim().to_owned());
        Turn::Send { answers: given, comment, typed }
    }
}

/// The key that says yes where Enter never does.
fn key_instead_of_enter(asked: &Asked) -> Option<char> {
    match asked.class {
        Class::Plan => Some('r'),
        Class::Step => asked.step.as_ref().is_none_or(|step| !step.enter).then_some('a'),
        // A word is typed there, which no Enter of another's types.
        Class::Destructive => None,
        Class::Ask | Class::Ambiguity | Class::Policy | Class::Approval => None,
    }
}
