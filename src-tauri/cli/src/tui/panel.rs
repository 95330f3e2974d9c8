//! One request on the screen: what was chosen and typed for each of its questions, which of them is being answered, and what
//! each key does. Knows no drawing, no clock and no socket. A key that would decide says what is to be sent, or why not.

mod finish;
mod keys;
mod plan;
#[cfg(test)]
mod tests;

pub use plan::{View, remark};

use super::field::Field;
use crate::asked::Asked;
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::question::{Question, QuestionType};
use countersign_host::Surface;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Map, Value, json};

/// What is being answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// One of the questions.
    Question(usize),
    /// All of them, before they are sent.
    Review,
    /// What the person adds.
    Comment,
    /// The word that a yes takes.
    Word,
}

/// What one question got so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The row that is chosen: an option, or behind them the own answer.
    pub cursor: usize,
    /// Which options are marked.
    pub marked: Vec<bool>,
    /// Whether the own words are being typed.
    pub typing: bool,
    /// Own words.
    pub field: Field,
    /// Whether it is left without an answer.
    pub left_out: bool,
}

/// Why nothing happened, or what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Say {
    /// Nothing is marked.
    MarkOne,
    /// Nothing was answered.
    NeedsAnswer,
    /// The text does not match.
    NotPattern(String),
    /// Its end was not on the screen.
    ReadToEnd,
    /// Another surface decides it.
    InWindow,
    /// This key does.
    EnterNever(char),
    /// Nothing of it can be remembered.
    NeverRemembered,
    /// Running it switches no mode.
    SwitchesNothing,
    /// Another word is wanted.
    WrongWord(String),
    /// A paste where nothing is typed.
    Pasted,
    /// As the rules say it.
    Wrong(String),
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// It meant something here.
    Taken,
    /// It means nothing here.
    Unused,
    /// Say this.
    Say(Say),
    /// Send this.
    Send {
        /// By question id.
        answers: Map<String, Value>,
        /// What the person adds.
        comment: Option<String>,
        /// The word.
        typed: Option<String>,
    },
}

/// Until when an answer to a step holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// As long as the session goes on.
    Session,
    /// An hour.
    Hour,
    /// For good.
    Good,
}

impl Until {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Session, Self::Hour, Self::Good];

    /// The word for the other end.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Hour => "hour",
            Self::Good => "good",
        }
    }
}

/// How much of it was on the screen when it was drawn last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measured {
    /// The first line of it on the screen.
    pub top: usize,
    /// Lines of what scrolls that fit.
    pub page: usize,
    /// The last line that can be at the top.
    pub max_top: usize,
    /// Whether the end of what there is to read was on the screen.
    pub end: bool,
    /// Whether what is chosen is on the screen.
    pub chosen: bool,
}

/// One request on the screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The request.
    pub asked: Asked,
    /// What each question got.
    pub drafts: Vec<Draft>,
    /// What is being answered.
    pub stage: Stage,
    /// What the person adds.
    pub comment: Field,
    /// The word that is being typed.
    pub word: Field,
    /// The word that is wanted.
    pub wanted: String,
    /// The first line of what scrolls.
    pub top: usize,
    /// Whether it scrolls to what is chosen by itself.
    pub follow: bool,
    /// Whether its end was on the screen once.
    pub end_seen: bool,
    /// What is read above it.
    pub view: View,
    /// The mode to which running a plan shall lead.
    pub landing: Option<Mode>,
    /// Remarks on single lines of a plan.
    pub remarks: Vec<GivenRemark>,
    /// What of a step is remembered: the place of what was offered, and until when.
    pub remember: Option<(usize, Until)>,
    measured: Measured,
    surface: Surface,
    /// Where a comment that was wanted by itself leads back to.
    back_to: Option<Stage>,
    commented: bool,
    /// Whether another key than Enter said so.
    meant: bool,
}

impl Panel {
    /// A request as it comes up.
    pub fn new(asked: Asked, surface: Surface) -> Self {
        let draft = |question: &Question| {
            let mut draft = Draft { marked: vec![false; question.options.len()], ..Draft::default() };
            prefill(question, &mut draft);
            // A no is where the cursor stands, unless the question says otherwise.
            if question.kind == QuestionType::Confirm && question.default.is_none() && !asked.harmless() {
                draft.cursor = 1;
            }
            draft
        };
        Self {
            drafts: asked.questions.iter().map(draft).collect(),
            stage: Stage::Question(0),
            comment: Field::default(),
            word: Field::default(),
            wanted: String::new(),
            top: 0,
            follow: asked.harmless(),
            end_seen: false,
            view: View::default(),
            landing: None,
            remarks: Vec::new(),
            remember: None,
            measured: Measured::default(),
            surface,
            back_to: None,
            commented: false,
            meant: false,
            asked,
        }
    }

    /// Another look at the same request: who waits, the mode, the tasks.
    pub fn refresh(&mut self, asked: Asked) {
        self.asked = asked;
    }

    /// How it was drawn.
    pub fn measure(&mut self, measured: Measured) {
        self.measured = measured;
        self.top = measured.top.min(measured.max_top);
        self.end_seen |= measured.end && self.view.is_whole();
    }

    /// The question that is being answered.
    pub fn question(&self) -> Option<(usize, &Question)> {
        match self.stage {
            Stage::Question(at) => self.asked.questions.get(at).map(|question| (at, question)),
            Stage::Review | Stage::Comment | Stage::Word => None,
        }
    }

    /// Whether a terminal here decides it.
    pub const fn decided_here(&self) -> bool {
        self.asked.decided_here(self.surface)
    }

