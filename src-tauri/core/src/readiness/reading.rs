//! A criterion cut into words, numbers and signs, with what is quoted or code marked. Linear, whatever the text.

use super::lexicon::{self, Kinds};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, with or without digits.
    Word,
    /// What begins with a digit: `200`, `99.9`, `200ms`.
    Number,
    /// One other character that isn't a space; a newline is one.
    Sign(char),
}

/// A piece of a text.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    /// Where it is in the text.
    pub at: Range<usize>,
    /// In lower case, without accents and apostrophes.
    pub word: Cow<'a, str>,
    pub kind: Kind,
    /// Quoted or code: it names something, it doesn't say something.
    pub named: bool,
    /// The first word of a sentence.
    pub first: bool,
    /// A hyphen joins it to the one before.
    pub joined: bool,
    pub kinds: Kinds,
}

impl Token<'_> {
    pub(super) fn is(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub(super) fn can_be(&self, any: Kinds) -> bool {
        self.kinds.any(any)
    }

    /// Whether a sentence ends with it.
    pub(super) fn ends(&self) -> bool {
        matches!(self.kind, Kind::Sign('.' | '!' | '?' | ';' | '\n' | '…'))
    }
}

/// A text, read.
pub(super) struct Reading<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token<'a>>,
    /// Quoted and code, without the signs around.
    pub named: Vec<Range<usize>>,
    /// Nearly every word has a capital, as in a heading, so that a capital tells nothing.
    pub heading: bool,
}

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let text = without_marker(text);
        let named = named(text);
        let tokens = tokens(text, &named);
        let words = || tokens.iter().filter(|token| token.kind == Kind::Word);
        let capitals = words().filter(|token| text[token.at.clone()].starts_with(char::is_uppercase)).count();
        let count = words().count();
        let heading = count > 2 && capitals * 3 > count * 2;
        Self { text, tokens, named, heading }
    }

    pub(super) fn raw(&self, token: &Token<'_>) -> &'a str {
        &self.text[token.at.clone()]
    }

    /// The tokens of each sentence.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &[Token<'a>]> {
        self.tokens.split(|token| token.ends() && !token.named).filter(|tokens| !tokens.is_empty())
    }
}

/// What a list puts before its items says nothing: `- [ ] `, `3. `, `AC-1: `.
fn without_marker(text: &str) -> &str {
    let mut rest = text.trim();
    for mark in ["- ", "* ", "+ ", "• "] {
        rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
    }
    for mark in ["[ ] ", "[x] ", "[X] "] {
        rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
    }
    let unprefixed = rest.strip_prefix("AC-").unwrap_or(rest);
    let number = unprefixed.trim_start_matches(|c: char| c.is_ascii_digit());
    let ends = if unprefixed.len() == rest.len() { &['.', ')'][..] } else { &['.', ')', ':'] };
    match number.strip_prefix(ends) {
        Some(after) if number.len() < unprefixed.len() && after.starts_with(' ') => after.trim_start(),
        _ => rest,
    }
}

/// Where a text is quoted or code. A sign that nothing closes opens nothing.
fn named(text: &str) -> Vec<Range<usize>> {
    let runs = backtick_runs(text);
    let last_run: HashMap<usize, usize> = runs.iter().map(|run| (run.len(), run.start)).collect();
    let last = |close: char| text.rfind(close);
    let closes = [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“'), ('‘', '’')].map(|(a, b)| (a, b, last(b)));
    let mut found = Vec::new();
    let (mut chars, mut next_run) = (text.char_indices().peekable(), 0);
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let mut end = None;
        if c == '`' {
            while runs.get(next_run).is_some_and(|run| run.start < at) {
                next_run += 1;
            }
            let open = runs[next_run].clone();
            let close =
                (last_run[&open.len()] > at).then(|| runs[next_run + 1..].iter().find(|run| run.len() == open.len()));
            end = Some(open.end);
            if let Some(close) = close.flatten() {
                found.push(open.end..close.start);
                end = Some(close.end);
            }
        } else if let Some((_, close, last)) = closes.iter().find(|(open, ..)| *open == c) {
            // A single quote after a letter is an apostrophe.
            let opens = c != '‘' || !before.is_alphanumeric();
            let from = at + c.len_utf8();
            if opens && last.is_some_and(|last| last >= from) {
                let length = text[from..].find(*close).unwrap_or_default();
                found.push(from..from + length);
                end = Some(from + length + close.len_utf8());
            }
        }
        before = c;
        while end.is_some_and(|end| chars.peek().is_some_and(|(at, _)| *at < end)) {
            chars.next();
        }
    }
    found
}

