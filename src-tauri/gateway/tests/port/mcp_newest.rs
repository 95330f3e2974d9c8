//! MCP of 2026-07-28: no sessions, every request for itself.

use crate::house::{House, Token, question};
use crate::raw::{Line, Reply, request};
use countersign_gateway::Limits;
use serde_json::{Value, json};
use std::time::Duration;

const VERSION: &str = "2026-07-28";

fn message(method: &str, mut params: Value, progress: Option<u32>) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let Some(token) = progress {
        params["_meta"]["progressToken"] = json!(token);
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

async fn send(house: &House, token: &Token, method: &str, params: Value, progress: Option<u32>) -> Line {
    let mut line = Line::open(house.port).await;
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let mut headers = vec![
        ("authorization", token.0.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", VERSION),
        ("mcp-method", method),
    ];
    if !name.is_empty() {
        headers.push(("mcp-name", &name));
    }
    let body = message(method, params, progress).to_string();
    line.write(&request(house.port, "POST", "/mcp", &headers, &body)).await;
    line
}

async fn call(house: &House, token: &Token, method: &str, params: Value) -> Reply {
    send(house, token, method, params, None).await.reply().await
}

fn early() -> Limits {
    Limits { early_headers: Duration::from_millis(30), heartbeat: Duration::from_millis(40), ..Limits::default() }
}

#[tokio::test]
async fn tools_and_words_are_those_of_the_http_api() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let listed = call(&house, &token, "tools/list", json!({})).await.message();
    let http = house.once(&token, "GET", "/v1/tools", "").await.json();
    assert_eq!(listed["result"]["tools"], http["tools"], "{listed}");
    let discovered = call(&house, &token, "server/discover", json!({})).await.message();
    assert!(
        discovered["result"]["instructions"].as_str().expect("instructions").contains("rather than in your reply"),
        "{discovered}"
    );
}

#[tokio::test]
async fn a_held_call_shows_progress_at_once_and_then_the_answer() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut line =
        send(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}), Some(7))
            .await;
    assert_eq!(line.head().await.status, 200);
    let first = line.chunk().await.expect("a chunk");
    assert!(first.contains("notifications/progress") && first.contains("\"progressToken\":7"), "{first}");
    let id = house.waiting().await;
    house.answer(&id, json!({"answer": "Red"})).await;
    let mut rest = String::new();
    while let Some(chunk) = line.chunk().await {
        rest += &chunk;
    }
    assert!(rest.contains("The person chose: Red."), "{rest}");
    let again = call(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}))
        .await
        .message();
    assert_eq!(again["result"]["structuredContent"]["repeated"], true, "it was delivered: {again}");
}

#[tokio::test]
async fn a_silent_call_gets_its_headers_early_and_the_result_as_an_event() {
    let house = House::with(early()).await;
    let token = house.pair("a").await;
    let mut line =
        send(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}), None).await;
    let head = line.head().await;
    assert_eq!((head.status, head.get("content-type")), (200, Some("text/event-stream")));
    assert_eq!(head.get("cache-control"), Some("no-store"));
    for _ in 0..3 {
        assert_eq!(line.chunk().await.as_deref(), Some(": waiting\n\n"));
    }
    let id = house.waiting().await;
    house.answer(&id, json!({"answer": "Blue"})).await;
    let mut rest = String::new();
    while let Some(chunk) = line.chunk().await {
        rest += &chunk;
    }
    let data = rest.lines().find_map(|line| line.strip_prefix("data: ")).expect("an event");
    let result: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(result["result"]["content"][0]["text"], "The person chose: Blue.");
    assert_eq!(result["result"]["structuredContent"]["state"], "answered");
    let again = call(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}))
        .await
        .message();
    assert_eq!(again["result"]["structuredContent"]["repeated"], true, "it was delivered: {again}");
}

#[tokio::test]
async fn a_client_that_leaves_ends_the_wait_and_not_the_request() {
    let house = House::with(early()).await;
    let token = house.pair("a").await;
    for progress in [None, Some(1)] {
        let mut line =
            send(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}), progress)
                .await;
        line.head().await;
        house.waiting().await;
        drop(line);
        house.open(|open| open.len() == 1 && !open[0].waiting).await;
    }
    let id = house.open(|open| open.len() == 1).await[0].row.id.clone();
    house.answer(&id, json!({"answer": "Red"})).await;
    let result = call(&house, &token, "tools/call", json!({"name": "ask_human", "arguments": question("Which?")}))
        .await
        .message();
    assert_eq!(result["result"]["structuredContent"]["chosen"], json!(["Red"]));
    assert!(result["result"]["structuredContent"].get("repeated").is_none(), "nobody had it yet: {result}");
}

#[tokio::test]
async fn what_a_tool_refuses_is_a_result_and_never_a_protocol_error() {
    let house = House::with(Limits { creates_burst: 1, creates_per_second: 1, ..Limits::default() }).await;
    let token = house.pair("a").await;
    for (name, arguments) in [
        ("ask_human", json!({"text": "?"})),
        ("get_request", json!({"request_id": 3})),
        ("get_request", json!({"request_id": "none"})),
        ("approve_everything", json!({})),
        ("wait_for_answer", json!({})),
    ] {
        let message = call(&house, &token, "tools/call", json!({"name": name, "arguments": arguments})).await.message();
        assert_eq!(message["result"]["isError"], true, "{name}: {message}");
    }
    let ask = |n: u32| json!({"name": "ask_human", "arguments": {"question": format!("{n}?"), "options": ["A", "B"], "hold_seconds": 0}});
    assert_ne!(call(&house, &token, "tools/call", ask(1)).await.message()["result"]["isError"], true);
    let cut = call(&house, &token, "tools/call", ask(2)).await.message();
    assert_eq!(cut["result"]["isError"], true);
    assert!(cut["result"]["content"][0]["text"].as_str().expect("a text").contains("Wait 1 s"), "{cut}");
}

#[tokio::test]
async fn a_session_id_means_nothing_here() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut line = Line::open(house.port).await;
    let headers = [
        ("authorization", token.0.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", VERSION),
        ("mcp-method", "tools/list"),
        ("mcp-session-id", "made-up"),
    ];
    line.write(&request(house.port, "POST", "/mcp", &headers, &message("tools/list", json!({}), None).to_string()))
        .await;
    assert_eq!(line.reply().await.head.status, 200);
    let wrong = house.once(&token, "POST", "/mcp", "{}").await;
    assert_eq!((wrong.head.status, wrong.head.get("content-type")), (406, Some("application/json")));
    assert_eq!(wrong.json()["code"], "mcp");
}
