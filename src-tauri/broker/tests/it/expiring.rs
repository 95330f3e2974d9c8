//! Deadlines, and clocks that jump.

use crate::room::{Room, WINDOW, question_of};
use countersign_broker::BrokerError;
use countersign_core::channel::Channel;
use countersign_core::ending;
use countersign_core::request::{Ask, OnExpiry, State};
use countersign_core::time::{Millis, Timestamp};
use serde_json::json;
use std::time::Duration;

fn within(seconds: u64, on_expiry: OnExpiry) -> Ask {
    let mut ask = question_of("Which?");
    ask.expires_in = Some(Millis::seconds(seconds));
    ask.on_expiry = on_expiry;
    ask.questions[0].default = Some(json!("B"));
    ask
}

#[tokio::test]
async fn past_its_deadline_a_request_is_expired_and_the_waiter_hears_that_nobody_answered() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.broker.ask(&caller, within(60, OnExpiry::Expire)).await.expect("asks").request.id;
    let (broker, who, wanted) = (room.broker.clone(), caller.clone(), id.clone());
    let waiting = tokio::spawn(async move { broker.wait(&who, &wanted, Duration::from_secs(600)).await });
    room.pass(Millis(59_999)).await;
    assert_eq!(room.broker.get(&caller, &id).await.expect("there").state, State::Pending);
    room.pass(Millis(1)).await;
    let request = waiting.await.expect("joins").expect("woken");
    assert_eq!(request.state, State::Expired);
    let text = ending::text(&request);
    assert!(text.contains("nobody answered") && text.contains("Silence is not consent"), "{text}");
    let error = room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect_err("too late");
    assert!(matches!(error, BrokerError::Settled { state: State::Expired, .. }));
}

#[tokio::test]
async fn a_default_is_taken_only_where_it_was_asked_for_and_is_called_a_default() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.broker.ask(&caller, within(60, OnExpiry::Default)).await.expect("asks").request.id;
    room.pass(Millis::seconds(60)).await;
    let request = room.broker.get(&caller, &id).await.expect("there");
    let decision = request.decision.clone().expect("a default");
    assert_eq!(
        (request.state, decision.channel, decision.answers.to_json()),
        (State::Answered, Channel::Expiry, json!({"answer": "B"}))
    );
    assert!(ending::text(&request).contains("default"));
    room.log_holds();
}

#[tokio::test]
async fn a_wall_clock_that_jumps_expires_nothing_and_saves_nothing() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.broker.ask(&caller, within(60, OnExpiry::Expire)).await.expect("asks").request.id;
    room.clock.set_wall(Timestamp(9_000_000_000_000));
    room.broker.tick().await.expect("ticks");
    assert_eq!(room.broker.get(&caller, &id).await.expect("there").state, State::Pending, "ten years ahead");
    room.clock.set_wall(Timestamp(0));
    room.pass(Millis::seconds(60)).await;
    assert_eq!(room.broker.get(&caller, &id).await.expect("there").state, State::Expired, "back to 1970");
}

#[tokio::test]
async fn a_sleep_counts_and_what_is_due_ends_before_a_click_counts() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.broker.ask(&caller, within(60, OnExpiry::Expire)).await.expect("asks").request.id;
    // The machine slept for eight hours; the first thing after it wakes is a click.
    room.clock.pass(Millis::seconds(8 * 3_600));
    let error = room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect_err("expired");
    assert!(matches!(error, BrokerError::Settled { state: State::Expired, .. }), "{error}");
}

#[tokio::test]
async fn a_deadline_that_passed_while_nothing_ran_counts_at_the_next_start() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let short = room.broker.ask(&caller, within(60, OnExpiry::Expire)).await.expect("asks").request.id;
    let mut ask = within(3_600, OnExpiry::Expire);
    ask.arguments = json!({"another": true});
    let long = room.broker.ask(&caller, ask).await.expect("asks").request.id;
    room.clock.pass(Millis::seconds(120));
    let room = room.restart();
    room.broker.tick().await.expect("ticks");
    assert_eq!(room.broker.get(&caller, &short).await.expect("there").state, State::Expired);
    assert_eq!(room.open(), std::slice::from_ref(&long));
    room.pass(Millis::seconds(3_480)).await;
    assert_eq!(room.broker.get(&caller, &long).await.expect("there").state, State::Expired);
}
