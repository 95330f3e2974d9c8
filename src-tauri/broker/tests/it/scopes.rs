//! Scopes that are taken away between a call's beginning and its turn.

use crate::room::{Room, WINDOW, question_of};
use countersign_broker::{BrokerError, Change, Told};
use countersign_core::mode::Mode;
use countersign_core::scope::{Scope, Scopes};
use countersign_core::spec::NewSpec;
use serde_json::{Map, json};

fn refused<T: std::fmt::Debug>(said: Result<T, BrokerError>) {
    assert!(matches!(said, Err(BrokerError::OutOfScope(_))), "{said:?}");
}

#[tokio::test]
async fn who_was_let_in_a_moment_before_is_refused_by_the_writer() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let here = room.broker.enter(&agent, None, None).await.expect("enters");
    let elsewhere = room.broker.enter(&agent, None, Some("/elsewhere")).await.expect("enters");
    let asked = room.ask(&here, "Before?").await.request;
    room.broker.set_scopes(&agent.id, Scopes::NONE, WINDOW).await.expect("changed");
    let spec = || NewSpec { title: "T".into(), body: String::new(), criteria: Vec::new() };
    refused(room.broker.ask(&here, question_of("After?")).await);
    refused(room.broker.create_spec(&here, spec(), Map::new()).await);
    refused(room.delete(&here, "SPEC-001", json!({})).await);
    refused(room.broker.request_mode(&elsewhere, Mode::Plan).await);
    // The agent as it was looked up before: the writer looks again.
    refused(room.broker.enter(&agent, Some("new"), Some("/another")).await);
    assert!(room.broker.read(|db| Ok(db.workspace_at("/another")?)).expect("reads").is_none());
    assert!(room.broker.request_mode(&here, Mode::Plan).await.is_ok());
    assert_eq!(room.open(), std::slice::from_ref(&asked.id));
    assert!(room.broker.cancel(&elsewhere, &asked.id).await.is_ok(), "its own it may always take back");
    room.log_holds();
}

#[tokio::test]
async fn a_change_is_told_and_the_same_again_is_not() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let only = Scopes::NONE.with(Scope::Ask);
    room.shell.take();
    room.broker.set_scopes(&agent.id, only, WINDOW).await.expect("changed");
    assert_eq!(room.shell.take(), [Told::Changed(Change::Agents)]);
    let entries = room.log_holds();
    room.broker.set_scopes(&agent.id, only, WINDOW).await.expect("the same");
    assert_eq!((room.shell.take().len(), room.log_holds()), (0, entries));
}
