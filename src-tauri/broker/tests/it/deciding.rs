//! One settlement, by who may.

use crate::room::{Room, WINDOW, question_of};
use countersign_broker::{BrokerError, Person, Told, Verdict};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::mode::Mode;
use countersign_core::request::{Ask, State};
use countersign_core::who_may_decide::{May, may_decide, unattended_may_decide};
use serde_json::json;

fn of_class(class: Class, n: usize) -> Ask {
    let mut ask = question_of(&format!("{} {n}?", class.word()));
    ask.class = class;
    ask.typed_word = (class == Class::Destructive).then(|| "SPEC-001".to_owned());
    ask
}

#[tokio::test]
async fn every_class_through_every_channel_is_decided_as_the_table_says_and_else_stays_open() {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("plans are presented in plan mode");
    for class in Class::ALL {
        for (n, channel) in Channel::ALL.into_iter().enumerate() {
            let id = room.broker.ask(&caller, of_class(class, n)).await.expect("asks").request.id;
            let said = room.typed(Person::at(channel), &id, json!({"answer": "A"}), Some("SPEC-001")).await;
            let may = matches!(may_decide(class, channel), May::Yes | May::TypedWord);
            assert_eq!(said.is_ok(), may, "{class:?} {channel:?}: {said:?}");
            let state = room.broker.get(&caller, &id).await.expect("there").state;
            assert_eq!(state, if may { State::Answered } else { State::Pending }, "{class:?} {channel:?}");
        }
    }
    room.log_holds();
}

#[tokio::test]
async fn a_proof_from_a_file_decides_only_harmless_classes_until_the_home_is_marked_for_tests() {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.broker.set_mode(&caller.session, Mode::Plan, WINDOW).await.expect("plans are presented in plan mode");
    let unattended = Person { channel: Channel::Serve, unattended: true };
    for (test_home, n) in [(false, 0), (true, 1)] {
        if test_home {
            room.broker.set_setting("test_home", "yes").await.expect("set");
        }
        for class in Class::ALL {
            let id = room.broker.ask(&caller, of_class(class, n)).await.expect("asks").request.id;
            let said = room.typed(unattended, &id, json!({"answer": "A"}), Some("SPEC-001")).await;
            assert_eq!(said.is_ok(), unattended_may_decide(class, test_home), "{class:?} {test_home}");
            if let Ok(request) = said {
                assert!(request.decision.expect("decided").unattended);
            }
        }
    }
}

#[tokio::test]
async fn a_second_answer_is_refused_and_says_who_settled_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect("answered");
    let error = room.answer(Person::at(Channel::Serve), &id, json!({"answer": "B"})).await.expect_err("late");
    assert_eq!(error.to_string(), "this request was settled already (answered, by window, at 2027-01-15 08:00:00 UTC)");
    let kept = room.broker.get(&caller, &id).await.expect("there").decision.expect("decided");
    assert_eq!(kept.answers.to_json(), json!({"answer": "A"}));
}

#[tokio::test]
async fn of_sixty_four_answers_at_once_exactly_one_counts() {
    let room = Room::new();
    let caller = room.caller("a").await;
    for round in 0..20 {
        let id = room.ask(&caller, &format!("Round {round}?")).await.request.id;
        room.shell.take();
        let tasks: Vec<_> = (0..64)
            .map(|n| {
                let (broker, id) = (room.broker.clone(), id.clone());
                tokio::spawn(async move {
                    let answers =
                        json!({"answer": if n % 2 == 0 { "A" } else { "B" }}).as_object().expect("object").clone();
                    broker
                        .decide(WINDOW, &id, None, Verdict::Answer { answers, comment: None, typed: None })
                        .await
                        .is_ok()
                })
            })
            .collect();
        let mut won = 0;
        for task in tasks {
            won += usize::from(task.await.expect("joins"));
        }
        assert_eq!(won, 1);
        let settled = room.shell.take().into_iter().filter(|told| matches!(told, Told::Settled(_))).count();
        assert_eq!(settled, 1);
    }
}

#[tokio::test]
async fn wrong_answers_are_refused_with_the_way_out_and_a_decision_over_other_content_too() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let request = room.ask(&caller, "Which?").await.request;
    let error = room.answer(WINDOW, &request.id, json!({"answer": ["A"]})).await.expect_err("a list");
    assert_eq!(error.to_string(), "question `answer` takes one of “A”, “B”, or an own answer; a list is neither");
    assert!(room.answer(WINDOW, &request.id, json!({})).await.is_err());
    let answers = json!({"answer": "A"}).as_object().expect("object").clone();
    let verdict = Verdict::Answer { answers, comment: Some("soon".into()), typed: None };
    let stale = room.broker.decide(WINDOW, &request.id, Some(Digest([7; 32])), verdict.clone()).await;
    assert!(matches!(stale, Err(BrokerError::Stale)));
    assert_eq!(room.open().len(), 1);
    let settled =
        room.broker.decide(WINDOW, &request.id, Some(request.digest), verdict).await.expect("the same content");
    assert_eq!(settled.decision.and_then(|d| d.comment).as_deref(), Some("soon"), "comments travel with answers");
}

