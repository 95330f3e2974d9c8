//! Asking, joining, waiting, collecting.

use crate::room::{Room, WINDOW, question_of};
use countersign_broker::{BrokerError, Change, Told};
use countersign_core::request::State;
use countersign_core::time::Millis;
use serde_json::json;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_request_is_on_disk_before_anybody_hears_of_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.shell.take();
    let asked = room.ask(&caller, "Which?").await;
    let told = room.shell.take();
    assert_eq!(told, [Told::Asked(Box::new(asked.request.clone())), Told::Changed(Change::List)]);
    let room = room.restart();
    assert_eq!(room.open(), [asked.request.id]);
    assert_eq!(room.log_holds(), 2, "the pairing and the question");
}

#[tokio::test]
async fn the_same_ask_joins_and_another_does_not() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let first = room.ask(&caller, "Which?").await.request.id;
    assert_eq!(room.ask(&caller, "Which?").await.request.id, first);
    assert_ne!(room.ask(&caller, "Which one?").await.request.id, first);
    let other = room.caller("b").await;
    assert_ne!(room.ask(&other, "Which?").await.request.id, first, "another agent's same words are another question");
    assert_eq!(room.open().len(), 3);
}

#[tokio::test]
async fn an_answer_is_handed_out_once_as_new_then_for_two_minutes_as_repeated_then_it_is_a_new_question() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect("answered");
    room.pass(Millis::seconds(86_400)).await;
    let first = room.ask(&caller, "Which?").await;
    assert_eq!((first.request.id.clone(), first.request.state, first.repeated), (id.clone(), State::Answered, false));
    room.broker.collected(id.clone());
    room.broker.tick().await.expect("it is kept before time goes on");
    room.pass(Millis::seconds(120)).await;
    let again = room.ask(&caller, "Which?").await;
    assert_eq!((again.request.id, again.repeated), (id.clone(), true));
    room.pass(Millis(1)).await;
    let new = room.ask(&caller, "Which?").await;
    assert_ne!(new.request.id, id);
    assert_eq!(new.request.state, State::Pending);
    let kept = room.broker.get(&caller, &id).await.expect("by its id it is there always");
    assert_eq!(kept.state, State::Answered);
}

#[tokio::test]
async fn a_waiter_wakes_with_the_answer_and_one_that_comes_late_gets_it_too() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    let (broker, who, wanted) = (room.broker.clone(), caller.clone(), id.clone());
    let waiting = tokio::spawn(async move { broker.wait(&who, &wanted, LONG).await });
    while !room.broker.open_list(None, 10).expect("lists")[0].waiting {
        tokio::task::yield_now().await;
    }
    room.answer(WINDOW, &id, json!({"answer": {"chosen": [], "other": "neither"}})).await.expect("answered");
    let woken = waiting.await.expect("joins").expect("woken");
    assert_eq!(
        woken.decision.map(|d| d.answers.to_json()),
        Some(json!({"answer": {"chosen": [], "other": "neither"}}))
    );
    assert_eq!(room.broker.wait(&caller, &id, LONG).await.expect("late").state, State::Answered);
}

#[tokio::test]
async fn a_caller_that_goes_leaves_its_question_open_and_nobody_waits_is_seen() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    let (broker, who, wanted) = (room.broker.clone(), caller.clone(), id.clone());
    let waiting = tokio::spawn(async move { broker.wait(&who, &wanted, LONG).await });
    while !room.broker.open_list(None, 10).expect("lists")[0].waiting {
        tokio::task::yield_now().await;
    }
    waiting.abort();
    let _ = waiting.await;
    assert!(
        room.broker.open_list(None, 10).expect("lists")[0].waiting,
        "a client that waits in slices comes right back"
    );
    room.clock.pass(Millis::seconds(2));
    let listed = room.broker.open_list(None, 10).expect("lists");
    assert_eq!((listed.len(), listed[0].waiting), (1, false));
    assert!(room.answer(WINDOW, &id, json!({"answer": "B"})).await.is_ok());
}

#[tokio::test]
async fn another_agents_request_is_unknown_in_the_same_words_as_none() {
    let room = Room::new();
    let (a, b) = (room.caller("a").await, room.caller("b").await);
    let id = room.ask(&a, "Which?").await.request.id;
    let none = countersign_core::id::RequestId("0".repeat(36));
    let says = |id: &countersign_core::id::RequestId, error: BrokerError| error.to_string().replace(id.as_str(), "ID");
    let foreign = room.broker.get(&b, &id).await.expect_err("hidden");
    let missing = room.broker.get(&b, &none).await.expect_err("unknown");
    assert_eq!(says(&id, foreign), says(&none, missing));
    assert!(matches!(room.broker.cancel(&b, &id).await, Err(BrokerError::NotFound(_))));
    assert!(matches!(room.broker.wait(&b, &id, LONG).await, Err(BrokerError::NotFound(_))));
    assert_eq!(room.open(), [id]);
}

