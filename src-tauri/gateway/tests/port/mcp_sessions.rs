//! MCP of 2025-11-25 and before: `initialize`, and a transport session.

use crate::house::{House, Token, question};
use crate::raw::{Line, Reply, request};
use countersign_gateway::Limits;
use serde_json::{Value, json};
use std::time::Duration;

struct Session {
    token: String,
    id: String,
    port: u16,
}

async fn post(port: u16, token: &str, session: Option<&str>, message: &Value) -> Line {
    let mut line = Line::open(port).await;
    let mut headers = vec![("authorization", token), ("accept", "application/json, text/event-stream")];
    headers.extend(session.map(|id| ("mcp-session-id", id)));
    line.write(&request(port, "POST", "/mcp", &headers, &message.to_string())).await;
    line
}

impl Session {
    async fn new(house: &House, token: &Token) -> Self {
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        }});
        let reply = post(house.port, &token.0, None, &initialize).await.reply().await;
        assert_eq!(reply.head.status, 200, "{}", reply.text);
        assert!(!reply.text.contains("retry:"), "no priming event: {}", reply.text);
        assert_eq!(reply.events().len(), 1);
        assert!(reply.events()[0]["result"]["instructions"].is_string());
        let id = reply.head.get("mcp-session-id").expect("a session").to_owned();
        let session = Self { token: token.0.clone(), id, port: house.port };
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.send(&initialized).await.reply().await.head.status, 202);
        session
    }

    async fn send(&self, message: &Value) -> Line {
        post(self.port, &self.token, Some(&self.id), message).await
    }

    async fn call(&self, id: u32, name: &str, arguments: Value) -> Line {
        let params = json!({"name": name, "arguments": arguments, "_meta": {"progressToken": id}});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await
    }

    async fn cancel(&self, id: u32) {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        assert_eq!(self.send(&cancel).await.reply().await.head.status, 202);
    }

    async fn list(&self) -> Reply {
        self.send(&json!({"jsonrpc": "2.0", "id": 99, "method": "tools/list"})).await.reply().await
    }
}

#[tokio::test]
async fn an_answer_comes_on_the_calls_own_stream_after_progress_and_counts_as_delivered() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let session = Session::new(&house, &token).await;
    let mut line = session.call(1, "ask_human", question("Which?")).await;
    let id = house.waiting().await;
    house.answer(&id, json!({"answer": "Red"})).await;
    let events = line.reply().await.events();
    assert_eq!(events[0]["method"], "notifications/progress");
    assert_eq!(events.last().expect("a result")["result"]["structuredContent"]["chosen"], json!(["Red"]));
    let again = session.call(2, "ask_human", question("Which?")).await.reply().await.message();
    assert_eq!(again["result"]["structuredContent"]["repeated"], true, "{again}");
}

#[tokio::test]
async fn a_session_belongs_to_its_token_and_an_unknown_one_gets_404_whatever_the_method() {
    let house = House::new().await;
    let (one, other) = (house.pair("one").await, house.pair("other").await);
    let session = Session::new(&house, &one).await;
    assert_eq!(session.list().await.head.status, 200);
    let stolen = Session { token: other.0.clone(), id: session.id.clone(), port: house.port };
    let unknown = Session { token: one.0.clone(), id: "7f6c2f44-0000-4000-8000-000000000000".into(), port: house.port };
    for bad in [&stolen, &unknown] {
        let reply = bad.list().await;
        assert_eq!((reply.head.status, reply.json()["code"].as_str()), (404, Some("unknown_session")));
        for method in ["GET", "DELETE"] {
            let headers = [
                ("authorization", bad.token.as_str()),
                ("accept", "text/event-stream"),
                ("mcp-session-id", bad.id.as_str()),
            ];
            assert_eq!(crate::raw::once(house.port, method, "/mcp", &headers, "").await.head.status, 404, "{method}");
        }
    }
    assert_eq!(session.list().await.head.status, 200, "a stranger's DELETE ended nothing");
    let headers = [("authorization", one.0.as_str()), ("mcp-session-id", session.id.as_str())];
    assert!(crate::raw::once(house.port, "DELETE", "/mcp", &headers, "").await.head.status < 300);
    assert_eq!(session.list().await.head.status, 404);
    Session::new(&house, &one).await;
}

