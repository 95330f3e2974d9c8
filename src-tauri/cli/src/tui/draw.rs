//! The screen as lines of a terminal of a given size: what is shown where, what scrolls, where the cursor is. Draws no line itself
//! and changes nothing; says what was on the screen, for what may be decided only then.

mod body;
mod field;
mod over;
mod reading;
#[cfg(test)]
mod tests;

use super::markdown;
use super::panel::{Measured, Panel, View};
use super::state::{Overlay, Place, State};
use super::theme::Theme;
use super::wrap::{cut, safe, width, wrap};
use crate::asked::{Progress, Session, Todo};
use crate::words::fill;
use body::Body;
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::safe_text::SafeText;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::rc::Rc;

/// Tasks that are shown at the most.
const TASKS: usize = 8;
/// A panel is no wider: longer lines are hard to read.
const WIDEST: usize = 100;

/// What is drawn.
#[derive(Debug, Default)]
pub struct Screen {
    /// Its lines, from the top; no more than there is room for.
    pub lines: Vec<Line<'static>>,
    /// Column and row of the cursor.
    pub cursor: Option<(u16, u16)>,
    /// How the open request is on it.
    pub measured: Option<Measured>,
}

/// What broken lines were made of.
#[derive(Debug, PartialEq)]
struct Made {
    id: RequestId,
    view: View,
    remarks: usize,
    cells: usize,
    secrets: bool,
}

/// A text that was broken into lines before.
#[derive(Debug, Default)]
pub struct Cache(Option<(Made, Rc<Vec<Line<'static>>>)>);

impl Cache {
    fn lines(&mut self, panel: &Panel, state: &State, cells: usize, theme: Theme) -> Rc<Vec<Line<'static>>> {
        let draw = markdown::Draw { theme, secrets: state.secrets };
        let (id, remarks) = (panel.asked.id.clone(), panel.remarks.len());
        let made = Made { id, view: panel.view, remarks, cells, secrets: state.secrets };
        match &self.0 {
            Some((before, lines)) if *before == made => lines.clone(),
            _ => {
                let lines = Rc::new(reading::lines(panel, state.words, cells, draw));
                self.0 = Some((made, lines.clone()));
                lines
            }
        }
    }
}

/// The screen, `cells` wide and `rows` high.
pub fn screen(state: &State, cache: &mut Cache, theme: Theme, cells: usize, rows: usize) -> Screen {
    if cells < 4 || rows < 2 {
        return Screen { lines: vec![Line::from(cut(state.words.small, cells))], ..Screen::default() };
    }
    let draw = Drawing { state, theme, cells };
    let mut below = draw.note(rows);
    let command = match &state.overlay {
        Some(Overlay::Command(field)) => {
            let row = rows.saturating_sub(2);
            let (lines, (_, column)) = field::lines(field, cells.saturating_sub(2).max(1), false);
            let shown = lines.last().cloned().unwrap_or_default();
            below = vec![Line::from(vec![Span::styled("/", theme.chosen()), Span::raw(shown)])];
            Some((column + 1, row))
        }
        _ => None,
    };
    below.truncate(rows.saturating_sub(2).max(1));
    below.push(draw.status());
    let mut above = Vec::new();
    if rows >= 8
        && let Some(panel) = state.panel.as_ref().filter(|_| state.place == Place::Panel)
    {
        above.push(draw.header(panel));
    }
    let room = rows.saturating_sub(above.len() + below.len());
    let mut middle = match &state.overlay {
        Some(overlay) if !matches!(overlay, Overlay::Command(_)) => draw.over(overlay, room),
        _ => match (state.place, &state.panel) {
            (Place::Panel, Some(panel)) => draw.panel(panel, cache, room),
            (Place::Panel | Place::Empty, _) => draw.empty(room),
            (Place::List, _) => draw.list(room),
        },
    };
    middle.lines.truncate(room);
    middle.lines.resize(room, Line::default());
    let cursor = middle.cursor.map(|(x, y)| (x, y + above.len() as u16));
    let lines = [above, middle.lines, below].concat();
    let cursor = command.map(|(x, y)| (x as u16, y as u16)).or(cursor);
    let inside = |(x, y): &(u16, u16)| usize::from(*x) < cells && usize::from(*y) < rows;
    Screen { lines, cursor: cursor.filter(inside), measured: middle.measured }
}

struct Drawing<'a> {
    state: &'a State,
    theme: Theme,
    cells: usize,
}

