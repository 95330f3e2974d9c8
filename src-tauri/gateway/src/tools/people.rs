//! The tools that ask the person besides `ask_human` and plans: many questions at once, an approval, something done by hand, a
//! file, setting a file aside. And the session's todo list, which asks nobody.

use super::arguments::ArgumentError;
use super::asking::{self, OnExpiryForm, OptionForm};
use super::call::Call;
use super::outcome::{Failure, Outcome};
use countersign_broker::{BrokerError, Facts};
use countersign_core::asking::Asking;
use countersign_core::class::Class;
use countersign_core::limit;
use countersign_core::plan;
use countersign_core::question::Question;
use countersign_core::request::{Ask, title_from};
use countersign_core::todo;
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used; core has the types")]
pub(super) enum QuestionTypeForm {
    Choice,
    MultiChoice,
    Text,
    Confirm,
}

/// One question as its schema has it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core reads questions")]
pub(super) struct QuestionForm {
    /// Names its answer in the result; unique among them.
    id: String,
    /// What to ask, in the person's language.
    question: String,
    r#type: QuestionTypeForm,
    /// For choice and multiChoice: 1 to 50 options.
    options: Option<Vec<OptionForm>>,
    /// Preselected; a valid answer to this question.
    default: Option<Value>,
    /// Whether it must be answered. True when absent.
    required: Option<bool>,
    /// For text: a regular expression that the answer must match (anchor it with ^ and $).
    pattern: Option<String>,
    /// For choice and multiChoice: whether they may answer in their own words instead. False when absent.
    allow_other: Option<bool>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct AskQuestions {
    /// 1 to 50 questions that belong together, in the order in which they are asked.
    #[schemars(length(min = 1, max = 50))]
    questions: Vec<QuestionForm>,
    /// One line that names them all, in the person's language.
    title: Option<String>,
    /// What the person should know to decide (markdown).
    context: Option<String>,
    /// Seconds after which they lapse, 1 to 2592000. Leave it out to let them stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire" (when absent), or take the "default" of each.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestHumanApproval {
    /// What you are about to do, whole, with what it changes and for whom (markdown, in the person's language).
    summary: String,
    /// What the person should know besides to decide (markdown).
    context: Option<String>,
    /// Seconds after which it lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". An approval never takes a default.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum StepsForm {
    One(String),
    Several(Vec<String>),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestManualIntervention {
    /// One line that says what is to be done, in the person's language.
    title: String,
    /// The steps, in order: 1 to 50 texts, or one text (markdown).
    steps: StepsForm,
    /// What the person should know besides (markdown).
    context: Option<String>,
    /// Seconds after which it lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire".
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestFile {
    /// Which file you need and what for, in the person's language.
    description: String,
    /// Where the copy shall be, in the workspace: a folder (with / at its end) or a file. Its root when absent.
    destination: Option<String>,
    /// The path in the workspace of an older file that it replaces. It stays until you call retire_source.
    replaces: Option<String>,
    /// What the person should know besides (markdown).
    context: Option<String>,
    /// Seconds after which it lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire".
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum WhyForm {
    Wrong,
    Replaced,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RetireSource {
    /// The file's path in the workspace.
    source: String,
    /// "wrong" (it misleads), or "replaced" (another one is used instead).
    why: WhyForm,
    /// What is wrong with it, or what replaced it and why, in the person's language.
    reason: String,
    /// The path of the file that is used instead.
    replaced_by: Option<String>,
    /// What the person should know besides (markdown).
    context: Option<String>,
    /// Seconds after which it lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire".
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used; core has the words")]
pub(super) enum TodoStatusForm {
    Pending,
    InProgress,
    Completed,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core reads todos")]
pub(super) struct TodoForm {
    /// What is to be done, 1 to 500 characters.
    content: String,
    status: TodoStatusForm,
    /// The same while it is under way, such as "Running the tests".
    active_form: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct SetTodos {
    /// The whole list, up to 200 items; it replaces the one before. An empty one takes it away.
    todos: Vec<TodoForm>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// How far the list is.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are written by name")]
pub(super) struct Progress {
    /// Items that are done.
    completed: usize,
    /// All items.
    total: usize,
}

/// An ask of one of those tools, with its fixed question.
fn ask(call: &Call, asking: Asking, title: String, context: String, notes: &mut Vec<String>) -> Result<Ask, Failure> {
    let (expires_in, on_expiry) = asking::expiry(&call.arguments, notes)?;
    let besides: Option<String> = call.arguments.parsed("context", "a text")?;
    if let Some(besides) = &besides {
        limit::check_body("context", besides)?;
    }
    let ask = Ask {
        tool: call.tool.name.to_owned(),
        class: asking.class(),
        title,
        context: Some(plan::shown(&context, besides.as_deref())).filter(|shown| !shown.trim().is_empty()),
        questions: vec![asking.question()],
        arguments: call.arguments.key(),
        expires_in,
        on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    ask.check_but_context(limit::OPTIONS)?;
    Ok(ask)
}

fn needed(call: &Call, field: &'static str) -> Result<String, Failure> {
    let text = call.arguments.text(field)?;
    if text.trim().is_empty() {
        return Err(ArgumentError::Missing { field, takes: "a text" }.into());
    }
    limit::check_body(field, &text)?;
    Ok(text)
}

pub(super) async fn ask_questions(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let shape = "1 to 50 objects {id, question, type, options?, default?, required?, pattern?, allow_other?}";
    let questions: Vec<Question> = call.arguments.needed("questions", shape)?;
    let title: Option<String> = call.arguments.parsed("title", "a text")?;
    let first = || questions.first().map(|question| title_from(&question.question)).unwrap_or_default();
    let (expires_in, on_expiry) = asking::expiry(&call.arguments, &mut notes)?;
    let ask = Ask {
        tool: call.tool.name.to_owned(),
        class: Class::Ask,
        title: title.filter(|title| !title.trim().is_empty()).unwrap_or_else(first),
        context: call.arguments.parsed("context", "a text")?,
        arguments: call.arguments.key(),
        expires_in,
        on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
        questions,
    };
    ask.check(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn request_human_approval(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let summary = needed(&call, "summary")?;
    let ask = ask(&call, Asking::Approval, plan::title(&summary), summary, &mut notes)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn request_manual_intervention(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let title = needed(&call, "title")?;
    let steps = match call.arguments.raw("steps") {
        Some(Value::Array(_)) => {
            let steps: Vec<String> = call.arguments.needed("steps", "1 to 50 texts, or one text")?;
            if !limit::MANUAL_STEPS.contains(&steps.len()) {
                let found = format!("it has {}", steps.len());
                return Err(ArgumentError::Wrong { field: "steps", takes: "1 to 50 texts, or one text", found }.into());
            }
            numbered(&steps)
        }
        _ => needed(&call, "steps")?,
    };
    limit::check_body("steps", &steps)?;
    let ask = ask(&call, Asking::Manual, title, steps, &mut notes)?;
    asking::hold(call, ask, notes).await
}

/// As a list in markdown; a step of several lines stays one item.
fn numbered(steps: &[String]) -> String {
    let item = |(at, step): (usize, &String)| {
        let number = format!("{}. ", at + 1);
        let indent = " ".repeat(number.len());
        number + &step.trim().lines().collect::<Vec<_>>().join(&format!("\n{indent}"))
    };
    steps.iter().enumerate().map(item).collect::<Vec<_>>().join("\n")
}

pub(super) async fn request_file(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let description = needed(&call, "description")?;
    let destination: Option<String> = call.arguments.parsed("destination", "a path in the workspace")?;
    if call.caller.workspace_path.is_empty() {
        return Err(BrokerError::Invalid("this session works in no folder; give `workspace`".into()).into());
    }
    if let Some(destination) = destination.filter(|path| !path.trim().is_empty()) {
        call.broker.check_destination(&call.caller, &destination).await?;
    }
    if let Some(replaces) = call.arguments.parsed::<String>("replaces", "a path in the workspace")? {
        call.broker.look_at_file(&call.caller, &replaces).await?;
    }
    let ask = ask(&call, Asking::File, title_from(&description), description, &mut notes)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn retire_source(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let source = needed(&call, "source")?;
    let reason = needed(&call, "reason")?;
    let why: String = call.arguments.needed("why", "\"wrong\" or \"replaced\"")?;
    if !["wrong", "replaced"].contains(&why.as_str()) {
        let found = "that is neither".to_owned();
        return Err(ArgumentError::Wrong { field: "why", takes: "\"wrong\" or \"replaced\"", found }.into());
    }
    if let Some(other) = call.arguments.parsed::<String>("replaced_by", "a path in the workspace")? {
        call.broker.look_at_file(&call.caller, &other).await?;
    }
    let file = call.broker.look_at_file(&call.caller, &source).await?;
    let title = title_from(&format!("Set {} aside", file.path));
    let mut ask = ask(&call, Asking::Retire, title, reason, &mut notes)?;
    let Facts { path, bytes, sha256 } = file;
    ask.arguments["file"] = json!({"path": path, "bytes": bytes, "sha256": sha256});
    asking::hold(call, ask, notes).await
}

pub(super) async fn set_todos(call: Call) -> Result<Outcome, Failure> {
    let items: Vec<Value> = call.arguments.needed("todos", "a list of objects {content, status, activeForm?}")?;
    let todos = todo::read(&items).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let (completed, total) = todo::progress(&todos);
    call.broker.set_todos(&call.caller, todos).await?;
    let text = format!("The list is shown to the person: {completed} of {total} done. Go on.");
    Ok(Outcome { structured: json!({"completed": completed, "total": total}), text, ending: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_list_and_one_of_several_lines_stays_one_item() {
        let steps = ["Open the page".to_owned(), "Sign in\nwith the second key".to_owned()];
        assert_eq!(numbered(&steps), "1. Open the page\n2. Sign in\n   with the second key");
    }
}
