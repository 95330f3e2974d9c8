//! Two bodies line by line.

use super::spans::{self, Span};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::collections::HashMap;

/// Lines that are shown before and after a change.
const AROUND: usize = 3;
/// Lines of both bodies between their common start and end; with more, all of that is taken as replaced. (The algorithm
/// bounds its own work, which is about half a second for so many lines that nearly all differ.)
const LINES: usize = 200_000;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    /// It is in both.
    Kept,
    /// It is gone.
    Removed,
    /// It is new.
    Added,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// With a line feed.
    Lf,
    /// With a carriage return and a line feed.
    CrLf,
    /// It is the last and doesn't.
    None,
}

impl End {
    /// As it is in the text.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::None => "",
        }
    }
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Line {
    /// What became of it.
    pub kind: LineKind,
    /// Its number in the old body, from 1.
    pub old: Option<u32>,
    /// Its number in the new body, from 1.
    pub new: Option<u32>,
    /// Its text, without its end; what changed against the line it was, or became, is marked.
    pub spans: Vec<Span>,
    /// How it ends.
    pub end: End,
    /// Whether the line that it was, or became, ends otherwise.
    pub end_changed: bool,
}

/// Lines that changed, with those around.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hunk {
    /// The first line's number in the old body; where there is none of it, the line that it comes behind.
    pub old_start: u32,
    /// How many lines of the old body it has.
    pub old_lines: u32,
    /// The same in the new body.
    pub new_start: u32,
    /// How many lines of the new body it has.
    pub new_lines: u32,
    /// The lines: of a change the removed ones first.
    pub lines: Vec<Line>,
}

/// Where two bodies differ.
pub(super) fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let (a, b) = (split(old), split(new));
    group_diff_ops(ops(&a, &b), AROUND).iter().filter(|ops| !ops.is_empty()).map(|ops| hunk(ops, &a, &b)).collect()
}

fn hunk(ops: &[DiffOp], a: &[&str], b: &[&str]) -> Hunk {
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let start = |range: std::ops::Range<usize>| number(if range.is_empty() { range.start } else { range.start + 1 });
    let all = |of: fn(&DiffOp) -> std::ops::Range<usize>| {
        let first = ops.first().map_or(0..0, of);
        first.start..ops.last().map_or(first.end, |op| of(op).end)
    };
    let (old, new) = (all(DiffOp::old_range), all(DiffOp::new_range));
    let mut hunk = Hunk {
        old_start: start(old.clone()),
        old_lines: number(old.len()),
        new_start: start(new.clone()),
        new_lines: number(new.len()),
        lines: Vec::new(),
    };
    let line = |kind, old: Option<usize>, new: Option<usize>, spans, end, end_changed| {
        let numbers = (old.map(|at| number(at + 1)), new.map(|at| number(at + 1)));
        Line { kind, old: numbers.0, new: numbers.1, spans, end, end_changed }
    };
    for op in ops {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            for (x, y) in old.zip(new) {
                let (text, end) = parts(a[x]);
                hunk.lines.push(line(LineKind::Kept, Some(x), Some(y), spans::plain(text), end, false));
            }
            continue;
        }
        // Of a replacement, the lines are compared one by one in their order.
        let mut added = Vec::with_capacity(new.len());
        for at in 0..old.len().max(new.len()) {
            let x = (at < old.len()).then(|| old.start + at);
            let y = (at < new.len()).then(|| new.start + at);
            let (was, is) = (x.map(|x| parts(a[x])), y.map(|y| parts(b[y])));
            let (left, right, end_changed) = match (was, is) {
                (Some((was, ends)), Some((is, end))) => {
                    let (left, right) = spans::compare(was, is);
                    (left, right, ends != end)
                }
                _ => (spans::plain(was.map_or("", |was| was.0)), spans::plain(is.map_or("", |is| is.0)), false),
            };
            if let Some((_, end)) = was {
                hunk.lines.push(line(LineKind::Removed, x, None, left, end, end_changed));
            }
            if let Some((_, end)) = is {
                added.push(line(LineKind::Added, None, y, right, end, end_changed));
            }
        }
        hunk.lines.append(&mut added);
    }
    hunk
}

/// How the one becomes the other.
fn ops(a: &[&str], b: &[&str]) -> Vec<DiffOp> {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let (old_len, new_len) = (a.len() - end - start, b.len() - end - start);
    if old_len + new_len <= LINES {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut numbered = Vec::with_capacity(a.len() + b.len());
        for line in a.iter().chain(b) {
            let next = u32::try_from(numbered.len()).unwrap_or(u32::MAX);
            numbered.push(*numbers.entry(line).or_insert(next));
        }
        let (old, new) = numbered.split_at(a.len());
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let equal = |at: usize, new: usize, len: usize| DiffOp::Equal { old_index: at, new_index: new, len };
    let middle = match (old_len, new_len) {
        (_, 0) => DiffOp::Delete { old_index: start, old_len, new_index: start },
        (0, _) => DiffOp::Insert { old_index: start, new_index: start, new_len },
        _ => DiffOp::Replace { old_index: start, old_len, new_index: start, new_len },
    };
    let all = [equal(0, 0, start), middle, equal(start + old_len, start + new_len, end)];
    all.into_iter().filter(|op| !op.old_range().is_empty() || !op.new_range().is_empty()).collect()
}

/// Lines with their ends.
fn split(body: &str) -> Vec<&str> {
    body.split_inclusive('\n').collect()
}

fn parts(line: &str) -> (&str, End) {
    match line.strip_suffix('\n') {
        None => (line, End::None),
        Some(line) => match line.strip_suffix('\r') {
            None => (line, End::Lf),
            Some(line) => (line, End::CrLf),
        },
    }
}
