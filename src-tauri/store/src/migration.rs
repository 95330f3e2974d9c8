//! The schema's history: a list of scripts, each run once, in order, never changed after it was released.

use crate::error::StoreError;
use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours (SQLite `application_id`): "CSGN".
pub(crate) const APPLICATION_ID: i32 = 0x4353_474E;

/// All scripts; the schema's version is how many of them ran.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/001_start.sql"),
    include_str!("../migrations/002_plan_and_program.sql"),
    include_str!("../migrations/003_scopes.sql"),
    include_str!("../migrations/004_left_modes.sql"),
    include_str!("../migrations/005_specs.sql"),
    include_str!("../migrations/006_runs.sql"),
    include_str!("../migrations/007_todos.sql"),
    include_str!("../migrations/008_rules.sql"),
    include_str!("../migrations/009_plans.sql"),
    include_str!("../migrations/010_run_folders.sql"),
];

/// The schema's version.
pub(crate) fn version(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Runs what has not run yet, in one transaction: the file has the old schema or the new one, nothing between.
pub(crate) fn run(connection: &mut Connection, scripts: &[&str]) -> Result<(), StoreError> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version(&tx)? as usize;
    for script in scripts.iter().skip(from) {
        tx.execute_batch(script)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", scripts.len() as i64)?;
    tx.commit()?;
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Agent, Store, StoreError};
    use countersign_core::asker::Asker;
    use countersign_core::class::Class;
    use countersign_core::digest::Digest;
    use countersign_core::id::{AgentId, RequestId, SessionId, WorkspaceId};
    use countersign_core::mode::{Mode, Standing};
    use countersign_core::question::Question;
    use countersign_core::request::{Ask, OnExpiry, Request, State};
    use countersign_core::scope::{Scope, Scopes};
    use countersign_core::time::Timestamp;
    use serde_json::json;

    pub(crate) fn request() -> Request {
        let ask = Ask {
            tool: "delete_spec".into(),
            class: Class::Destructive,
            title: "Delete?".into(),
            context: None,
            questions: vec![Question::confirm("confirm-delete", "Delete?".into())],
            arguments: json!({"spec": "SPEC-001"}),
            expires_in: None,
            on_expiry: OnExpiry::Expire,
            subject: None,
            typed_word: Some("SPEC-001".into()),
            safe_options: Vec::new(),
            gate: true,
        };
        let agent = AgentId("a".into());
        Request {
            id: RequestId("r".into()),
            digest: ask.digest(&agent, "/w"),
            agent,
            session: SessionId("s".into()),
            workspace: WorkspaceId(1),
            ask,
            asker: None,
            state: State::Pending,
            created_at: Timestamp(1),
            expires_at: None,
            decision: None,
            claims: Vec::new(),
            settled_at: None,
            collected_at: None,
            plan: None,
        }
    }

    pub(crate) fn agent_and_session(tx: &crate::Tx<'_>) {
        let agent = Agent {
            id: AgentId("a".into()),
            name: "A".into(),
            client: String::new(),
            workspace: None,
            token_hash: Digest([7; 32]),
            hold_seconds: 50,
            scopes: Scopes::ALL,
            created_at: Timestamp(1),
            revoked_at: None,
        };
        let standing = Standing::starting(Mode::Guided);
        tx.insert_agent(&agent).expect("kept");
        let workspace = tx.insert_workspace("/w", Timestamp(1)).expect("kept");
        tx.insert_session(&SessionId("s".into()), &agent.id, workspace.id, "", standing, Timestamp(1)).expect("kept");
    }

    /// A file of the first version, with one session and one pending request.
    fn first_version(path: &std::path::Path) {
        let mut store = Store::open_with(path, &MIGRATIONS[..1]).expect("opens");
        let request = request();
        let ask = json!({
            "context": null, "questions": request.ask.questions, "arguments": request.ask.arguments,
            "on_expiry": "expire", "subject": null, "typed_word": "SPEC-001", "gate": true,
        });
        store
            .write(|tx| {
                tx.execute("INSERT INTO workspaces (path, created_at) VALUES ('/w', 1)", [])?;
                tx.execute(
                    "INSERT INTO agents (id, name, client, token_hash, hold_seconds, created_at) VALUES ('a', 'A', '', ?1, 50, 1)",
                    [[7_u8; 32].as_slice()],
                )?;
                tx.execute(
                    "INSERT INTO sessions (id, agent, workspace, key, ordinal, mode, started_at, last_seen_at)
                     VALUES ('s', 'a', 1, '', 1, 'plan', 1, 1)",
                    [],
                )?;
                tx.execute(
                    "INSERT INTO requests (id, agent, session, workspace, tool, class, state, key, digest, title, ask, created_at)
                     VALUES ('r', 'a', 's', 1, 'delete_spec', 'destructive', 'pending', ?1, ?2, 'Delete?', ?3, 1)",
                    (request.ask.key().0.as_slice(), request.digest.0.as_slice(), ask.to_string()),
                )?;
                tx.log_asked(&request, [1; 16])
            })
            .expect("written");
    }

    #[test]
    fn a_file_of_the_first_version_keeps_what_is_in_it_and_a_backup_of_that_version_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.db");
        first_version(&path);
        let store = Store::open(&path).expect("migrates");
        let (found, session) = store
            .read(|db| Ok::<_, StoreError>((db.request(&request().id)?, db.session(&request().session)?)))
            .expect("reads");
        assert_eq!(found, Some(request()), "of an older request it is not known which program asked");
        assert_eq!(session.map(|session| session.standing), Some(Standing { mode: Mode::Plan, before_plan: None }));
        let told = store.read(|db| db.told_mode(&request().session)).expect("reads");
        let told = told.map(|told| (told.now, told.told));
        assert_eq!(told, Some((Mode::Plan, None)), "whether its agent knew is not known, so it is told");
        assert!(store.read(|db| db.verify_log()).expect("reads").is_ok(), "older entries fit their rows");
        let backup = folder.path().join("backups/countersign-schema-1.db");
        assert!(Store::open_with(&backup, &MIGRATIONS[..1]).is_ok(), "the backup is of the first version");
    }

    #[test]
    fn an_agent_of_a_file_of_the_second_version_keeps_every_scope_and_one_that_is_paired_now_has_what_was_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.db");
        first_version(&path);
        drop(Store::open_with(&path, &MIGRATIONS[..2]).expect("the second version"));
        let mut store = Store::open(&path).expect("migrates");
        let old = AgentId("a".into());
        let agent = store.read(|db| db.agent(&old)).expect("reads").expect("there");
        assert_eq!(agent.scopes, Scopes::ALL);
        let only = Scopes::NONE.with(Scope::Specs);
        let new = Agent { id: AgentId("b".into()), token_hash: Digest([8; 32]), scopes: only, ..agent.clone() };
        store
            .write(|tx| {
                tx.insert_agent(&new)?;
                tx.set_agent_scopes(&old, Scopes::NONE.with(Scope::Ask))
            })
            .expect("written");
        let scopes = |id: &AgentId| store.read(|db| db.agent(id)).expect("reads").expect("there").scopes;
        assert_eq!([scopes(&old), scopes(&new.id)], [Scopes::NONE.with(Scope::Ask), only]);
        let backup = folder.path().join("backups/countersign-schema-2.db");
        assert!(Store::open_with(&backup, &MIGRATIONS[..2]).is_ok(), "the backup is of the second version");
    }

    #[test]
    fn a_program_and_a_mode_before_plan_come_back_as_they_were_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.db");
        first_version(&path);
        let mut store = Store::open(&path).expect("migrates");
        let asker = Asker { pid: 7, path: Some("/usr/bin/x".into()), folder: None, bridge: true };
        let with = Request { id: RequestId("r2".into()), asker: Some(asker), ..request() };
        let standing = Standing { mode: Mode::Plan, before_plan: Some(Mode::Interactive) };
        store
            .write(|tx| {
                tx.insert_request(&with, &with.ask.key())?;
                tx.log_asked(&with, [2; 16])?;
                tx.set_standing(&with.session, standing)
            })
            .expect("written");
        let found = store.read(|db| db.request(&with.id)).expect("reads").expect("there");
        assert_eq!(found.asker, with.asker);
        let session = store.read(|db| db.session(&with.session)).expect("reads").expect("there");
        assert_eq!(session.standing, standing);
        assert!(store.read(|db| db.verify_log()).expect("reads").is_ok());
    }
}
