//! Agents, their sessions, and who is on the other end of a call.

use crate::arrivals::{Program, Terms};
use crate::decide;
use crate::error::BrokerError;
use crate::person::Person;
use crate::random;
use crate::rules;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::asker::Asker;
use countersign_core::client_kind;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, SessionId, WorkspaceId};
use countersign_core::limit;
use countersign_core::mode::{self, Mode};
use countersign_core::request::State;
use countersign_core::scope::Scopes;
use countersign_core::time::{Millis, Timestamp};
use countersign_store::{Agent, Session};
use serde_json::json;

/// A session is written down as seen at most this often.
const SEEN_EVERY: Millis = Millis(30_000);

/// Sessions of one agent, over all workspaces.
const SESSIONS: u64 = 10_000;

/// Who calls: an agent whose token was checked, in one of its sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The agent.
    pub agent: AgentId,
    /// The session.
    pub session: SessionId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Its folder; empty when the agent never named one.
    pub workspace_path: String,
    /// How long a call is held, in seconds.
    pub hold_seconds: u64,
    /// The SHA-256 of the token that it came with.
    pub token_hash: Digest,
    /// How strictly the session is watched.
    pub mode: Mode,
    /// What the agent may do.
    pub scopes: Scopes,
    /// The program on the other end of the socket; looked up for calls that may need the dialog, by the port.
    pub asker: Option<Asker>,
    /// Where its questions may be answered by a file, as [`crate::Broker::run_folder`] gives it.
    pub run_folder: Option<String>,
}

impl Caller {
    pub(crate) fn new(agent: &Agent, session: &Session, path: &str) -> Self {
        Self {
            agent: agent.id.clone(),
            session: session.id.clone(),
            workspace: session.workspace,
            workspace_path: path.to_owned(),
            hold_seconds: agent.hold_seconds,
            token_hash: agent.token_hash,
            mode: session.standing.mode,
            scopes: agent.scopes,
            asker: None,
            run_folder: None,
        }
    }
}

/// Whether a session that was found needs nothing written down.
pub(crate) fn is_fresh(session: &Session, now: Timestamp) -> bool {
    session.ended_at.is_none() && now >= session.last_seen_at && now.since(session.last_seen_at) < SEEN_EVERY
}

/// The folder that a call is about: what it says, else the token's own; refused where the agent may not work.
pub(crate) fn workspace_of(agent: &Agent, given: Option<&str>) -> Result<String, BrokerError> {
    let given = given.map(str::trim).filter(|path| !path.is_empty());
    let own = spelled(agent.workspace.as_deref().unwrap_or_default())?;
    let path = match given.map(spelled).transpose()? {
        // A link in its folder may lead anywhere: where it leads is what counts.
        Some(path) if path != own => resolved(path),
        Some(_) | None => own,
    };
    check_folder(agent, &path)?;
    Ok(path)
}

/// Where a path leads, if there is something.
pub(crate) fn resolved(path: String) -> String {
    let there = std::fs::canonicalize(&path).ok().and_then(|there| there.into_os_string().into_string().ok());
    there.filter(|_| !path.is_empty()).unwrap_or(path)
}

/// Refuses a folder that became a link, or lies behind one, since somebody began to work in it.
pub(crate) fn check_itself(path: &str) -> Result<(), BrokerError> {
    if path.is_empty() || resolved(path.to_owned()) == path {
        return Ok(());
    }
    Err(BrokerError::Invalid(format!(
        "{path} is a link now, or lies behind one; give the folder that it leads to as `workspace`"
    )))
}

/// Whether the agent may work in a folder, which is spelled as `spelled` does.
pub(crate) fn check_folder(agent: &Agent, path: &str) -> Result<(), BrokerError> {
    // What can't be spelled is nobody's folder.
    let own = agent.workspace.as_deref().and_then(|own| spelled(own).ok());
    Ok(agent.scopes.check_folder(own.as_deref(), path)?)
}

