//! What can be measured or pointed at in a criterion: numbers, thresholds, and names of things.

use super::lexicon::Kinds;
use super::reading::{Kind, Reading, Token};

/// Whether there is anything to measure or to point at.
pub(super) fn has(reading: &Reading<'_>) -> bool {
    reading.named.iter().any(|range| reading.text[range.clone()].contains(char::is_alphanumeric))
        || counted(&reading.tokens)
        || reading.text.split_whitespace().any(is_artefact)
        || has_name(reading)
}

/// Where a number stands that something is compared with, or that has a unit.
pub(super) fn thresholds(sentence: &[Token<'_>]) -> Vec<usize> {
    let unit = |token: Option<&Token<'_>>| token.is_some_and(|token| token.can_be(Kinds::UNIT));
    let compares = |before: &[Token<'_>]| {
        before
            .iter()
            .any(|token| token.can_be(Kinds::COMPARES) || matches!(token.kind, Kind::Sign('<' | '>' | '≤' | '≥' | '=')))
    };
    let threshold = |at: &usize| {
        let token = &sentence[*at];
        let before = &sentence[at.saturating_sub(3)..*at];
        let (number, one) = (is_number(token), token.can_be(Kinds::ONE));
        if token.named || !(number || one && compares(before)) {
            return false;
        }
        let attached = token.kind == Kind::Number && token.word.ends_with(char::is_alphabetic);
        let money = |token: Option<&Token<'_>>| {
            token.is_some_and(|token| matches!(token.kind, Kind::Sign('%' | '‰' | '€' | '$' | '£' | '°')))
        };
        attached
            || compares(before)
            || unit(sentence.get(at + 1))
            || money(sentence.get(at + 1))
            || money(before.last())
    };
    (0..sentence.len()).filter(threshold).collect()
}

/// Whether a number is given, or what amounts to one.
fn counted(tokens: &[Token<'_>]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        // "SPEC-12" and "AC-3" only say where to read.
        let reference = token.joined
            && at >= 2
            && matches!(tokens[at - 2].word.as_ref(), "spec" | "ac" | "issue" | "ticket" | "req");
        // "No request is lost": none of them.
        let none = token.word == "no" && tokens[at + 1..].iter().take(4).any(|token| token.can_be(Kinds::AUXILIARY));
        none || (is_number(token) && !reference)
            || token.can_be(Kinds::EXACT)
            || (token.can_be(Kinds::ONE) && before.is_some_and(|before| before.can_be(Kinds::COMPARES)))
    })
}

pub(super) fn is_number(token: &Token<'_>) -> bool {
    token.kind == Kind::Number || token.can_be(Kinds::NUMBER)
}

/// A path, a file, an identifier: whatever isn't written as plain words are.
fn is_artefact(piece: &str) -> bool {
    let piece =
        piece.trim_matches(|c: char| !c.is_alphanumeric() && !"/.~-_<>{}@#".contains(c)).trim_end_matches(['.', '>']);
    let mut chars = piece.chars();
    let second = chars.nth(1).is_some_and(char::is_alphanumeric);
    if piece.starts_with(['/', '@', '#']) && second
        || piece.contains("://")
        || piece.starts_with("./")
        || piece.starts_with("~/")
    {
        return true;
    }
    if piece.strip_prefix("--").is_some_and(|flag| flag.starts_with(char::is_alphanumeric)) {
        return true;
    }
    let inner = |sign: char| {
        let mut parts = piece.split(sign);
        let first = parts.next().is_some_and(|part| part.ends_with(char::is_alphanumeric));
        first && parts.next().is_some_and(|part| part.starts_with(char::is_alphanumeric))
    };
    let slashes = piece.matches('/').count();
    let abbreviation = piece.split('.').all(|part| part.chars().count() < 2);
    let letters_and_digits = piece.contains(|c: char| c.is_ascii_digit()) && piece.contains(char::is_alphabetic);
    let camel = piece.chars().zip(piece.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    inner('_')
        || camel
        || letters_and_digits && slashes == 0 && !piece.contains('-')
        || inner('.') && !abbreviation
        || slashes > 1
}

/// Whether something is called by its name: "Stripe", "PDF".
fn has_name(reading: &Reading<'_>) -> bool {
    let words = || reading.tokens.iter().filter(|token| token.kind == Kind::Word && !token.named);
    let shouts = |raw: &str| raw.chars().count() > 1 && raw.chars().all(char::is_uppercase);
    let all_shout = words().all(|token| shouts(reading.raw(token)) || reading.raw(token).chars().count() == 1);
    words().any(|token| {
        let raw = reading.raw(token);
        if shouts(raw) {
            return !all_shout && !token.can_be(Kinds::GENERIC);
        }
        let capital = raw.starts_with(char::is_uppercase) && raw.chars().count() > 1;
        capital && !token.first && !reading.heading && !token.can_be(Kinds::OPENER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_artefacts_are_found() {
        let table = [
            "returns 404",
            "p99 below it",
            "three attempts",
            "exactly one mail",
            "una sola vez",
            "the list is empty",
            "la lista queda vacía",
            "the file `a.rs`",
            "see src/lib.rs",
            "GET /v1/refunds",
            "writes report.csv.",
            "the user_id field",
            "the userId field",
            "run it with --force",
            "shows “Saved”",
            "muestra «Guardado»",
            "the PDF opens",
            "charged through Stripe",
            "at 99.9%",
            "ERR_TIMEOUT is raised",
            "https://example.com opens",
            "returns E1234",
            "asks @owner",
            "sorted in ascending order",
        ];
        let wrong: Vec<_> = table.into_iter().filter(|text| !has(&Reading::of(text))).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn plain_words_name_nothing() {
        let table = [
            "The user sees a message",
            "The API returns an error",
            "read/write and/or y/o",
            "e.g. an error",
            "p. ej. un error",
            "Given a user, When they pay, Then it is stored",
            "See SPEC-12 and AC-3",
            "1. The user sees a message",
            "SHOWS AN ERROR",
            "The User Sees A Message",
            "I see it",
            "",
            "`` ` \" \"",
            "once it is saved",
            "el usuario ve un error",
        ];
        let wrong: Vec<_> = table.into_iter().filter(|text| has(&Reading::of(text))).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn thresholds_have_a_comparison_or_a_unit() {
        let found = |text| thresholds(&Reading::of(text).tokens).len();
        for text in [
            "under 200",
            "200 ms",
            "200ms",
            "5 %",
            "€ 5",
            "al menos 3",
            "< 3",
            "at most one",
            "como máximo dos minutos",
        ] {
            assert_eq!(found(text), 1, "{text:?}");
        }
        for text in ["returns 404", "version 3", "in one place", "`under 200 ms`"] {
            assert_eq!(found(text), 0, "{text:?}");
        }
    }
}
