//! A request as `countersign inbox` prints it, and a session as `countersign mode` does.

use countersign_broker::{Detail, SessionRow};
use serde_json::{Value, json};

/// One request as a JSON object. Times are milliseconds since 1970 (UTC).
pub fn shown(detail: &Detail) -> Value {
    let request = &detail.request;
    let ask = &request.ask;
    let decision = request.decision.as_ref().map(|decision| {
        json!({
            "answers": decision.answers,
            "channel": decision.channel,
            "unattended": decision.unattended,
            "comment": decision.comment,
            "at": decision.at,
            "mode": decision.mode,
        })
    });
    json!({
        "id": request.id,
        "state": request.state,
        "class": ask.class,
        "kind": ask.tool,
        "title": ask.title,
        "agent": detail.agent.name,
        "client": detail.agent.client,
        "session": request.session,
        "mode": detail.standing.mode,
        "before_plan": detail.standing.before_plan,
        "workspace": detail.workspace,
        "questions": ask.questions,
        "context": ask.context,
        "typed_word": ask.typed_word,
        "safe_options": ask.safe_options,
        "claims": request.claims,
        "digest": request.digest,
        "program": request.asker,
        "created_at": request.created_at,
        "expires_at": request.expires_at,
        "on_expiry": ask.on_expiry,
        "waiting": detail.waiting,
        "decision": decision,
        "settled_at": request.settled_at,
    })
}

/// One session as a JSON object.
pub fn session(row: &SessionRow) -> Value {
    json!({
        "session": row.session.id,
        "mode": row.session.standing.mode,
        "before_plan": row.session.standing.before_plan,
        "agent": row.agent,
        "workspace": row.workspace,
        "present": row.present,
        "last_seen_at": row.session.last_seen_at,
    })
}