fn backtick_runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

fn tokens<'a>(text: &'a str, named: &[Range<usize>]) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let (mut chars, mut regions) = (text.char_indices().peekable(), named.iter().peekable());
    let mut first = true;
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() && c != '\n' {
            continue;
        }
        while regions.next_if(|region| region.end <= start).is_some() {}
        let named = regions.peek().is_some_and(|region| region.contains(&start));
        if !c.is_alphanumeric() {
            // A full stop within a word or a number ends no sentence.
            let inner = c == '.' && chars.peek().is_some_and(|(_, next)| !next.is_whitespace());
            let kind = Kind::Sign(if inner { '·' } else { c });
            let token = Token {
                at: start..start + c.len_utf8(),
                word: "".into(),
                kind,
                named,
                first: false,
                joined: false,
                kinds: Kinds::default(),
            };
            first |= !named && (token.ends() || matches!(c, ':' | '(' | '-' | '*' | '•' | '–' | '—') && first);
            tokens.push(token);
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, next)) = chars.peek() {
            let goes_on = next.is_alphanumeric() || is_combining_mark(next) || next == '_';
            let after = || text[at + next.len_utf8()..].chars().next();
            let inner = match next {
                '\'' | '’' => after().is_some_and(char::is_alphabetic),
                '.' | ',' => {
                    text[start..at].ends_with(|c: char| c.is_numeric()) && after().is_some_and(char::is_numeric)
                }
                _ => false,
            };
            if !goes_on && !inner {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        let kind = if c.is_numeric() { Kind::Number } else { Kind::Word };
        let joined = tokens.last().is_some_and(|last| last.is('-') && last.at.end == start && first_joins(&tokens));
        let word = fold(&text[start..end]);
        let kinds = lexicon::kinds(&word);
        tokens.push(Token { at: start..end, word, kind, named, first, joined, kinds });
        first = false;
    }
    tokens
}

/// Whether the hyphen at the end stands right after a word.
fn first_joins(tokens: &[Token<'_>]) -> bool {
    let [.., word, hyphen] = tokens else { return false };
    word.at.end == hyphen.at.start && !matches!(word.kind, Kind::Sign(_))
}

fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return word.into();
    }
    let plain = word.nfkd().filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’'));
    plain.flat_map(char::to_lowercase).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let reading = Reading::of(text);
        let show = |token: &Token<'_>| match token.kind {
            Kind::Sign(c) => c.to_string().replace('\n', "⏎"),
            _ => {
                let (first, joined) = (if token.first { "^" } else { "" }, if token.joined { "~" } else { "" });
                let named = if token.named { "`" } else { "" };
                format!("{first}{joined}{named}{}", token.word)
            }
        };
        reading.tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_numbers_and_signs_are_told_apart() {
        for (text, want) in [
            ("- [ ] It's FAST.", "^its fast ."),
            ("AC-12: Rápida, 99.9 %", "^rapida , 99.9 %"),
            ("3) user-friendly", "^user - ~friendly"),
            ("2 s. Then «Ok fast» shows", "^2 s . ^then « `ok `fast » shows"),
            ("say `a b` and ``c ` d`` or `e", "^say ` `a `b ` and ` ` `c ` `d ` ` or ` e"),
            ("a \"b", "^a \" b"),
            ("file.rs v1.2 1,000 user_id", "^file · rs v1.2 1,000 user_id"),
            ("one\ntwo", "^one ⏎ ^two"),
            ("", ""),
            ("– –", "– –"),
        ] {
            assert_eq!(read(text), want, "{text:?}");
        }
    }
}
