//! Whether acceptance criteria are fit to build against, and why not.
//!
//! Five rules, each with a name, decided by lists and counting alone: the same text always gets the same verdict, in no
//! time and without a network. English and Spanish, mixed if need be. A criterion is fit when no rule finds anything.
//! The verdicts over a corpus are kept in `readiness/corpus.txt`; a change of a rule shows there.

mod duplicate;
mod lexicon;
mod measure;
mod outcome;
mod reading;
mod words;

use crate::language::Language;
use crate::limit;
use reading::Reading;
use serde::Serialize;

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A word that two people read differently, with nothing beside it that says how it is measured.
    VagueWords,
    /// Nothing that anybody could see happen.
    NoOutcome,
    /// Neither a number nor the name of a thing.
    NoMeasure,
    /// An earlier criterion says it.
    Duplicate,
    /// Longer than [`limit::READY_CRITERION_CHARS`].
    TooLong,
}

impl Rule {
    /// All rules, in the order in which they are told.
    pub const ALL: [Self; 5] = [Self::VagueWords, Self::NoOutcome, Self::NoMeasure, Self::Duplicate, Self::TooLong];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::VagueWords => "vague-words",
            Self::NoOutcome => "no-outcome",
            Self::NoMeasure => "no-measure",
            Self::Duplicate => "duplicate",
            Self::TooLong => "too-long",
        }
    }

    /// What a person reads.
    pub const fn title(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::VagueWords, Language::English) => "Vague words",
            (Self::VagueWords, Language::Spanish) => "Palabras vagas",
            (Self::NoOutcome, Language::English) => "No observable outcome",
            (Self::NoOutcome, Language::Spanish) => "Sin resultado observable",
            (Self::NoMeasure, Language::English) => "Nothing to measure or point at",
            (Self::NoMeasure, Language::Spanish) => "Nada que medir ni señalar",
            (Self::Duplicate, Language::English) => "Said twice",
            (Self::Duplicate, Language::Spanish) => "Repetido",
            (Self::TooLong, Language::English) => "Too long",
            (Self::TooLong, Language::Spanish) => "Demasiado largo",
        }
    }
}

/// What a rule found in a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// What was found, as written: the vague words; of a text that is too long, how many characters it has.
    pub words: Vec<String>,
    /// The id of the earlier criterion that says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

impl Finding {
    /// What is wrong and how to mend it.
    pub fn message(&self, language: Language) -> String {
        let words = self.words.iter().map(|word| format!("“{word}”")).collect::<Vec<_>>().join(", ");
        let found = self.words.first().map_or("", String::as_str);
        let of = self.of.as_deref().unwrap_or_default();
        let limit = limit::READY_CRITERION_CHARS;
        match (self.rule, language) {
            (Rule::VagueWords, Language::English) => {
                format!("{words} can be read in several ways; say how it is measured (a number with its unit) or leave it out")
            }
            (Rule::VagueWords, Language::Spanish) => {
                let words = words.replace('“', "«").replace('”', "»");
                format!("{words} se puede entender de varias maneras; di cómo se mide (un número con su unidad) o quítalo")
            }
            (Rule::NoOutcome, Language::English) => "it doesn't say what can be seen when it holds; say what happens (“returns 404”, “shows the total”, “is rejected”), not what is to be built".into(),
            (Rule::NoOutcome, Language::Spanish) => "no dice qué se puede ver cuando se cumple; di qué ocurre («devuelve 404», «muestra el total», «se rechaza»), no qué hay que construir".into(),
            (Rule::NoMeasure, Language::English) => "there is nothing to measure or to point at; give a number, a status code, a file, an endpoint, or the exact text in quotes".into(),
            (Rule::NoMeasure, Language::Spanish) => "no hay nada que medir ni que señalar; da un número, un código de estado, un archivo, un endpoint o el texto exacto entre comillas".into(),
            (Rule::Duplicate, Language::English) => format!("it says the same as {of}; drop one of the two or say what differs"),
            (Rule::Duplicate, Language::Spanish) => format!("dice lo mismo que {of}; quita uno de los dos o di en qué se diferencian"),
            (Rule::TooLong, Language::English) => format!("it has {found} characters; up to {limit} are fit to be judged at once, so split it into several criteria"),
            (Rule::TooLong, Language::Spanish) => format!("tiene {found} caracteres; hasta {limit} se pueden juzgar de una vez, así que divídelo en varios criterios"),
        }
    }
}

/// What the rules say of one criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Which criterion.
    pub id: String,
    /// Whether it is fit to build against.
    pub fit: bool,
    /// Why not, in the order of [`Rule::ALL`].
    pub findings: Vec<Finding>,
}

/// The verdict on each criterion (its id and its text), in order.
pub fn check<'a>(criteria: &[(&'a str, &str)]) -> Vec<Verdict> {
    let mut earlier = duplicate::Earlier::default();
    let verdict = |(id, text): (&'a str, &str)| {
        let reading = Reading::of(text);
        let finding = |rule, words| Finding { rule, words, of: None };
        let mut findings = Vec::new();
        let vague = words::vague(&reading);
        if !vague.is_empty() {
            findings.push(finding(Rule::VagueWords, vague));
        }
        if !outcome::can_be_seen(&reading) {
            findings.push(finding(Rule::NoOutcome, Vec::new()));
        }
        if !measure::has(&reading) {
            findings.push(finding(Rule::NoMeasure, Vec::new()));
        }
        if let Some(of) = earlier.same(id, &reading) {
            findings.push(Finding { of: Some(of.to_owned()), ..finding(Rule::Duplicate, Vec::new()) });
        }
        let chars = text.trim().chars().count();
        if chars > limit::READY_CRITERION_CHARS {
            findings.push(finding(Rule::TooLong, vec![chars.to_string()]));
        }
        Verdict { id: id.to_owned(), fit: findings.is_empty(), findings }
    };
    criteria.iter().copied().map(verdict).collect()
}

#[cfg(test)]
mod tests;
