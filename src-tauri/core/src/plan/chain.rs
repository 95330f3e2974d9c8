//! Which plan follows which: the plans of a session, one after the other, are revisions of one until it is run or cancelled.

use super::Outcome;
use crate::id::RequestId;
use crate::request::State;
use serde::{Deserialize, Serialize};

/// Where a plan stands among those of its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// 1 for the first of a matter.
    pub revision: u32,
    /// The plan that it revises; none for the first.
    pub follows: Option<RequestId>,
}

/// How a plan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanOutcome"))]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The person ran it.
    Run,
    /// The person wants it revised.
    Keep,
    /// The person does not want it.
    Cancel,
    /// The person did not answer, and said so.
    Declined,
    /// The agent presented a newer one.
    Replaced,
    /// The agent took it back, or its token was revoked.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
}

impl End {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Run, Self::Keep, Self::Cancel, Self::Declined, Self::Replaced, Self::Withdrawn, Self::Expired];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Keep => "keep",
            Self::Cancel => "cancel",
            Self::Declined => "declined",
            Self::Replaced => "replaced",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
        }
    }

    /// How a plan in this state, with this answer where there is one, ended; none while it is open. An answer that is none of
    /// the three (no decision makes one) is none at all.
    pub const fn of(state: State, outcome: Option<Outcome>) -> Option<Self> {
        Some(match (state, outcome) {
            (State::Pending, _) => return None,
            (State::Answered, Some(Outcome::Run)) => Self::Run,
            (State::Answered, Some(Outcome::Keep)) => Self::Keep,
            (State::Answered, Some(Outcome::Cancel)) => Self::Cancel,
            (State::Answered, None) | (State::Declined, _) => Self::Declined,
            (State::Superseded, _) => Self::Replaced,
            (State::Cancelled, _) => Self::Withdrawn,
            (State::Expired, _) => Self::Expired,
        })
    }

    /// Whether what the session plans next is another matter.
    const fn closes(self) -> bool {
        match self {
            Self::Run | Self::Cancel => true,
            Self::Keep | Self::Declined | Self::Replaced | Self::Withdrawn | Self::Expired => false,
        }
    }
}

/// The place of a session's next plan, given the one that ended last: its id, its revision and how it ended.
pub fn next(last: Option<(&RequestId, u32, End)>) -> Place {
    match last {
        Some((id, revision, end)) if !end.closes() => {
            Place { revision: revision.saturating_add(1), follows: Some(id.clone()) }
        }
        Some(_) | None => Place { revision: 1, follows: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_plan_follows_the_one_before_unless_that_was_run_or_cancelled() {
        let id = RequestId("before".into());
        let cell = |place: Place| match place.follows {
            Some(follows) => format!("revision {}, follows {follows}", place.revision),
            None => format!("revision {}", place.revision),
        };
        let mut table = format!("the first: {}\n", cell(next(None)));
        for end in End::ALL {
            table += &format!("after {}: {}\n", end.word(), cell(next(Some((&id, 2, end)))));
        }
        expect![[r#"
            the first: revision 1
            after run: revision 1
            after keep: revision 3, follows before
            after cancel: revision 1
            after declined: revision 3, follows before
            after replaced: revision 3, follows before
            after withdrawn: revision 3, follows before
            after expired: revision 3, follows before
        "#]]
        .assert_eq(&table);
        assert_eq!(next(Some((&id, u32::MAX, End::Keep))).revision, u32::MAX);
    }

    #[test]
    fn every_state_but_pending_is_an_end_of_its_own() {
        let mut seen = Vec::new();
        for state in State::ALL {
            let outcomes = if state == State::Answered { Outcome::ALL.map(Some).to_vec() } else { vec![None] };
            for outcome in outcomes {
                let end = End::of(state, outcome);
                assert_eq!(end.is_none(), state == State::Pending, "{state:?}");
                seen.extend(end);
            }
        }
        assert_eq!(seen.len(), End::ALL.len());
        assert!(End::ALL.iter().all(|end| seen.contains(end)));
        assert_eq!(End::of(State::Answered, None), Some(End::Declined));
    }
}
