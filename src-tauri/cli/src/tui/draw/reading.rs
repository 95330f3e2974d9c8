//! What is read above a panel: the request's context, or of a plan its lines, its changes and the ones before it.

use crate::asked::{Look, StepSeen};
use crate::tui::markdown::{self, Draw};
use crate::tui::panel::{Panel, View};
use crate::tui::wrap::{safe, wrap};
use crate::words::{Words, fill};
use countersign_core::safe_text::SafeText;
use ratatui::style::Style;
use ratatui::text::Line;

/// The lines of it.
pub fn lines(panel: &Panel, words: &'static Words, cells: usize, draw: Draw) -> Vec<Line<'static>> {
    let text = panel.asked.context.as_deref().unwrap_or_default();
    let plan = panel.asked.plan.as_ref();
    let plain = |text: &str, style: Style| wrap(&[(text.to_owned(), style)], cells, &[], &[]);
    if let Some(step) = &panel.asked.step {
        return self::step(step, words, cells, draw);
    }
    let mut lines = match (panel.view, plan) {
        (View::Rendered, _) | (_, None) => markdown::lines(text, cells, draw),
        (View::Lines, Some(_)) => {
            let count = text.lines().count();
            let digits = count.to_string().len();
            // Judged as one text: a secret is one over several lines too.
            let pieces = safe(&SafeText::lines(text), Style::default(), draw.secrets);
            let all: String = pieces.into_iter().map(|(text, _)| text).collect();
            let numbered = |(at, line): (usize, &str)| {
                let number = [(format!("{:>digits$} │ ", at + 1), draw.theme.faint())];
                let rest = [(format!("{:>digits$} │ ", ""), draw.theme.faint())];
                let remarked = panel.remarks.iter().any(|remark| remark.line as usize == at + 1);
                let style = if remarked { draw.theme.note() } else { Style::default() };
                wrap(&[(line.to_owned(), style)], cells, &number, &rest)
            };
            all.lines().enumerate().flat_map(numbered).collect()
        }
        (View::Changes, Some(plan)) => match plan.changes.as_deref() {
            None => plain(words.first_revision, draw.theme.note()),
            Some("") => plain(words.unchanged, draw.theme.note()),
            Some(changes) => {
                let safe = SafeText::lines(changes);
                let all = if draw.secrets { safe.revealed() } else { safe.plain() };
                let line = |line: &str| {
                    let style = match line.chars().next() {
                        Some('+') => draw.theme.added(),
                        Some('-') => draw.theme.removed(),
                        _ => draw.theme.faint(),
                    };
                    plain(line, style)
                };
                all.lines().flat_map(line).collect()
            }
        },
        (View::Previous, Some(plan)) if plan.previous.is_empty() => plain(words.no_previous, draw.theme.note()),
        (View::Previous, Some(plan)) => {
            let mut lines = Vec::new();
            for past in &plan.previous {
                let revision = fill(words.revision, &[&past.revision.to_string()]);
                let title = SafeText::line(&past.title).plain();
                let head = format!("{revision} · {} · {title}", words.plan_outcome(&past.outcome));
                lines.extend(plain(&head, draw.theme.heading()));
                for said in &past.said {
                    let indent = [("  ".to_owned(), Style::default())];
                    let pieces = safe(&SafeText::lines(said), Style::default(), draw.secrets);
                    lines.extend(wrap(&pieces, cells, &indent, &indent));
                }
            }
            lines
        }
    };
    if panel.asked.context.is_none() && panel.view == View::Rendered {
        lines.clear();
    }
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

fn step(step: &StepSeen, words: &'static Words, cells: usize, draw: Draw) -> Vec<Line<'static>> {
    let all = step.lines(words);
    // Judged as one text: a secret may stand in several lines, and what hides in one is seen in its neighbours.
    let texts: Vec<&str> = all.iter().map(|(_, text)| text.as_str()).collect();
    let safe = SafeText::lines(&texts.join("\n"));
    let shown = if draw.secrets { safe.revealed() } else { safe.plain() };
    let looks = all.iter().map(|(look, _)| *look).chain(std::iter::repeat(Look::Text));
    let line = |(text, look): (&str, Look)| {
        let style = match look {
            Look::Head => draw.theme.heading(),
            Look::Beware => draw.theme.careful(),
            Look::Name => draw.theme.faint(),
            Look::Text => Style::default(),
            Look::Added => draw.theme.added(),
            Look::Removed => draw.theme.removed(),
        };
        wrap(&[(text.to_owned(), style)], cells, &[], &[("  ".to_owned(), Style::default())])
    };
    let mut lines: Vec<_> = shown.lines().zip(looks).flat_map(line).collect();
    lines.push(Line::default());
    lines
}
