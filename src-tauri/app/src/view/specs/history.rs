//! What a spec was, and what changed from one revision to the next.

use super::ByView;
use countersign_core::safe_text::SafeText;
use serde::Serialize;
use ts_rs::TS;

/// A revision in a list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
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
#[serde(rename_all = "camelCase")]
pub struct HistoryView {
    /// The newest first.
    pub rows: Vec<RevisionRowView>,
    /// Whether there are older ones.
    pub more: bool,
}

/// What became of a line or a stretch of one.
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
}

/// What became of a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CriterionDiff {
    /// `AC-1`.
    pub id: String,
    /// Its lines, before and after.
    pub lines: Vec<DiffLine>,
}

/// What changed from one revision to another.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct RevisionView {
    /// The one.
    pub from: Option<u32>,
    /// The other.
    pub to: u32,
    /// The title; nothing when it is as it was.
    pub title: Vec<DiffLine>,
    /// The body; nothing when it is as it was.
    pub body: Vec<DiffLine>,
    /// The criteria that differ.
    pub criteria: Vec<CriterionDiff>,
    /// The other one's content as it was written.
    pub content: ContentView,
}

/// A revision's content.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ContentView {
    /// One line.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// What must hold.
    pub criteria: Vec<ContentCriterion>,
}

/// A criterion of a revision.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ContentCriterion {
    /// `AC-1`.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// The name of a check.
    pub check: Option<String>,
}