#[tokio::test]
async fn a_person_may_decline_anything_and_a_program_nothing() {
    let room = Room::new();
    let caller = room.caller("a").await;
    for (n, channel) in Channel::ALL.into_iter().enumerate() {
        let id = room.broker.ask(&caller, of_class(Class::Destructive, n)).await.expect("asks").request.id;
        let said = room.broker.decide(Person::at(channel), &id, None, Verdict::Decline { comment: None }).await;
        let person = matches!(channel, Channel::Window | Channel::Dialog | Channel::Terminal | Channel::Serve);
        assert_eq!(said.map(|r| r.state).ok(), person.then_some(State::Declined), "{channel:?}");
    }
}

#[tokio::test]
async fn what_was_typed_is_kept_over_a_restart_until_it_is_sent() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    room.broker.save_draft(&id, "half a thought".into()).await.expect("kept");
    let room = room.restart();
    assert_eq!(room.broker.detail(&id).expect("there").draft.as_deref(), Some("half a thought"));
    assert!(room.broker.open_list(None, 10).expect("lists")[0].row.has_draft);
    room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect("answered");
    assert_eq!(room.broker.detail(&id).expect("there").draft, None);
}

#[tokio::test]
async fn a_request_that_was_changed_in_the_file_is_not_decided_and_one_damaged_row_hides_no_other() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let (changed, broken) =
        (room.ask(&caller, "Which?").await.request.id, room.ask(&caller, "Broken?").await.request.id);
    let whole = room.ask(&caller, "Whole?").await.request.id;
    let file = rusqlite::Connection::open(room.folder.path().join("data.db")).expect("opens");
    let change = |sql: &str, id: &countersign_core::id::RequestId| file.execute(sql, [id.as_str()]).expect("changes");
    change("UPDATE requests SET ask = replace(ask, 'Which', 'What else') WHERE id = ?1", &changed);
    change("UPDATE requests SET ask = 'no json', claims = '[' WHERE id = ?1", &broken);
    assert_eq!(room.open().len(), 3, "all are listed");
    let error = room.answer(WINDOW, &changed, json!({"answer": "A"})).await.expect_err("changed");
    assert!(error.to_string().contains("is not what the agent asked"), "{error}");
    assert!(room.broker.detail(&broken).is_err(), "it says what is wrong when it is opened");
    assert!(room.answer(WINDOW, &whole, json!({"answer": "A"})).await.is_ok());
}

#[tokio::test]
async fn a_changed_row_shows_in_the_log() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let id = room.ask(&caller, "Which?").await.request.id;
    room.answer(WINDOW, &id, json!({"answer": "A"})).await.expect("answered");
    let changes = [
        "UPDATE requests SET decision = replace(decision, '\"A\"', '\"B\"')",
        "UPDATE requests SET title = 'Other?'",
        "UPDATE requests SET ask = replace(ask, 'Which', 'What')",
        "UPDATE requests SET state = 'declined'",
        "UPDATE requests SET settled_at = settled_at + 1",
        "UPDATE requests SET created_at = created_at + 1",
        "UPDATE requests SET class = 'policy'",
        "UPDATE requests SET expires_at = 5",
        "UPDATE log SET at = at + 1 WHERE seq = 2",
        "UPDATE log SET body = replace(body, 'Which', 'What') WHERE seq = 2",
        "UPDATE log SET salt = zeroblob(16) WHERE seq = 3",
        "UPDATE log SET kind = 'other' WHERE seq = 3",
        "DELETE FROM log WHERE seq = 2",
        "DELETE FROM log WHERE seq = 3",
        "DELETE FROM requests",
    ];
    for change in changes {
        let copy = tempfile::tempdir().expect("a folder");
        let path = copy.path().join("data.db");
        let file = countersign_store::Store::open(&room.folder.path().join("data.db")).expect("opens");
        file.backup(&path).expect("copies");
        let connection = rusqlite::Connection::open(&path).expect("opens");
        connection.execute_batch("PRAGMA foreign_keys = OFF").expect("runs");
        assert!(connection.execute(change, []).expect("runs") > 0, "{change}");
        drop(connection);
        let store = countersign_store::Store::open(&path).expect("opens");
        let verdict = store.read(|db| db.verify_log());
        assert!(!matches!(verdict, Ok(Ok(_))), "{change}");
    }
    assert_eq!(room.log_holds(), 3);
}
