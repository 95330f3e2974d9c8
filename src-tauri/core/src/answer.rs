//! Answers, and their checking against the questions: nothing is stored that a question does not take.

use crate::limit;
use crate::question::{Question, QuestionType};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// To a choice: one option, or the person's own words.
    One(Pick),
    /// To a multiple choice: some options in the question's order, the person's own words, or both.
    Some {
        /// Labels chosen.
        chosen: Vec<String>,
        /// The person's own words.
        other: Option<String>,
    },
    /// To a text question.
    Text(String),
    /// To a yes/no question.
    Confirm(bool),
}

/// One option, or own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// An option's label.
    Option(String),
    /// The person's own words.
    Other(String),
}

/// Checked answers by question id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Answers(pub BTreeMap<String, Answer>);

/// Why answers are refused. The request stays open; nothing is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// No such question in this request.
    #[error("there is no question `{id}` here; the questions are {known}")]
    Unknown {
        /// The id given.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// A required question without an answer.
    #[error("question `{id}` needs an answer: it takes {takes}")]
    Missing {
        /// The question.
        id: String,
        /// What it takes.
        takes: String,
    },
    /// A value that the question does not take.
    #[error("question `{id}` takes {takes}; {found}")]
    Wrong {
        /// The question.
        id: String,
        /// What it takes.
        takes: String,
        /// What is wrong with what was given.
        found: String,
    },
}

