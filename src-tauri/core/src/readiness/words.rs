//! Words that two people read differently, in English and Spanish, and where a text has them.
//!
//! A `/` parts a word from its endings: `eas/y/ily` is easy and easily. All are folded: lower case, no accents. What is
//! quoted, code, a name ("Quick Start") or part of a compound that isn't listed ("fast-forward") says nothing vague.

use super::lexicon::Kinds;
use super::measure;
use super::reading::{Kind, Reading, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// What makes a vague word plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cure {
    /// A threshold in the same sentence: "fast: p99 under 200 ms".
    Threshold,
    /// A threshold behind a colon, a dash or in brackets: "robust: survives 3 restarts".
    Explained,
    /// As `Explained`; and it is vague only of something: "is clear", not "Clear the cart".
    OfSomething,
    /// Nothing does.
    None,
}

/// Of size, time and number.
const THRESHOLD: &str = "fast//er/est, quick//er/est/ly, rapid//ly, slow//er/ly, speed/y/ily, snappy, prompt/ly, efficien/t/tly/cy, \
    performan/t, scalable, lightweight, huge, large//r, big//ger, small//er, tiny, many, several, few, \
    numerous, a lot of, lots of, a number of, immediate//ly, instant//ly/aneous/aneously, soon, frequent/ly, \
    periodic/ally, regularly, occasionally, often, sometimes, rarely, high performance, low latency, \
    high availability, high quality, real time, near real time, timely, in a timely manner, \
    as soon as possible, asap, as fast as possible, as quickly as possible, as much as possible, \
    as little as possible, minimi/ze/zes/se/ses, maximi/ze/zes/se/ses, optimi/ze/zes/zed/se/ses/sed/al/ally, \
    improve//s/d, enhance//s/d, better, good performance, rapid/o/a/os/as/amente/isimo/isima, veloz, veloces, \
    agil/es/mente, agil, lent/o/a/os/as/amente, eficiente//s/mente, eficaz//mente, escalable//s, \
    liger/o/a/os/as, grande//s, pequen/o/a/os/as, much/os/as, poc/os/as, vari/os/as, divers/os/as, \
    numeros/os/as, inmediat/o/a/os/as/amente, de inmediato, al instante, instantane/o/a/os/as/amente, pronto, \
    cuanto antes, lo antes posible, lo mas rapido posible, en tiempo real, frecuente//s/mente, con frecuencia, \
    a menudo, a veces, periodic/o/a/os/as/amente, regularmente, buen rendimiento, alto rendimiento, \
    alta disponibilidad, alta calidad, baja latencia, minimiz/a/an/ar, maximiz/a/an/ar, \
    optimiz/a/an/ar/ado/ada/ados/adas, mejor/a/an/ar/ado/ada/ados/adas, optim/o/a/os/as/amente";

/// Of quality.
const EXPLAINED: &str = "eas/y/ier/ily, user friend/ly/lier/liness, friendly, simpl/e/er/y, intuitive//ly, convenient//ly, nice//ly, \
    modern, appropriate//ly, adequate//ly, suitabl/e/y, proper//ly, reasonabl/e/y, sufficient//ly, \
    acceptabl/e/y, satisfactor/y/ily, relevant, robust//ly/ness, reliabl/e/y, resilient, flexibl/e/y, \
    seamless//ly, smooth//ly, graceful//ly, clearly, cleanly, securely, safely, correctly, effective//ly, \
    usable, maintainable, extensible, self explanatory, straightforward, state of the art, best practice//s, \
    works well, work well, works as expected, work as expected, as expected, works fine, looks good, \
    well designed, well structured, good user experience, great user experience, high end, world class, \
    elegant//ly, natural//ly, meaningful, helpful, normally, usually, generally, typically, mostly, \
    under normal conditions, normal conditions, normal load, facil//es/mente, sencill/o/a/os/as/amente, \
    simple//s/mente, intuitiv/o/a/os/as/amente, amigable//s, amable//s, comod/o/a/os/as/amente, \
    adecuad/o/a/os/as/amente, apropiad/o/a/os/as/amente, conveniente//s/mente, razonable//s/mente, \
    suficiente//s/mente, aceptable//s, satisfactori/o/a/os/as/amente, relevante//s, pertinente//s, \
    oportun/o/a/os/as/amente, robust/o/a/os/as/ez, fiable//s, confiable//s, flexible//s/mente, \
    modern/o/a/os/as, elegante//s/mente, atractiv/o/a/os/as, agradable//s, claramente, correctamente, \
    debidamente, eficazmente, fluid/o/a/os/as/amente, de forma segura, de manera segura, de forma adecuada, \
    de manera adecuada, como se espera, segun lo esperado, buena experiencia, buenas practicas, \
    mejores practicas, funciona bien, funcionan bien, funcione bien, normalmente, generalmente, habitualmente, \
    por lo general, usable//s, mantenible//s";

