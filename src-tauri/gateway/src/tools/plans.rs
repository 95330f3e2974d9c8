//! Presenting a plan, and asking for a stricter mode. Which mode a session is in is the broker's to know.

use super::asking;
use super::call::Call;
use super::outcome::{Failure, Outcome};
use countersign_core::class::Class;
use countersign_core::limit;
use countersign_core::mode::Mode;
use countersign_core::plan;
use countersign_core::request::Ask;
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct PresentPlan {
    /// The whole plan (markdown), with a heading that names it, in the person's language.
    plan: String,
    /// What the person should know besides to decide (markdown).
    context: Option<String>,
    /// Seconds after which the plan lapses, 1 to 2592000. Leave it out to let it stand.
    #[schemars(with = "Option<f64>")]
    expires_in_seconds: Option<Value>,
    /// What happens then: "expire". A plan never takes a default.
    on_expiry: Option<asking::OnExpiryForm>,
    /// Seconds to hold this call for an answer. Leave it out.
    #[schemars(with = "Option<f64>")]
    hold_seconds: Option<Value>,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used; core has the modes")]
pub(super) enum ModeForm {
    Guided,
    Interactive,
    Plan,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are read by name")]
pub(super) struct RequestMode {
    /// A stricter mode than the one you are in: "interactive" (asked before every step) or "plan" (read and plan only).
    mode: ModeForm,
    /// The folder it is about, if not the one you were started in.
    workspace: Option<String>,
}

/// The mode a session is in.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its fields are the schema; values are written by name")]
pub(super) struct ModeNow {
    mode: String,
}

pub(super) async fn present_plan(call: Call) -> Result<Outcome, Failure> {
    let mut notes = Vec::new();
    let text = call.arguments.text("plan")?;
    plan::check(&text)?;
    let context: Option<String> = call.arguments.parsed("context", "a text")?;
    if let Some(context) = &context {
        limit::check_body("context", context)?;
    }
    let (expires_in, on_expiry) = asking::expiry(&call.arguments, &mut notes)?;
    let ask = Ask {
        tool: call.tool.name.to_owned(),
        class: Class::Plan,
        title: plan::title(&text),
        context: Some(plan::shown(&text, context.as_deref())),
        questions: vec![plan::question()],
        arguments: call.arguments.key(),
        expires_in,
        on_expiry,
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    ask.check_but_context(limit::OPTIONS)?;
    asking::hold(call, ask, notes).await
}

pub(super) async fn request_mode(call: Call) -> Result<Outcome, Failure> {
    let mode: Mode = call.arguments.needed("mode", "\"guided\", \"interactive\" or \"plan\"")?;
    let session = call.broker.request_mode(&call.caller, mode).await?;
    let mode = session.standing.mode;
    let text = format!("The session is in {} mode now: {}.", mode.word(), mode.meaning());
    Ok(Outcome { structured: json!({"mode": mode}), text, ending: None })
}
