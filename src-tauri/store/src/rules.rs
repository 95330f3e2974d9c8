//! The person's rules for steps, and what each of them decided.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use crate::requests::{COLUMNS as REQUEST, request};
use countersign_core::id::{AgentId, RequestId, SessionId, WorkspaceId};
use countersign_core::request::Request;
use countersign_core::rule::{Effect, Rule, Scope};
use countersign_core::time::Timestamp;

/// A rule as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRow {
    /// The rule.
    pub rule: Rule,
    /// The workspace's folder.
    pub workspace: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// Which session of that agent.
    pub session: Option<u32>,
    /// How many steps it settled, or had asked about.
    pub matched: u64,
    /// When it last did.
    pub last_at: Option<Timestamp>,
}

const COLUMNS: &str = "r.id, r.effect, r.tool, r.command, r.path, r.workspace, r.agent, r.session, r.expires_at, r.made_by, r.made_at, r.request";

fn rule(row: &rusqlite::Row<'_>) -> Result<Rule, StoreError> {
    let effect: String = row.get(1)?;
    let command: Option<String> = row.get(3)?;
    let command = command.map(|text| serde_json::from_str(&text).map_err(|error| damaged(format!("a rule: {error}"))));
    Ok(Rule {
        id: row.get(0)?,
        effect: Effect::from_word(&effect).ok_or_else(|| damaged(format!("a rule's effect is {effect:?}")))?,
        scope: Scope {
            tool: row.get(2)?,
            command: command.transpose()?,
            path: row.get(4)?,
            workspace: row.get::<_, Option<i64>>(5)?.map(WorkspaceId),
            agent: row.get::<_, Option<String>>(6)?.map(AgentId),
            session: row.get::<_, Option<String>>(7)?.map(SessionId),
        },
        expires_at: row.get::<_, Option<i64>>(8)?.map(Timestamp),
        made_by: row.get(9)?,
        made_at: Timestamp(row.get(10)?),
        request: row.get::<_, Option<String>>(11)?.map(RequestId),
    })
}

impl Db<'_> {
    /// The rules that were not removed, oldest first; those that expired too.
    pub fn rules(&self) -> Result<Vec<Rule>, StoreError> {
        self.all(&format!("SELECT {COLUMNS} FROM rules r WHERE r.removed_at IS NULL ORDER BY r.id"), [], rule)
    }

    /// How many there are.
    pub fn rule_count(&self) -> Result<u64, StoreError> {
        let count = self.one("SELECT count(*) FROM rules WHERE removed_at IS NULL", [], |row| Ok(row.get(0)?))?;
        Ok(count.unwrap_or(0))
    }

    /// A rule that was not removed.
    pub fn rule(&self, id: i64) -> Result<Option<Rule>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM rules r WHERE r.id = ?1 AND r.removed_at IS NULL"), [id], rule)
    }

    /// The rules that hold at this moment, the newest first, with what each of them did.
    pub fn rule_rows(&self, at: Timestamp) -> Result<Vec<RuleRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, w.path, a.name, s.ordinal, (SELECT count(*) FROM requests q WHERE q.rule = r.id),
                    (SELECT max(q.created_at) FROM requests q WHERE q.rule = r.id)
             FROM rules r LEFT JOIN workspaces w ON w.id = r.workspace LEFT JOIN agents a ON a.id = r.agent
             LEFT JOIN sessions s ON s.id = r.session
             WHERE r.removed_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?1) ORDER BY r.id DESC"
        );
        self.all(&sql, [at.0], |row| {
            Ok(RuleRow {
                rule: rule(row)?,
                workspace: row.get(12)?,
                agent: row.get(13)?,
                session: row.get(14)?,
                matched: row.get(15)?,
                last_at: row.get::<_, Option<i64>>(16)?.map(Timestamp),
            })
        })
    }

    /// The newest steps that were kept, newest first.
    pub fn newest_steps(&self, limit: u32) -> Result<Vec<Request>, StoreError> {
        self.all(
            &format!("SELECT {REQUEST} FROM requests WHERE class = 'step' ORDER BY seq DESC LIMIT ?1"),
            [limit],
            request,
        )
    }

    /// The steps that are pending, oldest first; of one session or of all.
    pub fn pending_steps(&self, session: Option<&SessionId>) -> Result<Vec<Request>, StoreError> {
        let sql = format!(
            "SELECT {REQUEST} FROM requests
             WHERE state = 'pending' AND class = 'step' AND (?1 IS NULL OR session = ?1) ORDER BY seq"
        );
        self.all(&sql, [session.map(SessionId::as_str)], request)
    }

    /// The newest request of a session about this use of a tool.
    pub fn by_tool_use(&self, session: &SessionId, tool_use: &str) -> Result<Option<Request>, StoreError> {
        let sql =
            format!("SELECT {REQUEST} FROM requests WHERE session = ?1 AND tool_use = ?2 ORDER BY seq DESC LIMIT 1");
        self.one(&sql, (session.as_str(), tool_use), request)
    }

    /// How many steps a rule settled at this moment.
    pub fn settled_by_rule(&self, rule: i64, at: Timestamp) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM requests WHERE rule = ?1 AND settled_at = ?2";
        Ok(self.one(sql, (rule, at.0), |row| Ok(row.get(0)?))?.unwrap_or(0))
    }

    /// What a request's host calls that use of its tool.
    pub fn tool_use(&self, id: &RequestId) -> Result<Option<String>, StoreError> {
        Ok(self.one("SELECT tool_use FROM requests WHERE id = ?1", [id.as_str()], |row| Ok(row.get(0)?))?.flatten())
    }
}

