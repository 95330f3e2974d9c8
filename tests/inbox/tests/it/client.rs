//! The client library against the real port: the race of inbox, port and file, and what the losers are told.

mod hand;

use countersign_client::{AskError, By, Client, Prompt};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::program_ask::Kind;
use countersign_core::request::{Request, State};
use countersign_inbox_tests::{House, in_time, until};
use hand::Hand;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

const FILE: &str = "approval-response.txt";

struct Place {
    house: House,
    client: Client,
    folder: PathBuf,
}

async fn place() -> Place {
    let house = House::new().await;
    let agent = house.pair("a program").await;
    let work = house.home.work().canonicalize().expect("a path");
    let folder = work.join("run");
    fs::create_dir(&folder).expect("made");
    let client = Client::new().with_home(house.home.path()).with_token(agent.token).with_workspace(&work);
    Place { house, client, folder }
}

/// What one of the four calls came to, in one shape: the answer, and by what.
type Came = (Value, By);

async fn call(client: Client, kind: Kind, folder: PathBuf) -> Result<Came, AskError> {
    let prompt = Prompt::new("Export", ["The lines"]);
    Ok(match kind {
        Kind::Choice => {
            let said = client.ask_for_choice(&folder, &prompt, &["PDF", "Word", "Markdown"], true).await?;
            (json!({"chosen": said.chosen, "other": said.other, "comment": said.comment}), said.by)
        }
        Kind::Text => {
            let said = client.ask_for_text(&folder, &prompt).await?;
            (json!({"text": said.text, "comment": said.comment}), said.by)
        }
        Kind::Decision => {
            let said = client.ask_for_decision(&folder, &prompt).await?;
            (json!({"approved": said.approved, "comment": said.comment}), said.by)
        }
        Kind::Manual => {
            let said = client.ask_for_manual_intervention(&folder, &prompt).await?;
            (json!({"done": said.done, "comment": said.comment}), said.by)
        }
    })
}

/// The same answer as the app takes it, as it is written, and as it comes back.
fn answer(kind: Kind) -> (Value, &'static str, Value) {
    match kind {
        Kind::Choice => {
            let both = json!({"chosen": ["PDF", "Markdown"], "other": "and RTF"});
            (
                json!({"answer": both}),
                "3,1\nand RTF",
                json!({"chosen": ["PDF", "Markdown"], "other": "and RTF", "comment": null}),
            )
        }
        Kind::Text => (json!({"answer": "My Name"}), " My Name \n", json!({"text": "My Name", "comment": null})),
        Kind::Decision => (json!({"approval": true}), "Y", json!({"approved": true, "comment": null})),
        Kind::Manual => (json!({"done": true}), "done", json!({"done": true, "comment": null})),
    }
}

impl Place {
    fn start(&self, kind: Kind, hand: &Arc<Hand>) -> tokio::task::JoinHandle<Result<Came, AskError>> {
        let client = self.client.clone().with_port(hand.clone());
        tokio::spawn(call(client, kind, self.folder.clone()))
    }

    async fn open(&self) -> RequestId {
        self.house.waiting().await
    }

    fn request(&self, id: &RequestId) -> Request {
        self.house.broker().detail(id).expect("there").request
    }

    async fn ended(&self, id: &RequestId) -> Request {
        until("it ended", || Some(self.request(id)).filter(|request| request.state != State::Pending)).await
    }

    async fn pending_is_gone(&self) {
        let path = self.folder.join("pending.json");
        until("pending.json is gone", || (!path.exists()).then_some(())).await;
    }
}

async fn came(call: tokio::task::JoinHandle<Result<Came, AskError>>) -> Came {
    in_time("the call ends", call).await.expect("no panic").expect("answered")
}

#[tokio::test]
async fn the_inbox_wins_each_call_and_the_port_is_told() {
    let place = place().await;
    for kind in Kind::ALL {
        let hand = Arc::new(Hand { whole: true, ..Hand::default() });
        let (given, _, want) = answer(kind);
        let asking = place.start(kind, &hand);
        let id = place.open().await;
        let request = place.request(&id);
        assert_eq!((request.ask.tool.as_str(), request.ask.class.word()), (kind.tool(), "ask"));
        place.house.answer(&id, given).await;
        assert_eq!(came(asking).await, (want, By::Inbox), "{kind:?}");
        hand.withdrawn().await;
        assert_eq!(hand.last().0, kind.word());
        assert_eq!(*hand.notes(), ["Answered in Countersign."]);
        place.pending_is_gone().await;
    }
}

