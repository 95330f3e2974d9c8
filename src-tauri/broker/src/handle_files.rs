//! The handle's part for files that pass between the person and a workspace: what a decision does to them is done before it is
//! kept, away from the writer's thread, and undone where it is refused.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::files::{self, Done, Facts};
use crate::person::{Person, Verdict};
use countersign_core::asking::Asking;
use countersign_core::digest::Digest;
use countersign_core::id::RequestId;
use countersign_core::request::{Request, State};
use countersign_core::who_may_decide::{May, may_decide};
use serde_json::{Map, Value, json};

impl Broker {
    /// A file of the agent's workspace, as it is now; refused where the path leads out of it.
    pub async fn look_at_file(&self, caller: &Caller, path: &str) -> Result<Facts, BrokerError> {
        let (workspace, path) = (caller.workspace_path.clone(), path.to_owned());
        apart(move || files::look(&workspace, &path)).await
    }

    /// Whether a file could be put there in the agent's workspace.
    pub async fn check_destination(&self, caller: &Caller, path: &str) -> Result<(), BrokerError> {
        let (workspace, path) = (caller.workspace_path.clone(), path.to_owned());
        apart(move || files::check_destination(&workspace, &path)).await
    }

    /// Does to files what this verdict is about, so that it can be kept as done; none where it is about none, or will be refused
    /// for another reason anyway.
    pub(crate) async fn prepare(
        &self,
        person: Person,
        id: &RequestId,
        digest: Option<&Digest>,
        verdict: &mut Verdict,
    ) -> Result<Option<Done>, BrokerError> {
        let Verdict::Answer { answers, .. } = verdict else { return Ok(None) };
        let Some(request) = self.read(|db| Ok(db.request(id)?))? else { return Ok(None) };
        let asking = Asking::of_tool(&request.ask.tool);
        let open = request.state == State::Pending && digest.is_none_or(|digest| *digest == request.digest);
        let may = may_decide(request.ask.class, person.channel) == May::Yes;
        let Some(asking) = asking.filter(|_| open && may) else { return Ok(None) };
        let workspace = self.read(|db| Ok(db.workspace_path(request.workspace)?))?;
        match asking {
            Asking::File => {
                let Some(Value::String(path)) = answers.get(asking.question_id()).cloned() else { return Ok(None) };
                let destination = request.ask.arguments.get("destination").and_then(Value::as_str).map(str::to_owned);
                let done = apart(move || files::give(&workspace, &path, destination.as_deref())).await?;
                *answers = Map::from_iter([(asking.question_id().to_owned(), json!(done.given.path))]);
                Ok(Some(done))
            }
            Asking::Retire if answers.get(asking.question_id()) == Some(&Value::Bool(true)) => {
                let shown = facts(&request)?;
                apart(move || files::retire(&workspace, &shown)).await.map(Some)
            }
            Asking::Retire | Asking::Approval | Asking::Manual => Ok(None),
        }
    }
}

/// The file that a request to set it aside showed.
fn facts(request: &Request) -> Result<Facts, BrokerError> {
    let file = &request.ask.arguments["file"];
    match (file["path"].as_str(), file["bytes"].as_u64(), file["sha256"].as_str()) {
        (Some(path), Some(bytes), Some(sha256)) => Ok(Facts { path: path.into(), bytes, sha256: sha256.into() }),
        _ => Err(BrokerError::Invalid(format!("request {} names no file; decline it", request.id))),
    }
}

pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BrokerError> + Send + 'static,
) -> Result<T, BrokerError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(BrokerError::Stopped))
}