#[tokio::test]
async fn a_late_cancel_changes_nothing_and_an_early_one_ends_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let answered = room.ask(&caller, "One?").await.request.id;
    room.answer(WINDOW, &answered, json!({"answer": "A"})).await.expect("answered");
    assert_eq!(room.broker.cancel(&caller, &answered).await.expect("unchanged").state, State::Answered);
    let pending = room.ask(&caller, "Two?").await.request.id;
    assert_eq!(room.broker.cancel(&caller, &pending).await.expect("cancelled").state, State::Cancelled);
    let error = room.answer(WINDOW, &pending, json!({"answer": "A"})).await.expect_err("too late");
    assert!(matches!(error, BrokerError::Settled { state: State::Cancelled, .. }));
    assert_ne!(room.ask(&caller, "Two?").await.request.id, pending, "what was taken back is asked anew");
}

#[tokio::test]
async fn what_an_ended_session_left_passes_to_the_agents_next_session_and_not_before() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = room.broker.enter(&agent, Some("one"), None).await.expect("enters");
    room.broker.present(&first, true).await.expect("present");
    let id = room.ask(&first, "Which?").await.request.id;
    let second = room.broker.enter(&agent, Some("two"), None).await.expect("enters");
    let own = room.ask(&second, "Which?").await.request.id;
    assert_ne!(own, id, "the first session is there: each has its own question");
    room.broker.cancel(&second, &own).await.expect("cancelled");
    room.broker.present(&first, true).await.expect("a second line, before the first is missed");
    room.broker.present(&first, false).await.expect("the first line");
    let own = room.ask(&second, "Which?").await.request.id;
    assert_ne!(own, id, "it is still there");
    room.broker.cancel(&second, &own).await.expect("cancelled");
    room.broker.present(&first, false).await.expect("gone");
    assert_eq!(room.ask(&second, "Which?").await.request.id, id, "no second card");
    room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect("answered");
    let third = room.broker.enter(&agent, Some("three"), None).await.expect("enters");
    assert_ne!(room.ask(&third, "Which?").await.request.id, id, "the second session has not ended");
    assert_eq!(room.ask(&second, "Which?").await.request.state, State::Answered);
}

#[tokio::test]
async fn a_full_inbox_refuses_with_the_limit_named() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let asks: Vec<_> =
        (0..1_000).map(|n| room.broker.ask(&caller, question_of(&format!("Question {n}?")))).map(Box::pin).collect();
    for asked in asks {
        asked.await.expect("asked");
    }
    let error = room.broker.ask(&caller, question_of("One more?")).await.expect_err("full");
    assert!(error.to_string().starts_with("1000 requests of this agent wait already"), "{error}");
    assert!(room.broker.ask(&room.caller("b").await, question_of("Mine?")).await.is_ok());
}

#[tokio::test]
async fn many_messages_that_queue_up_share_commits_and_each_gets_its_own_answer() {
    let room = Room::new();
    let caller = room.caller("a").await;
    // Another process holds the file for a moment; nothing is lost, and what queued up meanwhile is one commit.
    let other = rusqlite::Connection::open(room.folder.path().join("data.db")).expect("opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("holds");
    room.shell.take();
    let tasks: Vec<_> = (0..64)
        .map(|n| {
            let (broker, caller) = (room.broker.clone(), caller.clone());
            tokio::spawn(async move { (n, broker.ask(&caller, question_of(&format!("Question {n}?"))).await) })
        })
        .collect();
    // One turn of this thread's queue: every task has sent its message.
    tokio::task::yield_now().await;
    assert_eq!(room.shell.take(), [], "nobody hears of what is not on disk");
    other.execute_batch("COMMIT").expect("lets go");
    for task in tasks {
        let (n, asked) = task.await.expect("joins");
        assert_eq!(asked.expect("asked").request.ask.title, format!("Question {n}?"));
    }
    assert_eq!(room.log_holds(), 65);
    // The list is pushed once a commit.
    let commits = room.shell.take().iter().filter(|told| **told == Told::Changed(Change::List)).count();
    assert!(commits <= 2, "{commits} commits for 64 messages");
}
