//! The plans of a session: the one that ended last, and those before a plan with what became of them.

use crate::db::Db;
use crate::error::{StoreError, damaged};
use countersign_core::id::{RequestId, SessionId};
use countersign_core::plan::Outcome;
use countersign_core::plan::chain::End;
use countersign_core::plan::remark::Remark;
use countersign_core::request::{Request, State};
use countersign_core::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A plan that ended, as lists show it: its text is read by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPlan {
    /// Which.
    pub id: RequestId,
    /// Its revision.
    pub revision: u32,
    /// Its title.
    pub title: String,
    /// How it ended.
    pub end: End,
    /// When.
    pub at: Timestamp,
    /// What the person added.
    pub comment: Option<String>,
    /// What the person remarked on its lines.
    pub remarks: Vec<Remark>,
}

/// What is read of a decision.
#[derive(Default, Deserialize)]
struct Decided {
    #[serde(default)]
    answers: Map<String, Value>,
    comment: Option<String>,
    #[serde(default)]
    remarks: Vec<Remark>,
}

const COLUMNS: &str = "id, title, state, decision, settled_at, coalesce(plan_revision, 1)";

fn past(row: &rusqlite::Row<'_>) -> Result<PastPlan, StoreError> {
    let state: String = row.get(2)?;
    let state = State::from_word(&state).ok_or_else(|| damaged(format!("a state is {state:?}")))?;
    let decided = match row.get::<_, Option<String>>(3)? {
        Some(text) => serde_json::from_str(&text).map_err(|error| damaged(format!("a decision: {error}")))?,
        None => Decided::default(),
    };
    let outcome = decided.answers.get(countersign_core::plan::QUESTION).and_then(Value::as_str);
    let outcome = outcome.and_then(|label| Outcome::ALL.into_iter().find(|outcome| outcome.label() == label));
    Ok(PastPlan {
        id: RequestId(row.get(0)?),
        revision: row.get(5)?,
        title: row.get(1)?,
        end: End::of(state, outcome).ok_or_else(|| damaged("a plan that ended is pending"))?,
        at: Timestamp(row.get(4)?),
        comment: decided.comment,
        remarks: decided.remarks,
    })
}