impl Tx<'_> {
    /// Keeps a new rule; its number.
    pub fn insert_rule(&self, rule: &Rule) -> Result<i64, StoreError> {
        let scope = &rule.scope;
        let command =
            scope.command.as_ref().map(|one| serde_json::to_string(one).expect("BUG: a command is plain JSON"));
        self.execute(
            "INSERT INTO rules (effect, tool, command, path, workspace, agent, session, expires_at, made_by, made_at, request)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            (
                rule.effect.word(),
                &scope.tool,
                command,
                &scope.path,
                scope.workspace.map(|id| id.0),
                scope.agent.as_ref().map(AgentId::as_str),
                scope.session.as_ref().map(SessionId::as_str),
                rule.expires_at.map(|at| at.0),
                &rule.made_by,
                rule.made_at.0,
                rule.request.as_ref().map(RequestId::as_str),
            ),
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Removes a rule. False when there is none.
    pub fn remove_rule(&self, id: i64, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.execute("UPDATE rules SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL", (id, at.0))? == 1)
    }

    /// The rules for a session end with it; how many.
    pub fn end_rules_of_session(&self, session: &SessionId, at: Timestamp) -> Result<usize, StoreError> {
        let sql = "UPDATE rules SET removed_at = ?2 WHERE session = ?1 AND removed_at IS NULL";
        self.execute(sql, (session.as_str(), at.0))
    }

    /// The rules for an agent end with its token; how many.
    pub fn end_rules_of_agent(&self, agent: &AgentId, at: Timestamp) -> Result<usize, StoreError> {
        let sql = "UPDATE rules SET removed_at = ?2 WHERE agent = ?1 AND removed_at IS NULL";
        self.execute(sql, (agent.as_str(), at.0))
    }

    /// What a request's host calls that use of its tool.
    pub fn set_tool_use(&self, id: &RequestId, tool_use: &str) -> Result<(), StoreError> {
        self.execute("UPDATE requests SET tool_use = ?2 WHERE id = ?1", (id.as_str(), tool_use))?;
        Ok(())
    }

    /// The rule that decided a step, or had it asked about.
    pub fn set_request_rule(&self, id: &RequestId, rule: i64) -> Result<(), StoreError> {
        self.execute("UPDATE requests SET rule = ?2 WHERE id = ?1", (id.as_str(), rule))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::migration::tests::{agent_and_session, request};
    use countersign_core::rule::CommandMatch;

    #[test]
    fn a_rule_comes_back_as_it_was_kept_and_ends_with_its_session_its_agent_or_by_hand() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let request = request();
        store
            .write(|tx| {
                agent_and_session(tx);
                tx.insert_request(&request, &request.ask.key())?;
                let scope = |session: bool, agent: bool| Scope {
                    tool: Some("Bash".into()),
                    command: Some(CommandMatch::Prefix(vec!["git".into(), "push".into()])),
                    path: Some("/w".into()),
                    workspace: Some(WorkspaceId(1)),
                    agent: agent.then(|| request.agent.clone()),
                    session: session.then(|| request.session.clone()),
                };
                let rule = |session, agent| Rule {
                    id: 0,
                    effect: Effect::Allow,
                    scope: scope(session, agent),
                    expires_at: Some(Timestamp(9)),
                    made_by: "window".into(),
                    made_at: Timestamp(2),
                    request: Some(request.id.clone()),
                };
                let ids = [(true, true), (false, true), (false, false)]
                    .map(|(s, a)| tx.insert_rule(&rule(s, a)).expect("kept"));
                assert_eq!(tx.rule(ids[0])?, Some(Rule { id: ids[0], ..rule(true, true) }));
                assert_eq!((tx.rules()?.len(), tx.rule_count()?), (3, 3));
                tx.set_request_rule(&request.id, ids[2])?;
                tx.set_tool_use(&request.id, "toolu_1")?;
                assert_eq!(
                    tx.by_tool_use(&request.session, "toolu_1")?.map(|found| found.id),
                    Some(request.id.clone())
                );
                assert_eq!(tx.tool_use(&request.id)?.as_deref(), Some("toolu_1"));
                let rows = tx.rule_rows(Timestamp(8))?;
                assert_eq!((rows.len(), rows[0].matched, rows[0].last_at), (3, 1, Some(Timestamp(1))));
                assert_eq!(
                    (rows[2].session, rows[2].agent.as_deref(), rows[2].workspace.as_deref()),
                    (Some(1), Some("A"), Some("/w"))
                );
                assert_eq!(tx.rule_rows(Timestamp(9))?, [], "expired");
                assert_eq!(tx.end_rules_of_session(&request.session, Timestamp(5))?, 1);
                assert_eq!(tx.end_rules_of_agent(&request.agent, Timestamp(5))?, 1);
                assert_eq!(
                    (tx.remove_rule(ids[2], Timestamp(5))?, tx.remove_rule(ids[2], Timestamp(6))?),
                    (true, false)
                );
                assert_eq!(tx.rules()?, []);
                Ok::<_, StoreError>(())
            })
            .expect("writes");
    }
}
