//! What a person wrote in plain text (an answer file, a plain terminal, a program's own port), read as an answer.
//!
//! Only what is plainly a selection selects; what is not is the person's own words, whole, or is refused where none are
//! taken. Nothing that was written is dropped. `docs/asking.md` has the table of cases, which a test reads.

use crate::answer::{self, AnswerError};
use crate::question::{Question, QuestionType};
use serde_json::{Map, Value, json};

/// One answer, not yet checked against anything but its question, and what was said beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// As [`answer::check_one`] takes it.
    pub value: Value,
    /// Words beside a selection that the answer itself has no place for.
    pub comment: Option<String>,
}

/// The answers to all questions of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replies {
    /// By question id.
    pub answers: Map<String, Value>,
    /// What was said beside them.
    pub comment: Option<String>,
}

/// Why a text is no answer. The request stays open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Nothing was written yet.
    #[error("nothing is written there yet")]
    Blank,
    /// Neither a yes nor a no.
    #[error("question `{id}` takes yes or no alone in the first line; “{found}” is neither")]
    Unclear {
        /// The question.
        id: String,
        /// The start of what was written.
        found: String,
    },
    /// A request of several questions, and a text before the first id.
    #[error("there are several questions: begin each answer with its id and a colon ({ids})")]
    WhichQuestion {
        /// The ids there are.
        ids: String,
    },
    /// The question does not take it.
    #[error("{0}")]
    Answer(#[from] AnswerError),
}

const YES: [&str; 8] = ["y", "yes", "true", "s", "si", "sí", "1", "done"];
const NO: [&str; 5] = ["n", "no", "false", "q", "2"];
const OWN: [&str; 3] = ["other:", "otra:", "otro:"];

/// Without a byte order mark, with `\n` alone between lines, and without blanks around it.
pub fn tidy(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}

/// Reads what was written as the answer to one question.
pub fn read(question: &Question, text: &str) -> Result<Reply, ReplyError> {
    let text = tidy(text);
    if text.is_empty() {
        return Err(ReplyError::Blank);
    }
    let reply = match question.kind {
        QuestionType::Text => Reply { value: json!(text), comment: None },
        QuestionType::Confirm => confirmed(question, &text)?,
        QuestionType::Choice => chosen_one(question, &text),
        QuestionType::MultiChoice => chosen_some(question, &text),
    };
    answer::check_one(question, &reply.value)?;
    Ok(reply)
}

/// Reads what was written as the answers to all questions: the whole of it where there is one question; else parts, each of
/// which begins with a line `id: …`, or a JSON object by id.
pub fn read_all(questions: &[Question], text: &str) -> Result<Replies, ReplyError> {
    if let [question] = questions {
        let Reply { value, comment } = read(question, text)?;
        return Ok(Replies { answers: [(question.id.clone(), value)].into_iter().collect(), comment });
    }
    let text = tidy(text);
    if text.is_empty() {
        return Err(ReplyError::Blank);
    }
    if let Some(answers) = serde_json::from_str(&text).ok().filter(|_| text.starts_with('{')) {
        answer::check(questions, &answers)?;
        return Ok(Replies { answers, comment: None });
    }
    let (mut answers, mut comments) = (Map::new(), Vec::new());
    for (question, part) in parts(questions, &text)? {
        match read(question, &part) {
            Ok(Reply { value, comment }) => {
                answers.insert(question.id.clone(), value);
                comments.extend(comment);
            }
            // Left out: the check below says whether it may be.
            Err(ReplyError::Blank) => {}
            Err(error) => return Err(error),
        }
    }
    answer::check(questions, &answers)?;
    Ok(Replies { answers, comment: joined(comments) })
}

fn parts<'a>(questions: &'a [Question], text: &str) -> Result<Vec<(&'a Question, String)>, ReplyError> {
    let mut parts: Vec<(&Question, String)> = Vec::new();
    for line in text.lines() {
        let begins = line.split_once(':').and_then(|(id, rest)| {
            let question = questions.iter().find(|question| question.id == id.trim())?;
            // The second time it is part of what was written.
            (!parts.iter().any(|(seen, _)| seen.id == question.id)).then_some((question, rest))
        });
        match (begins, parts.last_mut()) {
            (Some((question, rest)), _) => parts.push((question, rest.trim().to_owned())),
            (None, Some((_, part))) => {
                part.push('\n');
                part.push_str(line);
            }
            (None, None) => {
                let ids = questions.iter().map(|q| format!("`{}:`", q.id)).collect::<Vec<_>>().join(", ");
                return Err(ReplyError::WhichQuestion { ids });
            }
        }
    }
    Ok(parts)
}

