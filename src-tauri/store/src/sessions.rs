//! The sessions of agents in their workspaces.

use crate::agents::PAIRED;
use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::id::{AgentId, SessionId, WorkspaceId};
use countersign_core::mode::{Kin, Left, Mode, Standing, note};
use countersign_core::time::Timestamp;

/// One run of an agent in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Ours.
    pub id: SessionId,
    /// Whose.
    pub agent: AgentId,
    /// Where.
    pub workspace: WorkspaceId,
    /// What the client calls it; empty for clients that say nothing.
    pub key: String,
    /// Which session of that agent in that workspace, from 1.
    pub ordinal: u32,
    /// How strictly it is watched, and how strictly before plan mode.
    pub standing: Standing,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// When it ended, as far as anyone can tell.
    pub ended_at: Option<Timestamp>,
    /// Since when the person has everything of it refused.
    pub stopped_at: Option<Timestamp>,
}

/// A session as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The session.
    pub session: Session,
    /// Whether it holds a line open in this moment.
    pub present: bool,
    /// Its folder; empty when the agent never named one.
    pub workspace: String,
    /// Its agent's name.
    pub agent: String,
}

/// What a session's agent knows of its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldMode {
    /// The mode that it is in.
    pub now: Mode,
    /// The one that its agent was told of last.
    pub told: Option<Mode>,
    /// How often a decision told it.
    pub count: u32,
}

fn mode(word: String) -> Result<Mode, StoreError> {
    Mode::from_word(&word).ok_or_else(|| damaged(format!("a mode is {word:?}")))
}

fn session(row: &rusqlite::Row<'_>) -> Result<Session, StoreError> {
    Ok(Session {
        id: SessionId(row.get(0)?),
        agent: AgentId(row.get(1)?),
        workspace: WorkspaceId(row.get(2)?),
        key: row.get(3)?,
        ordinal: row.get(4)?,
        standing: Standing {
            mode: mode(row.get(5)?)?,
            before_plan: row.get::<_, Option<String>>(8)?.map(mode).transpose()?,
        },
        last_seen_at: Timestamp(row.get(6)?),
        ended_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
        stopped_at: row.get::<_, Option<i64>>(9)?.map(Timestamp),
    })
}

const COLUMNS: &str = "id, agent, workspace, key, ordinal, mode, last_seen_at, ended_at, before_plan, stopped_at";

const ROW: &str = "id, agent, workspace, key, ordinal, mode, last_seen_at, ended_at, before_plan, stopped_at, present,
    (SELECT path FROM workspaces w WHERE w.id = s.workspace), (SELECT name FROM agents a WHERE a.id = s.agent)";

fn session_row(row: &rusqlite::Row<'_>) -> Result<SessionRow, StoreError> {
    Ok(SessionRow { session: session(row)?, present: row.get(10)?, workspace: row.get(11)?, agent: row.get(12)? })
}

impl Db<'_> {
    /// The session that the client calls by this key.
    pub fn session_by_key(
        &self,
        agent: &AgentId,
        workspace: WorkspaceId,
        key: &str,
    ) -> Result<Option<Session>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE agent = ?1 AND workspace = ?2 AND key = ?3");
        self.one(&sql, (agent.as_str(), workspace.0, key), session)
    }

    /// How many sessions an agent has made.
    pub fn sessions_of(&self, agent: &AgentId) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM sessions WHERE agent = ?1";
        Ok(self.one(sql, [agent.as_str()], |row| Ok(row.get(0)?))?.unwrap_or(0))
    }

    /// A session.
    pub fn session(&self, id: &SessionId) -> Result<Option<Session>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"), [id.as_str()], session)
    }

    /// The mode that a session is in, and the one that its agent was told of last.
    pub fn told_mode(&self, id: &SessionId) -> Result<Option<ToldMode>, StoreError> {
        let sql = "SELECT mode, told_mode, told_count FROM sessions WHERE id = ?1";
        self.one(sql, [id.as_str()], |row| {
            let told = row.get::<_, Option<String>>(1)?.map(mode).transpose()?;
            Ok(ToldMode { now: mode(row.get(0)?)?, told, count: row.get(2)? })
        })
    }

    /// The agent's sessions as far as a new one takes after them: of those that are watched alike, whether one is there, and when
    /// the latest was seen.
    pub fn kin(&self, agent: &AgentId) -> Result<Vec<Kin>, StoreError> {
        let sql = "SELECT mode, before_plan, max(present), max(last_seen_at) FROM sessions WHERE agent = ?1 GROUP BY mode, before_plan";
        self.all(sql, [agent.as_str()], |row| {
            let before_plan = row.get::<_, Option<String>>(1)?.map(mode).transpose()?;
            let standing = Standing { mode: mode(row.get(0)?)?, before_plan };
            Ok(Kin { standing, present: row.get(2)?, seen_at: Timestamp(row.get(3)?) })
        })
    }

    /// When the person last left a mode of this agent's for a looser one.
    pub fn left_modes(&self, agent: &AgentId) -> Result<Left, StoreError> {
        let sql = "SELECT left_plan_at, left_interactive_at FROM agents WHERE id = ?1";
        let at = |row: &rusqlite::Row<'_>, n| Ok::<_, StoreError>(row.get::<_, Option<i64>>(n)?.map(Timestamp));
        let found = self.one(sql, [agent.as_str()], |row| Ok(Left { plan: at(row, 0)?, interactive: at(row, 1)? }))?;
        Ok(found.unwrap_or_default())
    }

    /// How many agents hold a line open, or were seen since this moment.
    pub fn connected_agents(&self, since: Timestamp) -> Result<u64, StoreError> {
        let sql = format!(
            "SELECT count(DISTINCT agent) FROM sessions WHERE agent IN (SELECT id FROM agents WHERE {PAIRED})
             AND (present = 1 OR (ended_at IS NULL AND last_seen_at >= ?1))"
        );
        Ok(self.one(&sql, [since.0], |row| Ok(row.get(0)?))?.unwrap_or(0))
    }

    /// The sessions of paired agents that were seen last, the latest first, at most so many; and of each agent those in plan
    /// mode besides, at most so many again: no crowd of others hides them.
    pub fn latest_sessions(&self, limit: u32) -> Result<Vec<SessionRow>, StoreError> {
        let sql = format!(
            "SELECT {ROW} FROM (
                 SELECT *, row_number() OVER (ORDER BY present DESC, last_seen_at DESC, id) AS place,
                        row_number() OVER (PARTITION BY agent, mode ORDER BY present DESC, last_seen_at DESC, id) AS among_alike
                 FROM sessions WHERE agent IN (SELECT id FROM agents WHERE {PAIRED})
             ) s WHERE place <= ?1 OR (mode = 'plan' AND among_alike <= ?1) ORDER BY place"
        );
        self.all(&sql, [limit], session_row)
    }

    /// A session as lists show it.
    pub fn session_row(&self, id: &SessionId) -> Result<Option<SessionRow>, StoreError> {
        self.one(&format!("SELECT {ROW} FROM sessions s WHERE id = ?1"), [id.as_str()], session_row)
    }
}