#[tokio::test]
async fn the_port_wins_each_call_and_the_card_and_the_folder_go_within_a_second() {
    let place = place().await;
    for kind in Kind::ALL {
        let hand = Arc::new(Hand { whole: true, ..Hand::default() });
        let (given, raw, want) = answer(kind);
        let asking = place.start(kind, &hand);
        let id = place.open().await;
        until("it stands in the folder", || place.folder.join("pending.json").exists().then_some(())).await;
        let begun = Instant::now();
        hand.answer(raw).await;
        assert_eq!(came(asking).await, (want, By::Port), "{kind:?}");
        let request = place.ended(&id).await;
        place.pending_is_gone().await;
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        let decision = request.decision.expect("a decision");
        assert_eq!((request.state, decision.channel), (State::Answered, Channel::Program), "{kind:?}");
        let told = if kind == Kind::Choice { json!({"answer": given["answer"]}) } else { given };
        assert_eq!(decision.answers.to_json(), told);
    }
}

#[tokio::test]
async fn the_file_wins_each_call_and_the_port_is_told() {
    let place = place().await;
    for kind in Kind::ALL {
        let hand = Arc::new(Hand { whole: true, ..Hand::default() });
        let (_, raw, want) = answer(kind);
        let asking = place.start(kind, &hand);
        let id = place.open().await;
        until("it stands in the folder", || place.folder.join("pending.json").exists().then_some(())).await;
        fs::write(place.folder.join(FILE), raw).expect("written");
        assert_eq!(came(asking).await, (want, By::File), "{kind:?}");
        hand.withdrawn().await;
        assert_eq!(place.ended(&id).await.decision.map(|decision| decision.channel), Some(Channel::File));
        until("the file has done its work", || (!place.folder.join(FILE).exists()).then_some(())).await;
    }
}

#[tokio::test]
async fn a_port_without_choices_and_texts_of_its_own_is_asked_by_numbered_lines() {
    let place = place().await;
    for (kind, raw, want) in [
        (Kind::Choice, "2", json!({"chosen": ["Word"], "other": null, "comment": null})),
        (Kind::Text, "My Name", json!({"text": "My Name", "comment": null})),
    ] {
        let hand = Arc::new(Hand::default());
        let asking = place.start(kind, &hand);
        hand.answer(raw).await;
        assert_eq!(came(asking).await, (want, By::Port));
        let (method, prompt) = hand.last();
        assert_eq!(method, "decision");
        if kind == Kind::Choice {
            assert_eq!(prompt.lines, ["The lines", "1. PDF", "2. Word", "3. Markdown"]);
            assert!(prompt.question.is_some_and(|question| question.contains("Numbers")));
        }
    }
}

#[tokio::test]
async fn a_port_that_fails_never_wins() {
    let place = place().await;
    for kind in Kind::ALL {
        let hand = Arc::new(Hand { fails: true, ..Hand::default() });
        let (given, _, want) = answer(kind);
        let asking = place.start(kind, &hand);
        let id = place.open().await;
        until("it was asked", || hand.was_asked().then_some(())).await;
        place.house.answer(&id, given).await;
        assert_eq!(came(asking).await, (want, By::Inbox), "{kind:?}");
    }
}

#[tokio::test]
async fn whoever_answered_in_the_inbox_first_has_answered_whatever_a_port_says_after() {
    let place = place().await;
    let hand = Arc::new(Hand::default());
    let asking = place.start(Kind::Decision, &hand);
    let id = place.open().await;
    // The port's answer is on its way when the person presses no.
    let refused = place.house.answer(&id, json!({"approval": false}));
    let (_, ()) = tokio::join!(refused, hand.answer("y"));
    let (said, _) = came(asking).await;
    let decided = place.request(&id).decision.expect("a decision").answers.to_json();
    assert_eq!(said["approved"], decided["approval"], "both know the same answer");
}

#[tokio::test]
async fn declined_and_left_empty_is_no_answer_and_never_a_yes() {
    let place = place().await;
    for (kind, want) in [
        (Kind::Choice, json!({"chosen": [], "other": null, "comment": null})),
        (Kind::Text, json!({"text": "", "comment": null})),
        (Kind::Decision, json!({"approved": false, "comment": null})),
        (Kind::Manual, json!({"done": false, "comment": null})),
    ] {
        let hand = Arc::new(Hand::default());
        let asking = place.start(kind, &hand);
        place.house.decline(&place.open().await).await;
        assert_eq!(came(asking).await, (want.clone(), By::Inbox), "{kind:?}");
        if kind != Kind::Manual {
            let hand = Arc::new(Hand::default());
            let asking =
                tokio::spawn(call_again(place.client.clone().with_port(hand.clone()), kind, place.folder.clone()));
            let id = place.open().await;
            hand.answer("").await;
            assert_eq!(came(asking).await, (want, By::Port), "{kind:?}");
            assert_eq!(place.ended(&id).await.state, State::Cancelled, "nobody answered, so nobody decided");
        }
    }
}

