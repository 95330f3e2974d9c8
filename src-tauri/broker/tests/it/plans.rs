//! Plans: revisions of one another, remarks on their lines, the mode that running one leads to, and through what one is decided.

use crate::room::{DIALOG, Room, SERVE, WINDOW, plan_of, question_of};
use countersign_broker::{BrokerError, Caller, Person, PlanHistory, Shown, Verdict};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::id::RequestId;
use countersign_core::mode::Mode;
use countersign_core::plan::Outcome;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::request::{Request, State};
use countersign_core::who_may_decide::{May, may_decide};
use serde_json::{Map, Value, json};

fn answers(outcome: Outcome) -> Map<String, Value> {
    json!({"plan": outcome.label()}).as_object().expect("an object").clone()
}

fn verdict(outcome: Outcome, remarks: &[(u32, &str)], mode: Option<Mode>) -> Verdict {
    let remarks = remarks.iter().map(|(line, text)| GivenRemark { line: *line, text: (*text).into() }).collect();
    Verdict::Plan { answers: answers(outcome), comment: None, remarks, mode }
}

async fn planner(room: &Room, before: Mode) -> Caller {
    let caller = room.caller("a").await;
    room.broker.set_mode(&caller.session, before, WINDOW).await.expect("switched");
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    caller
}

async fn present(room: &Room, caller: &Caller, plan: &str) -> Request {
    room.broker.ask(caller, plan_of(plan)).await.expect("presented").request
}

async fn decide(room: &Room, id: &RequestId, verdict: Verdict) -> Result<Request, BrokerError> {
    room.broker.decide(DIALOG, id, None, verdict).await
}

async fn mode_of(room: &Room, caller: &Caller) -> Mode {
    room.broker.session(&caller.session).expect("reads").session.standing.mode
}

#[tokio::test]
async fn a_plan_leads_to_the_mode_that_the_person_picks_however_plan_mode_was_entered() {
    for before in [Mode::Guided, Mode::Interactive] {
        for picked in [None, Some(Mode::Guided), Some(Mode::Interactive)] {
            let room = Room::new();
            let caller = planner(&room, before).await;
            let plan = present(&room, &caller, "# One").await;
            let run = decide(&room, &plan.id, verdict(Outcome::Run, &[], picked)).await.expect("run");
            let lands = picked.unwrap_or(before);
            assert_eq!(run.decision.and_then(|decision| decision.mode), Some(lands), "{before:?} {picked:?}");
            assert_eq!(mode_of(&room, &caller).await, lands);
            room.log_holds();
        }
    }
}

#[tokio::test]
async fn what_counts_is_the_mode_before_plan_mode_this_time_and_none_of_before() {
    let room = Room::new();
    let caller = room.caller("a").await;
    // Each way into plan mode, out of each mode, after it was left each other way.
    for (n, (before, by_agent, left_for)) in [
        (Mode::Guided, true, Some(Mode::Interactive)),
        (Mode::Interactive, false, Some(Mode::Guided)),
        (Mode::Guided, false, None),
        (Mode::Interactive, true, None),
        (Mode::Guided, true, None),
        (Mode::Interactive, false, None),
    ]
    .into_iter()
    .enumerate()
    {
        room.broker.set_mode(&caller.session, before, WINDOW).await.expect("switched");
        if by_agent {
            room.broker.request_mode(&caller, Mode::Plan).await.expect("stricter");
        } else {
            room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
        }
        let plan = present(&room, &caller, &n.to_string()).await;
        if let Some(left_for) = left_for {
            room.broker.set_mode(&caller.session, left_for, WINDOW).await.expect("left");
        }
        let run = decide(&room, &plan.id, verdict(Outcome::Run, &[], None)).await.expect("run");
        assert_eq!(run.decision.and_then(|decision| decision.mode), Some(left_for.unwrap_or(before)), "{n}");
    }
}

#[tokio::test]
async fn a_mode_that_a_plan_can_not_lead_to_is_refused_and_the_plan_stays_open() {
    let room = Room::new();
    let caller = planner(&room, Mode::Interactive).await;
    let plan = present(&room, &caller, "# One").await;
    for (outcome, mode) in [
        (Outcome::Run, Mode::Plan),
        (Outcome::Run, Mode::Autonomous),
        (Outcome::Keep, Mode::Guided),
        (Outcome::Cancel, Mode::Guided),
    ] {
        let refused = decide(&room, &plan.id, verdict(outcome, &[], Some(mode))).await;
        assert!(matches!(refused, Err(BrokerError::Invalid(_))), "{outcome:?} {mode:?}: {refused:?}");
    }
    // The person left plan mode while the plan was open: it just runs, and can't be made to switch.
    room.broker.set_mode(&caller.session, Mode::Guided, WINDOW).await.expect("left");
    let refused = decide(&room, &plan.id, verdict(Outcome::Run, &[], Some(Mode::Interactive))).await;
    assert!(refused.expect_err("left").to_string().contains("plan mode was left meanwhile"));
    assert_eq!(room.open(), std::slice::from_ref(&plan.id));
    let run = decide(&room, &plan.id, verdict(Outcome::Run, &[], Some(Mode::Guided))).await.expect("where it is");
    assert_eq!(run.decision.and_then(|decision| decision.mode), Some(Mode::Guided));
    assert_eq!(mode_of(&room, &caller).await, Mode::Guided);
    room.log_holds();
}

