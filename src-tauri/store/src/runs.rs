//! Runs of trusted commands, and what they printed.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, RunId, SessionId, SpecId, WorkspaceId};
use countersign_core::run::{Run, RunBy, RunCommand, RunEnd, RunKind, RunState};
use countersign_core::time::Timestamp;

const COLUMNS: &str =
    "id, workspace, spec, revision, kind, name, command, agent, session, channel, request, trust, state, exit_code,
    reason, created_at, started_at, ended_at, cancelled_by";

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
    let command: RunCommand = serde_json::from_str(&row.get::<_, String>(6)?)
        .map_err(|error| damaged(format!("a run's command: {error}")))?;
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
        cancelled_by: row.get(18)?,
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

    /// The newest run of this kind and name for a spec that is over, over this revision.
    pub fn last_run(
        &self,
        workspace: WorkspaceId,
        spec: SpecId,
        revision: u32,
        kind: RunKind,
        name: &str,
    ) -> Result<Option<Run>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs WHERE workspace = ?1 AND spec = ?2 AND kind = ?3 AND name = ?4 AND revision = ?5
             AND ended_at IS NOT NULL ORDER BY seq DESC LIMIT 1"
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

    /// Somebody wants it ended; the first one counts.
    pub fn cancel_run(&self, id: &RunId, by: &str) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET cancelled_by = ?2 WHERE id = ?1 AND ended_at IS NULL AND cancelled_by IS NULL";
        self.execute(sql, (id.as_str(), by))?;
        Ok(())
    }

    /// It is over. False when it was before; then nothing changed.
    pub fn end_run(&self, id: &RunId, end: &RunEnd, at: Timestamp) -> Result<bool, StoreError> {
        let sql =
            "UPDATE runs SET state = ?2, exit_code = ?3, reason = ?4, ended_at = ?5 WHERE id = ?1 AND ended_at IS NULL";
        Ok(self.execute(sql, (id.as_str(), end.state.word(), end.exit_code, &end.reason, at.0))? == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    fn sample(id: &str, by: RunBy) -> Run {
        Run {
            id: RunId(id.into()),
            workspace: WorkspaceId(1),
            spec: SpecId(7),
            revision: 2,
            kind: RunKind::Check,
            name: "unit".into(),
            command: RunCommand {
                argv: vec!["a b".into(), "\n".into()],
                dir: ".".into(),
                env: vec!["X".into()],
                timeout_seconds: 9,
            },
            by,
            request: None,
            trust: Digest([3; 32]),
            state: RunState::Queued,
            exit_code: None,
            reason: None,
            created_at: Timestamp(1),
            started_at: None,
            ended_at: None,
            cancelled_by: None,
        }
    }

    fn agent() -> RunBy {
        RunBy::Agent { agent: AgentId("a".into()), session: SessionId("s".into()) }
    }

    #[test]
    fn a_run_comes_back_as_it_was_kept_and_ends_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let (one, two) = (sample("one", agent()), sample("two", RunBy::Person(Channel::Window)));
        store
            .write(|tx| {
                crate::migration::tests::agent_and_session(tx);
                tx.insert_run(&one, 9)?;
                tx.insert_run(&two, 9)?;
                assert_eq!((tx.run(&one.id)?, tx.run(&two.id)?), (Some(one.clone()), Some(two.clone())));
                assert_eq!(tx.open_runs()?, [one.clone(), two.clone()]);
                let last = |tx: &Tx<'_>| tx.last_run(WorkspaceId(1), SpecId(7), 2, RunKind::Check, "unit");
                assert_eq!(last(tx)?, None, "none is over");
                assert!(tx.start_run(&one.id, Timestamp(2))? && !tx.start_run(&one.id, Timestamp(3))?);
                tx.set_run_output(&one.id, b"so far \xff", 8)?;
                tx.set_run_output(&one.id, b"whole \0", 7)?;
                let end = RunEnd { state: RunState::Failed, exit_code: Some(3), reason: Some("why".into()) };
                assert!(tx.end_run(&one.id, &end, Timestamp(4))?);
                let late = RunEnd { state: RunState::Cancelled, exit_code: None, reason: None };
                assert!(!tx.end_run(&one.id, &late, Timestamp(5))? && !tx.start_run(&one.id, Timestamp(5))?);
                let ended = Run {
                    state: RunState::Failed,
                    exit_code: Some(3),
                    reason: Some("why".into()),
                    started_at: Some(Timestamp(2)),
                    ended_at: Some(Timestamp(4)),
                    ..one.clone()
                };
                assert_eq!((last(tx)?, tx.open_runs()?), (Some(ended.clone()), vec![two.clone()]));
                assert_eq!(tx.last_run(WorkspaceId(1), SpecId(7), 3, RunKind::Check, "unit")?, None);
                assert_eq!(tx.runs_of(WorkspaceId(1), SpecId(7), 5)?, [two.clone(), ended]);
                assert_eq!(tx.run_output(&one.id)?, Some((b"whole \0".to_vec(), 7)));
                Ok::<_, StoreError>(())
            })
            .expect("written");
    }

    #[test]
    fn outputs_of_old_runs_are_erased_and_their_rows_and_what_still_goes_on_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let kept = store.write(|tx| {
            crate::migration::tests::agent_and_session(tx);
            let end = RunEnd { state: RunState::Passed, exit_code: Some(0), reason: None };
            for n in 0..5 {
                let run = sample(&n.to_string(), agent());
                tx.insert_run(&run, 2)?;
                tx.set_run_output(&run.id, b"x", 1)?;
                if n > 0 {
                    tx.end_run(&run.id, &end, Timestamp(n))?;
                }
            }
            tx.insert_run(&sample("last", agent()), 2)?;
            let has = |n: i64| tx.run_output(&RunId(n.to_string())).map(|output| output.is_some());
            (0..5).map(has).collect::<Result<Vec<_>, StoreError>>()
        });
        assert_eq!(kept.expect("written"), [true, false, false, true, true]);
    }
}