/// One folder, one spelling; empty for none.
pub(crate) fn spelled(path: &str) -> Result<String, BrokerError> {
    limit::check_body("workspace", path).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let absolute = path.is_empty() || path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    if !absolute || path.len() > 4_096 || path.split(['/', '\\']).any(|part| part == "..") {
        return Err(BrokerError::Invalid(
            "`workspace` must be the absolute path of a folder, without `..`, of at most 4096 bytes".into(),
        ));
    }
    if !path.starts_with('/') {
        return Ok(path.trim_end_matches('\\').to_owned());
    }
    // Links are resolved where the path comes from: by the bridge and by `pair`.
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    Ok(format!("/{}", parts.join("/")))
}

/// Finds or makes the session and its workspace.
pub(crate) fn enter(work: &mut Work<'_>, agent: &Agent, key: &str, path: &str) -> Result<Caller, BrokerError> {
    let at = work.at();
    // As it is now: what the person took away since the token was looked at holds here too.
    let agent = &work.tx.agent(&agent.id)?.unwrap_or_else(|| agent.clone());
    check_folder(agent, path)?;
    let workspace = match work.tx.workspace_at(path)? {
        Some(workspace) => workspace,
        None => work.tx.insert_workspace(path, at)?,
    };
    let session = match work.tx.session_by_key(&agent.id, workspace.id, key)? {
        Some(session) => {
            work.tx.touch_session(&session.id, at)?;
            session
        }
        None => {
            check_room(work, agent)?;
            let (kin, left) = (work.tx.kin(&agent.id)?, work.tx.left_modes(&agent.id)?);
            let standing = mode::starting(workspace.rules.mode, &kin, left, at);
            work.tx.insert_session(&random::session_id(), &agent.id, workspace.id, key, standing, at)?
        }
    };
    work.effect(Effect::Changed(Change::Agents));
    Ok(Caller::new(agent, &session, path))
}

/// Sessions are kept for ever, so there is an end to how many one agent can make.
fn check_room(work: &Work<'_>, agent: &Agent) -> Result<(), BrokerError> {
    if work.tx.sessions_of(&agent.id)? < SESSIONS {
        return Ok(());
    }
    Err(BrokerError::TooMany {
        what: format!("this agent has made {SESSIONS} sessions; pair it anew, and let it keep one session a run"),
        retry_after_seconds: 3_600,
    })
}

/// A session holds a line open, or let go of it and has ended.
pub(crate) fn present(work: &mut Work<'_>, caller: &Caller, here: bool) -> Result<(), BrokerError> {
    work.tx.set_present(&caller.session, here, work.at())?;
    if !here {
        rules::session_ended(work, &caller.session)?;
    }
    work.effect(Effect::Changed(Change::Agents));
    Ok(())
}

/// Makes an agent of a program whose code the person typed. The token is returned and never kept.
pub(crate) fn pair(work: &mut Work<'_>, program: Program, terms: Terms) -> Result<(AgentId, String), BrokerError> {
    terms.scopes.check_own(program.workspace.as_deref())?;
    let token = random::token();
    let agent = Agent {
        id: random::agent_id(),
        hold_seconds: client_kind::hold_seconds(&program.client),
        name: program.name,
        client: program.client,
        workspace: program.workspace,
        token_hash: Digest::of_bytes(token.as_bytes()),
        scopes: terms.scopes,
        created_at: work.at(),
        revoked_at: None,
    };
    work.tx.insert_agent(&agent)?;
    let body = json!({
        "agent": agent.id, "name": agent.name, "client": agent.client, "workspace": agent.workspace,
        "program": program.path, "pid": program.pid, "scopes": agent.scopes, "unattended": terms.unattended,
    });
    work.tx.log(work.at(), "agent.paired", agent.id.as_str(), &body, random::salt())?;
    work.effect(Effect::Changed(Change::Agents));
    Ok((agent.id, token))
}

/// Takes an agent's token away, at once, and what it had pending with it.
pub(crate) fn revoke(work: &mut Work<'_>, agent: &AgentId, person: Person) -> Result<(), BrokerError> {
    let token = current(work, agent)?.token_hash;
    work.tx.revoke_agent(agent, work.at())?;
    // First of all that is told: who waits is not to hear of the requests' ends as if it still were the agent's.
    work.effect(Effect::TokenEnded(token));
    for id in work.tx.pending_ids(agent)? {
        if let Some(request) = work.tx.request(&id)? {
            decide::settle(work, &request, State::Cancelled, None)?;
        }
    }
    rules::agent_revoked(work, agent)?;
    let body = json!({"agent": agent, "channel": person.channel, "unattended": person.unattended});
    work.tx.log(work.at(), "agent.revoked", agent.as_str(), &body, random::salt())?;
    work.effect(Effect::Changed(Change::Agents));
    Ok(())
}

