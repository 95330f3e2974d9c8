//! The append-only log: each entry carries the hash of the one before, over a salted digest of its body.
//!
//! A body and its salt can be erased later without breaking the chain. Every field that a decision rests on is in the
//! body, so that a changed row shows (see [`Db::verify_log`]).

use crate::db::{Db, Tx};
use crate::error::{StoreError, damaged};
use countersign_core::digest::{Digest, canonical};
use countersign_core::id::{RequestId, SpecId};
use countersign_core::request::Request;
use countersign_core::time::Timestamp;
use serde_json::{Value, json};

/// The kinds of entries, which are also what their bodies are about.
pub mod kind {
    /// A request was asked.
    pub const ASKED: &str = "request.asked";
    /// A request ended.
    pub const SETTLED: &str = "request.settled";
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its place, from 1.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub kind: String,
    /// To what: a request's, an agent's or a spec's id.
    pub subject: String,
    /// The facts; none when they were erased.
    pub body: Option<Value>,
    /// The chained hash.
    pub hash: Digest,
}

/// The first entry at which the log does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("log entry {seq}: {what}")]
pub struct LogFault {
    /// Which entry.
    pub seq: i64,
    /// What does not hold.
    pub what: String,
}

struct Raw {
    seq: i64,
    at: i64,
    kind: String,
    subject: String,
    body: Option<String>,
    salt: Option<Vec<u8>>,
    body_digest: Digest,
    prev: Digest,
    hash: Digest,
}

impl Raw {
    fn chained(&self) -> Digest {
        Digest::of(&json!({
            "seq": self.seq,
            "at": self.at,
            "kind": self.kind,
            "subject": self.subject,
            "body": self.body_digest,
            "prev": self.prev,
        }))
    }
}

const COLUMNS: &str = "seq, at, kind, subject, body, salt, body_digest, prev, hash";

fn raw(row: &rusqlite::Row<'_>) -> Result<Raw, StoreError> {
    Ok(Raw {
        seq: row.get(0)?,
        at: row.get(1)?,
        kind: row.get(2)?,
        subject: row.get(3)?,
        body: row.get(4)?,
        salt: row.get(5)?,
        body_digest: Digest(row.get(6)?),
        prev: Digest(row.get(7)?),
        hash: Digest(row.get(8)?),
    })
}

fn salted(salt: &[u8], body: &str) -> Digest {
    Digest::of_bytes(&[salt, body.as_bytes()].concat())
}

/// What an `ASKED` entry says of a request: what the row must still say.
pub(crate) fn asked_body(request: &Request) -> Value {
    let mut body = json!({
        "request": request.id,
        "agent": request.agent,
        "workspace": request.workspace,
        "class": request.ask.class,
        "tool": request.ask.tool,
        "title": request.ask.title,
        "digest": request.digest,
        "created_at": request.created_at,
        "expires_at": request.expires_at,
        "on_expiry": request.ask.on_expiry,
    });
    // Only where there is one: entries that are older than this field must still fit their rows.
    if let Some(asker) = &request.asker {
        body["program"] = json!(asker);
    }
    if let Some(place) = &request.plan {
        body["plan"] = json!(place);
    }
    body
}

/// What a `SETTLED` entry says of a request.
pub(crate) fn settled_body(request: &Request) -> Value {
    let decision = request.decision.as_ref().map(|decision| {
        let mut body = json!({
            "answers": decision.answers,
            "channel": decision.channel,
            "unattended": decision.unattended,
            "comment": decision.comment,
            "at": decision.at,
            "digest": decision.digest,
        });
        // Only where there is one: entries that are older than this field must still fit their rows.
        if let Some(mode) = decision.mode {
            body["mode"] = json!(mode);
        }
        if let Some(step) = &decision.step {
            body["step"] = json!(step);
        }
        if let Some(file) = &decision.file {
            body["file"] = json!(file);
        }
        if !decision.remarks.is_empty() {
            body["remarks"] = json!(decision.remarks);
        }
        body
    });
    json!({
        "request": request.id,
        "agent": request.agent,
        "class": request.ask.class,
        "title": request.ask.title,
        "state": request.state,
        "settled_at": request.settled_at,
        "digest": request.digest,
        "decision": decision,
    })
}

impl Tx<'_> {
    /// Adds an entry. `salt` is 16 random bytes.
    pub fn log(
        &self,
        at: Timestamp,
        kind: &str,
        subject: &str,
        body: &Value,
        salt: [u8; 16],
    ) -> Result<Digest, StoreError> {
        let head = self.one("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1", [], |row| {
            Ok((row.get::<_, i64>(0)?, Digest(row.get(1)?)))
        })?;
        let (last, prev) = head.unwrap_or((0, Digest([0; 32])));
        let body = canonical(body);
        let mut entry = Raw {
            seq: last + 1,
            at: at.0,
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            body_digest: salted(&salt, &body),
            body: Some(body),
            salt: Some(salt.to_vec()),
            prev,
            hash: prev,
        };
        entry.hash = entry.chained();
        self.execute(
            "INSERT INTO log (seq, at, kind, subject, body, salt, body_digest, prev, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            (
                entry.seq,
                entry.at,
                &entry.kind,
                &entry.subject,
                &entry.body,
                &entry.salt,
                entry.body_digest.0.as_slice(),
                entry.prev.0.as_slice(),
                entry.hash.0.as_slice(),
            ),
        )?;
        Ok(entry.hash)
    }

    /// Adds the entry of a request that was asked.
    pub fn log_asked(&self, request: &Request, salt: [u8; 16]) -> Result<(), StoreError> {
        self.log(request.created_at, kind::ASKED, request.id.as_str(), &asked_body(request), salt).map(|_| ())
    }

    /// Adds the entry of a request that ended.
    pub fn log_settled(&self, request: &Request, at: Timestamp, salt: [u8; 16]) -> Result<(), StoreError> {
        self.log(at, kind::SETTLED, request.id.as_str(), &settled_body(request), salt).map(|_| ())
    }
}

