//! From flags to answers: what `countersign inbox answer` was told, as the request's questions take it.

use crate::exit::Refusal;
use clap::{Args, ValueEnum};
use countersign_core::given;
use countersign_core::plan::Outcome;
use serde_json::{Map, Value, json};

/// An answer in flags.
#[derive(Args, Default)]
#[group(required = true, multiple = true)]
pub struct Given {
    /// Choose this option, by its label; several times for several
    #[arg(long, value_name = "LABEL")]
    pub option: Vec<String>,
    /// Answer in your own words
    #[arg(long, value_name = "T")]
    pub text: Option<String>,
    /// Give this file, where one is asked for
    #[arg(long, value_name = "PATH", conflicts_with_all = ["option", "text"])]
    pub file: Option<String>,
    /// Yes
    #[arg(long, conflicts_with_all = ["no", "option", "text", "file", "answers", "plan"])]
    pub yes: bool,
    /// No
    #[arg(long, conflicts_with_all = ["option", "text", "file", "answers", "plan"])]
    pub no: bool,
    /// All answers as a JSON object, by question id
    #[arg(long, value_name = "JSON", conflicts_with_all = ["option", "text", "file", "plan"])]
    pub answers: Option<String>,
    /// What to do with a plan
    #[arg(long, conflicts_with_all = ["option", "text", "file"])]
    pub plan: Option<Plan>,
}

/// The three answers to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plan {
    /// Run it
    Run,
    /// Keep planning
    Keep,
    /// Cancel
    Cancel,
}

impl From<Plan> for Outcome {
    fn from(plan: Plan) -> Self {
        match plan {
            Plan::Run => Self::Run,
            Plan::Keep => Self::Keep,
            Plan::Cancel => Self::Cancel,
        }
    }
}

impl Given {
    /// The answers by question id, for a request as `show` prints it.
    pub fn answers(&self, request: &Value) -> Result<Map<String, Value>, Refusal> {
        if let Some(text) = &self.answers {
            return match serde_json::from_str(text) {
                Ok(Value::Object(answers)) => Ok(answers),
                Ok(_) => Err(Refusal::usage("--answers takes a JSON object, such as '{\"id\": true}'")),
                Err(error) => Err(Refusal::usage(format!("--answers is no JSON: {error}"))),
            };
        }
        let questions = request["questions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let [question] = questions else {
            return Err(Refusal::usage(format!(
                "this request has {} questions; answer them together with --answers JSON",
                questions.len()
            )));
        };
        let id = question["id"].as_str().unwrap_or_default().to_owned();
        Ok(Map::from_iter([(id, self.value(question, request)?)]))
    }

    /// A label that the question does not have. Looked at before a proof is asked for.
    fn unknown_option(&self, question: &Value) -> Option<&str> {
        let known = |given: &str| labels(question).any(|label| label == given);
        self.option.iter().map(String::as_str).find(|given| !known(given))
    }

    fn value(&self, question: &Value, request: &Value) -> Result<Value, Refusal> {
        let kind = question["type"].as_str().unwrap_or_default();
        if self.plan.is_some() && request["class"] != "plan" {
            return Err(Refusal::usage("--plan is for plans; this request is none"));
        }
        if let Some(plan) = self.plan {
            return Ok(json!(Outcome::from(plan).label()));
        }
        if self.file.is_some() && request["kind"] != given::TOOL {
            return Err(Refusal::usage("--file is for requests for a file; this one is none"));
        }
        match kind {
            "text" if request["kind"] == given::TOOL => match self.file.as_ref().or(self.text.as_ref()) {
                Some(path) => Ok(json!(whole(path)?)),
                None => Err(Refusal::usage("this asks for a file; answer with --file PATH")),
            },
            "confirm" if self.yes || self.no => Ok(json!(self.yes)),
            "confirm" => Err(Refusal::usage("this is a yes/no question; answer with --yes or --no")),
            _ if self.yes || self.no => Err(Refusal::usage("--yes and --no are for yes/no questions; this is none")),
            _ if self.unknown_option(question).is_some() => Err(Refusal::refused(format!(
                "there is no option {:?}; there are {}",
                self.unknown_option(question).unwrap_or_default(),
                labels(question).map(|label| format!("{label:?}")).collect::<Vec<_>>().join(", ")
            ))),
            "text" => match (&self.text, self.option.is_empty()) {
                (Some(text), true) => Ok(json!(text)),
                _ => Err(Refusal::usage("this question takes a text; answer with --text")),
            },
            _ => Ok(match (&self.text, self.option.as_slice()) {
                (Some(text), options) => json!({"chosen": options, "other": text}),
                (None, [one]) if kind == "choice" => json!(one),
                (None, options) if kind == "choice" => json!({"chosen": options}),
                (None, options) => json!(options),
            }),
        }
    }
}

