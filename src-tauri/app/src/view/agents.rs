//! Who is paired, and who wants in.

use super::WINDOW;
use super::row::{folder_name, initials};
use crate::desk::Desk;
use countersign_broker::{Arrival, ArrivalKind, BrokerError};
use countersign_core::id::AgentId;
use countersign_core::safe_text::SafeText;
use countersign_core::scope::{Scope, Scopes};
use countersign_core::title::names_alike;
use serde::Serialize;
use std::collections::HashMap;
use ts_rs::TS;

/// Pending requests that are looked through for who waits.
const MOST: u32 = 10_000;

/// One paired program.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: SafeText,
    /// What kind of client it is.
    pub client: String,
    /// One or two letters.
    pub initials: String,
    /// Its folder's name.
    pub workspace: Option<SafeText>,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Requests for which it waits in this moment.
    pub waiting: u64,
    /// Requests of it that are open.
    pub pending: u64,
    /// When it was last seen.
    pub last_seen_at: Option<i64>,
    /// When it was paired.
    pub created_at: i64,
}

/// What an arrival wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// To be an agent.
    Pairing,
    /// To act for the person.
    Terminal,
}

/// One that wants in, and shows six digits.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ArrivalView {
    /// Names it in commands.
    pub id: String,
    /// What it wants.
    pub kind: Wanted,
    /// What it calls itself.
    pub name: SafeText,
    /// The program on the other end of the socket, where the system can tell.
    pub program: Option<SafeText>,
    /// Its process.
    pub pid: Option<u32>,
    /// The folder it wants to work in, else the process's own.
    pub folder: Option<SafeText>,
    /// The name of the folder that it asks to be paired for, if it named one: that will be its own.
    pub own: Option<SafeText>,
    /// Until when its code holds.
    pub expires_at: i64,
    /// A paired agent, or another that wants in, for which its name passes.
    pub resembles: Option<SafeText>,
}

/// All that want in.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ArrivalsView {
    /// Oldest first.
    pub arrivals: Vec<ArrivalView>,
    /// Until when pairing is closed after too many wrong codes.
    pub closed_until: Option<i64>,
}

/// A new token, shown once.
#[derive(Clone, PartialEq, Eq, Serialize, TS)]
pub struct TokenView {
    /// The token.
    pub token: String,
    /// Whether the agent's bridge has it already, from the file that it was kept in.
    pub kept: bool,
}

/// Replaces an agent's token: the old one stops at once, with all that is open under it.
pub async fn rotate(desk: &Desk, agent: &AgentId) -> Result<TokenView, BrokerError> {
    let engine = desk.engine.read().await;
    let engine = engine.as_ref().ok_or(BrokerError::Stopped)?;
    let (token, kept) = engine.rotate(agent, WINDOW).await?;
    Ok(TokenView { token, kept })
}

/// Changes what an agent may do; who is paired, as it is then.
pub async fn set_scopes(desk: &Desk, agent: &AgentId, scopes: Scopes) -> Result<Vec<AgentRow>, BrokerError> {
    desk.broker.set_scopes(agent, scopes, WINDOW).await?;
    agents(desk)
}

/// Who is paired.
pub fn agents(desk: &Desk) -> Result<Vec<AgentRow>, BrokerError> {
    let mut waiting: HashMap<String, u64> = HashMap::new();
    for listed in desk.broker.open_list(None, MOST)?.into_iter().filter(|listed| listed.waiting) {
        *waiting.entry(listed.row.agent_id.to_string()).or_default() += 1;
    }
    desk.broker.read(|db| {
        let rows = db.agents()?.into_iter().map(|agent| {
            let (last_seen_at, pending) = db.agent_activity(&agent.id)?;
            Ok(AgentRow {
                waiting: waiting.get(agent.id.as_str()).copied().unwrap_or(0),
                id: agent.id.to_string(),
                name: SafeText::line(&agent.name),
                initials: initials(&agent.name),
                client: SafeText::line(&agent.client).plain(),
                workspace: agent.workspace.as_deref().map(|path| SafeText::line(folder_name(path))),
                scopes: agent.scopes.into(),
                pending,
                last_seen_at: last_seen_at.map(|at| at.0),
                created_at: agent.created_at.0,
            })
        });
        rows.collect()
    })
}

/// Who wants in.
pub fn arrivals(desk: &Desk) -> ArrivalsView {
    let found = desk.broker.arrivals();
    let paired = desk.broker.read(|db| Ok(db.agents()?)).unwrap_or_else(|error| {
        tracing::warn!(%error, "the paired agents could not be read");
        Vec::new()
    });
    let pairing = |arrival: &&Arrival| arrival.kind == ArrivalKind::Pairing;
    let wanting: Vec<(String, String)> =
        found.waiting.iter().filter(pairing).map(|one| (one.id.clone(), one.program.name.clone())).collect();
    let views = found.waiting.into_iter().map(|arrival| {
        let others = wanting.iter().filter(|(id, _)| *id != arrival.id).map(|(_, name)| name.as_str());
        let mut names = paired.iter().map(|agent| agent.name.as_str()).chain(others);
        let alike = names.find(|name| names_alike(name, &arrival.program.name));
        let resembles = alike.filter(|_| pairing(&&arrival)).map(SafeText::line);
        let program = arrival.program;
        ArrivalView {
            id: arrival.id,
            kind: match arrival.kind {
                ArrivalKind::Pairing => Wanted::Pairing,
                ArrivalKind::Terminal => Wanted::Terminal,
            },
            name: SafeText::line(&program.name),
            program: program.path.as_deref().map(SafeText::line),
            pid: program.pid,
            own: program.workspace.as_deref().map(|path| SafeText::line(folder_name(path))),
            folder: program.workspace.or(program.folder).as_deref().map(SafeText::line),
            expires_at: arrival.expires_at.0,
            resembles,
        }
    });
    ArrivalsView { arrivals: views.collect(), closed_until: found.closed_until.map(|at| at.0) }
}
