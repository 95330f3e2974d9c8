//! Markdown files: where the front matter ends, and what a file without one says in its headings and lists.

use super::fields::Place;
use super::read;
use super::{FileCriterion, FileError, Imported, SpecFile};
use crate::limit;
use crate::markdown::first_heading;
use crate::spec::CriterionState;
use crate::title::fold;

pub(super) fn read(text: &str, name: &str) -> Result<Imported, FileError> {
    read::check_size(text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let place = Place::below(1);
    let (spec, body) = match split(text)? {
        Some((yaml, body)) => (read::yaml(yaml, &place)?, body),
        None => (read::Spec::default(), text),
    };
    let mut notes = place.notes.take();
    let body_line = 1 + text[..text.len() - body.len()].matches('\n').count();
    let mistake = |line: usize, field: &str, error: limit::TextError| FileError {
        line: u32::try_from(body_line + line).unwrap_or(u32::MAX),
        field: Some(field.to_owned()),
        message: error.to_string(),
    };
    limit::check_body("body", body).map_err(|error| mistake(0, "body", error))?;
    if !spec.rest.body.is_empty() {
        notes.push("`body` in the front matter was left out; the body is what follows it".into());
    }
    let title = match spec.title {
        Some(title) => title,
        None => {
            let (line, title) = title_of(body).unwrap_or_else(|| (0, name.trim().to_owned()));
            limit::check_line("title", &title, limit::TITLE_CHARS).map_err(|error| mistake(line, "title", error))?;
            title
        }
    };
    let criteria = match spec.criteria {
        Some(criteria) => criteria,
        None => {
            let listed = listed(body);
            if listed.len() > limit::CRITERIA {
                let message = format!("{} criteria are listed; {} are allowed", listed.len(), limit::CRITERIA);
                let line = u32::try_from(body_line + listed[limit::CRITERIA].line).unwrap_or(u32::MAX);
                return Err(FileError { line, field: Some("criteria".into()), message });
            }
            for item in &listed {
                limit::check_text("criteria", &item.criterion.text, limit::CRITERION_CHARS)
                    .map_err(|error| mistake(item.line, "criteria", error))?;
            }
            if let Some(first) = listed.first() {
                let (count, line) = (listed.len(), body_line + first.line);
                notes.push(format!(
                    "{count} criteria were copied from the list at line {line}; the body keeps the list"
                ));
            }
            unique(listed.into_iter().map(|item| item.criterion).collect())
        }
    };
    Ok(Imported { spec: SpecFile { title, body: body.to_owned(), criteria, ..spec.rest }, notes })
}

/// The front matter and the body, if there is a front matter.
fn split(text: &str) -> Result<Option<(&str, &str)>, FileError> {
    let fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| fence(line)) else { return Ok(None) };
    let mut at = first.len();
    for line in lines {
        if fence(line) {
            return Ok(Some((&text[first.len()..at], &text[at + line.len()..])));
        }
        at += line.len();
    }
    let message = "the front matter doesn't end; put a line `---` after it, or an empty line before the first one";
    Err(FileError { line: 1, field: None, message: message.into() })
}

/// The words of the first heading of the first level, else of the first heading, and their line.
fn title_of(body: &str) -> Option<(usize, String)> {
    let headings: Vec<(usize, Heading<'_>)> = headings(body);
    let first = headings.iter().find(|(_, heading)| heading.level == 1).or(headings.first())?;
    let words = first_heading(&format!("# {}", first.1.text)).unwrap_or_default();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some((first.0, words))
}

/// A heading: its level and its source.
struct Heading<'a> {
    level: usize,
    text: &'a str,
}

fn heading(line: &str) -> Option<Heading<'_>> {
    let line = line.trim_end();
    let inner = line.trim_start_matches(' ');
    let text = inner.trim_start_matches('#');
    let level = inner.len() - text.len();
    let is =
        (1..=6).contains(&level) && line.len() - inner.len() < 4 && (text.is_empty() || text.starts_with([' ', '\t']));
    is.then(|| Heading { level, text: text.trim().trim_end_matches('#').trim_end() })
}

/// Lines, and whether each is code.
fn lines(body: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut fence: Option<&str> = None;
    body.lines().enumerate().map(move |(at, line)| {
        let inner = line.trim_start();
        let marks = ["```", "~~~"].into_iter().find(|marks| inner.starts_with(marks));
        let code = fence.is_some() || marks.is_some();
        match (fence, marks) {
            (None, Some(marks)) => fence = Some(marks),
            (Some(open), Some(marks)) if open == marks => fence = None,
            _ => {}
        }
        (at, line, code)
    })
}

