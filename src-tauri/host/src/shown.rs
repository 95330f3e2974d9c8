//! A request as `countersign inbox` prints it, and a session as `countersign mode` does.

use countersign_broker::{Broker, BrokerError, Detail, RuleRow, SessionRow};
use countersign_core::id::RequestId;
use countersign_core::plan::landing;
use countersign_core::retire::Retire;
use countersign_core::rule::CommandMatch;
use countersign_core::shell::Simple;
use countersign_core::step::{self, Asked, Proposal, Step, proposals};
use countersign_core::{given, limit, revision};
use serde_json::{Value, json};

/// One request as a JSON object. Times are milliseconds since 1970 (UTC).
pub fn shown(broker: &Broker, detail: &Detail) -> Value {
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
            "remarks": decision.remarks,
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
    let mut shown = json!({
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
        "todos": detail.todos,
        "file": file,
        "retire": retire,
    });
    if let Some((asked, read)) = broker.step_of(request, &detail.workspace) {
        // For terminals that know nothing more of steps: all that is decided on.
        shown["context"] = json!(step::text(&read));
        shown["step"] = of_step(&asked, &read, &detail.workspace);
        if let Some(kept) = request.decision.as_ref().and_then(|decision| decision.step.as_ref()) {
            shown["decision"]["step"] = json!(kept);
        }
    }
    shown
}

/// A step, whole: as it came, as a shell reads it, and what can be remembered of a decision.
fn of_step(asked: &Asked, step: &Step, workspace: &str) -> Value {
    let commands = step.command.as_ref().and_then(|command| command.script.as_ref().ok()).map(|script| {
        let one = |command: &Simple| {
            json!({
                "words": command.words.iter().map(|word| &word.raw).collect::<Vec<_>>(),
                "assignments": command.assignments, "redirections": command.redirections,
                "operator": command.operator, "inside": command.inside,
            })
        };
        script.commands.iter().map(one).collect::<Vec<_>>()
    });
    json!({
        "tool": step.call.tool, "kind": step.kind, "folder": step.call.folder, "input": step.call.input,
        "edits": asked.edits, "command": step.command.as_ref().map(|command| &command.text), "commands": commands,
        "warnings": step.warnings, "enter": step.enter_may_allow(),
        "proposals": proposals(step, workspace).iter().map(proposal).collect::<Vec<_>>(),
    })
}

fn proposal(proposal: &Proposal) -> Value {
    let (prefix, exact) = match &proposal.command {
        Some(CommandMatch::Prefix(words)) => (Some(words), None),
        Some(CommandMatch::Exact(text)) => (None, Some(text)),
        None => (None, None),
    };
    json!({"tool": proposal.tool, "prefix": prefix, "exact": exact, "path": proposal.path})
}

/// One rule as a JSON object.
pub fn rule(row: &RuleRow) -> Value {
    let rule = &row.rule;
    let of =
        Proposal { tool: rule.scope.tool.clone(), command: rule.scope.command.clone(), path: rule.scope.path.clone() };
    let mut shown = proposal(&of);
    for (key, value) in [
        ("id", json!(rule.id)),
        ("effect", json!(rule.effect)),
        ("workspace", json!(row.workspace)),
        ("agent", json!(row.agent)),
        ("session", json!(row.session)),
        ("expires_at", json!(rule.expires_at)),
        ("made_by", json!(rule.made_by)),
        ("made_at", json!(rule.made_at)),
        ("request", json!(rule.request)),
        ("matched", json!(row.matched)),
        ("last_at", json!(row.last_at)),
    ] {
        shown[key] = value;
    }
    shown
}

/// The same with what is read for one alone: of a plan, what changed since the revision before, as a unified diff, and the plans
/// before it.
pub fn whole(broker: &Broker, id: &RequestId) -> Result<Value, BrokerError> {
    let detail = broker.detail(id)?;
    let mut value = shown(broker, &detail);
    value["stopped"] = json!(broker.session(&detail.request.session)?.session.stopped_at.is_some());
    if let Some(history) = broker.plan_history(&detail.request)? {
        let text = detail.request.ask.context.as_deref().unwrap_or_default();
        let changes = history.before.as_deref().map(|before| revision::unified(&revision::hunks(before, text)));
        let previous = history.previous.iter().map(|plan| {
            json!({
                "id": plan.id, "revision": plan.revision, "title": plan.title, "outcome": plan.end.word(), "at": plan.at,
                "comment": plan.comment, "remarks": plan.remarks,
            })
        });
        value["plan"] = json!({
            "revision": history.revision,
            "changes": changes,
            "modes": landing::modes(detail.standing),
            "run_mode": detail.standing.after_plan().mode,
            "previous": previous.collect::<Vec<_>>(),
        });
    }
    Ok(value)
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
        "stopped": row.session.stopped_at.is_some(),
        "last_seen_at": row.session.last_seen_at,
    })
}
