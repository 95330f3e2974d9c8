//! Whether a criterion says what can be seen when it holds: a verb of what a thing does ("returns", "se guarda"), a
//! state ("is disabled", "queda vacío"), or a comparison ("p99 under 200 ms").
//!
//! What is done to build it ("Implement the export", "Añadir validación") is none; nor is what stands in a condition
//! ("when the user saves"). Words are known by lists and endings, not by grammar; in doubt there is an outcome.

use super::lexicon::Kinds;
use super::measure;
use super::reading::{Kind, Reading, Token};

/// Whether an outcome can be seen.
pub(super) fn can_be_seen(reading: &Reading<'_>) -> bool {
    reading.sentences().any(|sentence| asserted(sentence).into_iter().any(|clause| Clause::of(clause).says_outcome()))
}

/// A sentence without its conditions, as clauses.
fn asserted<'s, 'a>(sentence: &'s [Token<'a>]) -> Vec<&'s [Token<'a>]> {
    let then = |token: &Token<'_>| matches!(token.word.as_ref(), "then" | "entonces");
    let ends = |token: &Token<'_>| !token.named && (token.is(',') || token.is(':') || token.is('→') || then(token));
    let mut clauses = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < sentence.len() {
        if !begins_condition(sentence, at) {
            at += 1;
            continue;
        }
        let end = sentence[at..].iter().position(ends).map(|length| at + length);
        // "When they press Save the form closes": where the condition ends can't be told.
        if end.is_none() && sentence[start..at].iter().all(|token| token.kind != Kind::Word) {
            break;
        }
        clauses.push(&sentence[start..at]);
        let condition = &sentence[at..end.unwrap_or(sentence.len())];
        // "When they press Save the form shows Profile, Billing": the comma isn't its end, so many verbs are there.
        let verbs = if sentence[at].word == "al" { 1 } else { 2 };
        if start == at && end.is_some_and(|end| sentence[end].is(',')) && Clause::of(condition).verbs() >= verbs {
            clauses.push(condition);
        }
        start = end.map_or(sentence.len(), |end| end + 1);
        at = start;
    }
    clauses.push(&sentence[start.min(sentence.len())..]);
    clauses
}

fn begins_condition(sentence: &[Token<'_>], at: usize) -> bool {
    let token = &sentence[at];
    // "Al guardar", but not "al menos".
    let infinitive =
        |next: &Token<'_>| ["ar", "er", "ir", "arse", "erse", "irse"].iter().any(|end| next.word.ends_with(end));
    !token.named
        && token.can_be(Kinds::CONDITION)
        && (token.word != "al" || sentence.get(at + 1).is_some_and(infinitive))
}

/// A part of a sentence that says something.
struct Clause<'s, 'a> {
    tokens: &'s [Token<'a>],
    /// Those that aren't named, with their places.
    words: Vec<(usize, &'s Token<'a>)>,
    /// The first word's place among `words`, and whether it is what somebody is told to do to build it.
    first: Option<usize>,
    work: bool,
    /// Where the first thing stands that a verb can be said of.
    subject: usize,
}