/// Only after "is" or "be", or before what it says it of.
const OF_SOMETHING: &str = "clear//er, clean//er, secure, safe, stable, good, nice, great, correct, beautiful, clar/o/a/os/as, \
    segur/o/a/os/as, estable//s, buen//o/a/os/as, bonit/o/a/os/as, limpi/o/a/os/as, correct/o/a/os/as";

/// What leaves something open.
const NONE: &str = "as needed, if needed, when needed, where needed, as necessary, if necessary, when necessary, \
    where necessary, as required, if required, as appropriate, where appropriate, if appropriate, \
    where applicable, if applicable, as applicable, if possible, where possible, when possible, \
    whenever possible, as far as possible, to the extent possible, etc, etcetera, and so on, and so forth, \
    and more, and the like, or similar, tbd, tba, tbc, to be defined, to be determined, to be decided, \
    to be confirmed, segun sea necesario, segun se necesite, segun corresponda, segun proceda, si es necesario, \
    si fuera necesario, si fuese necesario, si hace falta, cuando sea necesario, cuando haga falta, \
    cuando corresponda, cuando proceda, si procede, si corresponde, como corresponda, \
    en la medida de lo posible, en lo posible, dentro de lo posible, a ser posible, si es posible, \
    cuando sea posible, siempre que sea posible, y asi sucesivamente, entre otr/os/as, y demas, y similares, \
    o similar, por definir, por determinar, por decidir, por concretar, pendiente de definir, a definir";

/// Phrases of several words, by the first.
type Phrases = HashMap<String, Vec<(Vec<String>, Cure)>>;

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::new();
    let lists = [
        (THRESHOLD, Cure::Threshold),
        (EXPLAINED, Cure::Explained),
        (OF_SOMETHING, Cure::OfSomething),
        (NONE, Cure::None),
    ];
    for (list, cure) in lists {
        for entry in list.split(", ") {
            let mut parts = entry.split('/');
            let stem = parts.next().unwrap_or_default();
            let endings: Vec<&str> = parts.collect();
            for ending in if endings.is_empty() { vec![""] } else { endings } {
                let phrase = format!("{stem}{ending}");
                let mut words = phrase.split(' ').map(str::to_owned);
                let first = words.next().unwrap_or_default();
                phrases.entry(first).or_default().push((words.collect(), cure));
            }
        }
    }
    // The longest first.
    phrases.values_mut().for_each(|of| of.sort_by_key(|(words, _)| std::cmp::Reverse(words.len())));
    phrases
});

/// The vague words of a text, as written, each once.
pub(super) fn vague(reading: &Reading<'_>) -> Vec<String> {
    let mut known: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    for sentence in reading.sentences() {
        let mut at = 0;
        let cures = Cures::of(sentence);
        while at < sentence.len() {
            let Some((length, cure)) = phrase(reading, sentence, at) else {
                at += 1;
                continue;
            };
            if !cures.cure(at + length, cure) {
                let Range { start, .. } = sentence[at].at;
                let written = &reading.text[start..sentence[at + length - 1].at.end];
                if known.insert(crate::title::fold(written)) {
                    found.push(written.to_owned());
                }
            }
            at += length;
        }
    }
    found
}

/// What a sentence has that makes vague words plain.
struct Cures {
    threshold: bool,
    /// The last colon, dash or bracket that a threshold comes behind.
    explained: Option<usize>,
}

