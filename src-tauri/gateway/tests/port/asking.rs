//! Asking over HTTP.

use crate::house::{House, question};
use crate::raw::{Line, request};
use serde_json::json;

#[tokio::test]
async fn a_question_is_held_until_it_is_answered_and_asked_again_it_is_repeated() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut held = house.hold(&token, "ask_human", question("Which?")).await;
    let id = house.waiting().await;
    house.answer(&id, json!({"answer": "Blue"})).await;
    let result = held.reply().await.json();
    assert_eq!(result["text"], "The person chose: Blue.");
    assert_eq!(result["structuredContent"]["chosen"], json!(["Blue"]));
    assert!(result["structuredContent"].get("repeated").is_none());
    let again = house.tool(&token, "ask_human", question("Which?")).await;
    assert_eq!(again["structuredContent"]["repeated"], true);
    assert_eq!(again["structuredContent"]["request"]["id"], id.as_str());
}

#[tokio::test]
async fn an_answer_that_never_reached_its_agent_is_new_to_the_next_ask() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let held = house.hold(&token, "ask_human", question("Which?")).await;
    let id = house.waiting().await;
    drop(held);
    house.open(|open| open.len() == 1 && !open[0].waiting).await;
    house.answer(&id, json!({"answer": "Red"})).await;
    let first = house.tool(&token, "ask_human", question("Which?")).await;
    assert_eq!(first["structuredContent"]["chosen"], json!(["Red"]));
    assert!(first["structuredContent"].get("repeated").is_none(), "{first}");
}

#[tokio::test]
async fn a_call_that_is_not_held_says_pending_and_a_later_wait_gets_the_answer() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut ask = question("Which?");
    ask["hold_seconds"] = json!("0");
    let pending = house.tool(&token, "ask_human", ask).await;
    assert_eq!(pending["structuredContent"]["state"], "pending");
    assert!(pending["text"].as_str().expect("a text").contains("wait_for_answer"));
    let request_id = pending["structuredContent"]["request"]["id"].clone();
    let mut held =
        house.hold(&token, "wait_for_answer", json!({"request_id": request_id, "timeout_seconds": -1})).await;
    let id = house.waiting().await;
    house.answer(&id, json!({"answer": {"other": "Green"}})).await;
    let result = held.reply().await.json();
    assert_eq!(result["structuredContent"]["other"], "Green");
    assert!(result["structuredContent"]["note"].as_str().expect("a note").contains("raised to 20 seconds"));
    assert!(result["text"].as_str().expect("a text").contains("Their own answer: Green"));
    assert!(result["text"].as_str().expect("a text").contains("Note: "));
}

