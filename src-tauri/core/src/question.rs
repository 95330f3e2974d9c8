//! One question to a person: the seed's `InteractiveQuestion`, with what it leaves open decided.

use crate::answer::{self, Answer};
use crate::limit::{self, TextError};
use crate::title;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What kind of answer a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum QuestionType {
    /// One of `options`.
    Choice,
    /// Some of `options`.
    MultiChoice,
    /// A text, checked against `pattern` when there is one.
    Text,
    /// `true` or `false`.
    Confirm,
}

/// One thing that can be chosen. The value of an answer is always the label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What the person reads and the agent gets back.
    pub label: String,
    /// A line that explains it.
    pub description: Option<String>,
    /// A longer sample of what it would give.
    pub preview: Option<String>,
}

/// A plain text where there is nothing but the label, as in the seed; else an object.
impl Serialize for Choice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.description.is_none() && self.preview.is_none() {
            return serializer.serialize_str(&self.label);
        }
        let fields = [
            ("label", Some(&self.label)),
            ("description", self.description.as_ref()),
            ("preview", self.preview.as_ref()),
        ];
        serializer.collect_map(fields.into_iter().filter(|(_, text)| text.is_some()))
    }
}

impl Choice {
    /// A choice with nothing but its label.
    pub fn plain(label: impl Into<String>) -> Self {
        Self { label: label.into(), description: None, preview: None }
    }
}

/// A plain text, or an object `{label, description?, preview?}`.
impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "an option is a text or an object {label, description?, preview?}")]
        enum Form {
            Plain(String),
            Full { label: String, description: Option<String>, preview: Option<String> },
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Plain(label) => Self::plain(label),
            Form::Full { label, description, preview } => Self { label, description, preview },
        })
    }
}

/// One question (`InteractiveQuestion`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Matches the answer to the question; unique in its request.
    pub id: String,
    /// What the person reads.
    pub question: String,
    /// What kind of answer it takes.
    #[serde(rename = "type")]
    pub kind: QuestionType,
    /// What can be chosen; for choices only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// Preselected, and taken in autonomous mode; a valid answer to this question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Whether it must be answered; true when absent.
    #[serde(default = "yes")]
    pub required: bool,
    /// A linear-time regular expression that a text must match somewhere (anchor it with `^` and `$`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Whether the person may give an own answer to a choice.
    #[serde(default, rename = "allow_other", skip_serializing_if = "std::ops::Not::not")]
    pub allow_other: bool,
}

fn yes() -> bool {
    true
}

/// What is wrong with a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// One of its texts.
    #[error("{0}")]
    Text(#[from] TextError),
    /// Too few or too many options.
    #[error("question `{id}`: it has {found} options; {low} to {high} are allowed")]
    Options {
        /// The question.
        id: String,
        /// Options found.
        found: usize,
        /// The least.
        low: usize,
        /// The most.
        high: usize,
    },
    /// Two options with one label.
    #[error("question `{id}`: the option “{label}” is there twice; labels must differ")]
    Twice {
        /// The question.
        id: String,
        /// The label.
        label: String,
    },
    /// Something that this type of question does not take.
    #[error("question `{id}`: `{field}` is only for {kinds} questions; leave it out")]
    Misplaced {
        /// The question.
        id: String,
        /// The field.
        field: &'static str,
        /// Which types take it.
        kinds: &'static str,
    },
    /// A pattern that is no regular expression, or too large a one.
    #[error("question `{id}`: `pattern` is not a usable regular expression: {why}")]
    Pattern {
        /// The question.
        id: String,
        /// What the compiler says.
        why: String,
    },
    /// A default that the question itself would refuse.
    #[error("question `{id}`: `default` is not a valid answer to it: {why}")]
    Default {
        /// The question.
        id: String,
        /// Why it would be refused.
        why: String,
    },
    /// Too few or too many questions.
    #[error("`questions` has {found} questions; 1 to 50 are allowed")]
    Count {
        /// Questions found.
        found: usize,
    },
    /// Two questions with one id.
    #[error("two questions have the id `{id}`; ids must differ")]
    SameId {
        /// The id.
        id: String,
    },
}

