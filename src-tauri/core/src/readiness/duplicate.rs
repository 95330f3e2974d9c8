//! Which criteria say what an earlier one says already.
//!
//! Case, accents, punctuation and articles aside, word by word and in the same order; a few slips of the pen may differ.
//! A number, a sign (`<`, `≥`, `%`), a short word, or anything quoted or code that differs makes it another criterion:
//! "returns 404 for an unknown id" and "returns 403 for an unknown id" are 98 % the same letters. Of words that
//! are in four parts, three slips leave one part whole, by which earlier criteria are looked up; so it is linear.

use super::reading::{Kind, Reading, Token};
use crate::titles::{is_little, slip};
use rapidfuzz::distance::indel;
use std::collections::HashMap;

/// From so many percent on, it is said twice.
const ALIKE: usize = 90;
/// Words that may differ.
const DIFFER: usize = 3;

/// A word of a criterion, by number, and whether it is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Word(u32, bool);

/// The criteria so far.
#[derive(Default)]
pub(super) struct Earlier<'a> {
    numbers: HashMap<String, u32>,
    words: Vec<String>,
    criteria: Vec<(&'a str, Vec<Word>)>,
    /// Criteria by how many words they have, which part of them, and what stands there.
    parts: HashMap<(usize, usize, Vec<Word>), Vec<usize>>,
}

impl<'a> Earlier<'a> {
    /// The id of an earlier criterion that says the same; then this one is earlier too.
    pub(super) fn same(&mut self, id: &'a str, reading: &Reading<'_>) -> Option<&'a str> {
        let words = self.words_of(reading);
        if words.is_empty() {
            return None;
        }
        let parts = parts(&words);
        let mut candidates: Vec<usize> =
            parts.iter().filter_map(|part| self.parts.get(part)).flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let found = candidates.into_iter().find(|at| self.alike(&self.criteria[*at].1, &words));
        for part in parts {
            self.parts.entry(part).or_default().push(self.criteria.len());
        }
        self.criteria.push((id, words));
        found.map(|at| self.criteria[at].0)
    }

    fn words_of(&mut self, reading: &Reading<'_>) -> Vec<Word> {
        let tokens = &reading.tokens;
        let mut words = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let word = match token.kind {
                Kind::Sign(sign) if says(sign, tokens.get(at + 1), token) => sign.to_string(),
                Kind::Sign(_) => continue,
                Kind::Word if !token.named && at + 1 < tokens.len() && is_little(&token.word) => continue,
                Kind::Word | Kind::Number => token.word.clone().into_owned(),
            };
            let next = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
            let number = *self.numbers.entry(word.clone()).or_insert(next);
            if number == next {
                self.words.push(word);
            }
            words.push(Word(number, token.named));
        }
        words
    }

    fn alike(&self, a: &[Word], b: &[Word]) -> bool {
        let pairs = a.iter().zip(b).filter(|(a, b)| a.0 != b.0).take(DIFFER + 1);
        let pairs: Vec<(Word, Word)> = pairs.map(|(a, b)| (*a, *b)).collect();
        if pairs.is_empty() {
            return true;
        }
        if a.len() != b.len() || pairs.len() > DIFFER || pairs.iter().any(|(a, b)| a.1 || b.1) {
            return false;
        }
        let word = |word: Word| self.words[word.0 as usize].as_str();
        let differ = |(a, b): &(Word, Word)| {
            let (a, b) = (word(*a), word(*b));
            slip(a, b).map(|_| indel::distance(a.chars(), b.chars()))
        };
        let Some(differ) = pairs.iter().map(differ).sum::<Option<usize>>() else { return false };
        let letters: usize = a.iter().chain(b).map(|of| word(*of).chars().count()).sum();
        letters.saturating_sub(differ) * 100 >= ALIKE * letters
    }
}

/// Whether a sign is part of what is said, and no punctuation.
fn says(sign: char, next: Option<&Token<'_>>, token: &Token<'_>) -> bool {
    let minus =
        matches!(sign, '-' | '−' | '!') && next.is_some_and(|next| next.at.start == token.at.end) && !token.named;
    let number = minus && next.is_some_and(|next| next.kind == Kind::Number || next.is('='));
    number || "<>≤≥=≠≈+%‰*#&$€£¥@^~|\\°".contains(sign)
}

/// The words in four parts, each with its number.
fn parts(words: &[Word]) -> Vec<(usize, usize, Vec<Word>)> {
    let count = words.len().min(DIFFER + 1);
    let part = |n: usize| {
        let range = words.len() * n / count..words.len() * (n + 1) / count;
        (words.len(), n, words[range].iter().map(|word| Word(word.0, false)).collect())
    };
    (0..count).map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        let mut earlier = Earlier::default();
        assert_eq!(earlier.same("AC-1", &Reading::of(a)), None);
        earlier.same("AC-2", &Reading::of(b)).is_some()
    }

    #[test]
    fn what_is_said_twice_is_found_and_what_differs_in_substance_is_not() {
        for (a, b, want) in [
            ("Returns 404 for an unknown id", "returns 404 for unknown id.", true),
            ("Returns 404 for an unknown id", "- AC-2: RETURNS 404, for the unknown id", true),
            ("Returns 404 for an unknown id", "Returns 404 for an unkown id", true),
            ("Muestra «Guardado» tras la operación", "muestra «guardado» tras la operacion", true),
            ("Muestra el total de la factura", "Muestra el total de las facturas", true),
            ("Returns 404 for an unknown id", "Returns 403 for an unknown id", false),
            ("Returns 404 for an unknown id", "Returns 404 for a known id", false),
            ("latency < 200 ms", "latency > 200 ms", false),
            ("Returns -1", "Returns 1", false),
            ("x != 3", "x = 3", false),
            ("The `refund_id` is stored", "The `refund_ids` is stored", false),
            ("The button is enabled for the owner", "The button is disabled for the owner", false),
            ("A blocks B", "B blocks A", false),
            ("Refunds in EUR are shown", "Refunds in USD are shown", false),
            ("El botón está activo", "El botón no está activo", false),
            ("!!!", "???", false),
            ("", "", false),
        ] {
            assert_eq!(same(a, b), want, "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_earliest_is_named_and_duplicates_of_duplicates_too() {
        let mut earlier = Earlier::default();
        let mut same = |id, text: &str| earlier.same(id, &Reading::of(text));
        assert_eq!(same("AC-1", "Shows the total"), None);
        assert_eq!(same("AC-2", "Shows the tax"), None);
        assert_eq!(same("AC-3", "shows the TOTAL"), Some("AC-1"));
        assert_eq!(same("AC-4", "Shows total"), Some("AC-1"));
        assert_eq!(same("AC-5", "Shows tax!"), Some("AC-2"));
    }
}
