//! The tools that ask besides `ask_human`: many questions at once, an approval, work of the person's own hands; and the list of what
//! the agent does, which asks nobody.

use super::asking::{self, DefaultForm, OnExpiryForm, OptionForm};
use super::call::Call;
use super::outcome::{Failure, Outcome};
use countersign_core::class::Class;
use countersign_core::limit;
use countersign_core::question::{self, Question};
use countersign_core::request::{Ask, AskError, title_from};
use countersign_core::{approval, manual, plan, todo};
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used; core has the types")]
pub(super) enum TypeForm {
    Choice,
    MultiChoice,
    Text,
    Confirm,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads defaults")]
pub(super) enum AnyDefaultForm {
    Text(DefaultForm),
    Confirm(bool),
}

/// One question as its schema has it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core reads questions")]
pub(super) struct QuestionForm {
    /// A name of yours for it, by which its answer comes back.
    id: String,
    /// What to ask, in the person's language.
    question: String,
    /// choice (one of `options`), multiChoice (some of them), text, or confirm (yes or no).
    r#type: TypeForm,
    /// 1 to 50 options, for choice and multiChoice.
    options: Option<Vec<OptionForm>>,
    /// What is preselected; an answer that the question takes.
    default: Option<AnyDefaultForm>,
    /// Whether it must be answered. True when absent.
    required: Option<bool>,
    /// For text: a regular expression that it must match.
    pattern: Option<String>,
    /// For choices: whether they may answer in their own words instead. False when absent.
    allow_other: Option<bool>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct AskQuestions {
    /// 1 to 50 questions that belong together, with different ids.
    #[schemars(length(min = 1, max = 50))]
    questions: Vec<QuestionForm>,
    /// One line that says what they are about, in the person's language. The first question when absent.
    title: Option<String>,
    /// What the person should know to answer (markdown).
    context: Option<String>,
    /// Seconds after which the questions lapse, 1 to 2592000. Leave it out to let them stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire" (when absent), or take each question's "default".
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for the answers. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestApproval {
    /// What you are about to do and what it means, whole (markdown), in the person's language, with a heading that names it.
    summary: String,
    /// What the person should know besides to decide (markdown).
    context: Option<String>,
    /// Seconds after which the request lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". An approval never takes a default.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for the decision. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads steps")]
pub(super) enum StepsForm {
    Many(Vec<String>),
    One(String),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestManual {
    /// One line that says what it is, in the person's language.
    title: String,
    /// What to do, step by step: 1 to 50 texts, or one text (markdown), in the person's language.
    steps: StepsForm,
    /// What the person should know besides (markdown).
    context: Option<String>,
    /// Seconds after which the request lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". Nothing counts as done by default.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call until they are done. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used; core has the values")]
pub(super) enum TodoStatusForm {
    Pending,
    InProgress,
    Completed,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "its fields are the schema; core reads the list")]
pub(super) struct TodoForm {
    /// What is to be done, in the person's language.
    #[schemars(length(min = 1, max = 500))]
    content: String,
    /// How far it is.
    status: TodoStatusForm,
    /// The same as it is said while it goes on ("Reading the syllabus").
    #[schemars(length(max = 500))]
    active_form: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct SetTodos {
    /// The whole list, up to 200 items; it takes the place of the one before.
    #[schemars(length(max = 200))]
    todos: Vec<TodoForm>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// The list as it is kept.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct TodosNow {
    todos: Vec<TodoForm>,
}

pub(super) async fn ask_questions(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let questions: Vec<Question> = call.arguments.needed(
        "questions",
        "1 to 50 objects {id, question, type, options?, default?, required?, pattern?, allow_other?}",
    )?;
    // Before the title, which may be made of the first.
    question::check_all(&questions, limit::OPTIONS).map_err(AskError::from)?;
    let title: Option<String> = call.arguments.parsed("title", "a text")?;
    if let Some(title) = &title {
        limit::check_line("title", title, limit::TITLE_CHARS)?;
    }
    let first = || questions.first().map(|question| title_from(&question.question)).unwrap_or_default();
    let title = title.unwrap_or_else(first);
    let context = call.arguments.parsed("context", "a text")?;
    let ask = ask(&call, Class::Ask, title, context, questions, &mut notes)?;
    ask.check(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn request_approval(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let summary = call.arguments.text("summary")?;
    approval::check(&summary)?;
    let context = context(&call)?;
    let shown = plan::shown(&summary, context.as_deref());
    let ask = ask(&call, Class::Approval, plan::title(&summary), Some(shown), vec![approval::question()], &mut notes)?;
    ask.check_but_context(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn request_manual(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let title = call.arguments.text("title")?;
    limit::check_line("title", &title, limit::TITLE_CHARS)?;
    let steps: manual::Steps = call.arguments.needed("steps", "1 to 50 texts, or one text")?;
    let shown = plan::shown(&steps.shown()?, context(&call)?.as_deref());
    let ask = ask(&call, Class::Ask, title, Some(shown), vec![manual::question()], &mut notes)?;
    ask.check_but_context(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

/// What the agent says besides, within its limit.
pub(super) fn context(call: &Call) -> Result<Option<String>, Failure> {
    let context: Option<String> = call.arguments.parsed("context", "a text")?;
    if let Some(context) = &context {
        limit::check_body("context", context)?;
    }
    Ok(context)
}

/// An ask of a tool that is no gate.
pub(super) fn ask(
    call: &Call,
    class: Class,
    title: String,
    context: Option<String>,
    questions: Vec<Question>,
    notes: &mut Vec<String>,
) -> Result<Ask, Failure> {
    let (expires_in, on_expiry) = asking::expiry(&call.arguments, notes)?;
    Ok(Ask {
        tool: call.tool.name.to_owned(),
        class,
        title,
        context,
        questions,
        arguments: call.arguments.key(),
        expires_in,
        on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    })
}

pub(super) async fn set_todos(call: Call) -> Result<Outcome, Failure> {
    let given: Value = call.arguments.needed("todos", "the whole list of objects {content, status, activeForm?}")?;
    let todos = todo::read(&given)?;
    let (text, structured) = (todo::ending(&todos), json!({"todos": todos}));
    call.broker.set_todos(&call.caller, todos).await?;
    Ok(Outcome { structured, text, ending: None })
}