impl Question {
    /// A yes/no question without a default.
    pub fn confirm(id: &str, question: String) -> Self {
        Self {
            id: id.to_owned(),
            question,
            kind: QuestionType::Confirm,
            options: Vec::new(),
            default: None,
            required: true,
            pattern: None,
            allow_other: false,
        }
    }

    /// A closed choice of one.
    pub fn choice(id: &str, question: String, options: Vec<Choice>, default: Option<&str>) -> Self {
        Self { kind: QuestionType::Choice, options, default: default.map(Value::from), ..Self::confirm(id, question) }
    }

    /// Whether there is a default that can stand in for an answer.
    pub fn default_answer(&self) -> Option<Answer> {
        self.default.as_ref().and_then(|value| answer::check_one(self, value).ok())
    }

    /// Its `pattern`, compiled. Matching takes time linear in the text.
    pub(crate) fn compiled(&self) -> Option<Result<regex::Regex, regex::Error>> {
        let pattern = self.pattern.as_ref()?;
        Some(regex::RegexBuilder::new(pattern).size_limit(1 << 20).build())
    }

    /// Checks the question itself; `options` is how many options it may have.
    pub fn check(&self, options: std::ops::RangeInclusive<usize>) -> Result<(), QuestionError> {
        limit::check_line("id", &self.id, limit::QUESTION_ID_CHARS)?;
        limit::check_text("question", &self.question, limit::QUESTION_CHARS)?;
        match self.kind {
            QuestionType::Choice | QuestionType::MultiChoice => self.check_options(options)?,
            QuestionType::Text | QuestionType::Confirm => {
                let misplaced =
                    |field| QuestionError::Misplaced { id: self.id.clone(), field, kinds: "choice and multiChoice" };
                if !self.options.is_empty() {
                    return Err(misplaced("options"));
                }
                if self.allow_other {
                    return Err(misplaced("allow_other"));
                }
            }
        }
        if let Some(pattern) = &self.pattern {
            if self.kind != QuestionType::Text {
                return Err(QuestionError::Misplaced { id: self.id.clone(), field: "pattern", kinds: "text" });
            }
            limit::check_text("pattern", pattern, limit::PATTERN_CHARS)?;
        }
        if let Some(Err(error)) = self.compiled() {
            let why = error.to_string().lines().last().unwrap_or_default().to_owned();
            return Err(QuestionError::Pattern { id: self.id.clone(), why });
        }
        if let Some(default) = &self.default {
            answer::check_one(self, default)
                .map_err(|error| QuestionError::Default { id: self.id.clone(), why: error.to_string() })?;
        }
        Ok(())
    }

    fn check_options(&self, range: std::ops::RangeInclusive<usize>) -> Result<(), QuestionError> {
        let found = self.options.len();
        if !range.contains(&found) {
            return Err(QuestionError::Options { id: self.id.clone(), found, low: *range.start(), high: *range.end() });
        }
        for (i, option) in self.options.iter().enumerate() {
            limit::check_line("option label", &option.label, limit::LABEL_CHARS)?;
            for (field, text) in [("option description", &option.description), ("option preview", &option.preview)] {
                if let Some(text) = text.as_ref().filter(|text| !text.is_empty()) {
                    limit::check_text(field, text, limit::DESCRIPTION_CHARS)?;
                }
            }
            // Compared as people read them: "A" and "A " can't be told apart on screen.
            if self.options[..i].iter().any(|before| title::look_alike(&before.label, &option.label)) {
                return Err(QuestionError::Twice { id: self.id.clone(), label: option.label.clone() });
            }
        }
        Ok(())
    }
}