/// Replaces an agent's token, at once; what it had pending stays, and is the new token's. The token is returned and never kept.
pub(crate) fn rotate(work: &mut Work<'_>, agent: &AgentId, person: Person) -> Result<String, BrokerError> {
    let old = current(work, agent)?.token_hash;
    let token = random::token();
    work.tx.set_agent_token(agent, &Digest::of_bytes(token.as_bytes()))?;
    work.effect(Effect::TokenEnded(old));
    let body = json!({"agent": agent, "channel": person.channel, "unattended": person.unattended});
    work.tx.log(work.at(), "agent.rotated", agent.as_str(), &body, random::salt())?;
    work.effect(Effect::Changed(Change::Agents));
    Ok(token)
}

/// The person changes what an agent may do, at once. What it asked before stays, and it hears how that ends.
pub(crate) fn set_scopes(
    work: &mut Work<'_>,
    agent: &AgentId,
    scopes: Scopes,
    person: Person,
) -> Result<(), BrokerError> {
    let before = current(work, agent)?;
    scopes.check_own(before.workspace.as_deref())?;
    if scopes == before.scopes {
        return Ok(());
    }
    work.tx.set_agent_scopes(agent, scopes)?;
    let body = json!({
        "agent": agent, "from": before.scopes, "to": scopes, "channel": person.channel, "unattended": person.unattended,
    });
    work.tx.log(work.at(), "agent.scopes", agent.as_str(), &body, random::salt())?;
    work.effect(Effect::Scopes(agent.clone()));
    work.effect(Effect::Changed(Change::Agents));
    Ok(())
}

/// The agent, while it is paired.
fn current(work: &Work<'_>, agent: &AgentId) -> Result<Agent, BrokerError> {
    let gone = || BrokerError::NotFound("there is no such agent, or it was unpaired before".into());
    // Countersign itself is no paired program: nobody takes from it what it does not have.
    work.tx.agent(agent)?.filter(|agent| agent.revoked_at.is_none() && !agent.id.is_house()).ok_or_else(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_is_an_absolute_folder_and_the_tokens_own_when_nothing_is_said() {
        let agent = Agent {
            id: AgentId("a".into()),
            name: "a".into(),
            client: String::new(),
            workspace: Some("/own".into()),
            token_hash: Digest([0; 32]),
            hold_seconds: 50,
            scopes: Scopes::ALL,
            created_at: Timestamp(0),
            revoked_at: None,
        };
        let of = |given| workspace_of(&agent, given).ok();
        assert_eq!(of(None).as_deref(), Some("/own"));
        assert_eq!(of(Some("")).as_deref(), Some("/own"));
        assert_eq!(of(Some("/x/y/")).as_deref(), Some("/x/y"));
        assert_eq!(of(Some("/")).as_deref(), Some("/"));
        assert_eq!(of(Some("//x/./y//")).as_deref(), Some("/x/y"));
        assert_eq!(of(Some("C:\\x\\")).as_deref(), Some("C:\\x"));
        assert_eq!(of(Some("x/y")), None);
        assert_eq!(of(Some("/x/../y")), None);
        assert_eq!(of(Some("/x\0")), None);
        let confined = Agent { scopes: Scopes::NONE, workspace: Some("/own//x/".into()), ..agent.clone() };
        let of = |given| workspace_of(&confined, given).ok();
        assert_eq!(of(None).as_deref(), Some("/own/x"));
        assert_eq!(of(Some("/own/./x/y")).as_deref(), Some("/own/x/y"));
        for outside in ["/own", "/own/xy", "/own/x/../y", "/x", "/"] {
            assert_eq!(of(Some(outside)), None, "{outside}");
        }
    }
}
