//! What each key does while a question is answered or something is typed.

use super::{Panel, Say, Stage, Turn, Until, digit, rows};
use countersign_core::answer;
use countersign_core::class::Class;
use countersign_core::plan::Outcome;
use countersign_core::question::QuestionType;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

impl Panel {
    pub(super) fn key_question(&mut self, at: usize, code: KeyCode) -> Turn {
        let Some(question) = self.asked.questions.get(at) else { return Turn::Unused };
        let rows = rows(question);
        let many = question.kind == QuestionType::MultiChoice;
        match code {
            KeyCode::Up => self.choose(at, |cursor| cursor.saturating_sub(1)),
            KeyCode::Down => self.choose(at, |cursor| (cursor + 1).min(rows.saturating_sub(1))),
            KeyCode::Enter if !self.measured.chosen && self.measured.page > 0 => {
                // What is not on the screen is not chosen by a key.
                self.follow = true;
                Turn::Taken
            }
            KeyCode::Enter => self.enter(at),
            KeyCode::Char(' ') if many => self.mark(at, self.drafts[at].cursor),
            KeyCode::Char(' ') => self.scroll(isize::try_from(self.measured.page.max(2) - 1).unwrap_or(1)),
            KeyCode::Backspace | KeyCode::Char('b') if at > 0 => self.go(at - 1),
            KeyCode::Char('x') | KeyCode::Delete if !question.required => {
                self.drafts[at].left_out = true;
                self.next(at)
            }
            KeyCode::Char(c) => match digit(c).filter(|n| *n < question.options.len()) {
                Some(n) if many => {
                    self.choose(at, |_| n);
                    self.mark(at, n)
                }
                Some(n) => self.choose(at, |_| n),
                None => self.letter(c),
            },
            _ => Turn::Unused,
        }
    }

    /// Letters that decide by themselves: where Enter does not, and those of a yes and a no.
    pub(super) fn letter(&mut self, c: char) -> Turn {
        let at = match self.stage {
            Stage::Question(at) => at,
            Stage::Review | Stage::Comment | Stage::Word => 0,
        };
        let confirm = self.asked.questions.get(at).is_some_and(|question| question.kind == QuestionType::Confirm);
        match (self.asked.class, c) {
            (_, '+') if self.decided_here() => {
                self.back_to = Some(self.stage);
                self.stage = Stage::Comment;
                Turn::Taken
            }
            (Class::Plan, 'r' | 'k' | 'c') => {
                let outcome = match c {
                    'r' => Outcome::Run,
                    'k' => Outcome::Keep,
                    _ => Outcome::Cancel,
                };
                self.choose(at, |_| Outcome::ALL.iter().position(|one| *one == outcome).unwrap_or_default());
                self.meant = true;
                self.finish()
            }
            (Class::Step, 'a' | 'd' | 's') if confirm => {
                let offered = self.asked.step.as_ref().is_some_and(|step| !step.offered.is_empty());
                if c == 's' && !offered {
                    return Turn::Say(Say::NeverRemembered);
                }
                self.choose(at, |_| usize::from(c == 'd'));
                // The narrowest of what is offered; another one, or for longer, is what `/remember` is for.
                self.remember = if c == 's' { Some((0, Until::Session)) } else { self.remember };
                self.meant = true;
                self.finish()
            }
            (_, 'y' | 's' | 'n') if confirm => self.choose(at, |_| usize::from(c == 'n')),
            _ => self.plan_letter(c),
        }
    }

