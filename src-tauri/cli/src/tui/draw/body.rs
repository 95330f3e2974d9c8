//! What stands in a request's panel: the question, its options or the text that is typed, and what the keys do.

use super::field;
use crate::tui::field::Field;
use crate::tui::panel::{Panel, Stage};
use crate::tui::state::State;
use crate::tui::theme::Theme;
use crate::tui::wrap::{Piece, safe, wrap};
use crate::words::{Words, fill};
use countersign_core::class::Class;
use countersign_core::question::{Choice, Question, QuestionType};
use countersign_core::safe_text::SafeText;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::ops::Range;

/// Cells that the frame takes.
const FRAME: usize = 4;
/// A terminal narrower than this has no room for a frame.
const FRAMED: usize = 20;

/// The lines within a panel's frame.
pub struct Body {
    /// All of them.
    pub lines: Vec<Line<'static>>,
    /// How many of them, from the top, are to be read before it is decided.
    pub reading: usize,
    /// What is chosen, or typed.
    pub chosen: Range<usize>,
    /// Row and column of the cursor.
    pub cursor: Option<(usize, usize)>,
}

struct Builder<'a> {
    panel: &'a Panel,
    words: &'static Words,
    theme: Theme,
    secrets: bool,
    inert: bool,
    cells: usize,
    body: Body,
}

impl Body {
    /// Of a panel in this many cells, its frame included; `room` is how many lines there are for it.
    pub fn of(panel: &Panel, state: &State, theme: Theme, cells: usize, room: usize) -> Self {
        let cells = if cells >= FRAMED { cells - FRAME } else { cells };
        let body = Self { lines: Vec::new(), reading: 0, chosen: 0..1, cursor: None };
        let mut builder =
            Builder { panel, words: state.words, theme, secrets: state.secrets, inert: state.inert, cells, body };
        builder.build(room >= 12);
        builder.body
    }

    /// In its frame, and how many cells that takes on the left.
    pub fn framed(&self, cells: usize, style: Style) -> (Vec<Line<'static>>, usize) {
        if cells < FRAMED {
            return (self.lines.clone(), 0);
        }
        let inner = cells - FRAME;
        let edge = |left: &str, right: &str| {
            Line::from(Span::styled(format!("{left}{}{right}", "─".repeat(cells - 2)), style))
        };
        let mut lines = vec![edge("╭", "╮")];
        for line in &self.lines {
            let blank = " ".repeat(inner.saturating_sub(line.width()));
            let mut spans = vec![Span::styled("│ ", style)];
            spans.extend(line.spans.iter().cloned());
            spans.extend([Span::raw(blank), Span::styled(" │", style)]);
            lines.push(Line::from(spans));
        }
        lines.push(edge("╰", "╯"));
        (lines, 2)
    }
}

