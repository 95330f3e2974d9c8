//! Asking a person, and what goes with it: waiting, looking, taking back.

use super::arguments::{ArgumentError, Arguments};
use super::call::Call;
use super::outcome::{Failure, Outcome};
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::question::{Choice, Question, QuestionType};
use countersign_core::request::{Ask, OnExpiry, State, title_from};
use countersign_core::time::Millis;
use schemars::JsonSchema;
use serde_json::{Map, Value};

/// One option as its schema has it.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads options")]
pub(super) enum OptionForm {
    /// The label alone.
    Label(String),
    /// A label with more to read.
    Full {
        /// What the person picks and you get back.
        label: String,
        /// One line that explains it.
        description: Option<String>,
        /// A longer sample of what it would give (markdown).
        preview: Option<String>,
    },
}

/// A default as its schema has it.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used; core reads defaults")]
pub(super) enum DefaultForm {
    One(String),
    Several(Vec<String>),
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the values")]
pub(super) enum OnExpiryForm {
    Default,
    Expire,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct AskHuman {
    /// What to ask, whole, in the person's language.
    question: String,
    /// 2 to 8 options to choose from, in the person's language. They can always answer in their own words instead.
    #[schemars(length(min = 2, max = 8))]
    options: Vec<OptionForm>,
    /// Whether several options may be chosen. False when absent.
    multiple: Option<bool>,
    /// What the person should know to decide (markdown).
    context: Option<String>,
    /// The label (with `multiple`: labels) that is preselected.
    default: Option<DefaultForm>,
    /// Seconds after which the question lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire" (when absent), or take the "default".
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct WaitForAnswer {
    /// The `request.id` of an earlier result.
    request_id: String,
    /// Seconds to wait, 20 or more. Leave it out.
    #[schemars(with = "Option<f64>")]
    timeout_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct ByRequest {
    /// The `request.id` of an earlier result.
    request_id: String,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the states")]
pub(super) enum StateForm {
    Pending,
    Answered,
    Declined,
    Cancelled,
    Expired,
    Superseded,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct RequestForm {
    /// Pass it to `wait_for_answer`.
    id: String,
    state: StateForm,
    /// How much a wrong yes would cost.
    class: String,
}

/// A file as it is in the workspace.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct FileForm {
    /// Relative to the workspace.
    path: String,
    bytes: u64,
    /// The digest of its content, in hexadecimal digits.
    sha256: String,
    /// Whether the same content was there before, so that nothing was copied.
    already_there: bool,
    /// What the person's own file is called.
    name: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct RemarkForm {
    /// The line of the plan, from 1.
    #[schemars(with = "f64")]
    line: u32,
    /// What stands there, or its beginning.
    quote: String,
    /// What should be otherwise.
    text: String,
}

/// How a request stands or ended.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; core writes the values")]
pub(super) struct Ending {
    state: StateForm,
    request: RequestForm,
    /// The answers by question id.
    answers: Option<Map<String, Value>>,
    /// The labels that were chosen.
    chosen: Option<Vec<String>>,
    /// The person's own answer.
    other: Option<String>,
    /// What the person made of a plan: run, keep or cancel.
    outcome: Option<String>,
    /// The session's mode since then, for a plan.
    mode: Option<String>,
    /// Whether an approval was given.
    approved: Option<bool>,
    /// Whether the person did what only they can do.
    done: Option<bool>,
    /// Whether the file was put away.
    retired: Option<bool>,
    /// Where it is now, relative to the workspace.
    path: Option<String>,
    /// The file that the person gave.
    file: Option<FileForm>,
    /// What the person remarked on single lines of a plan.
    remarks: Option<Vec<RemarkForm>>,
    /// Of a plan: 1 for the first, more for those that revise it.
    #[schemars(with = "Option<f64>")]
    revision: Option<u32>,
    /// What the person added.
    comment: Option<String>,
    /// A person, or what stood in for one.
    decided_by: Option<String>,
    /// Whether this ending was handed out before.
    repeated: Option<bool>,
}

pub(super) async fn ask_human(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let ask = question(&call, &mut notes)?;
    hold(call, ask, notes).await
}

/// Asks, and holds the call for the answer.
pub(super) async fn hold(call: Call, ask: Ask, mut notes: Vec<String>) -> Result<Outcome, Failure> {
    let seconds = hold_seconds(&call, &mut notes);
    let asked = call.broker.ask(&call.caller, ask).await?;
    // What was just committed needs no second reading when nobody waits.
    if asked.request.state != State::Pending || seconds == 0 {
        return Ok(Outcome::request(&asked.request, asked.repeated, notes));
    }
    let request = call.hold(&asked.request.id, seconds).await?;
    Ok(Outcome::request(&request, asked.repeated, notes))
}

/// What `ask_human` asks, checked.
fn question(call: &Call, notes: &mut Vec<String>) -> Result<Ask, Failure> {
    let arguments = &call.arguments;
    let text = arguments.text("question")?;
    let options: Vec<Choice> =
        arguments.needed("options", "2 to 8 texts or objects {label, description?, preview?}")?;
    let multiple = arguments.parsed("multiple", "true or false")?.unwrap_or(false);
    let (expires_in, on_expiry) = expiry(arguments, notes)?;
    let kind = if multiple { QuestionType::MultiChoice } else { QuestionType::Choice };
    let ask = Ask {
        tool: call.tool.name.to_owned(),
        class: Class::Ask,
        title: title_from(&text),
        context: arguments.parsed("context", "a text")?,
        questions: vec![Question {
            kind,
            default: arguments.raw("default").map(|default| default_of(default, multiple)),
            allow_other: true,
            ..Question::choice("answer", text, options, None)
        }],
        arguments: arguments.key(),
        expires_in,
        on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    ask.check(limit::ASK_HUMAN_OPTIONS)?;
    Ok(ask)
}

/// When it lapses, and what happens then.
pub(super) fn expiry(
    arguments: &Arguments,
    notes: &mut Vec<String>,
) -> Result<(Option<Millis>, OnExpiry), ArgumentError> {
    let on_expiry: Option<OnExpiry> = arguments.parsed("on_expiry", "\"default\" or \"expire\"")?;
    let expires_in = arguments.raw("expires_in_seconds").map(|given| {
        let most = *limit::EXPIRES_SECONDS.end();
        let (seconds, note) = limit::clamp_seconds("expires_in_seconds", Some(given), most, limit::EXPIRES_SECONDS);
        notes.extend(note);
        Millis::seconds(seconds)
    });
    Ok((expires_in, on_expiry.unwrap_or_default()))
}

/// A single label is a fine default for several choices too.
fn default_of(given: &Value, multiple: bool) -> Value {
    if multiple && given.is_string() { Value::Array(vec![given.clone()]) } else { given.clone() }
}

pub(super) fn hold_seconds(call: &Call, notes: &mut Vec<String>) -> u64 {
    let most = call.caller.hold_seconds;
    let (seconds, note) = limit::clamp_seconds("hold_seconds", call.arguments.raw("hold_seconds"), most, 0..=most);
    notes.extend(note);
    seconds
}

pub(super) async fn wait_for_answer(call: Call) -> Result<Outcome, Failure> {
    let id = request_id(&call)?;
    let most = call.caller.hold_seconds.max(limit::WAIT_SECONDS_MIN);
    let range = limit::WAIT_SECONDS_MIN..=most;
    let (seconds, note) = limit::clamp_seconds("timeout_seconds", call.arguments.raw("timeout_seconds"), most, range);
    let request = call.hold(&id, seconds).await?;
    Ok(Outcome::request(&request, false, note.into_iter().collect()))
}

pub(super) async fn get_request(call: Call) -> Result<Outcome, Failure> {
    let request = call.broker.get(&call.caller, &request_id(&call)?).await?;
    Ok(Outcome::request(&request, false, Vec::new()))
}

pub(super) async fn cancel_request(call: Call) -> Result<Outcome, Failure> {
    let request = call.broker.cancel(&call.caller, &request_id(&call)?).await?;
    Ok(Outcome::request(&request, false, Vec::new()))
}

fn request_id(call: &Call) -> Result<RequestId, Failure> {
    Ok(RequestId(call.arguments.needed("request_id", "the `request.id` of an earlier result")?))
}
