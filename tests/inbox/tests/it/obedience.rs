//! An agent that does what each ending's text tells it, and nothing else, comes to an end after a few calls.

use countersign_broker::ManualClock;
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::time::Millis;
use countersign_inbox_tests::{Agent, House, in_time, question};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a text tells to do next.
#[derive(Debug, PartialEq)]
enum Next {
    Wait(String),
    SameAgain,
    Stop,
}

/// Reads a text as a model would that takes every instruction at its word: wait first, then call again; else go on.
fn told(text: &str, waited: bool) -> Next {
    let wait = text.to_lowercase().find("call wait_for_answer with request_id \"").filter(|_| !waited);
    if let Some(at) = wait {
        let id = text[at..].split('"').nth(1).expect("an id");
        return Next::Wait(id.to_owned());
    }
    // "don't ask again" is not "call … again".
    if text.contains("again with the same arguments") { Next::SameAgain } else { Next::Stop }
}

/// Calls a tool and obeys; returns all texts it got, in order.
async fn obeys(agent: Agent, tool: &'static str, arguments: Value) -> Vec<String> {
    let mut texts = Vec::new();
    let mut call = (tool, arguments.clone());
    let mut waited = false;
    // Far over the bound that is asserted; reached by an agent that is sent round in circles.
    while texts.len() < 12 {
        let said = agent.call(call.0, call.1.clone()).await;
        let text = said["text"].as_str().expect("a text").to_owned();
        texts.push(text.clone());
        let done = said["structuredContent"]["outcome"].is_string();
        waited &= call.0 == "wait_for_answer" && said["structuredContent"]["state"] != "pending";
        call = match told(&text, waited) {
            Next::Stop => break,
            _ if done => break,
            Next::Wait(id) => {
                waited = true;
                ("wait_for_answer", json!({"request_id": id}))
            }
            Next::SameAgain => (tool, arguments.clone()),
        };
    }
    texts
}

struct Scene {
    house: House,
    clock: ManualClock,
    agent: Agent,
}

async fn scene() -> Scene {
    let clock = ManualClock::default();
    let house = {
        let clock = clock.clone();
        House::with(move |options| options.clock = Arc::new(clock.clone())).await
    };
    let agent = house.pair("a").await;
    Scene { house, clock, agent }
}

/// How a question ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Answer,
    OwnAnswer,
    Decline,
    Cancel,
    Expire,
    Default,
}

impl Scene {
    async fn end(&self, how: End) {
        let id = self.house.waiting().await;
        match how {
            End::Answer => drop(self.house.answer(&id, json!({"answer": "Red"})).await),
            End::OwnAnswer => drop(self.house.answer(&id, json!({"answer": {"other": "neither"}})).await),
            End::Decline => self.house.decline(&id).await,
            End::Cancel => drop(self.agent.call("cancel_request", json!({"request_id": id})).await),
            End::Expire | End::Default => {
                self.clock.pass(Millis::seconds(600));
                self.house.broker().tick().await.expect("ticked");
            }
        }
    }
}

#[tokio::test]
async fn an_agent_that_obeys_each_endings_text_stops_after_two_calls_and_asks_nothing_twice() {
    for how in [End::Answer, End::OwnAnswer, End::Decline, End::Cancel, End::Expire, End::Default] {
        let scene = scene().await;
        let mut ask = question("Which?");
        ask["expires_in_seconds"] = json!(600);
        if let End::Default = how {
            ask["default"] = json!("Red");
            ask["on_expiry"] = json!("default");
        }
        let obedient = obeys(scene.agent.clone(), "ask_human", ask);
        let (texts, ()) = in_time("the end", async { tokio::join!(obedient, scene.end(how)) }).await;
        assert_eq!(texts.len(), 2, "{how:?}: {texts:#?}");
        assert!(texts[0].starts_with("Nobody has answered yet."), "{how:?}: {texts:#?}");
        scene.house.open("nothing is asked again", <[_]>::is_empty).await;
        let consents = texts[1].contains("The person chose") || texts[1].contains("Their own answer");
        assert_eq!(consents, matches!(how, End::Answer | End::OwnAnswer), "{how:?}: {texts:#?}");
    }
}

#[tokio::test]
async fn an_agent_that_obeys_a_gates_texts_acts_once_after_a_yes_and_not_at_all_after_anything_else() {
    for (answer, outcome) in [(Some(true), "deleted"), (Some(false), "refused"), (None, "")] {
        let scene = scene().await;
        scene.agent.call("create_spec", json!({"title": "Login"})).await;
        let obedient = obeys(scene.agent.clone(), "delete_spec", json!({"spec": "SPEC-001"}));
        let person = async {
            let id = scene.house.waiting().await;
            match answer {
                Some(yes) => {
                    let word = yes.then_some("SPEC-001");
                    scene.house.answer_at(Channel::Dialog, &id, json!({"confirm-delete": yes}), word).await;
                }
                None => scene.house.decline(&id).await,
            }
        };
        let (texts, ()) = in_time("the end", async { tokio::join!(obedient, person) }).await;
        assert!(texts.len() <= 3, "{answer:?}: {texts:#?}");
        assert!(texts.last().is_some_and(|text| text.contains(outcome)), "{answer:?}: {texts:#?}");
        let left = scene.agent.call("list_specs", json!({})).await;
        let left = left["structuredContent"]["specs"].as_array().map_or(0, Vec::len);
        assert_eq!(left, usize::from(answer != Some(true)));
        scene.house.open("no second card", <[_]>::is_empty).await;
    }
}