impl Answer {
    /// What was chosen and said, for texts: labels first, own words apart.
    pub fn parts(&self) -> (Vec<String>, Option<String>) {
        match self {
            Self::One(Pick::Option(label)) => (vec![label.clone()], None),
            Self::One(Pick::Other(words)) => (Vec::new(), Some(words.clone())),
            Self::Some { chosen, other } => (chosen.clone(), other.clone()),
            Self::Text(text) => (Vec::new(), Some(text.clone())),
            Self::Confirm(yes) => (vec![if *yes { "yes" } else { "no" }.to_owned()], None),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let (mut parts, other) = self.parts();
        parts.extend(other);
        parts.join("; ")
    }

    /// As JSON: a label, a list of labels, a text, a boolean; `{chosen, other}` where there are own words to a choice.
    pub fn to_json(&self) -> Value {
        match self {
            Self::One(Pick::Option(label)) => json!(label),
            Self::One(Pick::Other(words)) => json!({"chosen": [], "other": words}),
            Self::Some { chosen, other: None } => json!(chosen),
            Self::Some { chosen, other: Some(words) } => json!({"chosen": chosen, "other": words}),
            Self::Text(text) => json!(text),
            Self::Confirm(yes) => json!(yes),
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl Answers {
    /// Reads answers back that were checked before they were stored.
    pub fn restore(questions: &[Question], stored: &Map<String, Value>) -> Result<Self, AnswerError> {
        let mut answers = BTreeMap::new();
        for (id, value) in stored {
            let question = questions.iter().find(|question| &question.id == id);
            let question = question.ok_or_else(|| AnswerError::Unknown { id: id.clone(), known: String::new() })?;
            answers.insert(id.clone(), check_one(question, value)?);
        }
        Ok(Self(answers))
    }

    /// The answers as a JSON object.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.iter().map(|(id, answer)| (id.clone(), answer.to_json())).collect())
    }
}

/// What a question takes, in words.
pub fn takes(question: &Question) -> String {
    let labels = || question.options.iter().map(|o| format!("“{}”", o.label)).collect::<Vec<_>>().join(", ");
    let own = if question.allow_other { ", or an own answer" } else { "" };
    match question.kind {
        QuestionType::Choice => format!("one of {}{own}", labels()),
        QuestionType::MultiChoice => format!("a list of {}{own}", labels()),
        QuestionType::Text => match &question.pattern {
            Some(pattern) => format!("a text that matches `{pattern}`"),
            None => "a text".into(),
        },
        QuestionType::Confirm => "true or false".into(),
    }
}

/// Checks what came against the questions. Left out and not required: the default if there is one, else no answer.
pub fn check(questions: &[Question], given: &Map<String, Value>) -> Result<Answers, AnswerError> {
    if let Some(id) = given.keys().find(|id| !questions.iter().any(|question| &question.id == *id)) {
        let known = questions.iter().map(|q| format!("`{}`", q.id)).collect::<Vec<_>>().join(", ");
        return Err(AnswerError::Unknown { id: id.clone(), known });
    }
    let mut answers = BTreeMap::new();
    for question in questions {
        match given.get(&question.id).filter(|value| !is_left_out(value)) {
            Some(value) => {
                answers.insert(question.id.clone(), check_one(question, value)?);
            }
            None if question.required => {
                return Err(AnswerError::Missing { id: question.id.clone(), takes: takes(question) });
            }
            None => {
                if let Some(default) = question.default_answer() {
                    answers.insert(question.id.clone(), default);
                }
            }
        }
    }
    Ok(Answers(answers))
}

/// The defaults of all questions, when each has one or is not required; else the first that stands in the way.
pub fn defaults(questions: &[Question]) -> Result<Answers, &Question> {
    let mut answers = BTreeMap::new();
    for question in questions {
        match question.default_answer() {
            Some(answer) => {
                answers.insert(question.id.clone(), answer);
            }
            None if question.required => return Err(question),
            None => {}
        }
    }
    Ok(Answers(answers))
}

/// Checks one value against its question.
pub fn check_one(question: &Question, value: &Value) -> Result<Answer, AnswerError> {
    let wrong = |found: String| AnswerError::Wrong { id: question.id.clone(), takes: takes(question), found };
    match question.kind {
        QuestionType::Confirm => match value {
            Value::Bool(yes) => Ok(Answer::Confirm(*yes)),
            other => Err(wrong(format!("{} is neither", name(other)))),
        },
        QuestionType::Text => match value {
            Value::String(text) => check_pattern(question, text).map_err(wrong),
            other => Err(wrong(format!("{} is no text", name(other)))),
        },
        QuestionType::Choice => {
            let (mut chosen, other) = picked(question, value).map_err(wrong)?;
            match (chosen.len(), other) {
                (1, None) => Ok(Answer::One(Pick::Option(chosen.remove(0)))),
                (0, Some(words)) => Ok(Answer::One(Pick::Other(words))),
                _ => Err(wrong("that is more than one, or none".into())),
            }
        }
        QuestionType::MultiChoice => {
            let (chosen, other) = picked(question, value).map_err(wrong)?;
            Ok(Answer::Some { chosen, other })
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    #[serde(default)]
    chosen: Vec<String>,
    #[serde(default)]
    other: Option<String>,
}

fn is_left_out(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(own) => {
            let nothing = |key: &str| own.get(key).is_none_or(is_left_out);
            nothing("chosen") && nothing("other") && own.keys().all(|key| key == "chosen" || key == "other")
        }
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Options in the question's order without repeats, and own words.
fn picked(question: &Question, value: &Value) -> Result<(Vec<String>, Option<String>), String> {
    let many = question.kind == QuestionType::MultiChoice;
    let own = match value {
        Value::String(label) if !many => Own { chosen: vec![label.clone()], other: None },
        Value::Array(_) if many => Own {
            chosen: serde_json::from_value(value.clone()).map_err(|_| "not every item is a text".to_owned())?,
            other: None,
        },
        Value::Object(_) => {
            serde_json::from_value(value.clone()).map_err(|e| format!("`{{chosen, other}}` is malformed: {e}"))?
        }
        other => return Err(format!("{} is neither", name(other))),
    };
    if let Some(label) = own.chosen.iter().find(|label| !question.options.iter().any(|o| &o.label == *label)) {
        return Err(format!("“{label}” is none of them"));
    }
    let chosen = question.options.iter().map(|o| &o.label).filter(|l| own.chosen.contains(l)).cloned().collect();
    let other = own.other.map(|words| words.trim().to_owned()).filter(|words| !words.is_empty());
    if let Some(words) = &other {
        if !question.allow_other {
            return Err("it takes no own answer".into());
        }
        limit::check_body("the own answer", words).map_err(|e| e.to_string())?;
    }
    Ok((chosen, other))
}

fn check_pattern(question: &Question, text: &str) -> Result<Answer, String> {
    limit::check_body("the answer", text).map_err(|e| e.to_string())?;
    match question.compiled() {
        Some(Ok(pattern)) if !pattern.is_match(text) => Err("this does not".into()),
        Some(Err(_)) => Err("its pattern can't be used".into()),
        Some(Ok(_)) | None => Ok(Answer::Text(text.to_owned())),
    }
}

fn name(value: &Value) -> String {
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(b) => format!("`{b}`"),
        Value::Number(n) => format!("the number {n}"),
        Value::String(s) if s.chars().count() <= 40 => format!("“{s}”"),
        Value::String(_) => "a text".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn questions() -> Vec<Question> {
        serde_json::from_value(json!([
            {"id": "one", "question": "?", "type": "choice", "options": ["A", "B"], "required": false, "default": "B"},
            {"id": "some", "question": "?", "type": "multiChoice", "options": ["A", "B", "C"], "required": false, "allow_other": true},
            {"id": "text", "question": "?", "type": "text", "pattern": "^[a-z]+$", "required": false},
            {"id": "sure", "question": "?", "type": "confirm"},
        ]))
        .expect("questions parse")
    }

    fn says(given: Value, expect: Expect) {
        let given = given.as_object().expect("an object").clone();
        let said = match check(&questions(), &given) {
            Ok(answers) => answers.to_json().to_string(),
            Err(error) => error.to_string(),
        };
        expect.assert_eq(&said);
    }

    #[test]
    fn what_fits_is_taken_and_what_is_left_out_takes_its_default() {
        says(json!({"sure": false}), expect![[r#"{"one":"B","sure":false}"#]]);
        says(
            json!({"sure": true, "one": "A", "some": ["C", "A", "C"], "text": "abc"}),
            expect![[r#"{"one":"A","some":["A","C"],"sure":true,"text":"abc"}"#]],
        );
        says(
            json!({"sure": true, "some": {"chosen": ["B"], "other": " mine "}}),
            expect![[r#"{"one":"B","some":{"chosen":["B"],"other":"mine"},"sure":true}"#]],
        );
        says(json!({"sure": true, "some": [], "text": " "}), expect![[r#"{"one":"B","sure":true}"#]]);
    }

    #[test]
    fn what_does_not_fit_is_refused_and_the_message_names_the_question_and_what_it_takes() {
        says(json!({}), expect!["question `sure` needs an answer: it takes true or false"]);
        says(json!({"sure": "true"}), expect!["question `sure` takes true or false; “true” is neither"]);
        says(json!({"sure": 1}), expect!["question `sure` takes true or false; the number 1 is neither"]);
        says(json!({"sure": true, "one": "C"}), expect!["question `one` takes one of “A”, “B”; “C” is none of them"]);
        says(json!({"sure": true, "one": ["A"]}), expect!["question `one` takes one of “A”, “B”; a list is neither"]);
        says(
            json!({"sure": true, "one": {"chosen": ["A", "B"]}}),
            expect!["question `one` takes one of “A”, “B”; that is more than one, or none"],
        );
        says(
            json!({"sure": true, "one": {"other": "x"}}),
            expect!["question `one` takes one of “A”, “B”; it takes no own answer"],
        );
        says(
            json!({"sure": true, "some": ["A", 3]}),
            expect!["question `some` takes a list of “A”, “B”, “C”, or an own answer; not every item is a text"],
        );
        says(
            json!({"sure": true, "some": {"chosen": [], "evil": 1}}),
            expect![
                "question `some` takes a list of “A”, “B”, “C”, or an own answer; `{chosen, other}` is malformed: unknown field `evil`, expected `chosen` or `other`"
            ],
        );
        says(
            json!({"sure": true, "text": "ABC"}),
            expect!["question `text` takes a text that matches `^[a-z]+$`; this does not"],
        );
        says(
            json!({"sure": true, "nope": 1}),
            expect!["there is no question `nope` here; the questions are `one`, `some`, `text`, `sure`"],
        );
    }

    #[test]
    fn defaults_stand_in_only_when_every_required_question_has_one() {
        let mut all = questions();
        assert_eq!(defaults(&all).map_err(|q| q.id.clone()), Err("sure".to_owned()));
        all[3].default = Some(json!(false));
        assert_eq!(defaults(&all).map(|a| a.to_json()).ok(), Some(json!({"one": "B", "sure": false})));
    }
}