/// Another question, for the first one's ending would be handed out once more.
async fn call_again(client: Client, kind: Kind, folder: PathBuf) -> Result<Came, AskError> {
    let prompt = Prompt::new("Once more", ["Other lines"]);
    Ok(match kind {
        Kind::Choice => {
            let said = client.ask_for_choice(&folder, &prompt, &["A", "B"], false).await?;
            (json!({"chosen": said.chosen, "other": said.other, "comment": said.comment}), said.by)
        }
        Kind::Text => {
            let said = client.ask_for_text(&folder, &prompt).await?;
            (json!({"text": said.text, "comment": said.comment}), said.by)
        }
        Kind::Decision | Kind::Manual => {
            let said = client.ask_for_decision(&folder, &prompt).await?;
            (json!({"approved": said.approved, "comment": said.comment}), said.by)
        }
    })
}

#[tokio::test]
async fn while_the_app_is_away_the_file_and_the_port_answer_by_themselves() {
    let mut place = place().await;
    place.house.stop().await;
    for kind in Kind::ALL {
        let (_, raw, want) = answer(kind);
        let hand = Arc::new(Hand::default());
        fs::write(place.folder.join(FILE), "an old answer").expect("written");
        let old = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        fs::File::options().write(true).open(place.folder.join(FILE)).and_then(|f| f.set_modified(old)).expect("set");
        let asking = place.start(kind, &hand);
        until("the old answer is out of the way", || {
            (!place.folder.join(FILE).exists() && place.folder.join("pending.json").exists()).then_some(())
        })
        .await;
        fs::write(place.folder.join(FILE), raw).expect("written");
        assert_eq!(came(asking).await, (want.clone(), By::File), "{kind:?}");
        hand.withdrawn().await;
        assert!(!place.folder.join(FILE).exists() && !place.folder.join("pending.json").exists());
        let hand = Arc::new(Hand::default());
        let asking = place.start(kind, &hand);
        hand.answer(raw).await;
        assert_eq!(came(asking).await, (want, By::Port), "{kind:?}");
    }
}

#[tokio::test]
async fn two_questions_at_once_while_the_app_is_away_have_the_file_one_after_the_other() {
    let mut place = place().await;
    place.house.stop().await;
    let hand = Arc::new(Hand::default());
    let first = place.start(Kind::Text, &hand);
    let says = |title: &'static str| {
        let path = place.folder.join("pending.json");
        move || fs::read_to_string(&path).ok().filter(|text| text.contains(title))
    };
    until("the first has it", says("Export")).await;
    let second = tokio::spawn(call_again(place.client.clone(), Kind::Text, place.folder.clone()));
    fs::write(place.folder.join(FILE), "to the first").expect("written");
    assert_eq!(came(first).await.0["text"], "to the first");
    until("the second has it", says("Once more")).await;
    fs::write(place.folder.join(FILE), "to the second").expect("written");
    assert_eq!(came(second).await.0["text"], "to the second");
}

#[tokio::test]
async fn an_app_that_comes_later_is_asked_too_and_one_that_goes_and_comes_back_has_the_same_card() {
    let mut place = place().await;
    place.house.stop().await;
    let hand = Arc::new(Hand::default());
    let asking = place.start(Kind::Choice, &hand);
    until("it is asked elsewhere", || place.folder.join("pending.json").exists().then_some(())).await;
    place.house.start().await;
    let id = place.open().await;
    place.house.stop().await;
    place.house.start().await;
    assert_eq!(place.open().await, id, "the same card");
    place.house.answer(&id, json!({"answer": ["Word"]})).await;
    assert_eq!(came(asking).await, (json!({"chosen": ["Word"], "other": null, "comment": null}), By::Inbox));
}