impl Cures {
    fn of(sentence: &[Token<'_>]) -> Self {
        let last = measure::thresholds(sentence).last().copied();
        let opens = |token: &Token<'_>| matches!(token.kind, Kind::Sign(':' | '(' | '–' | '—'));
        let explained = last.and_then(|last| sentence[..last].iter().rposition(opens));
        Self { threshold: last.is_some(), explained }
    }

    /// Whether a phrase that ends there is plain.
    fn cure(&self, end: usize, cure: Cure) -> bool {
        match cure {
            Cure::Threshold => self.threshold,
            Cure::Explained | Cure::OfSomething => self.explained.is_some_and(|at| at >= end),
            Cure::None => false,
        }
    }
}

/// The phrase that begins at a token: how many tokens it has, and its cure.
fn phrase(reading: &Reading<'_>, sentence: &[Token<'_>], at: usize) -> Option<(usize, Cure)> {
    let first = &sentence[at];
    if first.kind != Kind::Word || first.named || first.joined || is_name(reading, first) {
        return None;
    }
    let of = PHRASES.get(first.word.as_ref())?;
    of.iter().find_map(|(words, cure)| {
        let mut end = at + 1;
        for word in words {
            // "User-friendly" is "user friendly".
            let hyphen = sentence.get(end).is_some_and(|token| token.is('-'));
            end += usize::from(hyphen);
            if sentence
                .get(end)
                .is_none_or(|token| token.word != word.as_str() || token.named || token.joined != hyphen)
            {
                return None;
            }
            end += 1;
        }
        let goes_on = sentence.get(end + 1).is_some_and(|token| token.joined);
        let before = at.checked_sub(1).map(|before| &sentence[before]);
        let vague = match cure {
            Cure::OfSomething => before.is_some_and(|token| token.can_be(Kinds::SAID_OF)),
            // "How many", "as many as": a number that is given elsewhere.
            Cure::Threshold => !before
                .is_some_and(|token| matches!(token.word.as_ref(), "how" | "as" | "so" | "that" | "tan" | "cuan")),
            _ => true,
        };
        (!goes_on && vague).then_some((end - at, *cure))
    })
}

/// Part of a name: with a capital within a sentence of small letters.
fn is_name(reading: &Reading<'_>, token: &Token<'_>) -> bool {
    let raw = reading.raw(token);
    let mut chars = raw.chars();
    let capital = chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase);
    capital && !token.first && !reading.heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        vague(&Reading::of(text)).join(", ")
    }

    #[test]
    fn vague_words_are_found_whole_in_any_form_and_as_written() {
        for (text, want) in [
            ("The search is FAST and user-friendly.", "FAST, user-friendly"),
            ("It easily handles many users, etc.", "easily, many, etc"),
            ("Retry as needed; log if  necessary", "as needed, if  necessary"),
            ("La página carga rápidamente", "rápidamente"),
            ("Es intuitiva, ROBUSTA y fácil de usar", "intuitiva, ROBUSTA, fácil"),
            ("Se reintenta en la medida de lo posible", "en la medida de lo posible"),
            ("Fast and fast and Fast", "Fast"),
            ("fasten breakfast eastern", ""),
            ("The message is clear", "clear"),
            ("A clear message", "clear"),
            ("Clear the cart, then clean the cache", ""),
            ("Works correctly", "correctly"),
            ("La respuesta es correcta", "correcta"),
            ("With the correct password the form opens", ""),
        ] {
            assert_eq!(found(text), want, "{text:?}");
        }
    }

    #[test]
    fn what_is_named_quoted_measured_or_explained_is_not_vague() {
        for text in [
            "The button says \"Easy\" and `fast` and «rápido»",
            "The fast-forward button is shown",
            "The Quick Start page opens",
            "Search is fast: p99 under 200 ms",
            "La búsqueda es rápida (p99 por debajo de 200 ms)",
            "Returns results quickly, in less than 300 ms",
            "Robust: survives at least 3 restarts",
            "As many rows as the page size are shown",
        ] {
            assert_eq!(found(text), "", "{text:?}");
        }
        assert_eq!(found("It is robust and returns 404. Fast."), "robust, Fast");
        assert_eq!(found("Fast: p99 under 200 ms, etc."), "etc");
    }

    #[test]
    fn every_word_of_the_lists_is_folded_and_stands_once_among_the_longer() {
        for (first, of) in PHRASES.iter() {
            for (words, _) in of {
                let phrase = [&[first.clone()][..], words].concat().join(" ");
                assert_eq!(crate::title::fold(&phrase), phrase);
            }
        }
        assert!(PHRASES.len() > 250, "{}", PHRASES.len());
    }
}
