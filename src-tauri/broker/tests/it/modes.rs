//! Modes that change between a call's beginning and its turn, and what a new session takes after.

use crate::room::{DIALOG, Room, SERVE, WINDOW, plan_of, question_of};
use countersign_broker::{Agent, BrokerError, Change, Gated, Shown, Told, Verdict};
use countersign_core::id::SessionId;
use countersign_core::mode::Mode;
use countersign_core::request::State;
use countersign_core::spec::NewSpec;
use countersign_core::time::Millis;
use serde_json::{Map, json};

fn refused<T: std::fmt::Debug>(said: Result<T, BrokerError>, tool: &str) {
    let Err(BrokerError::WrongMode(text)) = said else { panic!("{tool}: {said:?}") };
    assert!(text.starts_with(&format!("`{tool}` is not available")), "{text}");
}

fn spec(title: &str) -> NewSpec {
    NewSpec { title: title.into(), body: String::new(), criteria: Vec::new() }
}

#[tokio::test]
async fn who_was_let_in_before_plan_mode_writes_nothing_in_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.broker.create_spec(&caller, spec("Refunds"), Map::new()).await.expect("guided");
    let asked = room.delete(&caller, "SPEC-001", json!({})).await.expect("asks");
    let Gated::Asks { request: Some(request), .. } = asked else { panic!("{asked:?}") };
    room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    // As it was let in, a moment before the person switched.
    assert_eq!(caller.mode, Mode::Guided);
    refused(room.broker.create_spec(&caller, spec("Other"), Map::new()).await, "create_spec");
    refused(room.broker.create_spec(&caller, spec("Refunds"), Map::new()).await, "create_spec");
    refused(room.delete(&caller, "SPEC-001", json!({})).await, "delete_spec");
    assert_eq!(room.specs(&caller).len(), 1);
    assert!(room.broker.ask(&caller, question_of("May I ask?")).await.is_ok(), "asking is no writing");
    room.broker.set_mode(&caller.session, Mode::Guided, WINDOW).await.expect("switched");
    assert!(room.delete(&caller, "SPEC-001", json!({})).await.is_ok(), "the yes was not used up");
    assert!(room.specs(&caller).is_empty());
    room.log_holds();
}

#[tokio::test]
async fn who_was_let_in_before_autonomous_mode_asks_nobody_in_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let file = rusqlite::Connection::open(room.folder.path().join("data.db")).expect("opens");
    assert_eq!(file.execute("UPDATE sessions SET mode = 'autonomous'", []).expect("changes"), 1);
    refused(room.broker.ask(&caller, question_of("Now?")).await, "ask_human");
    refused(room.broker.request_mode(&caller, Mode::Plan).await, "request_mode");
    assert!(room.broker.create_spec(&caller, spec("Refunds"), Map::new()).await.is_ok());
    assert_eq!(room.open(), []);
}

async fn mode_of(room: &Room, agent: &Agent, key: &str, folder: Option<&str>) -> Mode {
    room.broker.enter(agent, Some(key), folder).await.expect("enters").mode
}

#[tokio::test]
async fn plan_mode_follows_an_agent_into_every_new_session_until_the_person_leaves_it() {
    let room = Room::new();
    let (agent, other) = (room.agent("a").await, room.agent("b").await);
    let first = room.broker.enter(&agent, Some("first"), None).await.expect("enters");
    room.broker.present(&first, true).await.expect("here");
    room.broker.set_mode(&first.session, Mode::Plan, WINDOW).await.expect("switched");
    // Under another name, elsewhere, and as a bridge that comes back.
    assert_eq!(mode_of(&room, &agent, "second", None).await, Mode::Plan);
    assert_eq!(mode_of(&room, &agent, "first", Some("/elsewhere")).await, Mode::Plan);
    room.broker.present(&first, false).await.expect("gone");
    assert_eq!(mode_of(&room, &agent, "third", None).await, Mode::Plan);
    assert_eq!(mode_of(&room, &other, "first", None).await, Mode::Guided, "another agent's is no concern of it");
    let back = room.broker.enter(&agent, Some("back"), None).await.expect("enters");
    room.broker.set_mode(&back.session, Mode::Guided, WINDOW).await.expect("left");
    assert_eq!(mode_of(&room, &agent, "after", None).await, Mode::Guided);
    room.log_holds();
}

#[tokio::test]
async fn a_plan_that_is_run_leads_back_from_a_mode_that_was_taken_over_too() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = room.broker.enter(&agent, Some("first"), None).await.expect("enters");
    room.broker.set_mode(&first.session, Mode::Interactive, WINDOW).await.expect("switched");
    room.broker.set_mode(&first.session, Mode::Plan, WINDOW).await.expect("switched");
    let second = room.broker.enter(&agent, Some("second"), None).await.expect("enters");
    let asked = room.broker.ask(&second, plan_of("# One")).await.expect("plans").request;
    room.answer(DIALOG, &asked.id, json!({"plan": "Run it"})).await.expect("run");
    assert_eq!(mode_of(&room, &agent, "second", None).await, Mode::Interactive);
    assert_eq!(mode_of(&room, &agent, "third", None).await, Mode::Interactive);
}

