//! A token that is taken away or replaced: everything that is open under it ends at once, and says why.

use countersign_broker::Person;
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId};
use countersign_core::request::State;
use countersign_host::{keep_token, kept_token};
use countersign_inbox_tests::mcp::{self, Era, call, open};
use countersign_inbox_tests::{Agent, House, in_time, until};
use http::{Method, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// How soon all of it must be over.
const SOON: Duration = Duration::from_secs(1);

/// All that an agent can hold open.
struct Open {
    presence: Response<Incoming>,
    events: Response<Incoming>,
    over_http: tokio::task::JoinHandle<(StatusCode, String)>,
    over_mcp: tokio::task::JoinHandle<(StatusCode, String)>,
}

fn headers<'a>(bearer: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut headers = vec![
        ("authorization", bearer),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ];
    headers.extend_from_slice(more);
    headers
}

fn held(text: &str) -> Value {
    json!({"question": text, "options": ["Red", "Blue"]})
}

async fn ended(response: Response<Incoming>) -> (StatusCode, String) {
    let (parts, body) = response.into_parts();
    // A stream that breaks off has ended too; what it said until then counts.
    let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    (parts.status, String::from_utf8_lossy(&bytes).into_owned())
}

async fn everything_open(house: &House, agent: &Agent) -> Open {
    let url = agent.port.url().to_owned();
    let bearer = format!("Bearer {}", agent.token);
    let mcp = format!("{url}/mcp");
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    }});
    let made = open(Method::POST, &mcp, &headers(&bearer, &[]), &initialize.to_string()).await;
    let session = made.headers()["mcp-session-id"].to_str().expect("text").to_owned();
    ended(made).await;
    let own = headers(&bearer, &[("mcp-session-id", &session)]);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    ended(open(Method::POST, &mcp, &own, &initialized.to_string()).await).await;
    let events = open(Method::GET, &mcp, &own, "").await;
    let presence = open(Method::GET, &format!("{url}/v1/session"), &headers(&bearer, &[]), "").await;
    assert_eq!([events.status(), presence.status()], [StatusCode::OK; 2]);
    let over_mcp = {
        let (bearer, session) = (bearer.clone(), session.clone());
        let params = json!({"name": "ask_human", "arguments": held("Over MCP?")});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        tokio::spawn(async move {
            let own = headers(&bearer, &[("mcp-session-id", &session)]);
            ended(open(Method::POST, &mcp, &own, &message).await).await
        })
    };
    let over_http = tokio::spawn(async move {
        let path = format!("{url}/v1/tools/ask_human");
        ended(open(Method::POST, &path, &headers(&bearer, &[]), &held("Over HTTP?").to_string()).await).await
    });
    house.open("both are held", |open| open.len() == 2 && open.iter().all(|listed| listed.waiting)).await;
    Open { presence, events, over_http, over_mcp }
}

impl Open {
    async fn ends_soon(self) {
        let begun = Instant::now();
        in_time("all of it ends", async {
            let (_, over_http, over_mcp) = tokio::join!(
                async { tokio::join!(ended(self.presence), ended(self.events)) },
                self.over_http,
                self.over_mcp,
            );
            let (status, text) = over_http.expect("it ran");
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{text}");
            assert!(text.contains("nobody decided: do not proceed"), "{text}");
            let (_, text) = over_mcp.expect("it ran");
            assert!(text.contains("nobody decided: do not proceed") && text.contains("\"isError\":true"), "{text}");
        })
        .await;
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    }
}

