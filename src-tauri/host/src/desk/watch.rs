//! A terminal that watches: what is open and who works, said once and again whenever that is not what it was.

use super::Desk;
use crate::command::Reply;
use crate::shown;
use countersign_broker::{BrokerError, Listed};
use serde_json::{Value, json};

/// Requests of one line at the most.
const OPEN: u32 = 1_000;
/// Sessions of one line at the most.
const SESSIONS: u32 = 20;

/// `{open: [row], more, sessions: [session]}`, oldest first. `more`: there are others that the line has no room for.
pub(crate) fn now(desk: &Desk) -> Reply {
    look(desk).map_or_else(Reply::from, Reply::Ok)
}

fn look(desk: &Desk) -> Result<Value, BrokerError> {
    let mut open = desk.broker.open_list(None, OPEN + 1)?;
    let more = open.len() > OPEN as usize;
    open.truncate(OPEN as usize);
    let sessions = desk.broker.read(|db| {
        let mut shown = Vec::new();
        for row in db.latest_sessions(SESSIONS)?.iter().take(SESSIONS as usize) {
            let mut session = shown::session(row);
            session["todos"] = json!(db.todos(&row.session.id)?);
            shown.push(session);
        }
        Ok(shown)
    })?;
    Ok(json!({
        "open": open.iter().map(row).collect::<Vec<_>>(),
        "more": more,
        "sessions": sessions,
    }))
}

fn row(listed: &Listed) -> Value {
    let row = &listed.row;
    json!({
        "id": row.id, "title": row.title, "class": row.class, "kind": row.tool, "agent": row.agent,
        "workspace": row.workspace, "created_at": row.created_at, "expires_at": row.expires_at, "waiting": listed.waiting,
    })
}