    pub(super) fn key_typing(&mut self, key: KeyEvent) -> Turn {
        let one_line = self.stage == Stage::Word;
        let stage = self.stage;
        let Some(field) = self.typing() else { return Turn::Unused };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter if (alt || key.modifiers.contains(KeyModifiers::SHIFT)) && !one_line => field.insert("\n"),
            KeyCode::Char('j') if control && !one_line => field.insert("\n"),
            KeyCode::Enter => {
                return match stage {
                    Stage::Question(at) => self.enter(at),
                    Stage::Comment => self.enter_comment(),
                    Stage::Word => self.finish(),
                    Stage::Review => Turn::Unused,
                };
            }
            KeyCode::Esc => {
                return match stage {
                    Stage::Question(at) if self.drafts[at].typing => {
                        self.drafts[at].typing = false;
                        Turn::Taken
                    }
                    Stage::Comment => {
                        self.stage = self.back_to.take().unwrap_or(Stage::Question(0));
                        (self.commented, self.meant) = (false, false);
                        Turn::Taken
                    }
                    Stage::Word => {
                        self.word.clear();
                        self.stage = Stage::Question(0);
                        Turn::Taken
                    }
                    Stage::Question(_) | Stage::Review => Turn::Unused,
                };
            }
            KeyCode::Char('u') if control => field.delete_line(),
            KeyCode::Char('w') if control => field.delete_word(),
            KeyCode::Char('a') if control => field.home(),
            KeyCode::Char('e') if control => field.end(),
            KeyCode::Char(_) if control || alt => return Turn::Unused,
            KeyCode::Char(c) => field.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => field.backspace(),
            KeyCode::Delete => field.delete(),
            KeyCode::Left => field.left(),
            KeyCode::Right => field.right(),
            KeyCode::Home => field.home(),
            KeyCode::End => field.end(),
            KeyCode::Up | KeyCode::Down => {
                let moved = if key.code == KeyCode::Up { field.up() } else { field.down() };
                if let (false, Stage::Question(at)) = (moved, stage) {
                    // Out of the own words, up to the options.
                    if self.drafts[at].typing && key.code == KeyCode::Up {
                        self.drafts[at].typing = false;
                        return self.choose(at, |cursor| cursor.saturating_sub(1));
                    }
                }
            }
            _ => return Turn::Unused,
        }
        self.follow = true;
        Turn::Taken
    }

    /// A paste: into what is typed, else into the own words, which are not sent by it.
    pub fn paste(&mut self, text: &str) -> Turn {
        let word = self.stage == Stage::Word;
        if let Some(field) = self.typing() {
            if word {
                field.insert_line(text)
            } else {
                field.insert(text)
            }
            self.follow = true;
            return Turn::Taken;
        }
        let Some((at, question)) = self.question() else { return Turn::Say(Say::Pasted) };
        if !question.allow_other || !self.decided_here() {
            return Turn::Say(Say::Pasted);
        }
        let own = question.options.len();
        let draft = &mut self.drafts[at];
        (draft.cursor, draft.typing) = (own, true);
        draft.field.insert(text);
        self.follow = true;
        Turn::Taken
    }

    pub(super) fn enter(&mut self, at: usize) -> Turn {
        if !self.decided_here() {
            return Turn::Say(Say::InWindow);
        }
        let (question, draft) = (&self.asked.questions[at], &mut self.drafts[at]);
        let own_row = question.allow_other && draft.cursor == question.options.len();
        if own_row && !draft.typing && draft.field.is_blank() {
            draft.typing = true;
            return Turn::Taken;
        }
        let required = question.required;
        let (pattern, kind) = (question.pattern.clone(), question.kind);
        draft.left_out = false;
        match self.value(at) {
            Some(value) => match answer::check_one(&self.asked.questions[at], &value) {
                Ok(_) => {
                    self.drafts[at].typing = false;
                    self.next(at)
                }
                Err(error) => Turn::Say(pattern.map_or_else(|| Say::Wrong(error.to_string()), Say::NotPattern)),
            },
            None if !required => {
                self.drafts[at].left_out = true;
                self.next(at)
            }
            None if kind == QuestionType::MultiChoice => Turn::Say(Say::MarkOne),
            None => Turn::Say(Say::NeedsAnswer),
        }
    }

    fn next(&mut self, at: usize) -> Turn {
        if self.asked.questions.len() == 1 {
            return self.finish();
        }
        self.stage = if at + 1 < self.asked.questions.len() { Stage::Question(at + 1) } else { Stage::Review };
        self.follow = true;
        Turn::Taken
    }
}