#[tokio::test]
async fn what_the_file_answered_while_the_app_was_away_settles_its_card_when_it_is_back() {
    let mut place = place().await;
    let hand = Arc::new(Hand::default());
    let asking = place.start(Kind::Choice, &hand);
    let id = place.open().await;
    place.house.stop().await;
    // Only when the client knows that the app is away is the file its own to read.
    let pending = place.folder.join("pending.json");
    let ours = || fs::read_to_string(&pending).ok().filter(|text| !text.contains(id.as_str()));
    until("the client has the file", ours).await;
    fs::write(place.folder.join(FILE), "2").expect("written");
    assert_eq!(came(asking).await, (json!({"chosen": ["Word"], "other": null, "comment": null}), By::File));
    place.house.start().await;
    let request = place.ended(&id).await;
    let decision = request.decision.expect("a decision");
    assert_eq!((decision.channel, decision.answers.to_json()), (Channel::File, json!({"answer": ["Word"]})));
}

#[tokio::test]
async fn a_call_that_is_given_up_is_withdrawn_everywhere() {
    let place = place().await;
    let hand = Arc::new(Hand::default());
    let asking = place.start(Kind::Decision, &hand);
    let id = place.open().await;
    asking.abort();
    hand.withdrawn().await;
    assert_eq!(place.ended(&id).await.state, State::Cancelled);
    place.pending_is_gone().await;
}

#[tokio::test]
async fn the_same_question_in_two_runs_of_a_program_is_two_questions() {
    let place = place().await;
    let other = place.folder.with_extension("two");
    fs::create_dir(&other).expect("made");
    let hand = Arc::new(Hand::default());
    let one = place.start(Kind::Text, &hand);
    let two = tokio::spawn(call(place.client.clone(), Kind::Text, other.clone()));
    place.house.open("two wait", |open| open.len() == 2).await;
    until("the second says so", || other.join("pending.json").exists().then_some(())).await;
    fs::write(other.join(FILE), "two").expect("written");
    assert_eq!(came(two).await.0["text"], "two");
    place.house.answer(&place.open().await, json!({"answer": "one"})).await;
    assert_eq!(came(one).await.0["text"], "one");
}

#[tokio::test]
async fn a_run_folder_that_can_not_be_used_and_a_question_over_the_limits_are_errors_and_ask_nobody() {
    let place = place().await;
    let missing = call(place.client.clone(), Kind::Text, place.folder.join("missing")).await;
    assert!(matches!(missing, Err(AskError::RunFolder { .. })));
    let none: [&str; 0] = [];
    let none = place.client.ask_for_choice(&place.folder, &Prompt::new("Which?", none), &none, false).await;
    assert!(matches!(none, Err(AskError::Question(_))));
    assert_eq!(place.house.broker().open_list(None, 10).expect("a list").len(), 0);
}

#[tokio::test]
async fn a_program_answers_only_what_its_own_library_asked() {
    let place = place().await;
    let agent = place.house.pair("b").await;
    let cancel = |id: &str, body: Value| {
        let (port, path) = (agent.port.clone(), format!("/v1/requests/{id}/cancel"));
        async move { port.post(&path, &body).await }
    };
    let own = agent.ask("Which?").await;
    let refused = cancel(&own, json!({"answers": {"answer": "Red"}})).await.expect_err("a model's question");
    assert!(refused.to_string().contains("ask_human"), "{refused}");
    let ask = json!({"kind": "decision", "title": "Publish?", "hold_seconds": 0});
    let said = agent.port.post("/v1/requests", &ask).await.expect("asked");
    let id = said["request"]["id"].as_str().expect("an id").to_owned();
    let stranger = place.house.pair("c").await;
    let path = format!("/v1/requests/{id}/cancel");
    let unknown = stranger.port.post(&path, &json!({"answers": {"approval": true}})).await.expect_err("not its own");
    assert!(unknown.to_string().contains("no request"), "{unknown}");
    let wrong = cancel(&id, json!({"answers": {"approval": "yes"}})).await.expect_err("no such answer");
    assert!(wrong.to_string().contains("true or false"), "{wrong}");
    assert_eq!(place.request(&RequestId(id.clone())).state, State::Pending);
    let said = cancel(&id, json!({"answers": {"approval": true}, "comment": "typed here"})).await.expect("taken");
    assert_eq!(
        (&said["approved"], &said["decided_by"], &said["comment"]),
        (&json!(true), &json!("program"), &json!("typed here"))
    );
    assert!(said["message"].as_str().is_some_and(|text| text.starts_with("Answered in the program itself.")), "{said}");
    let again = cancel(&id, json!({})).await.expect("as it ended");
    assert_eq!(again["state"], "answered");
    let waited = agent.port.get(&format!("/v1/requests/{id}?wait=20")).await.expect("as it ended");
    assert_eq!(waited["channel"], "program");
}