impl<'s, 'a> Clause<'s, 'a> {
    fn of(tokens: &'s [Token<'a>]) -> Self {
        let words: Vec<_> = tokens.iter().enumerate().filter(|(_, token)| !token.named).collect();
        let first = words.iter().position(|(_, token)| token.kind == Kind::Word);
        let work = first.is_some_and(|first| {
            words[first].1.first && words[first].1.can_be(Kinds::WORK) && !followed_by_what(&words[first..])
        });
        let subject = |token: &Token<'_>| token.named || token.can_be(Kinds::DETERMINER);
        let subject = tokens.iter().position(subject).unwrap_or(tokens.len());
        Self { tokens, words, first, work, subject }
    }

    fn says_outcome(&self) -> bool {
        // "p99 under 200 ms" needs no verb.
        let compares = || !self.work && !measure::thresholds(self.tokens).is_empty();
        (0..self.words.len()).any(|at| self.verb(at) || self.state(at)) || compares()
    }

    /// How many finite verbs it has.
    fn verbs(&self) -> usize {
        let finite = |at: &usize| self.words[*at].1.can_be(Kinds::FINITE) && self.verb(*at);
        (0..self.words.len()).filter(finite).count()
    }

    /// The word before, adverbs aside.
    fn before(&self, at: usize) -> Option<&'s Token<'a>> {
        let adverb = |word: &str| word.len() > 4 && (word.ends_with("ly") || word.ends_with("mente"));
        let mut before = self.words[..at].iter().rev().map(|(_, token)| *token).take(3);
        before.find(|token| !adverb(&token.word))
    }

    /// Whether the word at a place is a verb of something seen, in a form that says it.
    fn verb(&self, at: usize) -> bool {
        let (place, token) = self.words[at];
        if token.kind != Kind::Word || token.joined {
            return false;
        }
        let before = self.before(at);
        let follows = |kind: Kinds| before.is_some_and(|before| before.can_be(kind));
        let is = |word: &str| before.is_some_and(|before| before.word == word);
        if token.can_be(Kinds::FINITE) {
            let noun = token.can_be(Kinds::NOUN);
            if is("se") || token.can_be(Kinds::ADJECTIVE) {
                return is("se");
            }
            if follows(Kinds::DETERMINER) {
                return !noun && !token.word.ends_with('s');
            }
            // "Webhook retries for Stripe" is a heading; "The worker retries for 5 minutes" isn't.
            return !noun || self.subject < place || !self.links(at + 1);
        }
        if token.can_be(Kinds::PAST) {
            return self.words[at.saturating_sub(4)..at].iter().any(|(_, token)| token.can_be(Kinds::BE));
        }
        if token.can_be(Kinds::BASE) {
            // At the start it is told what to do: a program to "return 404", but a person to "add" something.
            if self.first == Some(at) {
                return !self.work;
            }
            let plural = before.is_some_and(|b| b.word.len() > 2 && b.word.ends_with('s') && !b.word.ends_with("ss"));
            let works_on = self.work && ["and", "or", "to", "que"].into_iter().any(is);
            return plural || follows(Kinds::MODAL) && !works_on;
        }
        self.unknown(at)
    }

    /// A word that may be a verb of any kind: in the third person, and with what it acts on right behind it.
    fn unknown(&self, at: usize) -> bool {
        let token = self.words[at].1;
        let word = token.word.as_ref();
        let next = |kind: Kinds| self.words.get(at + 1).is_some_and(|(_, next)| next.can_be(kind));
        let third = word.ends_with(['a', 'e', 'n']);
        let english = word.ends_with('s') && !word.ends_with("ss") && next(Kinds::OBJECT);
        let spanish = third && (next(Kinds::OBJETO) || at > 0 && self.words[at - 1].1.word == "se");
        at > 0 && word.len() > 3 && (english || spanish) && !token.can_be(Kinds::SAYS_NOTHING)
    }

    /// Whether a place has what follows a noun rather than a verb.
    fn links(&self, at: usize) -> bool {
        let links = |token: &Token<'_>| matches!(token.kind, Kind::Sign(_)) || token.can_be(Kinds::LINK);
        self.words.get(at).is_none_or(|(_, token)| links(token))
    }

    /// Whether a place is a "be" with a state, a number or something named behind it.
    fn state(&self, at: usize) -> bool {
        let (place, token) = self.words[at];
        if !token.can_be(Kinds::BE) {
            return false;
        }
        let participle = |token: &Token<'_>| {
            let ends = ["ed", "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"];
            token.word.len() > 4 && ends.iter().any(|end| token.word.ends_with(end)) && !token.can_be(Kinds::WORK_DONE)
        };
        let given = |token: &Token<'_>| {
            token.kind == Kind::Number || token.can_be(Kinds::STATE | Kinds::NUMBER | Kinds::EXACT) || participle(token)
        };
        let behind = &self.words[at + 1..self.words.len().min(at + 5)];
        let named = self.tokens.iter().skip(place + 1).take(5).any(|token| token.named);
        // "The order is: title, body" gives a list.
        let list = behind.first().is_some_and(|(_, token)| token.is(':'));
        named || list || behind.iter().any(|(_, token)| given(token))
    }
}

/// "Ensure that", "Asegurar que": what follows is the outcome.
fn followed_by_what(words: &[(usize, &Token<'_>)]) -> bool {
    let is = |at: usize, of: &[&str]| words.get(at).is_some_and(|(_, token)| of.contains(&token.word.as_ref()));
    is(1, &["that", "que"]) || is(1, &["de"]) && is(2, &["que"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_is_an_outcome() {
        let table = [
            "returns 404",
            "The page shows a message",
            "Return 404 for an unknown id",
            "The token is stored",
            "The token must be rejected",
            "Errors return 400",
            "The button is disabled",
            "The default is 30",
            "p99 under 200 ms",
            "The status is `paid`",
            "It must not be possible to log in, and the page says so",
            "Given a user, when they pay, then they see a receipt",
            "Ensure that the API returns 404",
            "Add an endpoint that returns the total",
            "When they press Save the form shows it",
            "No mail is sent",
            "The file has three columns",
            "Nothing is lost",
            "Devuelve 404",
            "El formulario muestra un aviso",
            "Se guarda el pedido",
            "El pedido queda guardado",
            "Debe responder 200",
            "El botón está desactivado",
            "Dado un usuario, cuando paga, entonces ve el recibo",
            "Al guardar, se cierra el formulario",
            "La lista está vacía",
            "Si no coincide, el servidor la rechaza",
            "Asegurar que el API devuelve 404",
            "El plazo es de 30 días",
            "Los pedidos aparecen ordenados",
            "No hay errores",
            "Latencia p99 menor de 200 ms",
        ];
        let wrong: Vec<_> = table.into_iter().filter(|text| !can_be_seen(&Reading::of(text))).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn work_conditions_and_topics_are_none() {
        let table = [
            "Implement the export",
            "Add validation to the form",
            "Create user",
            "Refactor and clean the module",
            "Webhook retries",
            "Error handling",
            "Good error messages",
            "The logs are nice",
            "When the user saves the form, good feedback",
            "The export is implemented",
            "Store the token",
            "Support at least 100 users",
            "Use PostgreSQL",
            "Implementar la exportación",
            "Añadir validación al formulario",
            "Reintentos de webhooks",
            "La carga de la página",
            "Gestión de errores",
            "Mensajes de error claros",
            "Cuando el usuario guarda, buena respuesta",
            "La exportación está implementada",
            "Crear usuario",
            "",
            "404",
            "`returns`",
        ];
        let wrong: Vec<_> = table.into_iter().filter(|text| can_be_seen(&Reading::of(text))).collect();
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
