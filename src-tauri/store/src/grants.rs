//! What decisions give to agents: used once, for a while.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::digest::Digest;
use countersign_core::id::{AgentId, RequestId, WorkspaceId};
use countersign_core::request::Subject;
use countersign_core::time::Timestamp;
use serde_json::Value;

/// One grant: this agent, this tool with these arguments (the key), this answer, over this spec, until then.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    /// Its row; 0 before it is kept.
    pub id: i64,
    /// The request that was decided.
    pub request: RequestId,
    /// To whom.
    pub agent: AgentId,
    /// Where.
    pub workspace: WorkspaceId,
    /// The digest of tool and arguments.
    pub key: Digest,
    /// The question that was answered.
    pub question: String,
    /// The answer.
    pub answer: Value,
    /// The spec as it was shown.
    pub subject: Option<Subject>,
    /// When it was given.
    pub created_at: Timestamp,
    /// When it lapses.
    pub lapses_at: Timestamp,
}

impl Db<'_> {
    /// The newest unused grant for this call and question, lapsed or not.
    pub fn open_grant(
        &self,
        agent: &AgentId,
        workspace: WorkspaceId,
        key: &Digest,
        question: &str,
    ) -> Result<Option<Grant>, StoreError> {
        let sql = "SELECT id, request, question, answer, subject, created_at, lapses_at FROM grants
                   WHERE agent = ?1 AND workspace = ?2 AND key = ?3 AND question = ?4 AND used_at IS NULL ORDER BY id DESC LIMIT 1";
        self.one(sql, (agent.as_str(), workspace.0, key.0.as_slice(), question), |row| {
            let parse = |text: &str| serde_json::from_str(text).map_err(|e| damaged(format!("a grant: {e}")));
            let subject = row.get::<_, Option<String>>(4)?;
            Ok(Grant {
                id: row.get(0)?,
                request: RequestId(row.get(1)?),
                agent: agent.clone(),
                workspace,
                key: *key,
                question: row.get(2)?,
                answer: parse(&row.get::<_, String>(3)?)?,
                subject: subject
                    .map(|text| serde_json::from_str(&text).map_err(|e| damaged(format!("a grant's subject: {e}"))))
                    .transpose()?,
                created_at: Timestamp(row.get(5)?),
                lapses_at: Timestamp(row.get(6)?),
            })
        })
    }
}

impl Tx<'_> {
    /// Keeps a grant.
    pub fn insert_grant(&self, grant: &Grant) -> Result<(), StoreError> {
        let subject = grant.subject.as_ref().map(|s| serde_json::to_string(s).expect("BUG: a subject is plain JSON"));
        self.execute(
            "INSERT INTO grants (request, agent, workspace, key, question, answer, subject, created_at, lapses_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            (
                grant.request.as_str(),
                grant.agent.as_str(),
                grant.workspace.0,
                grant.key.0.as_slice(),
                &grant.question,
                grant.answer.to_string(),
                subject,
                grant.created_at.0,
                grant.lapses_at.0,
            ),
        )?;
        Ok(())
    }

    /// Uses a grant up. False when it was used before.
    pub fn use_grant(&self, id: i64, at: Timestamp) -> Result<bool, StoreError> {
        Ok(self.execute("UPDATE grants SET used_at = ?2 WHERE id = ?1 AND used_at IS NULL", (id, at.0))? == 1)
    }
}