#[tokio::test]
async fn a_yes_over_a_mode_that_is_not_the_sessions_any_more_is_stale() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let plan = present(&room, &caller, "# One").await;
    let shown = |mode, run_mode| Shown { session: caller.session.clone(), mode: Some(mode), run_mode: Some(run_mode) };
    let yes = async |shown, picked| {
        room.broker.decide_as_shown(DIALOG, &plan.id, plan.digest, shown, verdict(Outcome::Run, &[], picked)).await
    };
    // It leads to guided mode both ways; but what was shown is that the person may pick.
    room.broker.set_mode(&caller.session, Mode::Guided, WINDOW).await.expect("left");
    for picked in [None, Some(Mode::Guided), Some(Mode::Interactive)] {
        let stale = yes(shown(Mode::Plan, Mode::Guided), picked).await;
        assert!(matches!(stale, Err(BrokerError::Stale)), "{stale:?}");
    }
    room.broker.set_mode(&caller.session, Mode::Interactive, WINDOW).await.expect("switched");
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    let stale = yes(shown(Mode::Plan, Mode::Guided), Some(Mode::Guided)).await;
    assert!(matches!(stale, Err(BrokerError::Stale)), "{stale:?}");
    let run = yes(shown(Mode::Plan, Mode::Interactive), Some(Mode::Guided)).await.expect("as it was shown");
    assert_eq!(run.decision.and_then(|decision| decision.mode), Some(Mode::Guided));
}

#[tokio::test]
async fn remarks_are_kept_with_their_lines_over_a_restart_and_those_about_no_line_are_refused() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let plan = present(&room, &caller, "# One\n\n1. Read\n2. Write").await;
    for wrong in [&[(5, "x")][..], &[(0, "x")], &[(1, " ")], &[(1, "fine"), (9, "x")]] {
        let refused = decide(&room, &plan.id, verdict(Outcome::Keep, wrong, None)).await;
        assert!(matches!(refused, Err(BrokerError::Invalid(_))), "{wrong:?}: {refused:?}");
    }
    assert_eq!(room.open(), std::slice::from_ref(&plan.id), "nothing was decided");
    decide(&room, &plan.id, verdict(Outcome::Keep, &[(4, "Not yet"), (3, "All")], None)).await.expect("kept");
    let room = room.restart();
    let kept = room.broker.get(&caller, &plan.id).await.expect("there").decision.expect("decided").remarks;
    let said: Vec<_> = kept.iter().map(|one| (one.line, one.quote.as_str(), one.text.as_str())).collect();
    assert_eq!(said, [(3, "1. Read", "All"), (4, "2. Write", "Not yet")]);
    room.log_holds();
    let asked = room.ask(&caller, "Which?").await.request;
    let remarks = vec![GivenRemark { line: 1, text: "x".into() }];
    let answers = json!({"answer": "A"}).as_object().expect("an object").clone();
    let given = Verdict::Plan { answers, comment: None, remarks, mode: None };
    assert!(room.broker.decide(WINDOW, &asked.id, None, given).await.is_err(), "a question is no plan");
}

#[tokio::test]
async fn plans_of_a_session_are_revisions_until_one_is_run_or_cancelled() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let history = |plan: &Request| room.broker.plan_history(plan).expect("reads").expect("a plan");
    let brief = |PlanHistory { revision, before, previous }: PlanHistory| {
        let previous: Vec<_> = previous.iter().map(|past| format!("{} {}", past.revision, past.end.word())).collect();
        format!("{revision} since {before:?} after [{}]", previous.join(", "))
    };
    let mut said = Vec::new();
    let mut next = async |text: &str, outcome: Option<Outcome>| {
        let plan = present(&room, &caller, text).await;
        said.push(brief(history(&plan)));
        if let Some(outcome) = outcome {
            decide(&room, &plan.id, verdict(outcome, &[], None)).await.expect("decided");
        }
        plan
    };
    let first = next("A", Some(Outcome::Keep)).await;
    next("B", None).await;
    next("C", Some(Outcome::Cancel)).await;
    let withdrawn = next("D", None).await;
    room.broker.cancel(&caller, &withdrawn.id).await.expect("withdrawn");
    next("E", Some(Outcome::Run)).await;
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    let last = next("F", None).await;
    assert_eq!(
        said,
        [
            "1 since None after []",
            "2 since Some(\"A\") after [1 keep]",
            "3 since Some(\"B\") after [2 replaced, 1 keep]",
            "1 since None after [3 cancel, 2 replaced, 1 keep]",
            "2 since Some(\"D\") after [1 withdrawn, 3 cancel, 2 replaced, 1 keep]",
            "1 since None after [2 run, 1 withdrawn, 3 cancel, 2 replaced, 1 keep]",
        ]
    );
    assert_eq!(brief(history(&first)), "1 since None after []", "as it was then");
    let other = room.caller("b").await;
    room.broker.set_mode(&other.session, Mode::Plan, WINDOW).await.expect("switched");
    assert_eq!(brief(history(&present(&room, &other, "A").await)), "1 since None after []", "another session's own");
    let asked = room.ask(&caller, "Which?").await.request;
    assert_eq!(room.broker.plan_history(&asked).expect("reads"), None);
    let restarted = room.restart();
    let again = restarted.broker.detail(&last.id).expect("there").request;
    assert_eq!(again.plan, last.plan);
    restarted.log_holds();
}