impl Drawing<'_> {
    fn line(&self, text: &str, style: Style) -> Line<'static> {
        Line::from(Span::styled(cut(text, self.cells), style))
    }

    fn wrapped(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        wrap(&[(text.to_owned(), style)], self.cells, &[], &[])
    }

    fn header(&self, panel: &Panel) -> Line<'static> {
        let name = |text: &str| SafeText::line(text).plain();
        let text = fill(self.state.words.in_folder, &[&name(&panel.asked.agent), &name(&panel.asked.workspace)]);
        self.line(&text, self.theme.heading())
    }

    /// What is said until the next key; or that the other end is away.
    fn note(&self, rows: usize) -> Vec<Line<'static>> {
        let away = (!self.state.here).then_some(self.state.words.away);
        let texts = away.into_iter().chain(self.state.note.as_deref());
        let mut lines: Vec<_> = texts.flat_map(|text| self.wrapped(text, self.theme.note())).collect();
        lines.truncate((rows / 3).max(1));
        lines
    }

    fn status(&self) -> Line<'static> {
        let words = self.state.words;
        let mut parts = Vec::new();
        if self.state.hello.test_home {
            parts.push(words.test_home.to_owned());
        }
        if let Some(session) = self.state.session() {
            parts.push(fill(words.mode_word, &[words.mode(session.mode)]));
            parts.extend(session.stopped.then(|| words.is_stopped.to_owned()));
        }
        match (self.state.place, self.state.place_in_queue()) {
            (Place::Panel, Some((at, count))) => {
                parts.push(fill(words.place_of, &[&at.to_string(), &count.to_string()]));
            }
            _ => parts.push(fill(words.waiting, &[&self.state.rows.len().to_string()])),
        }
        let hint = match (&self.state.overlay, self.state.place) {
            (Some(Overlay::Command(_)), _) => words.hint_command,
            (Some(_), _) => "",
            (None, Place::List) => words.hint_list,
            (None, Place::Empty) => words.hint_idle,
            (None, Place::Panel) => words.hint_panel,
        };
        let before: usize = parts.iter().map(|part| width(part) + 3).sum();
        let hint = if hint == words.hint_panel && before + 1 + width(hint) > self.cells { "?" } else { hint };
        parts.extend((!hint.is_empty()).then(|| hint.to_owned()));
        let text = cut(&format!(" {}", parts.join(" · ")), self.cells);
        let fill = " ".repeat(self.cells.saturating_sub(width(&text)));
        Line::from(Span::styled(text + &fill, self.theme.status()))
    }

    /// The tasks of a session; none where none is open.
    fn tasks(&self, todos: &[Todo], rows: usize) -> Vec<Line<'static>> {
        if rows < 2 || todos.iter().all(|todo| todo.progress == Progress::Done) {
            return Vec::new();
        }
        let fit = TASKS.min(rows);
        let fit = if todos.len() > fit { fit.min(rows - 1) } else { fit };
        // What is done goes first where there is no room for all.
        let spare = todos.len().saturating_sub(fit);
        let done = todos.iter().take_while(|todo| todo.progress == Progress::Done).count();
        let from = spare.min(done);
        let row = |todo: &Todo| {
            let (sign, style) = match todo.progress {
                Progress::Pending => ("☐", Style::default()),
                Progress::Now => ("◼", self.theme.chosen()),
                Progress::Done => ("☑", self.theme.faint()),
            };
            self.line(&format!("{sign} {}", SafeText::line(&todo.text).plain()), style)
        };
        let mut lines: Vec<_> = todos.iter().skip(from).take(fit).map(row).collect();
        let more = todos.len() - lines.len();
        if more > 0 {
            lines.push(self.line(&fill(self.state.words.more_tasks, &[&more.to_string()]), self.theme.faint()));
        }
        lines
    }

    fn panel(&self, panel: &Panel, cache: &mut Cache, room: usize) -> Screen {
        let cells = self.cells.min(WIDEST);
        let context = cache.lines(panel, self.state, cells, self.theme);
        let body = Body::of(panel, self.state, self.theme, cells, room);
        let careful = matches!(panel.asked.class, Class::Destructive);
        let frame = if careful { self.theme.careful() } else { self.theme.frame() };
        let (boxed, lead) = body.framed(cells, frame);
        let least = context.len().min((room / 3).max(3));
        let mut screen = if boxed.len() + least <= room {
            // The panel stands still, what there is to read scrolls above it.
            let tasks = self.tasks(&panel.asked.session.todos, room - boxed.len() - least);
            let page = context.len().min(room - boxed.len() - tasks.len());
            let max_top = context.len() - page;
            let top = panel.top.min(max_top);
            let mut lines: Vec<_> = context.iter().skip(top).take(page).cloned().collect();
            let end = top + page >= context.len();
            if let (false, Some(last)) = (end, lines.last_mut()) {
                *last = self.line(self.state.words.hint_more, self.theme.note());
            }
            lines.extend(tasks);
            let above = lines.len();
            lines.extend(boxed);
            let cursor = body.cursor.map(|(row, column)| (column + lead, above + usize::from(lead > 0) + row));
            let measured = Measured { top, page, max_top, end, chosen: true };
            Screen { lines, cursor: cursor.map(|(x, y)| (x as u16, y as u16)), measured: Some(measured) }
        } else {
            // All of it scrolls.
            let edge = usize::from(lead > 0);
            let start = context.len() + edge;
            let total = context.len() + boxed.len();
            let max_top = total.saturating_sub(room);
            let mut top = panel.top.min(max_top);
            let (from, to) = (start + body.chosen.start, start + body.chosen.end);
            if panel.follow {
                top = top.max(to.saturating_sub(room)).min(from).min(max_top);
            }
            let mut lines: Vec<_> = context.iter().cloned().chain(boxed).skip(top).take(room).collect();
            let more = top + room < total;
            let shown_to = top + room - usize::from(more && !panel.follow);
            if let (true, false, Some(last)) = (more, panel.follow, lines.last_mut()) {
                *last = self.line(self.state.words.hint_more, self.theme.note());
            }
            let chosen = from >= top && to <= shown_to;
            let end = shown_to >= start + body.reading;
            let measured = Measured { top, page: room, max_top, end, chosen };
            let at = body.cursor.map(|(row, column)| (column + lead, start + row));
            let cursor = at.and_then(|(x, y)| Some((x as u16, y.checked_sub(top).filter(|y| *y < room)? as u16)));
            Screen { lines, cursor, measured: Some(measured) }
        };
        screen.lines.truncate(room);
        screen
    }

    fn session_line(&self, session: &Session) -> String {
        let words = self.state.words;
        let name = |text: &str| SafeText::line(text).plain();
        let who = fill(words.in_folder, &[&name(&session.agent), &name(&session.workspace)]);
        format!("{who} · {}", fill(words.mode_word, &[words.mode(session.mode)]))
    }

    fn empty(&self, room: usize) -> Screen {
        let words = self.state.words;
        let mut lines = self.wrapped(words.waiting_none, self.theme.heading());
        if !self.state.sessions.is_empty() {
            lines.push(Line::default());
            lines.push(self.line(words.sessions, self.theme.faint()));
        }
        for (at, session) in self.state.sessions.iter().enumerate() {
            let chosen = at == self.state.cursor;
            let (sign, style) = if chosen { ("❯ ", self.theme.chosen()) } else { ("  ", Style::default()) };
            lines.push(self.line(&format!("{sign}{}", self.session_line(session)), style));
        }
        if let Some(session) = self.state.sessions.get(self.state.cursor) {
            let tasks = self.tasks(&session.todos, room.saturating_sub(lines.len() + 1));
            if !tasks.is_empty() {
                lines.push(Line::default());
                lines.extend(tasks);
            }
        }
        Screen { lines, ..Screen::default() }
    }

    fn list(&self, room: usize) -> Screen {
        let (count, cursor) = (self.state.rows.len(), self.state.cursor);
        let from = cursor.saturating_sub(room.saturating_sub(2)).min(count.saturating_sub(1));
        let row = |(at, row): (usize, &crate::asked::Row)| {
            let chosen = at == cursor;
            let (sign, style) = if chosen { ("❯ ", self.theme.chosen()) } else { ("  ", Style::default()) };
            let pieces = safe(&SafeText::line(&row.title), style, self.state.secrets);
            let title: String = pieces.into_iter().map(|(text, _)| text).collect();
            let agent = SafeText::line(&row.agent).plain();
            let text = cut(&format!("{sign}{}. {title}", at + 1), self.cells);
            let rest = self.cells.saturating_sub(width(&text) + 3);
            let agent = if rest >= 4 { format!(" · {}", cut(&agent, rest)) } else { String::new() };
            Line::from(vec![Span::styled(text, style), Span::styled(agent, self.theme.faint())])
        };
        let mut lines: Vec<_> = self.state.rows.iter().enumerate().skip(from).take(room).map(row).collect();
        if self.state.more && lines.len() < room {
            lines.push(self.line(self.state.words.more_requests, self.theme.faint()));
        }
        Screen { lines, ..Screen::default() }
    }
}
