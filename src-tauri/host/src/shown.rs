//! A request as `countersign inbox` prints it, and a session as `countersign mode` does.

use countersign_broker::{Detail, SessionRow};
use countersign_core::retire::Retire;
use countersign_core::{given, limit};
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
            "file": decision.file,
        })
    });
    let arguments = &ask.arguments;
    // Of what only some requests have: what their tool says of the file that they are about.
    let file = (ask.tool == given::TOOL).then(|| {
        json!({
            "destination": arguments["destination"], "replaces": arguments["replaces"],
            "limit_bytes": limit::GIVEN_FILE_BYTES,
        })
    });
    let retire = Retire::of(ask).map(|retire| {
        json!({
            "source": retire.source, "why": retire.why, "reason": retire.reason, "replaced_by": retire.replaced_by,
            "bytes": retire.bytes, "sha256": retire.sha256.hex(),
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
        "todos": detail.todos,
        "file": file,
        "retire": retire,
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
