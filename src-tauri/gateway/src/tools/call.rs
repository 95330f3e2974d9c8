//! One call of a tool, from its name and arguments to its outcome: found, read, counted, entered, run.

use super::arguments::Arguments;
use super::outcome::{Failure, Outcome};
use super::table::{self, Tool};
use crate::delivery::Slip;
use crate::peer;
use crate::rate::PerAgent;
use crate::visitor::Visitor;
use countersign_broker::{Broker, BrokerError, Caller};
use countersign_core::id::RequestId;
use countersign_core::request::Request;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What all calls share.
pub(crate) struct Desk {
    pub(crate) broker: Broker,
    pub(crate) rates: PerAgent,
    /// Cancelled at shutdown: held calls return what stands.
    pub(crate) stop: CancellationToken,
}

/// A call that was let through, in a handler's hands.
pub(crate) struct Call {
    pub(crate) tool: &'static Tool,
    pub(crate) broker: Broker,
    pub(crate) caller: Caller,
    pub(crate) arguments: Arguments,
    stop: CancellationToken,
    gone: CancellationToken,
    lease: CancellationToken,
}

impl Call {
    /// Holds until the request is settled, the time is up, the client is gone or the app stops; with an error once its token is
    /// no more, for then nothing that is decided later is for this client.
    pub(crate) async fn hold(&self, id: &RequestId, seconds: u64) -> Result<Request, Failure> {
        let request = tokio::select! {
            biased;
            () = self.lease.cancelled() => return Err(Failure::Ended { request: id.clone() }),
            request = self.broker.wait(&self.caller, id, Duration::from_secs(seconds)) => request?,
            () = self.stop.cancelled() => self.broker.get(&self.caller, id).await?,
            () = self.gone.cancelled() => self.broker.get(&self.caller, id).await?,
        };
        Ok(request)
    }
}

impl Call {
    /// Waits for something besides a request: until it is so, the client is gone or the app stops; with an error once its token is
    /// no more.
    pub(crate) async fn hold_until(&self, so: impl Future<Output = Result<(), BrokerError>>) -> Result<(), Failure> {
        tokio::select! {
            biased;
            () = self.lease.cancelled() => Err(BrokerError::NotFound(
                "this agent was unpaired, or its token was replaced, while the call waited; stop, and tell the person".into(),
            ).into()),
            so = so => Ok(so?),
            () = self.stop.cancelled() => Ok(()),
            () = self.gone.cancelled() => Ok(()),
        }
    }
}

/// Runs a tool. `gone` is cancelled when the client is: it ends the wait, not the request.
pub(crate) async fn run(
    desk: &Desk,
    visitor: &Visitor,
    session: Option<&str>,
    name: &str,
    given: Map<String, Value>,
    slip: &Slip,
    gone: CancellationToken,
) -> Result<Outcome, Failure> {
    let tool = table::find(name).ok_or_else(|| Failure::Unknown {
        name: name.chars().take(100).collect(),
        known: table::table().iter().map(|tool| tool.name).collect::<Vec<_>>().join(", "),
    })?;
    visitor.agent.scopes.check(tool.scope).map_err(BrokerError::from)?;
    let arguments = Arguments::new(tool.name, &tool.fields, given)?;
    let workspace: Option<String> = arguments.parsed("workspace", "a folder's path")?;
    if tool.creates {
        let taken = desk.rates.take(&visitor.agent.id, Instant::now());
        taken.map_err(|retry_after_seconds| Failure::Rate { retry_after_seconds })?;
    }
    let mut caller = match visitor.enter(&desk.broker, session, workspace.as_deref()).await {
        // What the agent asked before its folder was taken away still is its own.
        Err(BrokerError::OutOfScope(_)) if tool.anywhere => visitor.enter_own(&desk.broker, session).await?,
        entered => entered?,
    };
    if !tool.effect.reads_only() && !tool.anywhere {
        caller.run_folder = visitor.run_folder(&desk.broker, None)?;
    }
    let session = caller.clone();
    let result = served(desk, tool, caller, arguments, slip, gone).await;
    noted(&desk.broker, &session, slip, result)
}

async fn served(
    desk: &Desk,
    tool: &'static Tool,
    mut caller: Caller,
    arguments: Arguments,
    slip: &Slip,
    gone: CancellationToken,
) -> Result<Outcome, Failure> {
    tool.check_mode(caller.mode).map_err(BrokerError::from)?;
    if let Some((local, remote)) = slip.ends().filter(|_| tool.dialog) {
        // Only here: it reads thousands of small files. A thread that died knows nothing, and that is what is shown.
        caller.asker = tokio::task::spawn_blocking(move || peer::asker(local, remote)).await.unwrap_or_default();
    }
    let (broker, stop) = (desk.broker.clone(), desk.stop.clone());
    (tool.handler)(Call { tool, broker, caller, arguments, stop, gone, lease: slip.lease() }).await
}

/// The result with what the agent has not heard of its session's mode, if this is the result to say it: looked at last, for a
/// held call may be what the change fell into.
fn noted(broker: &Broker, caller: &Caller, slip: &Slip, result: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
    let is_a_result = result.as_ref().err().is_none_or(Failure::is_a_result);
    if !is_a_result || slip.gone().is_cancelled() {
        return result;
    }
    let note = match broker.note(caller) {
        Ok(Some(note)) => note,
        Ok(None) => return result,
        Err(error) => {
            tracing::warn!(%error, "whether there is a note for an agent could not be read");
            return result;
        }
    };
    slip.tells(note.telling);
    match result {
        Ok(outcome) => Ok(outcome.noted(vec![note.text])),
        Err(failure) => Err(Failure::Noted { failure: Box::new(failure), note: note.text }),
    }
}