fn headings(body: &str) -> Vec<(usize, Heading<'_>)> {
    lines(body).filter(|(.., code)| !code).filter_map(|(at, line, _)| Some((at, heading(line)?))).collect()
}

/// A criterion and its line in the body, from 0.
struct Listed {
    line: usize,
    criterion: FileCriterion,
    /// How far its text is indented.
    indent: usize,
}

/// The items of the lists under a heading of criteria, up to the next heading of its level.
fn listed(body: &str) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    let (mut section, mut open) = (None, false);
    for (at, line, code) in lines(body) {
        if let Some(heading) = heading(line).filter(|_| !code) {
            open = false;
            if section.is_none_or(|level| heading.level <= level) {
                section = is_criteria(heading.text).then_some(heading.level);
            }
            continue;
        }
        if section.is_none() {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let marked = marker(line.trim_start()).filter(|_| !code);
        let inner = found.last().is_some_and(|last| indent >= last.indent);
        match marked {
            Some(text) if !(open && inner) => {
                let indent = line.len() - text.len();
                found.push(Listed { line: at, criterion: criterion(text), indent });
                open = true;
            }
            // What is indented as its text is, or follows it at once, goes on with it.
            _ if open && (inner || !line.trim().is_empty() && !ends_open(&found)) => {
                if let Some(last) = found.last_mut() {
                    let line = line.get(indent.min(last.indent)..).unwrap_or_default();
                    last.criterion.text.push('\n');
                    last.criterion.text.push_str(line.trim_end());
                }
            }
            _ if open && line.trim().is_empty() => {
                if let Some(last) = found.last_mut() {
                    last.criterion.text.push('\n');
                }
            }
            _ => open = false,
        }
    }
    for listed in &mut found {
        listed.criterion.text.truncate(listed.criterion.text.trim_end().len());
    }
    found.retain(|listed| !listed.criterion.text.is_empty());
    found
}

/// Whether an empty line stands after what was read last.
fn ends_open(found: &[Listed]) -> bool {
    found.last().is_some_and(|last| last.criterion.text.ends_with('\n'))
}

fn is_criteria(heading: &str) -> bool {
    let folded = fold(heading);
    let words = folded.trim_start_matches(|c: char| c.is_numeric() || c == ' ');
    ["acceptance criteria", "criterios de aceptacion", "acceptance criterion", "criterio de aceptacion"]
        .contains(&words)
}

/// What stands behind the mark of a list's item.
fn marker(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line.len() - digits.len();
    let rest = match number {
        0 => line.strip_prefix(['-', '*', '+'])?,
        1..=9 => digits.strip_prefix(['.', ')'])?,
        _ => return None,
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// An item's own marks read: `[x]` and `AC-1:`.
fn criterion(text: &str) -> FileCriterion {
    let boxes = [("[ ]", None), ("[x]", Some(CriterionState::Met)), ("[X]", Some(CriterionState::Met))];
    let boxed = boxes.iter().find_map(|(mark, state)| {
        let rest = text.strip_prefix(mark)?;
        rest.starts_with(char::is_whitespace).then(|| (rest.trim_start(), *state))
    });
    let (text, state) = boxed.unwrap_or((text, None));
    // `AC-1:`, `**AC-1**:`, `AC-1 -`.
    let bare = text.trim_start_matches('*');
    let digits = bare.get(..3).filter(|prefix| prefix.eq_ignore_ascii_case("ac-")).map(|_| &bare[3..]);
    let id = digits.and_then(|digits| {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let behind = digits[length..].trim_start_matches('*').trim_start();
        let rest = behind.strip_prefix([':', '.', ')', '-', '–', '—'])?.trim_start_matches('*').trim_start();
        (1..10).contains(&length).then(|| (format!("AC-{}", &digits[..length]), rest))
    });
    match id {
        Some((id, rest)) => FileCriterion { id: Some(id), text: rest.to_owned(), state, ..FileCriterion::default() },
        None => FileCriterion { text: text.to_owned(), state, ..FileCriterion::default() },
    }
}

/// An id that stands twice in a list names neither.
fn unique(mut criteria: Vec<FileCriterion>) -> Vec<FileCriterion> {
    let mut seen = std::collections::HashSet::new();
    for criterion in &mut criteria {
        if criterion.id.as_ref().is_some_and(|id| !seen.insert(id.clone())) {
            criterion.id = None;
        }
    }
    criteria
}
