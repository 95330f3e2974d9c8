//! Runs of trusted commands, and what they printed.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, RunId, SessionId, SpecId, WorkspaceId};
use countersign_core::run::{Run, RunBy, RunCommand, RunEnd, RunKind, RunState};
use countersign_core::time::Timestamp;

const COLUMNS: &str = "id, workspace, spec, revision, kind, name, command, agent, session, channel, request, trust, state, exit_code,
    reason, created_at, started_at, ended_at";

fn by(agent: Option<String>, session: Option<String>, channel: Option<String>) -> Result<RunBy, StoreError> {
    match (agent, session, channel) {
        (Some(agent), Some(session), None) => Ok(RunBy::Agent { agent: AgentId(agent), session: SessionId(session) }),
        (None, None, Some(word)) => {
            let channel = Channel::from_word(&word).ok_or_else(|| damaged(format!("a channel is {word:?}")))?;
            Ok(RunBy::Person(channel))
        }
        _ => Err(damaged("a run that nobody started")),
    }
}

fn run(row: &rusqlite::Row<'_>) -> Result<Run, StoreError> {
    let (kind, state): (String, String) = (row.get(4)?, row.get(12)?);
    let command: RunCommand =
        serde_json::from_str(&row.get::<_, String>(6)?).map_err(|error| damaged(format!("a run's command: {error}")))?;
    Ok(Run {
        id: RunId(row.get(0)?),
        workspace: WorkspaceId(row.get(1)?),
        spec: SpecId(row.get(2)?),
        revision: row.get(3)?,
        kind: RunKind::from_word(&kind).ok_or_else(|| damaged(format!("a run's kind is {kind:?}")))?,
        name: row.get(5)?,
        command,
        by: by(row.get(7)?, row.get(8)?, row.get(9)?)?,
        request: row.get::<_, Option<String>>(10)?.map(RequestId),
        trust: Digest(row.get(11)?),
        state: RunState::from_word(&state).ok_or_else(|| damaged(format!("a run's state is {state:?}")))?,
        exit_code: row.get(13)?,
        reason: row.get(14)?,
        created_at: Timestamp(row.get(15)?),
        started_at: row.get::<_, Option<i64>>(16)?.map(Timestamp),
        ended_at: row.get::<_, Option<i64>>(17)?.map(Timestamp),
    })
}

impl Db<'_> {
    /// A run.
    pub fn run(&self, id: &RunId) -> Result<Option<Run>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"), [id.as_str()], run)
    }

    /// The newest runs of a spec, newest first.
    pub fn runs_of(&self, workspace: WorkspaceId, spec: SpecId, limit: u32) -> Result<Vec<Run>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM runs WHERE workspace = ?1 AND spec = ?2 ORDER BY seq DESC LIMIT ?3");
        self.all(&sql, (workspace.0, spec.0, limit), run)
    }

    /// The newest run of this kind and name for a spec; with a revision, over that one only.
    pub fn last_run(
        &self,
        workspace: WorkspaceId,
        spec: SpecId,
        revision: Option<u32>,
        kind: RunKind,
        name: &str,
    ) -> Result<Option<Run>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs WHERE workspace = ?1 AND spec = ?2 AND kind = ?3 AND name = ?4 AND (?5 IS NULL OR revision = ?5)
             ORDER BY seq DESC LIMIT 1"
        );
        self.one(&sql, (workspace.0, spec.0, kind.word(), name, revision), run)
    }

    /// All that wait or go on, oldest first.
    pub fn open_runs(&self) -> Result<Vec<Run>, StoreError> {
        self.all(&format!("SELECT {COLUMNS} FROM runs WHERE state IN ('queued', 'running') ORDER BY seq"), [], run)
    }

    /// What a run printed, as far as it is kept, and how many bytes that was; none when it is not kept any more.
    pub fn run_output(&self, id: &RunId) -> Result<Option<(Vec<u8>, u64)>, StoreError> {
        let sql = "SELECT output, total FROM run_outputs WHERE run = ?1";
        self.one(sql, [id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

impl Tx<'_> {
    /// Keeps a new run. Of this workspace, only the outputs of the last `outputs` runs stay.
    pub fn insert_run(&self, run: &Run, outputs: u32) -> Result<(), StoreError> {
        let (agent, session, channel) = match &run.by {
            RunBy::Agent { agent, session } => (Some(agent.as_str()), Some(session.as_str()), None),
            RunBy::Person(channel) => (None, None, Some(channel.word())),
        };
        let command = serde_json::to_string(&run.command).expect("BUG: a command is plain JSON");
        self.connection
            .prepare_cached(
                "INSERT INTO runs (id, workspace, spec, revision, kind, name, command, agent, session, channel, request, trust, state, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )?
            .execute(rusqlite::params![
                run.id.as_str(),
                run.workspace.0,
                run.spec.0,
                run.revision,
                run.kind.word(),
                run.name,
                command,
                agent,
                session,
                channel,
                run.request.as_ref().map(RequestId::as_str),
                run.trust.0.as_slice(),
                run.state.word(),
                run.created_at.0,
            ])?;
        self.execute(
            "DELETE FROM run_outputs WHERE run IN (
                 SELECT r.id FROM runs r JOIN run_outputs o ON o.run = r.id
                 WHERE r.workspace = ?1 AND r.ended_at IS NOT NULL ORDER BY r.seq DESC LIMIT -1 OFFSET ?2)",
            (run.workspace.0, outputs),
        )?;
        Ok(())
    }

    /// Its program was started. False when it had ended, or was started before.
    pub fn start_run(&self, id: &RunId, at: Timestamp) -> Result<bool, StoreError> {
        let sql = "UPDATE runs SET state = 'running', started_at = ?2 WHERE id = ?1 AND state = 'queued'";
        Ok(self.execute(sql, (id.as_str(), at.0))? == 1)
    }

    /// Keeps what it has printed so far.
    pub fn set_run_output(&self, id: &RunId, output: &[u8], total: u64) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO run_outputs (run, output, total) VALUES (?1, ?2, ?3)
             ON CONFLICT (run) DO UPDATE SET output = ?2, total = ?3",
            (id.as_str(), output, total),
        )?;
        Ok(())
    }

    /// It is over. False when it was before; then nothing changed.
    pub fn end_run(&self, id: &RunId, end: &RunEnd, at: Timestamp) -> Result<bool, StoreError> {
        let sql = "UPDATE runs SET state = ?2, exit_code = ?3, reason = ?4, ended_at = ?5 WHERE id = ?1 AND ended_at IS NULL";
        Ok(self.execute(sql, (id.as_str(), end.state.word(), end.exit_code, &end.reason, at.0))? == 1)
    }
}
