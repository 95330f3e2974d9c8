//! Requests and their endings.

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::answer::Answers;
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::id::{AgentId, RequestId, SessionId, SpecId, WorkspaceId};
use countersign_core::mode::Mode;
use countersign_core::plan::chain::Place;
use countersign_core::plan::remark::Remark;
use countersign_core::question::Question;
use countersign_core::request::{Ask, Claim, Decision, OnExpiry, Request, State, StepDecision, Subject};
use countersign_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A pending request as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRow {
    /// Which.
    pub id: RequestId,
    /// One line.
    pub title: String,
    /// How much a wrong yes would cost.
    pub class: Class,
    /// The tool that asks.
    pub tool: String,
    /// The agent.
    pub agent_id: AgentId,
    /// Its name.
    pub agent: String,
    /// The kind of client it is.
    pub client: String,
    /// Which session of that agent.
    pub session: u32,
    /// The folder.
    pub workspace: String,
    /// When it was asked.
    pub created_at: Timestamp,
    /// When its time runs out.
    pub expires_at: Option<Timestamp>,
    /// What happens then.
    pub on_expiry: OnExpiry,
    /// Whether something was typed for it.
    pub has_draft: bool,
    /// How many claims the agent made of what the person answered.
    pub claims: u32,
    /// How often its session set the list of what it does.
    pub todos: u32,
}

/// The part of an ask that is read as a whole or not at all.
#[derive(Serialize, Deserialize)]
struct Asked {
    context: Option<String>,
    questions: Vec<Question>,
    arguments: Value,
    on_expiry: OnExpiry,
    subject: Option<Subject>,
    typed_word: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    safe_options: Vec<String>,
    gate: bool,
}

#[derive(Serialize, Deserialize)]
struct Decided {
    answers: Map<String, Value>,
    channel: Channel,
    unattended: bool,
    comment: Option<String>,
    at: Timestamp,
    digest: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    step: Option<StepDecision>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<Filed>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

pub(crate) const COLUMNS: &str = "id, agent, session, workspace, tool, class, state, digest, title, ask, claims, created_at, expires_at, decision, settled_at, collected_at, program, plan_revision, plan_follows";

fn json<T: serde::de::DeserializeOwned>(what: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| damaged(format!("{what}: {error}")))
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("BUG: rows are plain JSON")
}

pub(crate) fn request(row: &rusqlite::Row<'_>) -> Result<Request, StoreError> {
    let class: String = row.get(5)?;
    let state: String = row.get(6)?;
    let asked: Asked = json("a request", &row.get::<_, String>(9)?)?;
    let decided = row.get::<_, Option<String>>(13)?.map(|text| json::<Decided>("a decision", &text)).transpose()?;
    let decision = decided.map(|decided| restore(decided, &asked.questions)).transpose()?;
    Ok(Request {
        id: RequestId(row.get(0)?),
        agent: AgentId(row.get(1)?),
        session: SessionId(row.get(2)?),
        workspace: WorkspaceId(row.get(3)?),
        digest: Digest(row.get(7)?),
        state: State::from_word(&state).ok_or_else(|| damaged(format!("a state is {state:?}")))?,
        created_at: Timestamp(row.get(11)?),
        expires_at: row.get::<_, Option<i64>>(12)?.map(Timestamp),
        decision,
        claims: json("claims", &row.get::<_, String>(10)?)?,
        settled_at: row.get::<_, Option<i64>>(14)?.map(Timestamp),
        collected_at: row.get::<_, Option<i64>>(15)?.map(Timestamp),
        asker: row.get::<_, Option<String>>(16)?.map(|text| json("a program", &text)).transpose()?,
        plan: place(row)?,
        ask: Ask {
            tool: row.get(4)?,
            class: Class::from_word(&class).ok_or_else(|| damaged(format!("a class is {class:?}")))?,
            title: row.get(8)?,
            context: asked.context,
            questions: asked.questions,
            arguments: asked.arguments,
            // How long it was at first matters no more once the moment is known.
            expires_in: None,
            on_expiry: asked.on_expiry,
            subject: asked.subject,
            typed_word: asked.typed_word,
            safe_options: asked.safe_options,
            gate: asked.gate,
        },
    })
}

fn place(row: &rusqlite::Row<'_>) -> Result<Option<Place>, StoreError> {
    let follows = row.get::<_, Option<String>>(18)?.map(RequestId);
    Ok(row.get::<_, Option<u32>>(17)?.map(|revision| Place { revision, follows }))
}

fn restore(decided: Decided, questions: &[Question]) -> Result<Decision, StoreError> {
    Ok(Decision {
        answers: Answers::restore(questions, &decided.answers)
            .map_err(|error| damaged(format!("an answer: {error}")))?,
        channel: decided.channel,
        unattended: decided.unattended,
        comment: decided.comment,
        at: decided.at,
        digest: decided.digest,
        mode: decided.mode,
        step: decided.step,
        file: decided.file,
        remarks: decided.remarks,
    })
}

