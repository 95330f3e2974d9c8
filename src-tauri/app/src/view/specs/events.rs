//! What happened to a spec, as the log has it: who did it, and whose word let it through.

use super::whole::ByView;
use crate::view::detail;
use countersign_broker::{BrokerError, Db};
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId, SpecId, WorkspaceId};
use countersign_core::safe_text::SafeText;
use countersign_core::spec::Status;
use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

/// Entries that are looked at, the newest.
const MOST: u32 = 500;

/// Whose decision let it through.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ThroughView {
    /// The channel of the decision.
    pub by: String,
    /// Whether it is the agent's word alone that the person said so.
    pub unverified: bool,
}

/// Something that happened to a spec.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct EventView {
    /// `created`, `changed`, `moved`, `locked`, `unlocked`, `evidence`, `waived`.
    pub kind: String,
    /// Who did it.
    pub by: ByView,
    /// When.
    pub at: i64,
    /// Its revision then; of a change.
    pub revision: Option<u32>,
    /// The status before; of a move.
    pub from: Option<Status>,
    /// The status after.
    pub to: Option<Status>,
    /// `AC-1`; of what was said of a criterion.
    pub criterion: Option<String>,
    /// Whether that was said to be met; of evidence.
    pub met: Option<bool>,
    /// What was said, or why it need not be met; none when a waiver was taken back.
    pub text: Option<SafeText>,
    /// The decisions that let it through.
    pub through: Vec<ThroughView>,
}

/// What happened to it, the newest first.
pub fn of(db: &Db<'_>, workspace: WorkspaceId, id: SpecId) -> Result<Vec<EventView>, BrokerError> {
    let path = db.workspace_path(workspace)?;
    let entries = db.spec_events(&path, id, MOST)?;
    entries
        .iter()
        .map(|entry| {
            // What was erased is told by its kind alone.
            let body = entry.body.clone().unwrap_or_default();
            let agent = body["agent"].as_str().map(|agent| db.agent(&AgentId(agent.to_owned()))).transpose()?.flatten();
            let requests = body["requests"].as_array().cloned().unwrap_or_default();
            let mut through = Vec::new();
            for request in requests.iter().filter_map(Value::as_str) {
                let request = db.request(&RequestId(request.to_owned()))?;
                through.extend(request.and_then(|request| request.decision).map(|decision| let_by(decision.channel)));
            }
            Ok(EventView { at: entry.at.0, ..event(&entry.kind, &body, agent.map(|agent| agent.name), through) })
        })
        .collect()
}

fn let_by(channel: Channel) -> ThroughView {
    ThroughView { by: detail::by(channel).to_owned(), unverified: channel == Channel::Relayed }
}

fn event(kind: &str, body: &Value, agent: Option<String>, through: Vec<ThroughView>) -> EventView {
    let status = |key: &str| serde_json::from_value(body[key].clone()).ok();
    let word = |key: &str| body[key].as_str();
    let by = if body["agent"].is_string() { "agent" } else { "person" };
    EventView {
        kind: kind.trim_start_matches("spec.").to_owned(),
        by: ByView { kind: by.to_owned(), name: agent.as_deref().map(SafeText::line) },
        at: 0,
        revision: body["revision"].as_u64().and_then(|number| u32::try_from(number).ok()),
        from: status("from"),
        to: status("to"),
        criterion: word("criterion").map(str::to_owned),
        met: body["met"].as_bool(),
        text: word("evidence").or(word("reason")).map(SafeText::lines),
        through,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_says_what_happened_who_did_it_and_whose_word_let_it_through() {
        let body = json!({"agent": "a1", "from": "review", "to": "approved", "requests": ["r1"]});
        let moved = event("spec.moved", &body, Some("Codex".into()), vec![let_by(Channel::Relayed)]);
        assert_eq!((moved.kind.as_str(), moved.by.kind.as_str()), ("moved", "agent"));
        assert_eq!((moved.from, moved.to), (Some(Status::Review), Some(Status::Approved)));
        assert_eq!(moved.through, [ThroughView { by: "relayed".into(), unverified: true }]);
        let said = event(
            "spec.evidence",
            &json!({"channel": "window", "criterion": "AC-1", "met": true, "evidence": "seen"}),
            None,
            vec![],
        );
        assert_eq!((said.by.kind.as_str(), said.criterion.as_deref(), said.met), ("person", Some("AC-1"), Some(true)));
        assert_eq!(said.text, Some(SafeText::lines("seen")));
        let back =
            event("spec.waived", &json!({"channel": "window", "criterion": "AC-1", "reason": null}), None, vec![]);
        assert_eq!(back.text, None);
        assert!(!let_by(Channel::Window).unverified);
        assert_eq!(event("spec.locked", &Value::Null, None, vec![]).kind, "locked", "erased");
    }
}
