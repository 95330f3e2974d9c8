//! A difference as a unified text.

use super::{ContentDiff, CriterionDiff, CriterionKind, End, Hunk, Line, LineKind, Span};
use std::fmt::Write as _;

pub(super) fn of(diff: &ContentDiff) -> String {
    let mut out = String::new();
    if let Some(title) = &diff.title {
        out.push_str("--- title\n");
        both(&mut out, "", &title.old, &title.new);
    }
    if !diff.body.is_empty() {
        out.push_str("--- body\n");
        diff.body.iter().for_each(|hunk| push_hunk(&mut out, hunk));
    }
    if !diff.criteria.is_empty() {
        out.push_str("--- criteria\n");
        diff.criteria.iter().for_each(|criterion| push_criterion(&mut out, criterion));
    }
    out
}

pub(super) fn of_hunks(hunks: &[Hunk]) -> String {
    let mut out = String::new();
    hunks.iter().for_each(|hunk| push_hunk(&mut out, hunk));
    out
}

fn plain(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

fn both(out: &mut String, label: &str, old: &[Span], new: &[Span]) {
    push(out, '-', label, &plain(old));
    push(out, '+', label, &plain(new));
}

/// A text behind a sign; its further lines stand behind the same sign, so that none of them passes for another.
fn push(out: &mut String, sign: char, label: &str, text: &str) {
    for (at, line) in text.split('\n').enumerate() {
        let indent = if at == 0 { label } else { "    " };
        let _ = writeln!(out, "{sign}{indent}{line}");
    }
}

fn push_hunk(out: &mut String, hunk: &Hunk) {
    let Hunk { old_start, old_lines, new_start, new_lines, .. } = hunk;
    let _ = writeln!(out, "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@");
    for line in &hunk.lines {
        let sign = match line.kind {
            LineKind::Kept => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        };
        let _ = writeln!(out, "{sign}{}{}", plain(&line.spans), end(line));
    }
}

/// What is said of a line's end: only what can't be seen otherwise.
fn end(line: &Line) -> &'static str {
    match (line.end, line.end_changed) {
        (End::None, _) => "\n\\ No newline at end of file",
        (_, false) => "",
        (End::Lf, true) => "⟨LF⟩",
        (End::CrLf, true) => "⟨CRLF⟩",
    }
}

fn push_criterion(out: &mut String, criterion: &CriterionDiff) {
    let check = |check: &Option<String>| check.as_ref().map_or(String::new(), |check| format!(" [check: {check}]"));
    let side = |out: &mut String, sign, text: &[Span], name: &Option<String>| {
        push(out, sign, &format!("{}: ", criterion.id), &format!("{}{}", plain(text), check(name)));
    };
    if criterion.kind == CriterionKind::Removed || criterion.kind == CriterionKind::Changed {
        side(out, '-', &criterion.text.old, &criterion.old_check);
    }
    if criterion.kind == CriterionKind::Added || criterion.kind == CriterionKind::Changed {
        side(out, '+', &criterion.text.new, &criterion.new_check);
    }
    if let (true, Some(from), Some(to)) = (criterion.moved, criterion.from, criterion.to) {
        let _ = writeln!(out, "~{} moved from place {from} to {to}", criterion.id);
    }
}