impl Db<'_> {
    /// A request.
    pub fn request(&self, id: &RequestId) -> Result<Option<Request>, StoreError> {
        self.one(&format!("SELECT {COLUMNS} FROM requests WHERE id = ?1"), [id.as_str()], request)
    }

    /// The newest request by this agent, in this session, with this key; what was taken back or replaced aside.
    pub fn newest_same(
        &self,
        agent: &AgentId,
        session: &SessionId,
        key: &Digest,
    ) -> Result<Option<Request>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests WHERE agent = ?1 AND key = ?2 AND session = ?3
             AND state NOT IN ('cancelled', 'superseded') ORDER BY seq DESC LIMIT 1"
        );
        self.one(&sql, (agent.as_str(), key.0.as_slice(), session.as_str()), request)
    }

    /// The newest one with this key, if it was replaced because what it was about is another.
    pub fn newest_superseded(
        &self,
        agent: &AgentId,
        workspace: WorkspaceId,
        key: &Digest,
    ) -> Result<Option<Request>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests WHERE agent = ?1 AND key = ?2 AND workspace = ?3 ORDER BY seq DESC LIMIT 1"
        );
        let newest = self.one(&sql, (agent.as_str(), key.0.as_slice(), workspace.0), request)?;
        Ok(newest.filter(|request| request.state == State::Superseded))
    }

    /// The newest one with this key that an ended session of the agent in this workspace left, pending or uncollected.
    pub fn left_behind(
        &self,
        agent: &AgentId,
        workspace: WorkspaceId,
        key: &Digest,
        idle_since: Timestamp,
    ) -> Result<Option<Request>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests r
             WHERE agent = ?1 AND key = ?2 AND workspace = ?3 AND collected_at IS NULL AND state NOT IN ('cancelled', 'superseded')
               AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = r.session AND (s.ended_at IS NOT NULL OR (s.present = 0 AND s.last_seen_at < ?4)))
             ORDER BY seq DESC LIMIT 1"
        );
        self.one(&sql, (agent.as_str(), key.0.as_slice(), workspace.0, idle_since.0), request)
    }

    /// All that are pending, oldest first, at most `limit` of them, in one workspace or everywhere.
    pub fn open_rows(&self, workspace: Option<&str>, limit: u32) -> Result<Vec<OpenRow>, StoreError> {
        let sql =
            "SELECT r.id, r.title, r.class, r.tool, a.name, a.client, s.ordinal, w.path, r.created_at, r.expires_at,
                          CASE WHEN json_valid(r.ask) THEN json_extract(r.ask, '$.on_expiry') = 'default' ELSE 0 END,
                          d.request IS NOT NULL, r.agent, CASE WHEN json_valid(r.claims) THEN json_array_length(r.claims) ELSE 0 END, coalesce(t.times, 0)
                   FROM requests r JOIN agents a ON a.id = r.agent JOIN sessions s ON s.id = r.session
                   JOIN workspaces w ON w.id = r.workspace LEFT JOIN drafts d ON d.request = r.id LEFT JOIN todos t ON t.session = r.session
                   WHERE r.state = 'pending' AND (?1 IS NULL OR w.path = ?1) ORDER BY r.seq LIMIT ?2";
        self.all(sql, (workspace, limit), |row| {
            let class: String = row.get(2)?;
            Ok(OpenRow {
                id: RequestId(row.get(0)?),
                title: row.get(1)?,
                // One damaged row must not hide all others: it is listed as the strictest class, and says what is wrong
                // when it is opened.
                class: Class::from_word(&class).unwrap_or(Class::Destructive),
                tool: row.get(3)?,
                agent: row.get(4)?,
                client: row.get(5)?,
                session: row.get(6)?,
                workspace: row.get(7)?,
                created_at: Timestamp(row.get(8)?),
                expires_at: row.get::<_, Option<i64>>(9)?.map(Timestamp),
                on_expiry: if row.get(10)? { OnExpiry::Default } else { OnExpiry::Expire },
                has_draft: row.get(11)?,
                agent_id: AgentId(row.get(12)?),
                claims: row.get(13)?,
                todos: row.get(14)?,
            })
        })
    }

    /// How many are pending, and of one agent.
    pub fn pending_of(&self, agent: &AgentId) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM requests WHERE agent = ?1 AND state = 'pending'";
        Ok(self.one(sql, [agent.as_str()], |row| Ok(row.get(0)?))?.unwrap_or(0))
    }

    /// The pending ones of an agent.
    pub fn pending_ids(&self, agent: &AgentId) -> Result<Vec<RequestId>, StoreError> {
        let sql = "SELECT id FROM requests WHERE agent = ?1 AND state = 'pending' ORDER BY seq";
        self.all(sql, [agent.as_str()], |row| Ok(RequestId(row.get(0)?)))
    }

    /// The plans of a session that are pending.
    pub fn pending_plans(&self, session: &SessionId) -> Result<Vec<Request>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests WHERE session = ?1 AND state = 'pending' AND class = 'plan' ORDER BY seq"
        );
        self.all(&sql, [session.as_str()], request)
    }

    /// The newest requests of one tool of an agent in a workspace, the newest first.
    pub fn newest_of_tool(
        &self,
        agent: &AgentId,
        workspace: WorkspaceId,
        tool: &str,
        limit: u32,
    ) -> Result<Vec<Request>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests WHERE agent = ?1 AND workspace = ?2 AND tool = ?3 ORDER BY seq DESC LIMIT ?4"
        );
        self.all(&sql, (agent.as_str(), workspace.0, tool, limit), request)
    }

    /// The deadlines of what is pending, soonest first.
    pub fn deadlines(&self) -> Result<Vec<(Timestamp, RequestId)>, StoreError> {
        let sql = "SELECT expires_at, id FROM requests WHERE state = 'pending' AND expires_at IS NOT NULL ORDER BY expires_at";
        self.all(sql, [], |row| Ok((Timestamp(row.get(0)?), RequestId(row.get(1)?))))
    }
}