#[tokio::test]
async fn a_mistake_or_a_stranger_id_is_told_in_words_that_send_nobody_round_in_circles() {
    let scene = scene().await;
    for (tool, arguments) in [
        ("ask_human", json!({})),
        ("ask_human", json!({"question": "?", "options": ["A"]})),
        ("wait_for_answer", json!({"request_id": "x"})),
        ("get_spec", json!({"spec": "SPEC-999"})),
        ("create_spec", json!({"title": ""})),
    ] {
        let texts = obeys(scene.agent.clone(), tool, arguments.clone()).await;
        assert_eq!(texts.len(), 1, "{tool} {arguments}: {texts:?}");
        assert!(!texts[0].contains("chose"), "{texts:?}");
    }
    let id = RequestId(scene.agent.ask("Still there?").await);
    assert_eq!(scene.house.open("only what was asked", |open| open.len() == 1).await[0].row.id, id);
}

#[tokio::test]
async fn an_agent_that_obeys_every_asking_tools_endings_stops_and_asks_nothing_twice() {
    let tools = [
        (
            "ask_questions",
            json!({"questions": [{"id": "q", "question": "?", "type": "confirm", "default": false}]}),
            json!({"q": true}),
        ),
        ("request_human_approval", json!({"summary": "Send it"}), json!({"approval": true})),
        ("request_manual_intervention", json!({"title": "Log in", "steps": ["Open"]}), json!({"done": true})),
        ("request_file", json!({"description": "The syllabus"}), Value::Null),
        ("retire_source", json!({"source": "old.pdf", "why": "wrong", "reason": "x"}), json!({"retire": true})),
    ];
    for (tool, arguments, yes) in tools {
        for how in ["yes", "no", "decline", "cancel", "expire", "default"] {
            if (how == "no" && yes.is_null()) || (how == "default" && tool != "ask_questions") {
                continue;
            }
            let scene = scene().await;
            std::fs::write(scene.house.home.work().join("old.pdf"), "old").expect("written");
            let mine = scene.house.home.file("mine.pdf", "mine");
            let yes = if yes.is_null() { json!({"file": mine}) } else { yes.clone() };
            let mut ask = arguments.clone();
            (ask["hold_seconds"], ask["expires_in_seconds"]) = (json!(0), json!(600));
            if how == "default" {
                ask["on_expiry"] = json!("default");
            }
            let person = async {
                let id = scene.house.waiting().await;
                match how {
                    "yes" => drop(scene.house.answer(&id, yes.clone()).await),
                    "no" => {
                        let mut no = yes.clone();
                        no.as_object_mut().expect("an object").values_mut().for_each(|answer| *answer = json!(false));
                        scene.house.answer(&id, no).await;
                    }
                    "decline" => scene.house.decline(&id).await,
                    "cancel" => scene.end(End::Cancel).await,
                    _ => scene.end(End::Expire).await,
                }
            };
            let obedient = obeys(scene.agent.clone(), tool, ask);
            let (texts, ()) = in_time("the end", async { tokio::join!(obedient, person) }).await;
            assert_eq!(texts.len(), 2, "{tool} {how}: {texts:#?}");
            scene.house.open("nothing is asked again", <[_]>::is_empty).await;
        }
    }
}

#[tokio::test]
async fn an_agent_that_obeys_asks_once_more_where_the_file_changed_and_then_stops() {
    let scene = scene().await;
    let old = scene.house.home.work().join("old.pdf");
    std::fs::write(&old, "old").expect("written");
    let ask = json!({"source": "old.pdf", "why": "wrong", "reason": "x", "hold_seconds": 0});
    let person = async {
        let id = scene.house.waiting().await;
        std::fs::write(&old, "changed").expect("written");
        let answers = json!({"retire": true}).as_object().expect("an object").clone();
        let verdict = countersign_broker::Verdict::Answer { answers, comment: None, typed: None };
        let window = countersign_broker::Person::at(Channel::Window);
        assert!(scene.house.broker().decide(window, &id, None, verdict).await.is_err(), "it is another file");
        let id = scene.house.waiting().await;
        scene.house.answer(&id, json!({"retire": true})).await;
    };
    let obedient = obeys(scene.agent.clone(), "retire_source", ask);
    let (texts, ()) = in_time("the end", async { tokio::join!(obedient, person) }).await;
    assert_eq!(texts.len(), 4, "{texts:#?}");
    assert!(texts[3].starts_with("The person agreed"), "{texts:#?}");
}