/// Answers as the process that has the data folder reads them: of a request for a file, the whole path of one.
pub fn elsewhere(kind: &str, mut answers: Map<String, Value>) -> Map<String, Value> {
    if kind == given::TOOL
        && let Some(Value::String(path)) = answers.get_mut(given::QUESTION)
        && let Ok(there) = whole(path)
    {
        *path = there;
    }
    answers
}

/// A path as the process that has the data folder can read it, which runs elsewhere.
fn whole(path: &str) -> Result<String, Refusal> {
    let here = std::env::current_dir().ok().and_then(|here| here.into_os_string().into_string().ok());
    match here {
        Some(here) => Ok(given::absolute(path, &here)),
        None => Err(Refusal::usage("the current folder can't be told; give the file's whole path")),
    }
}

fn labels(question: &Value) -> impl Iterator<Item = &str> {
    let options = question["options"].as_array().into_iter().flatten();
    options.filter_map(|option| option.as_str().or_else(|| option["label"].as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(kind: &str, given: &Given) -> Result<Value, String> {
        let request =
            json!({"class": "ask", "questions": [{"id": "q", "type": kind, "options": ["A", {"label": "B"}]}]});
        given.answers(&request).map(|answers| answers["q"].clone()).map_err(|refusal| refusal.message)
    }

    #[test]
    fn flags_become_what_each_type_of_question_takes() {
        let options =
            |labels: &[&str]| Given { option: labels.iter().map(|l| (*l).to_owned()).collect(), ..Given::default() };
        let text = Given { text: Some("own".into()), ..Given::default() };
        assert_eq!(value("choice", &options(&["A"])), Ok(json!("A")));
        assert_eq!(value("choice", &text), Ok(json!({"chosen": [], "other": "own"})));
        assert_eq!(value("multiChoice", &options(&["A"])), Ok(json!(["A"])));
        assert_eq!(value("multiChoice", &options(&["A", "B"])), Ok(json!(["A", "B"])));
        let both = Given { text: Some("own".into()), ..options(&["A"]) };
        assert_eq!(value("multiChoice", &both), Ok(json!({"chosen": ["A"], "other": "own"})));
        assert_eq!(value("text", &text), Ok(json!("own")));
        assert_eq!(value("confirm", &Given { no: true, ..Given::default() }), Ok(json!(false)));
        assert_eq!(value("choice", &options(&["C"])), Err("there is no option \"C\"; there are \"A\", \"B\"".into()));
        assert!(value("confirm", &text).is_err());
        assert!(value("text", &options(&["A"])).is_err());
        assert!(value("choice", &Given { yes: true, ..Given::default() }).is_err());
        assert!(value("choice", &Given { plan: Some(Plan::Run), ..Given::default() }).is_err());
        assert!(value("choice", &Given { answers: Some("[1]".into()), ..Given::default() }).is_err());
    }

    #[test]
    fn a_file_is_given_by_its_whole_path_and_to_nothing_but_a_request_for_one() {
        let value = |kind: &str, given: &Given| {
            let request = json!({"class": "ask", "kind": kind, "questions": [{"id": "file", "type": "text"}]});
            given.answers(&request).map(|answers| answers["file"].clone()).map_err(|refusal| refusal.message)
        };
        let here = std::env::current_dir().expect("a folder");
        let file = |path: &str| Given { file: Some(path.into()), ..Given::default() };
        let text = Given { text: Some("a b.pdf".into()), ..Given::default() };
        assert_eq!(value("request_file", &file("a.pdf")), Ok(json!(here.join("a.pdf"))));
        assert_eq!(value("request_file", &text), Ok(json!(here.join("a b.pdf"))));
        assert_eq!(value("request_file", &file("~/a.pdf")), Ok(json!("~/a.pdf")));
        assert_eq!(value("ask_questions", &text), Ok(json!("a b.pdf")), "a text of any other question is one");
        assert!(value("ask_questions", &file("a.pdf")).is_err());
        assert!(value("request_file", &Given { yes: true, ..Given::default() }).is_err());
    }

    #[test]
    fn several_questions_take_json() {
        let request = json!({"questions": [{"id": "a", "type": "text"}, {"id": "b", "type": "confirm"}]});
        let given = Given { yes: true, ..Given::default() };
        assert!(given.answers(&request).is_err());
        let given = Given { answers: Some(r#"{"a":"x","b":true}"#.into()), ..Given::default() };
        assert_eq!(given.answers(&request).map(Value::Object).ok(), Some(json!({"a": "x", "b": true})));
    }
}
