//! What a program asks through the client library: the four calls of the original, as requests of class `ask`. A yes to one of
//! them permits nothing here: it is the program's own question about its own next step.

use crate::answer::Answers;
use crate::class::Class;
use crate::limit;
use crate::question::{Choice, Question, QuestionType};
use crate::request::{Ask, AskError, OnExpiry};
use crate::time::Millis;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Which of the four calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One option or several, or own words.
    Choice,
    /// A text.
    Text,
    /// Yes or no.
    Decision,
    /// Something that the person does by hand: done, or could not.
    Manual,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Choice, Self::Text, Self::Decision, Self::Manual];

    /// The word in `POST /v1/requests`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Text => "text",
            Self::Decision => "decision",
            Self::Manual => "manual",
        }
    }

    /// The request's tool, which is its kind everywhere else.
    pub const fn tool(self) -> &'static str {
        match self {
            Self::Choice => "ask_for_choice",
            Self::Text => "ask_for_text",
            Self::Decision => "ask_for_decision",
            Self::Manual => "ask_for_manual_intervention",
        }
    }

    /// The call that a request came from.
    pub fn of_tool(tool: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.tool() == tool)
    }

    /// The id of its one question.
    pub const fn question_id(self) -> &'static str {
        match self {
            Self::Choice | Self::Text => "answer",
            Self::Decision => "approval",
            Self::Manual => "done",
        }
    }
}

/// What the person reads (the original's `ApprovalPrompt`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// One line.
    pub title: String,
    /// Plain lines below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What is asked about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// More to read, as markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

impl Prompt {
    /// A title, and lines below it.
    pub fn new<L: Into<String>>(title: impl Into<String>, lines: impl IntoIterator<Item = L>) -> Self {
        let lines = lines.into_iter().map(Into::into).collect();
        Self { title: title.into(), lines, question: None, markdown: None }
    }

    /// With this question.
    pub fn with_question(mut self, question: impl Into<String>) -> Self {
        self.question = Some(question.into());
        self
    }

    /// With this markdown to read.
    pub fn with_markdown(mut self, markdown: impl Into<String>) -> Self {
        self.markdown = Some(markdown.into());
        self
    }

    /// The question's text: the one that was given; for a choice and a text else the lines; else the title.
    fn asked(&self, kind: Kind) -> (String, bool) {
        if let Some(question) = self.question.as_ref().filter(|question| !question.trim().is_empty()) {
            return (question.trim().trim_end_matches(':').to_owned(), false);
        }
        let lines = self.lines.join("\n");
        match kind {
            Kind::Choice | Kind::Text if !lines.trim().is_empty() && lines.chars().count() <= limit::QUESTION_CHARS => {
                (lines, true)
            }
            Kind::Choice | Kind::Text | Kind::Decision | Kind::Manual => (self.title.clone(), false),
        }
    }

    fn context(&self, lines_are_asked: bool) -> Option<String> {
        let lines = if lines_are_asked { String::new() } else { as_markdown(&self.lines) };
        let parts = [Some(lines), self.markdown.clone()];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.trim().is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }
}

