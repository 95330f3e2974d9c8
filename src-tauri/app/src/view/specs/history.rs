//! What a spec was, and what changed from one revision to another.

use super::events::{self, EventView};
use super::whole::ByView;
use crate::desk::Desk;
use countersign_broker::{BrokerError, RevisionRow};
use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::revision::{
    self, Content, CriterionDiff, CriterionKind, End, Hunk, Line, LineKind, Span, TextChange,
};
use countersign_core::safe_text::SafeText;
use serde::Serialize;
use ts_rs::TS;

/// Revisions of one page.
const PAGE: u32 = 50;

/// A revision in a list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RevisionRowView {
    /// Its number, from 1.
    pub revision: u32,
    /// Who wrote it.
    pub by: ByView,
    /// When.
    pub at: i64,
}

/// A page of a spec's revisions.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct HistoryView {
    /// The newest first.
    pub rows: Vec<RevisionRowView>,
    /// What else happened to it, the newest first; with the first page alone.
    pub events: Vec<EventView>,
    /// Whether there are older ones.
    pub more: bool,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DiffKind {
    /// It is as it was.
    Same,
    /// It came.
    Added,
    /// It went.
    Removed,
    /// So many lines that are as they were are left out.
    Gap,
}

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct DiffSpan {
    /// Whether just this is what differs in its line.
    pub changed: bool,
    /// The text.
    pub text: SafeText,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct DiffLine {
    /// What became of it.
    pub kind: DiffKind,
    /// Its stretches.
    pub spans: Vec<DiffSpan>,
    /// Lines that are left out here.
    pub lines: u32,
    /// How it ends, where that is what changed: `LF`, `CRLF`, or nothing.
    pub end: Option<String>,
}

/// What became of a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CriterionDiffView {
    /// `AC-1`.
    pub id: String,
    /// Its lines, before and after; none when its text is as it was.
    pub lines: Vec<DiffLine>,
    /// Its check before and after, when that is what changed.
    pub check: Option<(Option<SafeText>, Option<SafeText>)>,
    /// Its place before and after, from 1, when that is what changed.
    pub place: Option<(u32, u32)>,
}

/// What changed from one revision to another.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RevisionView {
    /// The one; none before the first.
    pub from: Option<u32>,
    /// The other.
    pub to: u32,
    /// The title; nothing when it is as it was.
    pub title: Vec<DiffLine>,
    /// The body; nothing when it is as it was.
    pub body: Vec<DiffLine>,
    /// The criteria that differ.
    pub criteria: Vec<CriterionDiffView>,
}

/// A page of a spec's revisions.
pub fn revisions(
    desk: &Desk,
    workspace: WorkspaceId,
    id: SpecId,
    before: Option<u32>,
) -> Result<HistoryView, BrokerError> {
    let rows = desk.broker.read(|db| Ok(db.revisions(workspace, id, before, PAGE)?))?;
    let more = rows.last().is_some_and(|row| row.revision > 1);
    let events = match before {
        None => desk.broker.read(|db| events::of(&db, workspace, id))?,
        Some(_) => Vec::new(),
    };
    Ok(HistoryView { rows: rows.iter().map(row).collect(), events, more })
}

fn row(row: &RevisionRow) -> RevisionRowView {
    let kind = if row.agent.is_some() { "agent" } else { "person" };
    let by = ByView { kind: kind.to_owned(), name: row.name.as_deref().map(SafeText::line) };
    RevisionRowView { revision: row.revision, by, at: row.at.0 }
}

/// What changed up to a revision, since the one before or another.
pub fn changes(
    desk: &Desk,
    workspace: WorkspaceId,
    id: SpecId,
    to: u32,
    since: Option<u32>,
) -> Result<RevisionView, BrokerError> {
    let from = since.or(to.checked_sub(1)).filter(|from| *from > 0);
    let content = |revision: u32| {
        let found = desk.broker.read(|db| Ok(db.revision(workspace, id, revision)?))?;
        let missing = || BrokerError::NotFound(format!("there is no revision {revision} of {id}"));
        serde_json::from_value::<Content>(found.ok_or_else(missing)?)
            .map_err(|error| BrokerError::Invalid(format!("revision {revision} of {id} can't be read: {error}")))
    };
    let old = from.map(content).transpose()?.unwrap_or_default();
    let diff = revision::diff(&old, &content(to)?);
    Ok(RevisionView {
        from,
        to,
        title: diff.title.as_ref().map(pair).unwrap_or_default(),
        body: body(&diff.body, old.body.lines().count()),
        criteria: diff.criteria.iter().map(criterion).collect(),
    })
}

