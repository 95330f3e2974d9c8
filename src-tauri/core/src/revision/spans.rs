//! Two texts word by word.

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// Words of the two texts between their common start and end; with more, all of that is marked.
const WORDS: usize = 1_000;
/// Two lines of which less than a third is the same, in characters, were not one line changed into the other.
const SAME: usize = 3;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Span {
    /// The piece, as written.
    pub text: String,
    /// Whether it is what changed.
    pub changed: bool,
}

/// A text of which nothing is marked.
pub(super) fn plain(text: &str) -> Vec<Span> {
    if text.is_empty() { Vec::new() } else { vec![Span { text: text.to_owned(), changed: false }] }
}

/// Both texts, with what differs marked. Where too little is the same nothing is: the whole of it is another.
pub(super) fn compare(old: &str, new: &str) -> (Vec<Span>, Vec<Span>) {
    let (a, b) = (words(old), words(new));
    let start = a.iter().zip(&b).take_while(|(x, y)| old[(*x).clone()] == new[(*y).clone()]).count();
    let rest = a.len().min(b.len()) - start;
    let same = |(x, y): &(&Range<usize>, &Range<usize>)| old[(*x).clone()] == new[(*y).clone()];
    let end = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(same).count();
    let (a_end, b_end) = (a.len() - end, b.len() - end);
    let (mut left, mut right) = (vec![false; a.len()], vec![false; b.len()]);
    if a_end - start + b_end - start > WORDS {
        left[start..a_end].fill(true);
        right[start..b_end].fill(true);
    } else {
        let middle = |text: &'_ str, words: &[Range<usize>]| -> Vec<String> {
            words.iter().map(|word| text[word.clone()].to_owned()).collect()
        };
        let ops = capture_diff_slices(Algorithm::Myers, &middle(old, &a[start..a_end]), &middle(new, &b[start..b_end]));
        for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
            let shift = |range: Range<usize>| range.start + start..range.end + start;
            left[shift(op.old_range())].fill(true);
            right[shift(op.new_range())].fill(true);
        }
    }
    let (left, right) = (join(old, &a, &left), join(new, &b, &right));
    let kept = |spans: &[Span]| -> usize {
        spans.iter().filter(|span| !span.changed).map(|span| span.text.trim().chars().count()).sum()
    };
    let long = old.chars().count().max(new.chars().count());
    if kept(&left).min(kept(&right)) * SAME < long && old != new {
        return (plain(old), plain(new));
    }
    (left, right)
}

/// Neighbours that are marked alike as one; a space between two that are marked is marked as well.
fn join(text: &str, words: &[Range<usize>], changed: &[bool]) -> Vec<Span> {
    let space = |at: usize| text[words[at].clone()].trim().is_empty();
    let marked =
        |at: usize| changed[at] || at > 0 && at + 1 < words.len() && space(at) && changed[at - 1] && changed[at + 1];
    let mut spans: Vec<Span> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (piece, changed) = (&text[word.clone()], marked(at));
        match spans.last_mut() {
            Some(span) if span.changed == changed => span.text.push_str(piece),
            _ => spans.push(Span { text: piece.to_owned(), changed }),
        }
    }
    spans
}

/// Words, runs of spaces, and signs one by one; what changes the character before stays with it.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let kind = if c.is_alphanumeric() || c == '_' {
            Some(true)
        } else if c.is_whitespace() {
            Some(false)
        } else {
            None
        };
        let clings =
            is_combining_mark(c) || matches!(c, '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
        match words.last_mut() {
            Some(word) if clings => word.end = end,
            Some(word) if kind.is_some() && kind == before => word.end = end,
            // What is joined to an emoji is one picture with it.
            Some(word) if text[word.clone()].ends_with('\u{200d}') => word.end = end,
            _ => words.push(at..end),
        }
        if !clings {
            before = kind;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(old: &str, new: &str) -> String {
        let (old, new) = compare(old, new);
        let side = |spans: Vec<Span>| -> String {
            spans.into_iter().map(|span| if span.changed { format!("[{}]", span.text) } else { span.text }).collect()
        };
        format!("{} → {}", side(old), side(new))
    }

    #[test]
    fn words_that_differ_are_marked() {
        for (old, new, want) in [
            ("returns 404 here", "returns 403 here", "returns [404] here → returns [403] here"),
            ("a b c d e f", "a x y d e f", "a [b c] d e f → a [x y] d e f"),
            ("one two three", "one two three four", "one two three → one two three[ four]"),
            ("same", "same", "same → same"),
            ("completely other words", "nothing in common", "completely other words → nothing in common"),
            ("", "new", " → new"),
            ("(a), b", "(a); b", "(a)[,] b → (a)[;] b"),
            ("ok 👩‍💻 done now", "ok 👩‍🔬 done now", "ok [👩‍💻] done now → ok [👩‍🔬] done now"),
            ("cafe\u{301} con leche", "cafe con leche", "[cafe\u{301}] con leche → [cafe] con leche"),
        ] {
            assert_eq!(show(old, new), want);
        }
    }

    #[test]
    fn a_line_of_a_mebibyte_is_marked_between_its_common_ends() {
        let long = "word ".repeat(200_000);
        let other = format!("{}{}{}", &long[..500_000], "x y ".repeat(2_000), &long[500_000..]);
        let (old, new) = compare(&long, &other);
        assert_eq!((old.len(), new.len()), (1, 3));
        assert!(new[1].changed && new[1].text.len() < 9_000);
    }
}