impl Db<'_> {
    /// What happened to a spec of a workspace, the newest first: entries whose kind begins with `spec.`.
    pub fn spec_events(&self, workspace: &str, spec: SpecId, limit: u32) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT seq, at, kind, subject, body, hash FROM log
                   WHERE subject = ?1 AND kind LIKE 'spec.%' AND json_extract(body, '$.workspace') = ?2
                   ORDER BY seq DESC LIMIT ?3";
        self.all(sql, (spec.to_string(), workspace, limit), |row| {
            let body: Option<String> = row.get(4)?;
            Ok(Entry {
                seq: row.get(0)?,
                at: Timestamp(row.get(1)?),
                kind: row.get(2)?,
                subject: row.get(3)?,
                body: body
                    .map(|text| serde_json::from_str(&text).map_err(|error| damaged(format!("a log entry: {error}"))))
                    .transpose()?,
                hash: Digest(row.get(5)?),
            })
        })
    }
}

impl Db<'_> {
    /// The newest entries, newest first.
    pub fn newest_entries(&self, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.all(&format!("SELECT {COLUMNS} FROM log ORDER BY seq DESC LIMIT ?1"), [limit], |row| {
            let raw = raw(row)?;
            let body = raw.body.as_deref().and_then(|text| serde_json::from_str(text).ok());
            Ok(Entry {
                seq: raw.seq,
                at: Timestamp(raw.at),
                kind: raw.kind,
                subject: raw.subject,
                body,
                hash: raw.hash,
            })
        })
    }

    /// Walks the whole chain, and compares what it says of requests with their rows. The number of entries, or the
    /// first that does not hold.
    pub fn verify_log(&self) -> Result<Result<u64, LogFault>, StoreError> {
        let mut prev = Digest([0; 32]);
        let mut next = 1;
        let mut statement = self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM log ORDER BY seq"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let entry = raw(row)?;
            if let Some(what) = self.fault(&entry, next, prev)? {
                return Ok(Err(LogFault { seq: entry.seq, what }));
            }
            prev = entry.hash;
            next += 1;
        }
        if let Some(id) = self.unlogged_request()? {
            return Ok(Err(LogFault {
                seq: next,
                what: format!("request {id} ended, or was asked, without an entry"),
            }));
        }
        Ok(Ok(next as u64 - 1))
    }

    fn fault(&self, entry: &Raw, next: i64, prev: Digest) -> Result<Option<String>, StoreError> {
        if entry.seq != next {
            return Ok(Some(format!("entry {next} is missing")));
        }
        if entry.prev != prev {
            return Ok(Some("it does not follow the entry before".into()));
        }
        if entry.chained() != entry.hash {
            return Ok(Some("its content was changed".into()));
        }
        match (&entry.body, &entry.salt) {
            (Some(body), Some(salt)) if salted(salt, body) != entry.body_digest => {
                Ok(Some("its body was changed".into()))
            }
            (Some(body), Some(_)) => self.row_fault(entry, body),
            (None, None) => Ok(None),
            (Some(_), None) | (None, Some(_)) => Ok(Some("its body or its salt is missing".into())),
        }
    }

    /// Whether the row that the entry speaks of still says the same.
    fn row_fault(&self, entry: &Raw, body: &str) -> Result<Option<String>, StoreError> {
        if entry.kind != kind::ASKED && entry.kind != kind::SETTLED {
            return Ok(None);
        }
        let Some(request) = self.request(&RequestId(entry.subject.clone()))? else {
            return Ok(Some(format!("request {} is gone", entry.subject)));
        };
        let now = if entry.kind == kind::ASKED { asked_body(&request) } else { settled_body(&request) };
        let path = self.workspace_path(request.workspace)?;
        let shown = request.ask.digest(&request.agent, &path);
        Ok((canonical(&now) != body || shown != request.digest).then(|| format!("request {} was changed", request.id)))
    }

    fn unlogged_request(&self) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id FROM requests r
                   WHERE NOT EXISTS (SELECT 1 FROM log WHERE subject = r.id AND kind = 'request.asked')
                      OR (state <> 'pending') <> EXISTS (SELECT 1 FROM log WHERE subject = r.id AND kind = 'request.settled')
                   LIMIT 1";
        self.one(sql, [], |row| Ok(row.get(0)?))
    }
}