/// Checks a whole batch: each question, how many, and that ids differ.
pub fn check_all(questions: &[Question], options: std::ops::RangeInclusive<usize>) -> Result<(), QuestionError> {
    if !limit::QUESTIONS.contains(&questions.len()) {
        return Err(QuestionError::Count { found: questions.len() });
    }
    for (i, question) in questions.iter().enumerate() {
        question.check(options.clone())?;
        if questions[..i].iter().any(|before| before.id == question.id) {
            return Err(QuestionError::SameId { id: question.id.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use serde_json::json;

    fn check(question: Value, expect: Expect) {
        let said = match serde_json::from_value::<Question>(question) {
            Err(error) => format!("not a question: {error}"),
            Ok(question) => question.check(limit::OPTIONS).err().map_or("fine".into(), |error| error.to_string()),
        };
        expect.assert_eq(&said);
    }

    #[test]
    fn the_seeds_own_example_is_fine_and_required_is_true_when_absent() {
        let question: Question = serde_json::from_value(json!({
            "id": "confirm-target-env", "question": "¿A qué entorno debe desplegarse esto?", "type": "choice",
            "options": ["staging", "production"], "default": "staging"
        }))
        .expect("it parses");
        assert_eq!(question.check(limit::OPTIONS), Ok(()));
        assert!(question.required);
        assert_eq!(question.options[1], Choice::plain("production"));
        let back = serde_json::to_value(&question).expect("JSON");
        assert_eq!(back["options"], json!(["staging", "production"]), "texts stay texts");
    }

    #[test]
    fn options_may_be_objects() {
        check(
            json!({"id": "q", "question": "?", "type": "choice", "options": [{"label": "A", "description": "d", "preview": "p"}, "B"]}),
            expect!["fine"],
        );
        check(
            json!({"id": "q", "question": "?", "type": "choice", "options": [3, "B"]}),
            expect!["not a question: an option is a text or an object {label, description?, preview?}"],
        );
    }

    #[test]
    fn bad_questions_are_refused_with_the_field_and_the_way_out() {
        let choice = |options: Value| json!({"id": "q", "question": "?", "type": "choice", "options": options});
        check(choice(json!([])), expect!["question `q`: it has 0 options; 1 to 50 are allowed"]);
        check(
            choice(json!((0..51).map(|n| n.to_string()).collect::<Vec<_>>())),
            expect!["question `q`: it has 51 options; 1 to 50 are allowed"],
        );
        check(choice(json!(["A", "A "])), expect!["question `q`: the option “A ” is there twice; labels must differ"]);
        check(
            choice(json!(["A\u{7}", "B"])),
            expect!["`option label` contains the control character U+0007; remove it"],
        );
        check(
            json!({"id": "q", "question": "a\0", "type": "confirm"}),
            expect!["`question` contains a NUL character (U+0000); remove it"],
        );
        check(
            json!({"id": "", "question": "a", "type": "confirm"}),
            expect!["`id` is empty; give 1 to 100 characters"],
        );
        check(
            json!({"id": "q", "question": "a", "type": "maybe"}),
            expect![
                "not a question: unknown variant `maybe`, expected one of `choice`, `multiChoice`, `text`, `confirm`"
            ],
        );
        check(
            json!({"id": "q", "question": "a", "type": "confirm", "options": ["x"]}),
            expect!["question `q`: `options` is only for choice and multiChoice questions; leave it out"],
        );
        check(
            json!({"id": "q", "question": "a", "type": "confirm", "pattern": "x"}),
            expect!["question `q`: `pattern` is only for text questions; leave it out"],
        );
        check(
            json!({"id": "q", "question": "a", "type": "text", "pattern": "("}),
            expect!["question `q`: `pattern` is not a usable regular expression: error: unclosed group"],
        );
        check(
            json!({"id": "q", "question": "a", "type": "text", "pattern": "^\\d+$", "default": "x"}),
            expect![
                "question `q`: `default` is not a valid answer to it: question `q` takes a text that matches `^\\d+$`; this does not"
            ],
        );
        check(
            json!({"id": "q", "question": "a", "type": "choice", "options": ["A", "B"], "default": "C"}),
            expect![
                "question `q`: `default` is not a valid answer to it: question `q` takes one of “A”, “B”; “C” is none of them"
            ],
        );
    }

    #[test]
    fn a_pattern_that_is_exponential_elsewhere_is_linear_here() {
        let question: Question =
            serde_json::from_value(json!({"id": "q", "question": "?", "type": "text", "pattern": "^(a+)+$"}))
                .expect("it parses");
        let text = "a".repeat(100_000) + "!";
        assert!(answer::check_one(&question, &json!(text)).is_err());
    }
}
