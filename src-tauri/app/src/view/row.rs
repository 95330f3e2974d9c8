//! The open list, as the page draws it.

use crate::desk::Desk;
use countersign_broker::{BrokerError, Detail, Listed};
use countersign_core::class::Class;
use countersign_core::request::{OnExpiry, State};
use countersign_core::safe_text::SafeText;
use serde::Serialize;
use ts_rs::TS;

/// Rows that are pushed at the most; an agent may have a thousand pending.
const MOST: u32 = 10_000;

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RowView {
    /// Which request.
    pub id: String,
    /// One line.
    pub title: SafeText,
    /// The same as a plain text, for search and names.
    pub plain_title: String,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// The tool that asks.
    pub kind: String,
    /// Where it is.
    pub state: State,
    /// Who asks.
    pub agent: SafeText,
    /// What kind of client it is.
    pub client: String,
    /// One or two letters.
    pub initials: String,
    /// Which session of that agent.
    pub session: u32,
    /// The folder's name.
    pub workspace: SafeText,
    /// The folder.
    pub workspace_path: SafeText,
    /// When it was asked.
    pub created_at: i64,
    /// When its time runs out.
    pub expires_at: Option<i64>,
    /// What happens then.
    pub on_expiry: OnExpiry,
    /// Whether somebody waits in this moment.
    pub waiting: bool,
    /// Whether something was typed for it.
    pub has_draft: bool,
    /// How many claims the agent made; with another number the page reads the request anew.
    pub claims: u32,
    /// How often its session set its tasks; with another number the page reads the request anew.
    pub todos: u32,
}

/// What is open.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct OpenListView {
    /// A list with a higher number is not older.
    pub revision: u64,
    /// Oldest first.
    pub rows: Vec<RowView>,
}

/// The whole open list.
pub fn list(desk: &Desk) -> Result<OpenListView, BrokerError> {
    let revision = desk.next_revision();
    let rows = desk.broker.open_list(None, MOST)?;
    Ok(OpenListView { revision, rows: rows.iter().map(listed).collect() })
}

fn listed(listed: &Listed) -> RowView {
    let row = &listed.row;
    RowView {
        id: row.id.to_string(),
        title: SafeText::line(&row.title),
        plain_title: SafeText::line(&row.title).plain(),
        class: row.class,
        kind: row.tool.clone(),
        state: State::Pending,
        agent: SafeText::line(&row.agent),
        client: SafeText::line(&row.client).plain(),
        initials: initials(&row.agent),
        session: row.session,
        workspace: SafeText::line(folder_name(&row.workspace)),
        workspace_path: SafeText::line(&row.workspace),
        created_at: row.created_at.0,
        expires_at: row.expires_at.map(|at| at.0),
        on_expiry: row.on_expiry,
        waiting: listed.waiting,
        has_draft: row.has_draft,
        claims: row.claims,
        todos: row.todos,
    }
}

/// The row of one request, settled or not.
pub fn of(detail: &Detail) -> RowView {
    let (request, ask) = (&detail.request, &detail.request.ask);
    RowView {
        id: request.id.to_string(),
        title: SafeText::line(&ask.title),
        plain_title: SafeText::line(&ask.title).plain(),
        class: ask.class,
        kind: ask.tool.clone(),
        state: request.state,
        agent: SafeText::line(&detail.agent.name),
        client: SafeText::line(&detail.agent.client).plain(),
        initials: initials(&detail.agent.name),
        session: detail.session,
        workspace: SafeText::line(folder_name(&detail.workspace)),
        workspace_path: SafeText::line(&detail.workspace),
        created_at: request.created_at.0,
        expires_at: request.expires_at.map(|at| at.0),
        on_expiry: ask.on_expiry,
        waiting: detail.waiting,
        has_draft: detail.draft.is_some(),
        claims: u32::try_from(request.claims.len()).unwrap_or(u32::MAX),
        todos: detail.todos_set,
    }
}

/// The first letters of two words, or two of one.
pub fn initials(name: &str) -> String {
    let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let letters: String = match (words.next(), words.next()) {
        (Some(first), Some(second)) => first.chars().take(1).chain(second.chars().take(1)).collect(),
        (Some(only), None) => only.chars().take(2).collect(),
        (None, _) => "?".into(),
    };
    letters.to_uppercase()
}

/// The last part of a path.
pub fn folder_name(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_and_folder_names() {
        for (name, want) in
            [("Claude Code", "CC"), ("codex", "CO"), ("research-bot", "RB"), ("ñandú", "ÑA"), ("!", "?")]
        {
            assert_eq!(initials(name), want);
        }
        for (path, want) in [("/home/a/payments-api", "payments-api"), ("/x/", "x"), ("C:\\a\\b", "b"), ("", "")] {
            assert_eq!(folder_name(path), want);
        }
    }
}
