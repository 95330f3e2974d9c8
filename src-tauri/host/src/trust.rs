//! Trust in a folder's commands, for terminals.

use crate::command::Reply;
use crate::desk::{Desk, refused};
use countersign_broker::{BrokerError, Person, TrustView, Verdict};
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::trust::{QUESTION, TYPED, TrustState};
use countersign_core::who_may_decide::unattended_may_decide;
use serde_json::{Map, Value, json};

/// How they stand.
pub(crate) async fn state(desk: &Desk, workspace: &str) -> Result<Reply, BrokerError> {
    Ok(Reply::Ok(shown(workspace, &desk.broker.trust_state_at(workspace).await?)))
}

/// Asks for trust in what is there; where there is a window, its dialog shows that.
pub(crate) async fn review(desk: &Desk, workspace: &str) -> Result<Reply, BrokerError> {
    desk.broker.review_trust_at(workspace).await?;
    state(desk, workspace).await
}

/// Trusts what is there, if it is what the terminal showed, by answering the same request as the dialog would.
pub(crate) async fn give(desk: &Desk, person: Person, workspace: &str, digest: Digest) -> Result<Reply, BrokerError> {
    if person.unattended && !unattended_may_decide(Class::Destructive, desk.test_home) {
        let message = "a proof from a file trusts no commands; type the passphrase on the terminal instead";
        return Ok(refused("not_allowed", message));
    }
    if let Some(request) = desk.broker.review_trust_at(workspace).await? {
        if request.ask.arguments["digest"] != json!(digest) {
            return Err(BrokerError::Stale);
        }
        let answers = Map::from_iter([(QUESTION.to_owned(), Value::Bool(true))]);
        let yes = Verdict::Answer { answers, comment: None, typed: Some(TYPED.to_owned()) };
        desk.broker.decide(person, &request.id, Some(request.digest), yes).await?;
    }
    state(desk, workspace).await
}

fn shown(workspace: &str, view: &TrustView) -> Value {
    let commands = view.commands.as_ref();
    let checks: Vec<_> = commands.into_iter().flat_map(|commands| &commands.checks).map(|check| &check.name).collect();
    let targets: Vec<_> = commands
        .into_iter()
        .flat_map(|commands| &commands.targets)
        .map(|target| json!({"name": target.command.name, "protected": target.protected}))
        .collect();
    json!({
        "workspace": workspace,
        "state": view.state,
        "trusted": view.state == TrustState::Trusted,
        "digest": view.digest,
        "problem": view.problem,
        "checks": checks,
        "targets": targets,
        "changes": view.changes,
        "request": view.request.as_ref().map(|request| &request.id),
    })
}
