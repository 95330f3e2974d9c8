//! Gates and grants, through the spec tools.

use crate::room::{Room, SERVE, WINDOW, came};
use countersign_broker::{Acted, BrokerError, Caller, Created, Gated, Outcome};
use countersign_core::channel::Channel;
use countersign_core::id::SpecId;
use countersign_core::request::{Request, State};
use countersign_core::spec::NewSpec;
use countersign_core::time::Millis;
use serde_json::{Map, Value, json};

fn spec(title: &str) -> NewSpec {
    NewSpec { title: title.into(), body: "body".into(), criteria: Vec::new() }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

async fn create(room: &Room, caller: &Caller, title: &str, answers: Value) -> Gated<Created> {
    room.broker.create_spec(caller, spec(title), object(answers)).await.expect("goes")
}

async fn delete(room: &Room, caller: &Caller, term: &str, answers: Value) -> Gated<Acted> {
    room.delete(caller, term, answers).await.expect("goes")
}

fn asks<T: std::fmt::Debug>(gated: Gated<T>, question: &str) -> (Request, Option<String>) {
    match gated {
        Gated::Asks { questions, request: Some(request), note, .. } => {
            assert_eq!(questions.iter().map(|q| q.id.as_str()).collect::<Vec<_>>(), [question]);
            (*request, note)
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_duplicate_title_asks_and_the_relayed_answer_counts_once_it_was_asked() {
    let room = Room::new();
    let caller = room.caller("a").await;
    assert!(matches!(
        create(&room, &caller, "Refunds", json!({})).await,
        Gated::Done { value: Created { existing: false, .. }, .. }
    ));
    let early = json!({"confirm-duplicate-title": "create anyway"});
    let (request, _) = asks(create(&room, &caller, "refunds", early.clone()).await, "confirm-duplicate-title");
    let (again, _) = asks(create(&room, &caller, "refunds", json!({})).await, "confirm-duplicate-title");
    assert_eq!(again.id, request.id, "one card");
    let wrong =
        room.broker.create_spec(&caller, spec("refunds"), object(json!({"confirm-duplicate-title": "maybe"}))).await;
    assert!(matches!(wrong, Err(BrokerError::Invalid(_))));
    let Gated::Done { value: created, .. } = create(&room, &caller, "refunds", early).await else { panic!("relayed") };
    assert_eq!((created.spec.id, created.existing), (SpecId(2), false));
    let kept = room.broker.get(&caller, &request.id).await.expect("there");
    assert_eq!(kept.decision.map(|d| d.channel), Some(Channel::Relayed), "marked as relayed");
    asks(create(&room, &caller, "refunds", json!({})).await, "confirm-duplicate-title");
    room.log_holds();
}

#[tokio::test]
async fn the_persons_choice_of_the_existing_spec_returns_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(create(&room, &caller, "Refunds", json!({})).await, "confirm-duplicate-title");
    room.answer(WINDOW, &request.id, json!({"confirm-duplicate-title": "use the existing one"}))
        .await
        .expect("answered");
    let Gated::Done { value: created, .. } = create(&room, &caller, "Refunds", json!({})).await else {
        panic!("granted")
    };
    assert_eq!((created.spec.id, created.existing), (SpecId(1), true));
    assert_eq!(room.specs(&caller).len(), 1);
}

#[tokio::test]
async fn a_deletion_takes_the_persons_typed_word_and_happens_once() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(delete(&room, &caller, "SPEC-1", json!({"confirm-delete": true})).await, "confirm-delete");
    let (claimed, note) =
        asks(delete(&room, &caller, "refunds", json!({"confirm-delete": true})).await, "confirm-delete");
    assert_eq!((claimed.id.clone(), claimed.claims.len()), (request.id.clone(), 1), "a relayed yes is a claim");
    assert!(note.expect("said").contains("decides nothing"));
    assert!(room.answer(WINDOW, &request.id, json!({"confirm-delete": true})).await.is_err(), "not in the main window");
    for typed in [None, Some(""), Some("spec-001"), Some("yes")] {
        let error = room.typed(SERVE, &request.id, json!({"confirm-delete": true}), typed).await.expect_err("no word");
        assert!(error.to_string().contains("“SPEC-001”"), "{error}");
    }
    room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    assert_eq!(came(delete(&room, &caller, "SPEC-001", json!({})).await), Outcome::Deleted);
    assert!(matches!(room.delete(&caller, "SPEC-001", json!({})).await, Err(BrokerError::NotFound(_))));
    assert!(
        matches!(create(&room, &caller, "Refunds", json!({})).await, Gated::Done { value: Created { spec, .. }, .. } if spec.id == SpecId(2))
    );
    room.log_holds();
}

#[tokio::test]
async fn a_no_changes_nothing_is_told_once_and_the_next_call_asks_again() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    room.answer(SERVE, &request.id, json!({"confirm-delete": false})).await.expect("a no takes no word");
    assert_eq!(came(delete(&room, &caller, "SPEC-001", json!({})).await), Outcome::Refused);
    let (next, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert_ne!(next.id, request.id);
}

#[tokio::test]
async fn a_grant_for_a_deletion_lapses_after_five_minutes_and_is_another_agents_never() {
    let room = Room::new();
    let (caller, other) = (room.caller("a").await, room.caller("b").await);
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    asks(delete(&room, &other, "SPEC-001", json!({})).await, "confirm-delete");
    room.pass(Millis(300_001)).await;
    let (next, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert_ne!(next.id, request.id);
    assert_eq!(room.specs(&caller).len(), 1);
}

#[tokio::test]
async fn a_grant_holds_over_a_restart_and_a_clock_that_went_back_does_not_lengthen_it() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    let room = room.restart();
    room.clock.set_wall(countersign_core::time::Timestamp(1));
    asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
}

#[tokio::test]
async fn a_spec_that_changed_meanwhile_makes_the_question_and_the_yes_stale_and_says_so() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    // As a tool that changes specs would.
    let file = rusqlite::Connection::open(room.folder.path().join("data.db")).expect("opens");
    let change = |sql: &str| assert_eq!(file.execute(sql, []).expect("changes"), 1);
    let yes = json!({"confirm-delete": true});
    let (first, note) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert_eq!(note, None);
    change("UPDATE specs SET revision = revision + 1");
    let (second, note) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert_ne!(second.id, first.id, "what the person sees is what is there now");
    assert!(note.expect("said").contains("changed"));
    assert_eq!(room.broker.get(&caller, &first.id).await.expect("there").state, State::Superseded);
    assert!(room.typed(SERVE, &first.id, yes.clone(), Some("SPEC-001")).await.is_err(), "the old one takes no answer");
    room.typed(SERVE, &second.id, yes.clone(), Some("SPEC-001")).await.expect("typed");
    change("UPDATE specs SET status = 'review'");
    let (third, note) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert!(
        third.id != second.id && note.expect("said").contains("no longer counts"),
        "the yes was over another state"
    );
    change("UPDATE specs SET status = 'draft'");
    let (fourth, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    assert_ne!(fourth.id, third.id, "a state that comes back brings no old yes back");
    assert_eq!(room.specs(&caller).len(), 1);
    room.typed(SERVE, &fourth.id, yes, Some("SPEC-001")).await.expect("typed");
    assert_eq!(came(delete(&room, &caller, "SPEC-001", json!({})).await), Outcome::Deleted);
    room.log_holds();
}

#[tokio::test]
async fn a_term_that_several_specs_answer_to_asks_which_and_then_goes_on_to_the_next_gate() {
    let room = Room::new();
    let caller = room.caller("a").await;
    for title in ["Webhook delivery", "Webhook signatures", "Ledger"] {
        create(&room, &caller, title, json!({})).await;
    }
    let (which, _) = asks(delete(&room, &caller, "webhook", json!({})).await, "choose-spec");
    assert_eq!(which.ask.questions[0].options[1].label, "SPEC-002 Webhook signatures");
    let answers = json!({"choose-spec": "SPEC-002 Webhook signatures"});
    let (sure, _) = asks(delete(&room, &caller, "webhook", answers.clone()).await, "confirm-delete");
    assert_eq!(sure.ask.subject.as_ref().map(|s| s.spec), Some(SpecId(2)));
    room.typed(SERVE, &sure.id, json!({"confirm-delete": true}), Some("SPEC-002")).await.expect("typed");
    assert_eq!(came(delete(&room, &caller, "webhook", json!({})).await), Outcome::Deleted);
    // Reading asks too, but leaves nothing in the inbox.
    create(&room, &caller, "Webhook retries", json!({})).await;
    let read = room.broker.get_spec(&caller, "webhook", Map::new()).await.expect("reads");
    assert!(matches!(read, Gated::Asks { request: None, .. }));
    let chosen = object(json!({"choose-spec": "SPEC-004 Webhook retries"}));
    let read = room.broker.get_spec(&caller, "webhook", chosen).await.expect("reads");
    assert!(matches!(read, Gated::Done { value: spec, .. } if spec.row.id == SpecId(4)));
    assert_eq!(room.open().len(), 0);
}

#[tokio::test]
async fn a_gates_ending_tells_the_agent_to_call_again() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let (request, _) = asks(delete(&room, &caller, "SPEC-001", json!({})).await, "confirm-delete");
    let settled =
        room.typed(SERVE, &request.id, json!({"confirm-delete": true}), Some("SPEC-001")).await.expect("typed");
    assert_eq!(settled.state, State::Answered);
    assert_eq!(
        countersign_core::ending::text(&settled),
        "The person answered: yes. Call delete_spec again with the same arguments and without answers; it acts on this once."
    );
    // The text was read through wait_for_answer; the grant is still there.
    room.broker.collected(request.id);
    assert_eq!(came(delete(&room, &caller, "SPEC-001", json!({})).await), Outcome::Deleted);
}

#[tokio::test]
async fn a_term_longer_than_a_title_is_refused_before_anything_is_read_and_not_said_back() {
    let room = Room::new();
    let caller = room.caller("a").await;
    create(&room, &caller, "Refunds", json!({})).await;
    let term = "x".repeat(201);
    let said = [
        room.delete(&caller, &term, json!({})).await.expect_err("long").to_string(),
        room.broker.get_spec(&caller, &term, Map::new()).await.expect_err("long").to_string(),
    ];
    for message in said {
        assert!(message.contains("`spec`") && message.contains("200") && message.len() < 200, "{message}");
    }
    let stranger = room.broker.get(&caller, &countersign_core::id::RequestId("x".repeat(4_000_000))).await;
    assert!(stranger.expect_err("unknown").to_string().len() < 300);
}