impl Tx<'_> {
    /// Keeps a new session, to be watched as it says.
    pub fn insert_session(
        &self,
        id: &SessionId,
        agent: &AgentId,
        workspace: WorkspaceId,
        key: &str,
        standing: Standing,
        at: Timestamp,
    ) -> Result<Session, StoreError> {
        self.execute(
            "INSERT INTO sessions (id, agent, workspace, key, ordinal, mode, before_plan, started_at, last_seen_at, told_mode)
             VALUES (?1, ?2, ?3, ?4, 1 + (SELECT count(*) FROM sessions WHERE agent = ?2 AND workspace = ?3), ?5, ?6, ?7, ?7, ?8)",
            (
                id.as_str(),
                agent.as_str(),
                workspace.0,
                key,
                standing.mode.word(),
                standing.before_plan.map(Mode::word),
                at.0,
                note::taken_for_granted(standing.mode).map(Mode::word),
            ),
        )?;
        self.session(id)?.ok_or_else(|| damaged("a session that was just written is gone"))
    }

    /// The session was heard of; it goes on if it had ended.
    pub fn touch_session(&self, id: &SessionId, at: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE sessions SET last_seen_at = ?2, ended_at = NULL WHERE id = ?1", (id.as_str(), at.0))?;
        Ok(())
    }

    /// The session is watched as it says from now on.
    pub fn set_standing(&self, id: &SessionId, standing: Standing) -> Result<(), StoreError> {
        let before = standing.before_plan.map(Mode::word);
        self.execute(
            "UPDATE sessions SET mode = ?2, before_plan = ?3 WHERE id = ?1",
            (id.as_str(), standing.mode.word(), before),
        )?;
        Ok(())
    }

    /// The person stops a session, or releases it.
    pub fn set_stopped(&self, id: &SessionId, at: Option<Timestamp>) -> Result<(), StoreError> {
        self.execute("UPDATE sessions SET stopped_at = ?2 WHERE id = ?1", (id.as_str(), at.map(|at| at.0)))?;
        Ok(())
    }

    /// The session's agent is told of this mode by what was just decided.
    pub fn set_told_mode(&self, id: &SessionId, told: Mode) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET told_mode = ?2, told_count = told_count + 1 WHERE id = ?1";
        self.execute(sql, (id.as_str(), told.word()))?;
        Ok(())
    }

    /// A note told the session's agent of this mode; unless something that was decided since has told it of another.
    pub fn set_noted_mode(&self, id: &SessionId, told: Mode, count: u32) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET told_mode = ?2 WHERE id = ?1 AND told_count = ?3";
        self.execute(sql, (id.as_str(), told.word(), count))?;
        Ok(())
    }

    /// When the person last left a mode of this agent's, from now on.
    pub fn set_left_modes(&self, agent: &AgentId, left: Left) -> Result<(), StoreError> {
        self.execute(
            "UPDATE agents SET left_plan_at = ?2, left_interactive_at = ?3 WHERE id = ?1",
            (agent.as_str(), left.plan.map(|at| at.0), left.interactive.map(|at| at.0)),
        )?;
        Ok(())
    }

    /// Whether a session holds a line open that tells when it ends; closing it ends the session.
    pub fn set_present(&self, id: &SessionId, here: bool, at: Timestamp) -> Result<(), StoreError> {
        let ended = (!here).then_some(at.0);
        self.execute(
            "UPDATE sessions SET present = ?2, last_seen_at = ?3, ended_at = ?4 WHERE id = ?1",
            (id.as_str(), here, at.0, ended),
        )?;
        Ok(())
    }

    /// At start nobody holds a line open: what held one has ended, until it comes back.
    pub fn end_present_sessions(&self, at: Timestamp) -> Result<(), StoreError> {
        self.execute("UPDATE sessions SET present = 0, ended_at = ?1 WHERE present = 1", [at.0])?;
        Ok(())
    }
}
