//! Modes that change between a call's beginning and its turn, and what a new session takes after.

use crate::room::{Room, SERVE, WINDOW, question_of};
use countersign_broker::{BrokerError, Gated};
use countersign_core::mode::Mode;
use countersign_core::spec::NewSpec;
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
    let asked = room.broker.delete_spec(&caller, "SPEC-001", Map::new()).await.expect("asks");
    let Gated::Asks { request: Some(request), .. } = asked else { panic!("{asked:?}") };
    room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("switched");
    // As it was let in, a moment before the person switched.
    assert_eq!(caller.mode, Mode::Guided);
    refused(room.broker.create_spec(&caller, spec("Other"), Map::new()).await, "create_spec");
    refused(room.broker.create_spec(&caller, spec("Refunds"), Map::new()).await, "create_spec");
    refused(room.broker.delete_spec(&caller, "SPEC-001", Map::new()).await, "delete_spec");
    assert_eq!(room.broker.list_specs(&caller).await.expect("lists").len(), 1);
    assert!(room.broker.ask(&caller, question_of("May I ask?")).await.is_ok(), "asking is no writing");
    room.broker.set_mode(&caller.session, Mode::Guided, WINDOW).await.expect("switched");
    assert!(room.broker.delete_spec(&caller, "SPEC-001", Map::new()).await.is_ok(), "the yes was not used up");
    assert!(room.broker.list_specs(&caller).await.expect("lists").is_empty());
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