/// Plain lines, so that they read the same as markdown.
fn as_markdown(lines: &[String]) -> String {
    let plain = |line: &String| {
        // Four blanks at a line's start would make code of it.
        let blanks = line.len() - line.trim_start().len();
        let mut escaped = " ".repeat(blanks.min(3));
        for c in line.trim_start().chars() {
            if c.is_ascii_punctuation() {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        escaped
    };
    let all: Vec<String> = lines.iter().flat_map(|line| line.split('\n').map(str::to_owned)).collect();
    let text: Vec<String> = all.iter().map(plain).collect();
    // A backslash at a line's end breaks it; an empty line does by itself.
    let mut joined = String::new();
    for (n, line) in text.iter().enumerate() {
        joined.push_str(line);
        let (empty, next_empty) = (line.trim().is_empty(), text.get(n + 1).is_none_or(|next| next.trim().is_empty()));
        joined.push_str(if empty || next_empty { "\n" } else { "\\\n" });
    }
    joined.trim_end().to_owned()
}

/// One call, as it is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wish {
    /// What can be chosen; for a choice.
    pub options: Vec<Choice>,
    /// Whether several may be chosen; for a choice.
    pub multiple: bool,
    /// Until when, counted from now.
    pub expires_in: Option<Millis>,
    /// What happens then.
    pub on_expiry: OnExpiry,
}

/// The request of a call, checked. `arguments` make two calls the same.
pub fn ask(kind: Kind, prompt: &Prompt, wish: Wish, arguments: Value) -> Result<Ask, AskError> {
    let (text, lines_are_asked) = prompt.asked(kind);
    let id = kind.question_id();
    let question = match kind {
        Kind::Choice => Question {
            kind: if wish.multiple { QuestionType::MultiChoice } else { QuestionType::Choice },
            allow_other: true,
            ..Question::choice(id, text, wish.options, None)
        },
        Kind::Text => Question { kind: QuestionType::Text, ..Question::confirm(id, text) },
        Kind::Decision | Kind::Manual => Question::confirm(id, text),
    };
    let ask = Ask {
        tool: kind.tool().to_owned(),
        class: Class::Ask,
        title: prompt.title.trim().to_owned(),
        context: prompt.context(lines_are_asked),
        questions: vec![question],
        arguments,
        expires_in: wish.expires_in,
        on_expiry: wish.on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    ask.check(limit::OPTIONS)?;
    Ok(ask)
}

/// What the answers come to, in the words of the call: `chosen` and `other`, `text`, `approved`, `done`. Nothing answered: empty.
pub fn outcome(kind: Kind, answers: &Answers) -> Map<String, Value> {
    let Some(answer) = answers.0.get(kind.question_id()) else { return Map::new() };
    let (chosen, other) = answer.parts();
    let yes = json!(chosen == ["yes"]);
    let fields = match kind {
        Kind::Choice => vec![("chosen", Some(json!(chosen))), ("other", other.map(Value::from))],
        Kind::Text => vec![("text", Some(json!(other.unwrap_or_default())))],
        Kind::Decision => vec![("approved", Some(yes))],
        Kind::Manual => vec![("done", Some(yes))],
    };
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn asked(kind: Kind, prompt: Prompt, expect: Expect) {
        let wish = Wish { options: vec![Choice::plain("PDF"), Choice::plain("Word")], ..Wish::default() };
        let wish = if kind == Kind::Choice { wish } else { Wish::default() };
        let ask = ask(kind, &prompt, wish, json!({})).expect("it is taken");
        let question = &ask.questions[0];
        expect.assert_eq(&format!(
            "{} | {} | {}: {:?} | {}",
            ask.tool,
            ask.title,
            question.id,
            question.question,
            ask.context.unwrap_or_default()
        ));
    }

    #[test]
    fn a_prompt_becomes_a_question_and_what_is_to_be_read_before_it() {
        let export = || Prompt::new("Export", ["Which format?"]);
        asked(Kind::Choice, export(), expect![[r#"ask_for_choice | Export | answer: "Which format?" | "#]]);
        asked(
            Kind::Choice,
            export().with_question("Number: "),
            expect![[r#"ask_for_choice | Export | answer: "Number" | Which format\?"#]],
        );
        asked(Kind::Text, Prompt::new("Name?", [""; 0]), expect![[r#"ask_for_text | Name? | answer: "Name?" | "#]]);
        asked(
            Kind::Decision,
            Prompt::new("Publish?", ["3 *files*", "to <b>", "", "  now"]).with_markdown("**Whole**"),
            expect![[r#"
                ask_for_decision | Publish? | approval: "Publish?" | 3 \*files\*\
                to \<b\>

                  now

                **Whole**"#]],
        );
        asked(
            Kind::Manual,
            Prompt::new("Log in", ["1. Open the page"]),
            expect![[r#"ask_for_manual_intervention | Log in | done: "Log in" | 1\. Open the page"#]],
        );
    }

    #[test]
    fn limits_are_the_requests_own() {
        let none = ask(Kind::Choice, &Prompt::new("Export", ["?"]), Wish::default(), json!({}));
        assert!(none.is_err_and(|error| error.to_string().contains("0 options")));
        let long = ask(Kind::Text, &Prompt::new("x".repeat(201), ["?"]), Wish::default(), json!({}));
        assert!(long.is_err_and(|error| error.to_string().contains("201 characters")));
    }

    #[test]
    fn answers_come_back_in_the_words_of_the_call() {
        let of = |kind: Kind, value: Value| {
            let options = vec![Choice::plain("A"), Choice::plain("B")];
            let wish = Wish { options, multiple: true, ..Wish::default() };
            let wish = if kind == Kind::Choice { wish } else { Wish::default() };
            let ask = ask(kind, &Prompt::new("?", [""; 0]), wish, json!({})).expect("taken");
            let given = [(kind.question_id().to_owned(), value)].into_iter().collect();
            let answers = crate::answer::check(&ask.questions, &given).expect("answers");
            Value::Object(outcome(kind, &answers))
        };
        assert_eq!(of(Kind::Choice, json!(["B"])), json!({"chosen": ["B"]}));
        assert_eq!(of(Kind::Choice, json!({"chosen": ["A"], "other": "C"})), json!({"chosen": ["A"], "other": "C"}));
        assert_eq!(of(Kind::Text, json!("Mine")), json!({"text": "Mine"}));
        assert_eq!(of(Kind::Decision, json!(true)), json!({"approved": true}));
        assert_eq!(of(Kind::Manual, json!(false)), json!({"done": false}));
        assert_eq!(outcome(Kind::Choice, &Answers::default()), Map::new());
    }
}