#[tokio::test]
async fn limits_of_any_shape_are_taken_and_mistakes_name_the_field() {
    let house = House::new().await;
    let token = house.pair("a").await;
    for (n, limit) in
        [json!(-1), json!(1e300), json!("soon"), json!({}), json!([1]), json!(true)].into_iter().enumerate()
    {
        let mut ask = question(&format!("Question {n}?"));
        ask["expires_in_seconds"] = limit.clone();
        ask["hold_seconds"] = json!(-5);
        let result = house.tool(&token, "ask_human", ask).await;
        assert_eq!(result["structuredContent"]["state"], "pending", "{limit}: {result}");
        let note = result["structuredContent"]["note"].as_str().expect("a note");
        assert!(note.contains("expires_in_seconds") && note.contains("hold_seconds"), "{note}");
    }
    for (arguments, word) in [
        (json!({}), "`question` is missing"),
        (json!({"question": "?"}), "`options` is missing"),
        (json!({"question": "?", "options": "A"}), "`options` takes"),
        (json!({"question": "?", "options": ["A"]}), "2 to 8 are allowed"),
        (json!({"question": "?", "options": ["1","2","3","4","5","6","7","8","9"]}), "2 to 8 are allowed"),
        (json!({"question": "?", "options": ["A", "B"], "multiple": "yes"}), "`multiple` takes"),
        (json!({"question": "?", "options": ["A", "B"], "default": "C"}), "`default`"),
        (json!({"question": "?", "options": ["A", "B"], "on_expiry": "approve"}), "`on_expiry` takes"),
        (json!({"question": "?", "options": ["A", "B"], "on_expiry": "default"}), "`on_expiry`"),
        (json!({"question": "?", "options": ["A", "B"], "answers": {}}), "no argument `answers`"),
        (json!({"question": "a\u{0}b", "options": ["A", "B"]}), "NUL"),
        (json!({"question": "?", "options": ["A", "B"], "workspace": 3}), "`workspace` takes"),
    ] {
        let result = house.tool(&token, "ask_human", arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        assert!(result["text"].as_str().expect("a text").contains(word), "{arguments}: {}", result["text"]);
    }
    assert_eq!(house.once(&token, "POST", "/v1/tools/decide", "{}").await.head.status, 404);
    assert_eq!(house.once(&token, "POST", "/v1/tools/ask_human", "{").await.head.status, 400);
}

#[tokio::test]
async fn another_agents_request_is_unknown_to_every_tool() {
    let house = House::new().await;
    let (one, other) = (house.pair("one").await, house.pair("other").await);
    let mut ask = question("Which?");
    ask["hold_seconds"] = json!(0);
    let id = house.tool(&one, "ask_human", ask).await["structuredContent"]["request"]["id"].clone();
    for tool in ["wait_for_answer", "get_request", "cancel_request"] {
        let theirs = house.tool(&other, tool, json!({"request_id": id})).await;
        let unknown = house.tool(&other, tool, json!({"request_id": "nothing"})).await;
        assert_eq!(theirs["isError"], true, "{tool}");
        let plain = |result: &serde_json::Value| {
            result["text"].as_str().expect("a text").replace(id.as_str().expect("text"), "nothing")
        };
        assert_eq!(plain(&theirs), plain(&unknown), "{tool}");
    }
    assert_eq!(
        house.tool(&one, "get_request", json!({"request_id": id})).await["structuredContent"]["state"],
        "pending"
    );
    assert_eq!(
        house.tool(&one, "cancel_request", json!({"request_id": id})).await["structuredContent"]["state"],
        "cancelled"
    );
}

#[tokio::test]
async fn sessions_keep_their_questions_apart_by_header_or_meta() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut ids = Vec::new();
    for (header, meta) in [("one", json!({})), ("two", json!({})), ("", json!({"sessionId": "one"})), ("", json!({}))] {
        let mut ask = question("Which?");
        ask["hold_seconds"] = json!(0);
        ask["_meta"] = meta;
        let mut line = Line::open(house.port).await;
        let headers = [("authorization", token.0.as_str()), ("countersign-session", header)];
        line.write(&request(house.port, "POST", "/v1/tools/ask_human", &headers, &ask.to_string())).await;
        ids.push(line.reply().await.json()["structuredContent"]["request"]["id"].clone());
    }
    assert_eq!(ids[0], ids[2]);
    assert_ne!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[3]);
}

#[tokio::test]
async fn a_session_ends_with_its_presence_stream_and_that_begins_at_once() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let headers = [("authorization", token.0.as_str()), ("countersign-session", "bridge")];
    let open = request(house.port, "GET", "/v1/session", &headers, "");
    let ended = || house.broker.read(|db| Ok(db.latest_sessions(1)?)).expect("read").remove(0).session.ended_at;
    let mut line = Line::open(house.port).await;
    line.write(&open).await;
    assert_eq!(line.chunk_after_head().await.as_deref(), Some(": here\n\n"));
    assert_eq!(ended(), None);
    drop(line);
    house.open(|_| ended().is_some()).await;
    let mut line = Line::open(house.port).await;
    line.write(&open).await;
    assert_eq!(line.chunk_after_head().await.as_deref(), Some(": here\n\n"));
    assert_eq!(ended(), None);
    house.shutdown.cancel();
    assert_eq!(line.chunk().await, None, "it ends with the app, whole");
}
