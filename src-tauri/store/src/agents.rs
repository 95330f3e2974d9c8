//! Paired programs.

use crate::db::{Db, Tx};
use crate::error::StoreError;
use countersign_core::digest::Digest;
use countersign_core::id::AgentId;
use countersign_core::scope::{Scope, Scopes};
use countersign_core::time::Timestamp;

/// A paired program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Ours.
    pub id: AgentId,
    /// What it calls itself.
    pub name: String,
    /// What kind of client it is.
    pub client: String,
    /// The folder that its token is for, if any.
    pub workspace: Option<String>,
    /// The SHA-256 of its token.
    pub token_hash: Digest,
    /// How long a call of it is held, in seconds.
    pub hold_seconds: u64,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was paired.
    pub created_at: Timestamp,
    /// When its token was revoked.
    pub revoked_at: Option<Timestamp>,
}

const COLUMNS: &str = "id, name, client, workspace, token_hash, hold_seconds, created_at, revoked_at,
    scope_ask, scope_specs, scope_folders";

/// Rows of `agents` that are paired programs: not revoked, and not Countersign itself ([`AgentId::HOUSE`]).
pub(crate) const PAIRED: &str = "(revoked_at IS NULL AND id <> 'countersign')";

/// A scope's column.
const fn column(scope: Scope) -> &'static str {
    match scope {
        Scope::Ask => "scope_ask",
        Scope::Specs => "scope_specs",
        Scope::Folders => "scope_folders",
    }
}

fn scopes(row: &rusqlite::Row<'_>) -> Result<Scopes, StoreError> {
    Scope::ALL.into_iter().try_fold(Scopes::NONE, |scopes, scope| {
        Ok(if row.get::<_, bool>(column(scope))? { scopes.with(scope) } else { scopes })
    })
}

fn agent(row: &rusqlite::Row<'_>) -> Result<Agent, StoreError> {
    Ok(Agent {
        id: AgentId(row.get(0)?),
        name: row.get(1)?,
        client: row.get(2)?,
        workspace: row.get(3)?,
        token_hash: Digest(row.get(4)?),
        hold_seconds: row.get(5)?,
        created_at: Timestamp(row.get(6)?),
        revoked_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
        scopes: scopes(row)?,
    })
}

impl Db<'_> {
    /// The agent with this token, unless it was revoked.
    pub fn agent_by_token(&self, hash: &Digest) -> Result<Option<Agent>, StoreError> {
        self.one(
            &format!("SELECT {COLUMNS} FROM agents WHERE token_hash = ?1 AND revoked_at IS NULL"),
            [hash.0.as_slice()],
            agent,
        )
    }

    /// The agent with this id, revoked or not.
    pub fn agent(&self, id: &AgentId) -> Result<Option<Agent>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM agents WHERE id = ?1"), [id.as_str()], agent)
    }

    /// All that are paired, oldest first.
    pub fn agents(&self) -> Result<Vec<Agent>, StoreError> {
        self.all(&format!("SELECT {COLUMNS} FROM agents WHERE {PAIRED} ORDER BY created_at, id"), [], agent)
    }

    /// When the agent was last seen, and how many requests of it are pending.
    pub fn agent_activity(&self, id: &AgentId) -> Result<(Option<Timestamp>, u64), StoreError> {
        let found = self.one(
            "SELECT (SELECT max(last_seen_at) FROM sessions WHERE agent = ?1),
                    (SELECT count(*) FROM requests WHERE agent = ?1 AND state = 'pending')",
            [id.as_str()],
            |row| Ok((row.get::<_, Option<i64>>(0)?.map(Timestamp), row.get::<_, u64>(1)?)),
        )?;
        Ok(found.unwrap_or((None, 0)))
    }
}

impl Tx<'_> {
    /// Keeps a new agent.
    pub fn insert_agent(&self, agent: &Agent) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO agents (id, name, client, workspace, token_hash, hold_seconds, created_at, scope_ask, scope_specs, scope_folders)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (
                agent.id.as_str(),
                &agent.name,
                &agent.client,
                &agent.workspace,
                agent.token_hash.0.as_slice(),
                agent.hold_seconds,
                agent.created_at.0,
                agent.scopes.has(Scope::Ask),
                agent.scopes.has(Scope::Specs),
                agent.scopes.has(Scope::Folders),
            ),
        )?;
        Ok(())
    }

    /// Replaces an agent's token.
    pub fn set_agent_token(&self, id: &AgentId, hash: &Digest) -> Result<(), StoreError> {
        self.execute("UPDATE agents SET token_hash = ?2 WHERE id = ?1", (id.as_str(), hash.0.as_slice()))?;
        Ok(())
    }

    /// The agent may do exactly this from now on.
    pub fn set_agent_scopes(&self, id: &AgentId, scopes: Scopes) -> Result<(), StoreError> {
        self.execute(
            "UPDATE agents SET scope_ask = ?2, scope_specs = ?3, scope_folders = ?4 WHERE id = ?1",
            (id.as_str(), scopes.has(Scope::Ask), scopes.has(Scope::Specs), scopes.has(Scope::Folders)),
        )?;
        Ok(())
    }

    /// Revokes an agent's token. False when it was revoked before, or is unknown.
    pub fn revoke_agent(&self, id: &AgentId, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self
            .execute("UPDATE agents SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL", (id.as_str(), at.0))?
            == 1)
    }
}
