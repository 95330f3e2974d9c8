//! What a revision of a spec is, and what changed from one to another.
//!
//! Title and criteria word by word, the body line by line and, within lines that changed, word by word. Line ends are
//! part of a line, so that a change of them alone shows. Bounded by size and never by a clock: the same two revisions
//! always differ the same way.

mod lines;
mod spans;
mod text;

use crate::spec::{Criterion, Spec};
use crate::spec_edit::Edited;
pub use lines::{End, Hunk, Line, LineKind};
use serde::{Deserialize, Serialize};
pub use spans::Span;
use std::collections::HashMap;

/// What a revision holds, as it is stored; other fields are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Content {
    /// One line.
    pub title: String,
    /// Markdown.
    #[serde(default)]
    pub body: String,
    /// What must hold, in order.
    #[serde(default)]
    pub criteria: Vec<ContentCriterion>,
}

impl Content {
    /// A spec's content as it is now.
    pub fn of(spec: &Spec) -> Self {
        Self { title: spec.row.title.clone(), body: spec.body.clone(), criteria: criteria_of(&spec.criteria) }
    }
}

impl Edited {
    /// The content after the edit.
    pub fn content(&self) -> Content {
        Content { title: self.title.clone(), body: self.body.clone(), criteria: criteria_of(&self.criteria) }
    }
}

fn criteria_of(criteria: &[Criterion]) -> Vec<ContentCriterion> {
    let one = |c: &Criterion| ContentCriterion { id: c.id.clone(), text: c.text.clone(), check: c.check.clone() };
    criteria.iter().map(one).collect()
}

/// A criterion of a revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentCriterion {
    /// `AC-1` upwards in its spec.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// The name of the trusted check that tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

/// What changed from one revision to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ContentDiff {
    /// None: the title is the same.
    pub title: Option<TextChange>,
    /// Where the body changed, with the lines around; none: it is the same.
    pub body: Vec<Hunk>,
    /// Criteria that changed, in the order of the new revision; a removed one where it stood.
    pub criteria: Vec<CriterionDiff>,
}

/// A text before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TextChange {
    /// Before; what is marked is gone.
    pub old: Vec<Span>,
    /// After; what is marked is new.
    pub new: Vec<Span>,
}

/// What became of a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CriterionKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its text or its check is another; it may have moved too.
    Changed,
    /// It only stands elsewhere among the others.
    Moved,
}

/// A criterion that is not as it was. Criteria are the same when their ids are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CriterionDiff {
    /// Its id.
    pub id: String,
    /// What became of it.
    pub kind: CriterionKind,
    /// Its text before and after; the same one when only its place or its check changed, empty on the side where it
    /// isn't there.
    pub text: TextChange,
    /// Its check before.
    pub old_check: Option<String>,
    /// Its check after.
    pub new_check: Option<String>,
    /// Its place before, from 1.
    pub from: Option<u32>,
    /// Its place after, from 1.
    pub to: Option<u32>,
    /// Whether it stands elsewhere among the others.
    pub moved: bool,
}

/// What changed from the old to the new.
pub fn diff(old: &Content, new: &Content) -> ContentDiff {
    ContentDiff {
        title: (old.title != new.title).then(|| change(&old.title, &new.title)),
        body: lines::hunks(&old.body, &new.body),
        criteria: criteria(&old.criteria, &new.criteria),
    }
}

impl ContentDiff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.title.is_none() && self.body.is_empty() && self.criteria.is_empty()
    }

    /// As a unified diff, for models and terminals. Text as written: whoever shows it makes it safe.
    pub fn to_text(&self) -> String {
        text::of(self)
    }
}

/// What changed from one text to another, line by line and word by word: where they differ, with the lines around.
pub fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    lines::hunks(old, new)
}

/// The same as a unified diff without a head; nothing when they are the same. Text as written: whoever shows it makes it safe.
pub fn unified(hunks: &[Hunk]) -> String {
    text::of_hunks(hunks)
}

fn change(old: &str, new: &str) -> TextChange {
    let (old, new) = spans::compare(old, new);
    TextChange { old, new }
}

fn criteria(old: &[ContentCriterion], new: &[ContentCriterion]) -> Vec<CriterionDiff> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, criterion) in old.iter().enumerate().rev() {
        places.entry(&criterion.id).or_default().push(at);
    }
    // An id that stands twice is matched in order.
    let from: Vec<Option<usize>> =
        new.iter().map(|criterion| places.get_mut(criterion.id.as_str()).and_then(Vec::pop)).collect();
    let kept: Vec<usize> = from.iter().copied().flatten().collect();
    let stay = longest_rising(&kept);
    let mut found: Vec<((usize, usize), CriterionDiff)> = Vec::new();
    for (to, (criterion, from)) in new.iter().zip(&from).enumerate() {
        let moved = from.is_some_and(|from| stay.binary_search(&from).is_err());
        if let Some(diff) = one(from.map(|from| (from, &old[from])), Some((to, criterion)), moved) {
            found.push(((to + 1, 0), diff));
        }
    }
    let mut behind = 0;
    let to: HashMap<usize, usize> =
        from.iter().enumerate().filter_map(|(to, from)| from.map(|from| (from, to + 1))).collect();
    for (at, criterion) in old.iter().enumerate() {
        match to.get(&at) {
            Some(to) => behind = *to,
            None => found.extend(one(Some((at, criterion)), None, false).map(|diff| ((behind, at + 1), diff))),
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, diff)| diff).collect()
}

fn one(
    old: Option<(usize, &ContentCriterion)>,
    new: Option<(usize, &ContentCriterion)>,
    moved: bool,
) -> Option<CriterionDiff> {
    let place = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let (a, b) = (old.map(|(_, old)| old), new.map(|(_, new)| new));
    let kind = match (a, b) {
        (None, _) => CriterionKind::Added,
        (_, None) => CriterionKind::Removed,
        (Some(a), Some(b)) if a.text != b.text || a.check != b.check => CriterionKind::Changed,
        _ if moved => CriterionKind::Moved,
        _ => return None,
    };
    let text = match (a, b) {
        (Some(a), Some(b)) => change(&a.text, &b.text),
        _ => TextChange { old: spans::plain(a.map_or("", |a| &a.text)), new: spans::plain(b.map_or("", |b| &b.text)) },
    };
    Some(CriterionDiff {
        id: a.or(b)?.id.clone(),
        kind,
        text,
        old_check: a.and_then(|a| a.check.clone()),
        new_check: b.and_then(|b| b.check.clone()),
        from: old.map(|(at, _)| place(at)),
        to: new.map(|(at, _)| place(at)),
        moved,
    })
}

/// The most numbers that rise as they stand, in order: those criteria stay, the others moved around them.
fn longest_rising(numbers: &[usize]) -> Vec<usize> {
    // For each length, where the run of that length ends that ends lowest.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(here) = at {
        run.push(numbers[here]);
        at = before[here];
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests;
