//! Files that a person has to do with: one that is asked for, one that is put away. What is done with them is the broker's.

use super::asking::{self, OnExpiryForm};
use super::call::Call;
use super::outcome::{Failure, Outcome};
use super::questions::{ask, context};
use countersign_broker::BrokerError;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::given;
use countersign_core::limit;
use countersign_core::request::{State, title_from};
use countersign_core::retire::{self, Retire, Why};
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestFile {
    /// Which file you need and what for, in the person's language.
    description: String,
    /// The folder or file name of the workspace for the copy. When absent: beside what it replaces, else the workspace itself.
    destination: Option<String>,
    /// The file of the workspace that it takes the place of. It stays as it is.
    replaces: Option<String>,
    /// What the person should know besides (markdown).
    context: Option<String>,
    /// Seconds after which the request lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". There is no default for a file.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for the file. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the values")]
pub(super) enum WhyForm {
    Wrong,
    Replaced,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RetireSource {
    /// The file of the workspace that is to be put away.
    source: String,
    /// "wrong": what it says is wrong. "replaced": another file takes its place.
    why: WhyForm,
    /// Why, in a sentence that the person reads, in their language.
    #[schemars(length(min = 1, max = 10000))]
    reason: String,
    /// The file of the workspace that takes its place.
    replaced_by: Option<String>,
    /// What the person should know besides to decide (markdown).
    context: Option<String>,
    /// Seconds after which the request lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". Nothing is put away by default.
    on_expiry: Option<OnExpiryForm>,
    /// Seconds to hold this call for the decision. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

pub(super) async fn request_file(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let description = call.arguments.text("description")?;
    limit::check_text("description", &description, limit::QUESTION_CHARS)?;
    let destination = call.arguments.parsed("destination", "a path in the workspace")?;
    let replaces = call.arguments.parsed("replaces", "a file of the workspace")?;
    let places = call.broker.look_at_places(&call.caller, destination, replaces).await?;
    let context = context(&call)?;
    let (title, question) = (title_from(&description), given::question(description));
    let mut ask = ask(&call, Class::Ask, title, context, vec![question], &mut notes)?;
    for (field, path) in [("destination", places.destination), ("replaces", places.replaces)] {
        if let Some(path) = path {
            ask.arguments[field] = json!(path);
        }
    }
    ask.check(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn retire_source(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let source = call.arguments.text("source")?;
    let why: Why = call.arguments.needed("why", "\"wrong\" or \"replaced\"")?;
    let reason = call.arguments.text("reason")?;
    limit::check_text("reason", &reason, limit::QUESTION_CHARS)?;
    let replaced_by: Option<String> = call.arguments.parsed("replaced_by", "a file of the workspace")?;
    let context = context(&call)?;
    let source = call.broker.look_at_source(&call.caller, source, replaced_by).await?;
    let (bytes, sha256) = source.seen.unwrap_or((0, Digest([0; 32])));
    let retire = Retire { source: source.path, why, reason, replaced_by: source.replaced_by, bytes, sha256 };
    if retire.replaced_by.as_ref() == Some(&retire.source) {
        let same = "`replaced_by` is the file that is to be put away; give another one, or leave it out";
        return Err(BrokerError::Invalid(same.into()).into());
    }
    let arguments = retire.arguments(call.arguments.key());
    if source.seen.is_none() {
        return gone(call, &retire.source, &arguments).await;
    }
    let shown = retire.shown(context.as_deref());
    let mut ask = ask(&call, Class::Approval, retire.title(), Some(shown), vec![retire.question()], &mut notes)?;
    ask.arguments = arguments;
    ask.check_but_context(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

/// The file is not there: it may be that this very call had it put away, and the agent did not hear of it.
async fn gone(call: Call, source: &str, arguments: &Value) -> Result<Outcome, Failure> {
    let Some(asked) = call.broker.rejoin_retiring(&call.caller, retire::base(arguments)).await? else {
        let missing =
            format!("there is no file `{source}` in the workspace; it may have been put away or moved before");
        return Err(BrokerError::NotFound(missing).into());
    };
    if asked.request.state != State::Pending {
        return Ok(Outcome::request(&asked.request, asked.repeated, Vec::new()));
    }
    let seconds = asking::hold_seconds(&call, &mut Vec::new());
    let request = call.hold(&asked.request.id, seconds).await?;
    Ok(Outcome::request(&request, asked.repeated, Vec::new()))
}