impl Db<'_> {
    /// The plan of a session that ended last.
    pub fn last_plan(&self, session: &SessionId) -> Result<Option<PastPlan>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM requests WHERE session = ?1 AND class = 'plan' AND settled_at IS NOT NULL
             ORDER BY settled_at DESC, seq DESC LIMIT 1"
        );
        self.one(&sql, [session.as_str()], past)
    }

    /// The plans before this one, the latest first, at most so many: those of its session, and those that it revises, whose
    /// session may be another that it was taken over from.
    pub fn plans_before(&self, plan: &Request, limit: u32) -> Result<Vec<PastPlan>, StoreError> {
        let sql = format!(
            "WITH RECURSIVE revised (id) AS (
                 SELECT plan_follows FROM requests WHERE id = ?1 AND plan_follows IS NOT NULL
                 UNION SELECT r.plan_follows FROM requests r JOIN revised ON r.id = revised.id
                 WHERE r.plan_follows IS NOT NULL LIMIT ?3
             ), own (id) AS (
                 SELECT id FROM requests WHERE session = ?2 AND class = 'plan' AND settled_at IS NOT NULL
                 AND seq < (SELECT seq FROM requests WHERE id = ?1) ORDER BY settled_at DESC, seq DESC LIMIT ?3
             )
             SELECT {COLUMNS} FROM requests WHERE id IN (SELECT id FROM revised UNION SELECT id FROM own)
             AND settled_at IS NOT NULL ORDER BY settled_at DESC, seq DESC LIMIT ?3"
        );
        self.all(&sql, (plan.id.as_str(), plan.session.as_str(), limit), past)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::migration::tests::{agent_and_session, request};
    use countersign_core::answer::{Answer, Answers, Pick};
    use countersign_core::channel::Channel;
    use countersign_core::class::Class;
    use countersign_core::mode::{Mode, Standing};
    use countersign_core::plan::chain::{self, Place};
    use countersign_core::plan::{self, QUESTION};
    use countersign_core::request::Decision;
    use serde_json::json;

    fn plan(n: i64, session: &str, place: Option<Place>) -> Request {
        let mut plan = request();
        plan.id = RequestId(n.to_string());
        plan.session = SessionId(session.into());
        plan.ask.class = Class::Plan;
        plan.ask.tool = "present_plan".into();
        plan.ask.title = format!("Plan {n}");
        plan.ask.questions = vec![plan::question()];
        plan.ask.arguments = json!({"plan": n});
        plan.ask.gate = false;
        plan.digest = plan.ask.digest(&plan.agent, "/w");
        plan.plan = place;
        plan
    }

    fn keep(remarks: &[Remark], at: i64) -> Decision {
        let label = Outcome::Keep.label().to_owned();
        Decision {
            answers: Answers([(QUESTION.to_owned(), Answer::One(Pick::Option(label)))].into()),
            channel: Channel::Dialog,
            unattended: false,
            comment: Some("No lab".into()),
            at: Timestamp(at),
            digest: request().digest,
            mode: Some(Mode::Plan),
            step: None,
            file: None,
            remarks: remarks.to_vec(),
        }
    }

    #[test]
    fn plans_come_back_with_what_became_of_them_and_the_log_still_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("data.db")).expect("opens");
        let remarks = [Remark { line: 2, quote: "x".into(), text: "y".into() }];
        let kept = keep(&remarks, 2);
        store
            .write(|tx| {
                agent_and_session(tx);
                let standing = Standing::starting(Mode::Plan);
                let workspace = request().workspace;
                tx.insert_session(&SessionId("t".into()), &request().agent, workspace, "t", standing, Timestamp(1))?;
                let mut last = None;
                // A plan of the other session, then three of this one.
                for (n, session) in [(1, "t"), (2, "s"), (3, "s"), (4, "s")] {
                    let session = SessionId(session.into());
                    let before: Option<PastPlan> = tx.last_plan(&session)?;
                    let place = chain::next(before.as_ref().map(|plan| (&plan.id, plan.revision, plan.end)));
                    let plan = plan(n, session.as_str(), Some(place.clone()));
                    tx.insert_request(&plan, &plan.ask.key())?;
                    tx.log_asked(&plan, [1; 16])?;
                    last = Some(place);
                    if n != 4 {
                        let (state, decision) =
                            if n == 2 { (State::Answered, Some(kept.clone())) } else { (State::Superseded, None) };
                        tx.settle_request(&plan.id, state, decision.as_ref(), Timestamp(n))?;
                        let settled = Request { state, decision, settled_at: Some(Timestamp(n)), ..plan };
                        tx.log_settled(&settled, Timestamp(n), [2; 16])?;
                    }
                }
                assert_eq!(last, Some(Place { revision: 3, follows: Some(RequestId("3".into())) }));
                Ok::<_, StoreError>(())
            })
            .expect("written");
        let read = |id: &str| store.read(|db| db.request(&RequestId(id.into()))).expect("reads").expect("there");
        assert_eq!(read("2").decision, Some(kept));
        let four = read("4");
        assert_eq!(four.plan, Some(Place { revision: 3, follows: Some(RequestId("3".into())) }));
        let before = store.read(|db| db.plans_before(&four, 50)).expect("reads");
        let said: Vec<_> = before.iter().map(|plan| (plan.id.as_str(), plan.revision, plan.end.word())).collect();
        assert_eq!(said, [("3", 2, "replaced"), ("2", 1, "keep")]);
        assert_eq!((before[1].comment.as_deref(), &before[1].remarks[..]), (Some("No lab"), &remarks[..]));
        assert_eq!(store.read(|db| db.plans_before(&four, 1)).expect("reads").len(), 1);
        // Taken over by another session, it still says what it revises.
        store.write(|tx| tx.hand_over_request(&four.id, &SessionId("t".into()))).expect("written");
        let four = Request { session: SessionId("t".into()), ..four };
        let before = store.read(|db| db.plans_before(&four, 50)).expect("reads");
        let said: Vec<_> = before.iter().map(|plan| plan.id.as_str()).collect();
        assert_eq!(said, ["3", "2", "1"]);
        assert!(store.read(|db| db.verify_log()).expect("reads").is_ok());
    }
}