fn spans(spans: &[Span]) -> Vec<DiffSpan> {
    // Judged together: what changed of a word, or of a secret, is still part of it.
    let whole: String = spans.iter().map(|span| span.text.as_str()).collect();
    let ends: Vec<usize> = spans
        .iter()
        .scan(0, |at, span| {
            *at += span.text.len();
            Some(*at)
        })
        .collect();
    let pieces = SafeText::pieces(&whole, &ends);
    spans.iter().zip(pieces).map(|(span, text)| DiffSpan { changed: span.changed, text }).collect()
}

fn pair(change: &TextChange) -> Vec<DiffLine> {
    let line = |kind, of: &[Span]| DiffLine { kind, spans: spans(of), lines: 0, end: None };
    let sides = [(DiffKind::Removed, &change.old), (DiffKind::Added, &change.new)];
    sides.into_iter().filter(|(_, of)| !of.is_empty()).map(|(kind, of)| line(kind, of)).collect()
}

fn criterion(diff: &CriterionDiff) -> CriterionDiffView {
    let safe = |name: &Option<String>| name.as_deref().map(SafeText::line);
    let reworded = diff.kind != CriterionKind::Moved && diff.text.old != diff.text.new;
    CriterionDiffView {
        id: diff.id.clone(),
        lines: if reworded { pair(&diff.text) } else { Vec::new() },
        check: (diff.old_check != diff.new_check).then(|| (safe(&diff.old_check), safe(&diff.new_check))),
        place: diff.from.zip(diff.to).filter(|_| diff.moved),
    }
}

/// The lines around each change, with how many are left out between.
pub(in crate::view) fn body(hunks: &[Hunk], all: usize) -> Vec<DiffLine> {
    let mut lines = Vec::new();
    let mut at = 1;
    for hunk in hunks {
        // Where a hunk has none of the old lines, it stands behind this one.
        let start = if hunk.old_lines == 0 { hunk.old_start + 1 } else { hunk.old_start };
        gap(&mut lines, start.saturating_sub(at));
        lines.extend(hunk.lines.iter().map(line));
        at = start + hunk.old_lines;
    }
    if !hunks.is_empty() {
        gap(&mut lines, (u32::try_from(all).unwrap_or(u32::MAX) + 1).saturating_sub(at));
    }
    lines
}

fn gap(lines: &mut Vec<DiffLine>, count: u32) {
    if count > 0 {
        lines.push(DiffLine { kind: DiffKind::Gap, spans: Vec::new(), lines: count, end: None });
    }
}

fn line(line: &Line) -> DiffLine {
    let kind = match line.kind {
        LineKind::Kept => DiffKind::Same,
        LineKind::Removed => DiffKind::Removed,
        LineKind::Added => DiffKind::Added,
    };
    let end = match line.end {
        End::Lf => "LF",
        End::CrLf => "CRLF",
        End::None => "",
    };
    DiffLine { kind, spans: spans(&line.spans), lines: 0, end: line.end_changed.then(|| end.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<(DiffKind, String, u32)> {
        let content = |body: &str| Content { body: body.into(), ..Content::default() };
        let diff = revision::diff(&content(old), &content(new));
        let words = |line: &DiffLine| line.spans.iter().map(|span| span.text.plain()).collect::<String>();
        let lines = body(&diff.body, old.lines().count());
        lines.iter().map(|line| (line.kind, words(line), line.lines)).collect()
    }

    #[test]
    fn what_is_left_out_between_changes_is_counted() {
        let numbers = |from: u32, to: u32| (from..=to).map(|n| format!("{n}\n")).collect::<String>();
        let old = numbers(1, 30);
        let new = old.replace("5\n", "five\n").replacen("1five\n", "15\n", 1).replacen("2five\n", "25\n", 1);
        let shown = shown(&old, &new);
        let gaps: Vec<_> = shown.iter().filter(|line| line.0 == DiffKind::Gap).map(|line| line.2).collect();
        let drawn = shown.iter().filter(|line| matches!(line.0, DiffKind::Same | DiffKind::Removed)).count();
        assert_eq!(gaps.iter().sum::<u32>() as usize + drawn, 30, "{shown:?}");
        assert!(!gaps.is_empty());
    }

    #[test]
    fn a_body_that_came_or_went_whole_leaves_nothing_out() {
        assert_eq!(
            shown("", "a\nb\n").iter().map(|line| line.0).collect::<Vec<_>>(),
            [DiffKind::Added, DiffKind::Added]
        );
        assert_eq!(shown("a\n", "").iter().map(|line| line.0).collect::<Vec<_>>(), [DiffKind::Removed]);
        assert_eq!(shown("a\n", "a\n"), []);
    }
}