impl Builder<'_> {
    fn add(&mut self, pieces: &[Piece], first: &[Piece], rest: &[Piece]) {
        self.body.lines.extend(wrap(pieces, self.cells, first, rest));
    }

    fn say(&mut self, text: &str, style: Style) {
        self.add(&[(text.to_owned(), style)], &[], &[]);
    }

    fn safe(&self, text: &str, style: Style) -> Vec<Piece> {
        safe(&SafeText::lines(text), style, self.secrets)
    }

    fn build(&mut self, roomy: bool) {
        let (panel, words, theme) = (self.panel, self.words, self.theme);
        let asked = &panel.asked;
        let count = asked.questions.len();
        let mut heading = words.heading(asked.class, &asked.kind).to_owned();
        if let Some(plan) = asked.plan.as_ref().filter(|plan| plan.revision > 1) {
            heading += &format!(" · {}", fill(words.revision, &[&plan.revision.to_string()]));
        }
        if let (Stage::Question(at), true) = (panel.stage, count > 1) {
            heading += &format!(" · {}", fill(words.question_of, &[&(at + 1).to_string(), &count.to_string()]));
        }
        let careful = asked.class == Class::Destructive;
        self.say(&heading, if careful { theme.careful() } else { theme.heading() });
        match panel.stage {
            Stage::Question(at) => {
                if let Some(question) = asked.questions.get(at) {
                    self.question(at, question, roomy);
                }
            }
            Stage::Review => self.review(),
            Stage::Comment => {
                let ask = match asked.class {
                    Class::Plan => words.ask_change,
                    Class::Step | Class::Approval => words.ask_reason,
                    Class::Ask | Class::Ambiguity | Class::Policy | Class::Destructive => words.ask_comment,
                };
                self.say(ask, Style::default());
                self.body.reading = self.body.lines.len();
                self.field(&panel.comment);
            }
            Stage::Word => {
                for question in &asked.questions {
                    let pieces = self.safe(&question.question, Style::default());
                    self.add(&pieces, &[], &[]);
                }
                let word = SafeText::line(&panel.wanted).plain();
                self.say(&fill(words.ask_word, &[&word]), theme.careful());
                self.body.reading = self.body.lines.len();
                self.field(&panel.word);
            }
        }
        if let (Some(mode), true) = (panel.leads_to(), panel.decided_here()) {
            self.say(&fill(words.leads_to, &[words.mode(mode)]), theme.faint());
        }
        if let Some((place, until)) = panel.remember {
            let offered = asked.step.as_ref().and_then(|step| step.offered.get(place)).cloned().unwrap_or_default();
            let offered = SafeText::line(&offered).plain();
            self.say(&fill(words.remembers, &[&offered, words.until(until)]), theme.faint());
        }
        for remark in &panel.remarks {
            let text = SafeText::lines(&remark.text).revealed();
            self.say(&fill(words.remark_is, &[&remark.line.to_string(), &text]), theme.faint());
        }
        if !panel.comment.is_blank() && panel.stage != Stage::Comment {
            let comment = SafeText::lines(panel.comment.text()).revealed();
            self.say(&fill(words.comment_is, &[&comment]), theme.faint());
        }
        let hint = if self.inert { "…".to_owned() } else { self.hint() };
        self.say(&hint, theme.faint());
    }

    fn question(&mut self, at: usize, question: &Question, roomy: bool) {
        let (words, theme) = (self.words, self.theme);
        let pieces = self.safe(&question.question, Style::default());
        self.add(&pieces, &[], &[]);
        self.besides();
        self.body.reading = self.body.lines.len();
        if roomy {
            self.body.lines.push(Line::default());
        }
        let draft = &self.panel.drafts[at];
        match question.kind {
            QuestionType::Text => {
                if let Some(pattern) = &question.pattern {
                    let pattern = SafeText::line(pattern).plain();
                    self.say(&fill(words.takes_pattern, &[&pattern]), theme.faint());
                }
                self.field(&draft.field);
            }
            QuestionType::Confirm => {
                let labels = words.yes_no(self.panel.asked.class, &self.panel.asked.kind);
                for (n, label) in labels.into_iter().enumerate() {
                    let default = question.default == Some((n == 0).into());
                    self.row(draft.cursor == n, None, None, &[(label.to_owned(), Style::default())], default);
                }
            }
            QuestionType::Choice | QuestionType::MultiChoice => self.options(at, question),
        }
        if !question.required {
            self.say(words.optional, theme.faint());
        }
    }

    fn options(&mut self, at: usize, question: &Question) {
        let draft = &self.panel.drafts[at];
        let many = question.kind == QuestionType::MultiChoice;
        for (n, option) in question.options.iter().enumerate() {
            let label = self.words.option(self.panel.asked.class, &option.label);
            let label = safe(&SafeText::line(label), Style::default(), self.secrets);
            let default = question.default.as_ref().and_then(|default| default.as_str()) == Some(&option.label);
            let mark = many.then(|| draft.marked.get(n).copied().unwrap_or_default());
            let from = self.body.lines.len();
            self.row(draft.cursor == n, mark, Some(n + 1), &label, default);
            self.beside(option, draft.cursor == n);
            if draft.cursor == n && !draft.typing {
                self.body.chosen = from..self.body.lines.len();
            }
        }
        if question.allow_other {
            let chosen = draft.cursor == question.options.len();
            let mark = many.then(|| !draft.field.is_blank());
            self.row(chosen, mark, None, &[(self.words.other.to_owned(), Style::default())], false);
            if draft.typing || !draft.field.is_blank() {
                self.typed(&draft.field, draft.typing);
            }
        }
    }

    /// What explains an option; a longer sample of the chosen one.
    fn beside(&mut self, option: &Choice, chosen: bool) {
        let indent = [("     ".to_owned(), Style::default())];
        if let Some(text) = &option.description {
            let pieces = self.safe(text, self.theme.faint());
            self.add(&pieces, &indent, &indent);
        }
        if let Some(text) = option.preview.as_ref().filter(|_| chosen) {
            let bar = [("   │ ".to_owned(), self.theme.faint())];
            let pieces = self.safe(text, self.theme.code());
            self.add(&pieces, &bar, &bar);
        }
    }

    fn row(&mut self, chosen: bool, mark: Option<bool>, number: Option<usize>, label: &[Piece], default: bool) {
        let chosen = chosen && self.panel.decided_here();
        let style = if chosen { self.theme.chosen() } else { Style::default() };
        let mut lead = if chosen { "❯ " } else { "  " }.to_owned();
        lead += match mark {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => "",
        };
        lead += &number.map(|n| format!("{n}. ")).unwrap_or_default();
        let blank = " ".repeat(crate::tui::wrap::width(&lead));
        let mut pieces: Vec<Piece> = label.iter().map(|(text, own)| (text.clone(), style.patch(*own))).collect();
        if default {
            pieces.push((format!(" {}", self.words.by_default), self.theme.faint()));
        }
        let from = self.body.lines.len();
        self.add(&pieces, &[(lead, style)], &[(blank, style)]);
        if chosen {
            self.body.chosen = from..self.body.lines.len();
        }
    }

    fn field(&mut self, field: &Field) {
        self.typed(field, self.panel.decided_here());
    }

    fn typed(&mut self, field: &Field, cursor: bool) {
        let (lines, (row, column)) = field::lines(field, self.cells.saturating_sub(2).max(1), false);
        let from = self.body.lines.len();
        for (at, line) in lines.into_iter().enumerate() {
            let sign = if at == 0 { "> " } else { "  " };
            self.body.lines.push(Line::from(vec![Span::styled(sign, self.theme.faint()), Span::raw(line)]));
        }
        if cursor {
            self.body.cursor = Some((from + row, column + 2));
            self.body.chosen = from + row..from + row + 1;
        }
    }

    /// Who asks, where that matters most, and what is claimed of the person.
    fn besides(&mut self) {
        let (asked, words) = (&self.panel.asked, self.words);
        if matches!(asked.class, Class::Plan | Class::Destructive) {
            let text = match asked.program() {
                Some((path, pid, folder)) => {
                    let path = SafeText::line(&path).plain();
                    let through = folder.map(|folder| fill(words.through, &[&SafeText::line(&folder).plain()]));
                    fill(words.program, &[&path, &pid.to_string()]) + &through.unwrap_or_default()
                }
                None => words.program_unknown.to_owned(),
            };
            self.say(&text, self.theme.faint());
        }
        if let Some((destination, replaces)) = &asked.file {
            let named = [(words.file_goes, destination), (words.file_replaces, replaces)];
            for (text, path) in named.into_iter().filter_map(|(text, path)| Some((text, path.as_deref()?))) {
                self.say(&fill(text, &[&SafeText::line(path).plain()]), self.theme.faint());
            }
            self.say(words.file_limit, self.theme.faint());
        }
        for claim in &asked.claims {
            let (before, after) = words.claims.split_once("{}").unwrap_or((words.claims, ""));
            let mut pieces = vec![(before.to_owned(), self.theme.note())];
            pieces.extend(safe(&SafeText::line(claim), self.theme.note(), self.secrets));
            pieces.push((after.to_owned(), self.theme.note()));
            self.add(&pieces, &[], &[]);
        }
    }

    fn review(&mut self) {
        self.say(self.words.review, Style::default());
        for (at, question) in self.panel.asked.questions.iter().enumerate() {
            let lead = [(format!("{}. ", at + 1), self.theme.faint())];
            let rest = [("   ".to_owned(), Style::default())];
            let pieces = self.safe(&question.question, self.theme.faint());
            self.add(&pieces, &lead, &rest);
            let answer = match self.panel.value(at) {
                None => self.words.left_out.to_owned(),
                Some(value) => self.in_words(question, &value),
            };
            let answer = SafeText::lines(&answer).revealed();
            self.add(&[(answer, self.theme.heading())], &rest, &rest);
        }
        self.body.reading = self.body.lines.len();
        self.body.chosen = self.body.reading..self.body.reading + 1;
    }

    fn in_words(&self, question: &Question, value: &serde_json::Value) -> String {
        match countersign_core::answer::check_one(question, value) {
            Ok(countersign_core::answer::Answer::Confirm(yes)) => {
                self.words.yes_no(self.panel.asked.class, &self.panel.asked.kind)[usize::from(!yes)].to_owned()
            }
            Ok(answer) => answer.line(),
            Err(_) => value.to_string(),
        }
    }

    fn hint(&self) -> String {
        let (panel, words) = (self.panel, self.words);
        if !panel.decided_here() {
            let plan = self.panel.asked.plan.is_some().then(|| format!(" · {}", words.hint_plan_read));
            return words.hint_window.to_owned() + &plan.unwrap_or_default();
        }
        let (at, question) = match (panel.stage, panel.question()) {
            (Stage::Question(_), Some(question)) => question,
            (Stage::Comment, _) => return words.hint_comment.to_owned(),
            (Stage::Word, _) => return words.hint_word.to_owned(),
            (Stage::Review | Stage::Question(_), _) => return words.hint_review.to_owned(),
        };
        let typing = panel.drafts[at].typing;
        let mut parts = vec![match (panel.asked.class, question.kind) {
            (Class::Plan, _) => words.hint_plan,
            (Class::Step, QuestionType::Confirm) => words.hint_step,
            (_, QuestionType::Text) => words.hint_text,
            _ if typing => words.hint_own,
            (_, QuestionType::MultiChoice) => words.hint_mark,
            (_, QuestionType::Choice) => words.hint_choose,
            (_, QuestionType::Confirm) => words.hint_confirm,
        }];
        if panel.asked.plan.is_some() {
            parts.push(words.hint_plan_read);
        }
        if !question.required && question.kind != QuestionType::Text && !typing {
            parts.push(words.hint_leave_out);
        }
        if at > 0 && question.kind != QuestionType::Text && !typing {
            parts.push(words.hint_back);
        }
        parts.join(" · ")
    }
}