#[tokio::test]
async fn a_cancel_ends_the_wait_and_a_late_one_changes_nothing() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let session = Session::new(&house, &token).await;
    let _line = session.call(1, "ask_human", question("Which?")).await;
    let id = house.waiting().await;
    session.cancel(1).await;
    house.open(|open| open.len() == 1 && !open[0].waiting).await;
    house.answer(&id, json!({"answer": "Blue"})).await;
    let result = session.call(2, "ask_human", question("Which?")).await.reply().await.message();
    assert_eq!(result["result"]["structuredContent"]["chosen"], json!(["Blue"]), "{result}");
    assert!(result["result"]["structuredContent"].get("repeated").is_none(), "{result}");
    session.cancel(2).await;
    session.cancel(1).await;
    let later = session.call(3, "get_request", json!({"request_id": id})).await.reply().await.message();
    assert_eq!(later["result"]["structuredContent"]["state"], "answered");
}

#[tokio::test]
async fn a_client_that_leaves_frees_the_wait_in_an_older_protocol_too() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let session = Session::new(&house, &token).await;
    let mut line = session.call(1, "ask_human", question("Which?")).await;
    line.head().await;
    house.waiting().await;
    drop(line);
    house.open(|open| open.len() == 1 && !open[0].waiting).await;
}

#[tokio::test]
async fn idle_sessions_are_closed_and_one_with_an_open_call_is_not() {
    let limits = Limits {
        mcp_session_idle: Duration::from_millis(400),
        mcp_reap_every: Duration::from_millis(20),
        ..Limits::default()
    };
    let house = House::with(limits).await;
    let token = house.pair("a").await;
    let busy = Session::new(&house, &token).await;
    let mut held = busy.call(1, "ask_human", question("Which?")).await;
    let id = house.waiting().await;
    let idle = Session::new(&house, &token).await;
    let closed = async {
        // Each look is a visit, so it is looked at again only after it was left alone for longer than the limit.
        let mut alone = tokio::time::interval(Duration::from_secs(1));
        alone.tick().await;
        alone.tick().await;
        idle.list().await.head.status
    };
    assert_eq!(closed.await, 404);
    house.answer(&id, json!({"answer": "Red"})).await;
    let last = held.reply().await.message();
    assert_eq!(last["result"]["structuredContent"]["chosen"], json!(["Red"]));
}

#[tokio::test]
async fn a_listening_stream_keeps_its_session_and_ends_with_the_app() {
    let limits = Limits {
        mcp_session_idle: Duration::from_millis(400),
        mcp_reap_every: Duration::from_millis(10),
        heartbeat: Duration::from_millis(150),
        ..Limits::default()
    };
    let house = House::with(limits).await;
    let token = house.pair("a").await;
    let session = Session::new(&house, &token).await;
    let mut line = Line::open(house.port).await;
    let headers = [
        ("authorization", session.token.as_str()),
        ("accept", "text/event-stream"),
        ("mcp-session-id", session.id.as_str()),
    ];
    line.write(&request(house.port, "GET", "/mcp", &headers, "")).await;
    let head = line.head().await;
    assert_eq!((head.status, head.get("content-type")), (200, Some("text/event-stream")));
    for _ in 0..6 {
        assert!(line.chunk().await.expect("a heartbeat").starts_with(':'));
    }
    assert_eq!(session.list().await.head.status, 200);
    house.shutdown.cancel();
    while line.chunk().await.is_some() {}
    house.served.await.expect("ended");
}

#[tokio::test]
async fn over_the_cap_an_agents_longest_idle_session_goes() {
    let house = House::with(Limits { mcp_sessions: 2, ..Limits::default() }).await;
    let token = house.pair("a").await;
    let sessions =
        [Session::new(&house, &token).await, Session::new(&house, &token).await, Session::new(&house, &token).await];
    assert_eq!(sessions[0].list().await.head.status, 404);
    assert_eq!(sessions[1].list().await.head.status, 200);
    assert_eq!(sessions[2].list().await.head.status, 200);
}
