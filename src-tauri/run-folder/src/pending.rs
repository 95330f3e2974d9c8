//! `pending.json`: what waits in a run folder, for programs that show it or answer it.

use crate::name::{LEGACY, Name};
use countersign_core::request::{Ask, Request};
use serde_json::{Value, json};

/// By this, in its first line, a file is known as ours; another one is never written over.
pub(crate) const MARK: &str = "\"countersign\": 1";

/// One request that waits.
#[derive(Debug, Clone, Copy)]
pub struct Waiting<'a> {
    /// The request.
    pub request: &'a Request,
    /// Whether its class may be answered by a file.
    pub by_file: bool,
    /// Whether it alone may, so that the original's file answers it too.
    pub alone: bool,
}

/// The document about what waits.
pub fn document(waiting: &[Waiting<'_>]) -> String {
    let rows = waiting.iter().map(|one| {
        let request = one.request;
        let by_id = one.by_file.then(|| Name::Answer(request.id.to_string()).path());
        let legacy = (one.by_file && one.alone).then(|| LEGACY.to_owned());
        let mut row = shown(&request.ask);
        row["id"] = json!(request.id);
        row["asked_at"] = json!(request.created_at);
        row["expires_at"] = json!(request.expires_at);
        row["answer_files"] = json!(by_id.into_iter().chain(legacy).collect::<Vec<_>>());
        row
    });
    whole(rows.collect())
}

/// The document of a program that asks while the app is away.
pub fn program_document(ask: &Ask) -> String {
    let mut row = shown(ask);
    row["answer_files"] = json!([LEGACY]);
    whole(vec![row])
}

fn shown(ask: &Ask) -> Value {
    json!({"kind": ask.tool, "class": ask.class, "title": ask.title, "context": ask.context, "questions": ask.questions})
}

fn whole(rows: Vec<Value>) -> String {
    let rows = serde_json::to_string_pretty(&rows).expect("BUG: rows are plain JSON");
    format!("{{{MARK},\n\"requests\": {rows}\n}}\n")
}