impl Db<'_> {
    /// Pending requests about a spec: their decisions count only while it stays as it was.
    pub fn pending_about(&self, workspace: WorkspaceId, spec: SpecId) -> Result<Vec<RequestId>, StoreError> {
        let sql = "SELECT id FROM requests
                   WHERE state = 'pending' AND workspace = ?1 AND json_extract(ask, '$.subject.spec') = ?2 ORDER BY seq";
        self.all(sql, (workspace.0, spec.to_string()), |row| Ok(RequestId(row.get(0)?)))
    }
}

impl Tx<'_> {
    /// Keeps a new pending request, with its ask's key.
    pub fn insert_request(&self, request: &Request, key: &Digest) -> Result<(), StoreError> {
        let ask = &request.ask;
        let asked = text(&Asked {
            context: ask.context.clone(),
            questions: ask.questions.clone(),
            arguments: ask.arguments.clone(),
            on_expiry: ask.on_expiry,
            subject: ask.subject.clone(),
            typed_word: ask.typed_word.clone(),
            safe_options: ask.safe_options.clone(),
            gate: ask.gate,
        });
        self.execute(
            "INSERT INTO requests (id, agent, session, workspace, tool, class, state, key, digest, title, ask, created_at, expires_at, program, plan_revision, plan_follows)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'pending', ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            (
                request.id.as_str(),
                request.agent.as_str(),
                request.session.as_str(),
                request.workspace.0,
                &ask.tool,
                ask.class.word(),
                key.0.as_slice(),
                request.digest.0.as_slice(),
                &ask.title,
                asked,
                request.created_at.0,
                request.expires_at.map(|at| at.0),
                request.asker.as_ref().map(text),
                request.plan.as_ref().map(|place| place.revision),
                request.plan.as_ref().and_then(|place| place.follows.as_ref()).map(RequestId::as_str),
            ),
        )?;
        Ok(())
    }

    /// Ends a pending request. False when it had ended before; then nothing changed.
    pub fn settle_request(
        &self,
        id: &RequestId,
        state: State,
        decision: Option<&Decision>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let decided = decision.map(|decision| {
            let answers = decision.answers.to_json().as_object().cloned().unwrap_or_default();
            text(&Decided {
                answers,
                channel: decision.channel,
                unattended: decision.unattended,
                comment: decision.comment.clone(),
                at: decision.at,
                digest: decision.digest,
                mode: decision.mode,
                step: decision.step.clone(),
                file: decision.file.clone(),
                remarks: decision.remarks.clone(),
            })
        });
        let changed = self.execute(
            "UPDATE requests SET state = ?2, decision = ?3, settled_at = ?4 WHERE id = ?1 AND state = 'pending'",
            (id.as_str(), state.word(), decided, at.0),
        )?;
        Ok(changed == 1)
    }

    /// Its ending reached the agent; the first time counts.
    pub fn collect_request(&self, id: &RequestId, at: Timestamp) -> Result<bool, StoreError> {
        let sql = "UPDATE requests SET collected_at = ?2 WHERE id = ?1 AND state <> 'pending' AND collected_at IS NULL";
        Ok(self.execute(sql, (id.as_str(), at.0))? == 1)
    }

    /// Another session of the same agent goes on with it.
    pub fn hand_over_request(&self, id: &RequestId, session: &SessionId) -> Result<(), StoreError> {
        self.execute("UPDATE requests SET session = ?2 WHERE id = ?1", (id.as_str(), session.as_str()))?;
        Ok(())
    }

    /// Keeps what the agent claimed.
    pub fn set_claims(&self, id: &RequestId, claims: &[Claim]) -> Result<(), StoreError> {
        self.execute("UPDATE requests SET claims = ?2 WHERE id = ?1", (id.as_str(), text(&claims)))?;
        Ok(())
    }
}