#[tokio::test]
async fn a_mode_is_forgotten_a_day_after_its_session() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = room.broker.enter(&agent, Some("first"), None).await.expect("enters");
    room.broker.request_mode(&first, Mode::Plan).await.expect("stricter");
    room.pass(Millis(23 * 3_600_000)).await;
    let room = room.restart();
    assert_eq!(mode_of(&room, &agent, "first", None).await, Mode::Plan);
    room.pass(Millis(23 * 3_600_000)).await;
    assert_eq!(mode_of(&room, &agent, "second", None).await, Mode::Plan);
    room.pass(Millis(24 * 3_600_000)).await;
    assert_eq!(mode_of(&room, &agent, "third", None).await, Mode::Guided);
}

#[tokio::test]
async fn no_crowd_of_sessions_hides_one_in_plan_mode() {
    let room = Room::new();
    let (agent, decoys) = (room.agent("a").await, room.agent("b").await);
    let hidden = room.broker.enter(&agent, Some("hidden"), None).await.expect("enters");
    room.broker.request_mode(&hidden, Mode::Plan).await.expect("stricter");
    for n in 0..30 {
        room.pass(Millis(1_000)).await;
        let decoy = room.broker.enter(&decoys, Some(&n.to_string()), None).await.expect("enters");
        room.broker.present(&decoy, true).await.expect("here");
    }
    let rows = room.broker.read(|db| Ok(db.latest_sessions(20)?)).expect("lists");
    assert_eq!(rows.len(), 21);
    assert_eq!(rows.last().map(|row| row.session.id.clone()), Some(hidden.session));
}

#[tokio::test]
async fn a_plan_that_was_left_behind_is_taken_over_in_plan_mode_only_and_replaces_the_sessions_own() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let next = room.broker.enter(&agent, Some("next"), None).await.expect("enters");
    let gone = room.broker.enter(&agent, Some("gone"), None).await.expect("enters");
    room.broker.request_mode(&gone, Mode::Interactive).await.expect("stricter");
    room.broker.request_mode(&gone, Mode::Plan).await.expect("stricter");
    let left = room.broker.ask(&gone, plan_of("# One")).await.expect("plans").request;
    room.broker.present(&gone, true).await.expect("here");
    room.broker.present(&gone, false).await.expect("gone");
    let refused = room.broker.ask(&next, plan_of("# One")).await;
    assert!(matches!(refused, Err(BrokerError::WrongMode(_))), "{refused:?}");
    assert_eq!(room.broker.get(&gone, &left.id).await.expect("there").session, gone.session);
    room.broker.request_mode(&next, Mode::Plan).await.expect("stricter");
    let own = room.broker.ask(&next, plan_of("# Two")).await.expect("plans").request;
    room.shell.take();
    let taken = room.broker.ask(&next, plan_of("# One")).await.expect("takes over").request;
    assert_eq!((&taken.id, &taken.session), (&left.id, &next.session));
    assert_eq!(room.open(), std::slice::from_ref(&left.id), "one plan a session");
    assert_eq!(room.broker.get(&next, &own.id).await.expect("there").state, State::Superseded);
    assert!(room.shell.take().contains(&Told::Changed(Change::List)), "whoever shows it looks again");
    // What was on screen was the other session's, which leads elsewhere.
    let yes = |session: &SessionId, mode| {
        let answers = json!({"plan": "Run it"}).as_object().expect("an object").clone();
        let shown = Shown { session: session.clone(), mode: Some(Mode::Plan), run_mode: Some(mode) };
        let verdict = Verdict::Answer { answers, comment: None, typed: None };
        let (id, digest, broker) = (left.id.clone(), left.digest, room.broker.clone());
        async move { broker.decide_as_shown(DIALOG, &id, digest, shown, verdict).await }
    };
    for (session, mode) in
        [(&gone.session, Mode::Interactive), (&gone.session, Mode::Guided), (&next.session, Mode::Interactive)]
    {
        let stale = yes(session, mode).await;
        assert!(matches!(stale, Err(BrokerError::Stale)), "{stale:?}");
    }
    let run = yes(&next.session, Mode::Guided).await.expect("as it was shown");
    assert_eq!(run.decision.and_then(|decision| decision.mode), Some(Mode::Guided));
    room.log_holds();
}

#[tokio::test]
async fn that_a_plan_was_run_is_no_answer_in_plan_mode_again() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let caller = room.broker.enter(&agent, None, None).await.expect("enters");
    let plan = async || room.broker.ask(&caller, plan_of("# One")).await.expect("plans").request;
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    let first = plan().await;
    room.answer(DIALOG, &first.id, json!({"plan": "Run it"})).await.expect("run");
    assert_eq!(plan().await.id, first.id, "out of plan mode, the same call gets its answer");
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    let second = plan().await;
    assert_eq!((second.id != first.id, second.state), (true, State::Pending));
    room.answer(DIALOG, &second.id, json!({"plan": "Keep planning"})).await.expect("kept");
    assert_eq!(plan().await.id, second.id, "that it was kept is an answer");
}
