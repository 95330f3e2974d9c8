//! Comparing titles as people do: case, accents, punctuation and the order of words don't matter.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text folded for comparison: compatibility decomposed, without marks, in lower case, words apart by one space.
pub fn fold(text: &str) -> String {
    let plain: String = text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A folded title with its words in order, so that "Webhook retry" and "retry, webhook" are one.
pub fn fingerprint(title: &str) -> String {
    let folded = fold(title);
    if folded.is_empty() {
        // A title of signs alone is itself.
        return title.trim().to_owned();
    }
    let mut words: Vec<&str> = folded.split(' ').collect();
    words.sort_unstable();
    words.join(" ")
}

/// Whether two labels look the same on screen: spacing aside, and with other alphabets' look-alikes (Unicode Technical
/// Standard 39, section 4) where either is more than ASCII.
pub fn look_alike(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.nfkc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    let (a, b) = (plain(a), plain(b));
    a == b || (!(a.is_ascii() && b.is_ascii()) && unicode_security::skeleton(&a).eq(unicode_security::skeleton(&b)))
}

/// Whether one name passes for the other at a glance: case, accents, spacing and signs aside, with the look-alikes of all
/// alphabets (Unicode Technical Standard 39, section 4), among them `1`, `l` and `I`, `0` and `O`, `rn` and `m`.
pub fn names_alike(a: &str, b: &str) -> bool {
    let bare =
        |text: &str| -> String { text.nfkd().filter(|c| !is_combining_mark(*c) && c.is_alphanumeric()).collect() };
    let (a, b) = (bare(a), bare(b));
    let lower = |text: &str| unicode_security::skeleton(&text.to_lowercase()).collect::<String>();
    // A capital I passes for a small l, which lower case would hide.
    let mixed = |text: &str| unicode_security::skeleton(text).collect::<String>().to_lowercase();
    lower(&a) == lower(&b) || mixed(&a) == mixed(&b)
}

/// A search term: each of its words begins a word of the titles that answer to it.
pub struct Term(String);

impl Term {
    /// A term, folded once for all titles.
    pub fn new(term: &str) -> Self {
        Self(fold(term))
    }

    /// Whether a title answers to it; nothing answers to an empty one.
    pub fn finds(&self, title: &str) -> bool {
        let title = fold(title);
        !self.0.is_empty() && self.0.split(' ').all(|wanted| title.split(' ').any(|word| word.starts_with(wanted)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_people_take_for_the_same_have_one_fingerprint() {
        for (a, b, same) in [
            ("Webhook retry", "webhook  RETRY", true),
            ("Webhook retry", "Retry: webhook", true),
            ("Política de reintentos", "politica de Reintentos", true),
            ("ﬁle upload", "file upload", true),
            ("Webhook retry", "Webhook retries", false),
            ("!!!", "???", false),
        ] {
            assert_eq!(fingerprint(a) == fingerprint(b), same, "{a:?} {b:?}");
        }
    }

    #[test]
    fn labels_that_look_the_same_are_found() {
        for (a, b, same) in [
            ("AB", "\u{410}\u{412}", true),
            ("delete all", "delete  all", true),
            ("a b", "a\u{a0}b", true),
            ("caf\u{e9}", "cafe\u{301}", true),
            ("modern", "modem", false),
            ("yes", "Yes", false),
            ("sí", "si", false),
        ] {
            assert_eq!(look_alike(a, b), same, "{a:?} {b:?}");
        }
    }

    #[test]
    fn names_that_pass_for_one_another_are_found() {
        for (a, b, same) in [
            ("Claude Code", "claude-code", true),
            ("Claude Code", "C1aude Code", true),
            ("Claude Code", "CIaude C0de", true),
            ("Claude Code", "Сlаude Cоde", true),
            ("Claude Code", "Claude\u{200b}Code", true),
            ("Gemini", "Gernini", true),
            ("José", "Jose", true),
            ("Codex", "Codex 2", false),
            ("Claude Code", "Codex", false),
        ] {
            assert_eq!(names_alike(a, b), same, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_term_finds_titles_by_the_beginnings_of_words() {
        let finds = |title: &str, term: &str| Term::new(term).finds(title);
        assert!(finds("Webhook delivery", "deliv"));
        assert!(finds("Política de reintentos", "politica rein"));
        assert!(!finds("Webhook delivery", "hook"));
        assert!(!finds("Webhook delivery", "webhook retry"));
        assert!(!finds("Webhook delivery", "  "));
    }
}