async fn must_be_refused(agent: &Agent) {
    let bearer = format!("Bearer {}", agent.token);
    for (method, path) in [(Method::GET, "/v1/tools"), (Method::GET, "/v1/session"), (Method::GET, "/mcp")] {
        let url = format!("{}{path}", agent.port.url());
        assert_eq!(open(method, &url, &headers(&bearer, &[]), "").await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
}

fn state(house: &House, id: &RequestId) -> State {
    house.broker().detail(id).expect("there").request.state
}

#[tokio::test]
async fn a_token_that_is_replaced_ends_all_that_is_open_and_the_new_one_goes_on_with_what_was_asked() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let other = house.pair("b").await;
    let others = other.port.open("/v1/session").await.expect("open");
    let all = everything_open(&house, &agent).await;
    let asked: Vec<_> =
        house.broker().open_list(None, 9).expect("a list").into_iter().map(|listed| listed.row.id).collect();
    let (renewed, kept) = house.rotate(&agent).await;
    all.ends_soon().await;
    assert!(!kept, "no bridge keeps it");
    must_be_refused(&agent).await;
    for id in &asked {
        assert_eq!(state(&house, id), State::Pending);
        house.answer(id, json!({"answer": "Red"})).await;
        let said = renewed.call("wait_for_answer", json!({"request_id": id})).await;
        assert_eq!(said["text"], "The person chose: Red.");
    }
    assert!(other.port.get("/v1/tools").await.is_ok());
    drop(others);
    // The same token again is nobody's, and a second replacement works as the first.
    let (again, _) = house.rotate(&renewed).await;
    must_be_refused(&renewed).await;
    assert!(again.port.get("/v1/tools").await.is_ok());
    house.broker().read(|db| Ok(db.verify_log()?)).expect("read").expect("the log holds");
}

#[tokio::test]
async fn a_token_that_is_revoked_ends_all_that_is_open_and_what_was_asked_is_cancelled() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let all = everything_open(&house, &agent).await;
    let asked: Vec<_> =
        house.broker().open_list(None, 9).expect("a list").into_iter().map(|listed| listed.row.id).collect();
    house.broker().revoke(&AgentId(agent.id.clone()), Person::at(Channel::Window)).await.expect("revoked");
    all.ends_soon().await;
    must_be_refused(&agent).await;
    for id in &asked {
        assert_eq!(state(&house, id), State::Cancelled);
    }
    let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
    assert!(rows.is_empty(), "its sessions are nobody's any more");
}

#[tokio::test]
async fn a_hundred_held_calls_end_within_a_second_of_the_revocation() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let calls: Vec<_> = (0..100)
        .map(|n| {
            let agent = agent.clone();
            tokio::spawn(async move { agent.try_call("ask_human", held(&format!("Question {n}?"))).await })
        })
        .collect();
    house.open("all are held", |open| open.len() == 100 && open.iter().all(|listed| listed.waiting)).await;
    let begun = Instant::now();
    house.broker().revoke(&AgentId(agent.id.clone()), Person::at(Channel::Window)).await.expect("revoked");
    for held in calls {
        let refused = held.await.expect("it ran").expect_err("an error").to_string();
        assert!(refused.contains("revoked or replaced"), "{refused}");
    }
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_bridge_whose_token_is_kept_goes_on_with_the_new_one_without_a_restart() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let home = countersign_host::Home::locate(Some(&house.home.path())).expect("a home");
    keep_token(&home, &agent.id, &agent.token, "a", "/w").expect("kept");
    let no_token = Agent { token: String::new(), ..agent.clone() };
    let (client, _bridge) = mcp::through_bridge(&house.home, &no_token, Era::Sessions).await;
    let present = async || {
        until("its session is there", || {
            let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
            rows.iter().any(|row| row.present).then_some(())
        })
        .await;
    };
    assert_eq!(call(&client, "list_specs", json!({})).await["isError"], false);
    present().await;
    let held = call(&client, "ask_human", held("Over the replacement?"));
    let person = async {
        let request = house.waiting().await;
        let (renewed, kept) = house.rotate(&agent).await;
        assert!(kept);
        // The same ask, made again with the new token, joins what waits.
        assert_eq!(house.waiting().await, request);
        house.answer(&request, json!({"answer": "Blue"})).await;
        renewed
    };
    let (said, renewed) = in_time("the answer", async { tokio::join!(held, person) }).await;
    assert_eq!(said["text"], "The person chose: Blue.");
    assert_eq!(kept_token(&home, &agent.id).map(|kept| kept.token), Some(renewed.token));
    assert_eq!(call(&client, "list_specs", json!({})).await["isError"], false);
    present().await;
}