fn confirmed(question: &Question, text: &str) -> Result<Reply, ReplyError> {
    let (first, rest) = first_line(text);
    let word = first.trim().trim_end_matches(['.', '!']).to_lowercase();
    if YES.contains(&word.as_str()) {
        return Ok(Reply { value: json!(true), comment: rest });
    }
    // A no may say why in the same line; a yes stands alone, for "yes, but …" is none.
    let (start, why) = match word.split_once([',', ':', ';']) {
        Some((start, _)) => (start.trim().to_owned(), first.split_once([',', ':', ';']).map(|(_, why)| why.trim())),
        None => (word, None),
    };
    if NO.contains(&start.as_str()) {
        let why = why.filter(|why| !why.is_empty()).map(str::to_owned);
        return Ok(Reply { value: json!(false), comment: joined(why.into_iter().chain(rest)) });
    }
    let found = crate::request::title_from(text);
    Err(ReplyError::Unclear { id: question.id.clone(), found })
}

fn chosen_one(question: &Question, text: &str) -> Reply {
    let (first, rest) = first_line(text);
    let whole = option_of(question, text).map(|label| (label, None));
    let label = whole.or_else(|| match selected(question, first)?.as_slice() {
        [label] => Some((label.clone(), rest)),
        _ => None,
    });
    match label {
        Some((label, comment)) => Reply { value: json!(label), comment },
        None => own(question, Vec::new(), own_words(text)),
    }
}

fn chosen_some(question: &Question, text: &str) -> Reply {
    if let Some(label) = option_of(question, text) {
        return Reply { value: json!([label]), comment: None };
    }
    let (mut chosen, mut rest) = (Vec::new(), text);
    while !rest.trim().is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match selected(question, line) {
            Some(labels) => chosen.extend(labels),
            None if line.trim().is_empty() => {}
            None => break,
        }
        rest = after;
    }
    own(question, chosen, own_words(rest.trim()))
}

/// Options with own words: those are a part of the answer where the question takes some, else a comment beside it.
fn own(question: &Question, chosen: Vec<String>, words: &str) -> Reply {
    let several = question.kind == QuestionType::MultiChoice;
    if words.is_empty() {
        return Reply { value: json!(chosen), comment: None };
    }
    if question.allow_other {
        return Reply { value: json!({"chosen": chosen, "other": words}), comment: None };
    }
    if chosen.is_empty() {
        // None of the options, which the check says with what was written.
        let value = if several { json!([words]) } else { json!(words) };
        return Reply { value, comment: None };
    }
    Reply { value: json!(chosen), comment: Some(words.to_owned()) }
}

/// Options that this line is a selection of: numbers or options' texts, and nothing else.
fn selected(question: &Question, line: &str) -> Option<Vec<String>> {
    if let Some(label) = option_of(question, line) {
        return Some(vec![label]);
    }
    let pieces = |by: fn(char) -> bool| line.split(by).map(str::trim).filter(|piece| !piece.is_empty());
    let number = |piece: &str| {
        let digits = piece.trim_end_matches(['.', ')']);
        let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse::<usize>().ok()).flatten()?;
        question.options.get(number.checked_sub(1)?).map(|option| option.label.clone())
    };
    let distinct = |labels: Vec<String>| {
        let mut kept: Vec<String> = Vec::new();
        for label in labels {
            if !kept.contains(&label) {
                kept.push(label);
            }
        }
        Some(kept).filter(|kept| !kept.is_empty())
    };
    let numbers: Option<Vec<_>> = pieces(|c| matches!(c, ',' | ';') || c.is_whitespace()).map(number).collect();
    let texts =
        || pieces(|c| matches!(c, ',' | ';')).map(|piece| option_of(question, piece)).collect::<Option<Vec<_>>>();
    numbers.and_then(distinct).or_else(|| texts().and_then(distinct))
}

/// The option of exactly this text; else the only one that differs in nothing but case or quotes around it.
fn option_of(question: &Question, text: &str) -> Option<String> {
    let text = text.trim();
    let labels = || question.options.iter().map(|option| &option.label);
    let exact = |text: &str| labels().find(|label| label.trim() == text).cloned();
    let bare = ["\"", "'", "“", "«"].iter().zip(["\"", "'", "”", "»"]);
    let bare = bare.filter_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close)).next().unwrap_or(text);
    exact(text).or_else(|| exact(bare)).or_else(|| {
        let small = bare.to_lowercase();
        let mut alike = labels().filter(|label| label.to_lowercase() == small);
        alike.next().filter(|_| alike.next().is_none()).cloned()
    })
}

/// What is said after `Other:`, which makes own words of what would else select; else the text itself.
fn own_words(text: &str) -> &str {
    let after = OWN.iter().find_map(|own| {
        let start = text.get(..own.len()).filter(|start| start.eq_ignore_ascii_case(own))?;
        Some(text[start.len()..].trim())
    });
    after.filter(|words| !words.is_empty()).unwrap_or(text)
}

fn first_line(text: &str) -> (&str, Option<String>) {
    match text.split_once('\n') {
        Some((first, rest)) => (first, Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty())),
        None => (text, None),
    }
}

fn joined(parts: impl IntoIterator<Item = String>) -> Option<String> {
    let all: Vec<String> = parts.into_iter().collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

#[cfg(test)]
mod tests;