#[tokio::test]
async fn a_plan_that_another_session_takes_over_still_says_what_it_revises() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let gone = room.broker.enter(&agent, Some("gone"), None).await.expect("enters");
    room.broker.request_mode(&gone, Mode::Plan).await.expect("stricter");
    let first = present(&room, &gone, "A").await;
    decide(&room, &first.id, verdict(Outcome::Keep, &[], None)).await.expect("kept");
    let second = present(&room, &gone, "B").await;
    room.broker.present(&gone, true).await.expect("here");
    room.broker.present(&gone, false).await.expect("gone");
    let next = room.broker.enter(&agent, Some("next"), None).await.expect("enters");
    let taken = present(&room, &next, "B").await;
    assert_eq!((&taken.id, &taken.session), (&second.id, &next.session));
    let history = room.broker.plan_history(&taken).expect("reads").expect("a plan");
    assert_eq!((history.revision, history.before.as_deref(), history.previous.len()), (2, Some("A"), 1));
    decide(&room, &taken.id, verdict(Outcome::Keep, &[], None)).await.expect("kept");
    let third = present(&room, &next, "C").await;
    assert_eq!(third.plan.map(|place| (place.revision, place.follows)), Some((3, Some(second.id))));
    room.log_holds();
}

#[tokio::test]
async fn no_channel_but_those_of_the_table_decides_a_plan_whatever_goes_with_the_answer() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let mut decided = Vec::new();
    for channel in Channel::ALL {
        for outcome in Outcome::ALL {
            for with in [false, true] {
                let plan = present(&room, &caller, &format!("{channel:?} {outcome:?} {with}")).await;
                let remarks = if with { &[(1, "x")][..] } else { &[] };
                let mode = (with && outcome == Outcome::Run).then_some(Mode::Interactive);
                let given = verdict(outcome, remarks, mode);
                let said = room.broker.decide(Person::at(channel), &plan.id, Some(plan.digest), given).await;
                let may = matches!(may_decide(Class::Plan, channel), May::Yes);
                assert_eq!(said.is_ok(), may, "{channel:?} {outcome:?}: {said:?}");
                match said {
                    Ok(_) => decided.push(channel),
                    Err(error) => {
                        assert!(matches!(error, BrokerError::NotAllowed(_)), "{channel:?}: {error:?}");
                        let state = room.broker.get(&caller, &plan.id).await.expect("there").state;
                        assert_eq!((state, mode_of(&room, &caller).await), (State::Pending, Mode::Plan));
                    }
                }
                room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
            }
        }
    }
    decided.dedup();
    assert_eq!(decided, [Channel::Dialog, Channel::Serve]);
}

#[tokio::test]
async fn a_plan_is_decided_over_its_own_digest_and_by_a_person_who_is_there() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let older = present(&room, &caller, "# One").await;
    let plan = present(&room, &caller, "# One, and a step that nobody read").await;
    for person in [DIALOG, SERVE] {
        let stale = room.broker.decide(person, &plan.id, Some(older.digest), verdict(Outcome::Run, &[], None)).await;
        assert!(matches!(stale, Err(BrokerError::Stale)), "{stale:?}");
        let late = room.broker.decide(person, &older.id, Some(older.digest), verdict(Outcome::Run, &[], None)).await;
        assert!(matches!(late, Err(BrokerError::Settled { state: State::Superseded, .. })), "{late:?}");
        let unattended = Person { unattended: true, ..person };
        for outcome in Outcome::ALL {
            let refused = room.broker.decide(unattended, &plan.id, None, verdict(outcome, &[], None)).await;
            assert!(matches!(refused, Err(BrokerError::NotAllowed(_))), "{refused:?}");
        }
    }
    assert_eq!(mode_of(&room, &caller).await, Mode::Plan);
    assert_eq!(room.open(), [plan.id]);
}

#[tokio::test]
async fn asking_a_question_replaces_no_plan() {
    let room = Room::new();
    let caller = planner(&room, Mode::Guided).await;
    let plan = present(&room, &caller, "# One").await;
    room.broker.ask(&caller, question_of("Which?")).await.expect("asks");
    assert_eq!(room.broker.get(&caller, &plan.id).await.expect("there").state, State::Pending);
}