    /// The text that is being typed, if one is.
    pub fn typing(&mut self) -> Option<&mut Field> {
        match self.stage {
            Stage::Comment => Some(&mut self.comment),
            Stage::Word => Some(&mut self.word),
            Stage::Review => None,
            Stage::Question(at) => {
                let text = self.asked.questions.get(at)?.kind == QuestionType::Text;
                let here = self.decided_here();
                self.drafts.get_mut(at).filter(|draft| here && (text || draft.typing)).map(|draft| &mut draft.field)
            }
        }
    }

    /// All that the person typed and did not send.
    pub fn typed(&self) -> Vec<&str> {
        let fields = self.drafts.iter().map(|draft| &draft.field).chain([&self.comment]);
        let typed = fields.filter(|field| !field.is_blank()).map(Field::text);
        typed.chain(self.remarks.iter().map(|remark| remark.text.as_str())).collect()
    }

    /// The answer to a question as it stands; none where there is none.
    pub fn value(&self, at: usize) -> Option<Value> {
        let (question, draft) = (self.asked.questions.get(at)?, self.drafts.get(at)?);
        if draft.left_out {
            return None;
        }
        let own = || (question.allow_other && !draft.field.is_blank()).then(|| draft.field.text().trim());
        match question.kind {
            QuestionType::Confirm => Some(json!(draft.cursor == 0)),
            QuestionType::Text => (!draft.field.is_blank()).then(|| json!(draft.field.text())),
            QuestionType::Choice => match question.options.get(draft.cursor) {
                Some(option) => Some(json!(option.label)),
                None => own().map(|words| json!({"chosen": [], "other": words})),
            },
            QuestionType::MultiChoice => {
                let marked = question.options.iter().zip(&draft.marked).filter(|(_, marked)| **marked);
                let chosen: Vec<&str> = marked.map(|(option, _)| option.label.as_str()).collect();
                match own() {
                    Some(words) => Some(json!({"chosen": chosen, "other": words})),
                    None => (!chosen.is_empty()).then(|| json!(chosen)),
                }
            }
        }
    }

    /// A key. Scrolling is here too; what concerns the whole screen is not.
    pub fn key(&mut self, key: KeyEvent) -> Turn {
        match key.code {
            KeyCode::PageDown => return self.scroll(isize::try_from(self.measured.page.max(2) - 1).unwrap_or(1)),
            KeyCode::PageUp => return self.scroll(-isize::try_from(self.measured.page.max(2) - 1).unwrap_or(1)),
            _ => {}
        }
        if self.typing().is_some() {
            return self.key_typing(key);
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return Turn::Unused;
        }
        match (self.stage, key.code) {
            (_, KeyCode::Home) => self.scroll(isize::MIN / 2),
            (_, KeyCode::End) => self.scroll(isize::MAX / 2),
            (Stage::Review, KeyCode::Enter) => self.finish(),
            (Stage::Review, KeyCode::Backspace | KeyCode::Char('b')) => self.go(self.asked.questions.len() - 1),
            (Stage::Review, KeyCode::Char(c)) => match digit(c).filter(|at| *at < self.asked.questions.len()) {
                Some(at) => self.go(at),
                None => self.letter(c),
            },
            (Stage::Question(at), code) => self.key_question(at, code),
            (Stage::Review | Stage::Comment | Stage::Word, _) => Turn::Unused,
        }
    }

    fn scroll(&mut self, by: isize) -> Turn {
        self.follow = false;
        self.top = self.top.saturating_add_signed(by).min(self.measured.max_top);
        Turn::Taken
    }

    fn choose(&mut self, at: usize, cursor: impl FnOnce(usize) -> usize) -> Turn {
        let draft = &mut self.drafts[at];
        draft.cursor = cursor(draft.cursor);
        draft.left_out = false;
        (self.follow, self.meant) = (true, false);
        Turn::Taken
    }

    fn mark(&mut self, at: usize, row: usize) -> Turn {
        let draft = &mut self.drafts[at];
        match draft.marked.get_mut(row) {
            Some(marked) => *marked = !*marked,
            None => draft.typing = true,
        }
        draft.left_out = false;
        Turn::Taken
    }

    fn go(&mut self, at: usize) -> Turn {
        self.stage = Stage::Question(at);
        self.drafts[at].typing = false;
        self.follow = true;
        Turn::Taken
    }
}

/// How many rows can be chosen.
pub fn rows(question: &Question) -> usize {
    match question.kind {
        QuestionType::Confirm => 2,
        QuestionType::Text => 0,
        QuestionType::Choice | QuestionType::MultiChoice => question.options.len() + usize::from(question.allow_other),
    }
}

/// What a question would take if nobody said otherwise.
fn prefill(question: &Question, draft: &mut Draft) {
    let Some(default) = &question.default else { return };
    let place = |label: &str| question.options.iter().position(|option| option.label == label);
    match question.kind {
        QuestionType::Confirm => draft.cursor = usize::from(default == false),
        QuestionType::Text => draft.field.set(default.as_str().unwrap_or_default()),
        QuestionType::Choice => draft.cursor = default.as_str().and_then(place).unwrap_or_default(),
        QuestionType::MultiChoice => {
            let labels = default.as_array().or_else(|| default["chosen"].as_array());
            for at in labels.into_iter().flatten().filter_map(Value::as_str).filter_map(place) {
                draft.marked[at] = true;
            }
        }
    }
}

fn digit(c: char) -> Option<usize> {
    c.to_digit(10).filter(|n| *n > 0).map(|n| n as usize - 1)
}
