//! Slow, large and many.

use crate::house::{House, question};
use crate::raw::{self, Line, request};
use countersign_gateway::Limits;
use serde_json::json;
use std::time::Duration;

fn quick() -> Limits {
    Limits { head: Duration::from_millis(500), body: Duration::from_millis(500), ..Limits::default() }
}

#[tokio::test]
async fn bodies_over_the_limit_get_413_and_the_limit_is_larger_with_a_token() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let name = |n: usize| json!({"name": "x".repeat(n)}).to_string();
    assert_eq!(
        raw::once(house.port, "POST", "/v1/pair", &[], &name((64 << 10) - 11)).await.head.status,
        422,
        "read, and too long a name"
    );
    assert_eq!(raw::once(house.port, "POST", "/v1/pair", &[], &name(64 << 10)).await.head.status, 413);
    let mut line = Line::open(house.port).await;
    let said = format!(
        "POST /v1/tools/ask_human HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        house.port,
        token.0,
        (4 << 20) + 1
    );
    line.write(said.as_bytes()).await;
    assert_eq!(line.head().await.status, 413);
    let mut line = Line::open(house.port).await;
    line.write(
        format!("POST /v1/pair HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ntransfer-encoding: chunked\r\n\r\n", house.port)
            .as_bytes(),
    )
    .await;
    for _ in 0..65 {
        line.write(format!("400\r\n{}\r\n", "x".repeat(1024)).as_bytes()).await;
    }
    assert_eq!(line.head().await.status, 413, "without a length too");
}

#[tokio::test]
async fn a_client_that_sends_too_much_gets_to_read_why() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let reply = house.once(&token, "POST", "/v1/tools/create_spec", &" ".repeat((4 << 20) + (1 << 20))).await;
    assert_eq!((reply.head.status, reply.json()["code"].as_str()), (413, Some("too_large")));
}

#[tokio::test]
async fn a_slow_head_is_closed_and_a_slow_body_gets_408() {
    let house = House::with(quick()).await;
    let mut head = Line::open(house.port).await;
    head.write(b"GET /v1/health HTTP/1.1\r\nho").await;
    let mut silent = Line::open(house.port).await;
    let mut body = Line::open(house.port).await;
    body.write(
        format!("POST /v1/pair HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-length: 20\r\n\r\n{{", house.port).as_bytes(),
    )
    .await;
    assert!(head.closes().await);
    assert!(silent.closes().await);
    assert_eq!(body.head().await.status, 408);
}

#[tokio::test]
async fn an_agents_pooled_connection_outlives_the_head_deadline() {
    let house = House::with(quick()).await;
    let token = house.pair("a").await;
    let mut line = Line::open(house.port).await;
    let mut stranger = Line::open(house.port).await;
    let get = request(house.port, "GET", "/v1/tools", &[("authorization", &token.0)], "");
    line.write(&get).await;
    assert_eq!(line.reply().await.head.status, 200);
    stranger.write(&request(house.port, "GET", "/v1/health", &[], "")).await;
    assert_eq!(stranger.reply().await.head.status, 200);
    // The stranger's connection, used later, is closed for resting too long; the agent's is still there after that.
    assert!(stranger.closes().await);
    line.write(&get).await;
    assert_eq!(line.reply().await.head.status, 200);
}

#[tokio::test]
async fn over_the_cap_of_strangers_a_newcomer_is_refused_at_once_and_an_agent_that_is_in_stays_served() {
    let limits = Limits { strangers: 4, stranger_grace: Duration::from_secs(60), ..Limits::default() };
    let house = House::with(limits).await;
    let token = house.pair("a").await;
    let mut agent = Line::open(house.port).await;
    let get = request(house.port, "GET", "/v1/tools", &[("authorization", &token.0)], "");
    agent.write(&get).await;
    assert_eq!(agent.reply().await.head.status, 200);
    let mut crowd = Vec::new();
    for _ in 0..4 {
        crowd.push(Line::open(house.port).await);
    }
    let mut refused = Line::open(house.port).await;
    let reply = refused.reply().await;
    assert_eq!((reply.head.status, reply.head.get("retry-after")), (503, Some("1")));
    assert!(refused.closes().await);
    agent.write(&get).await;
    assert_eq!(agent.reply().await.head.status, 200);
}

#[tokio::test]
async fn a_crowd_of_silent_sockets_does_not_keep_a_paired_agent_out() {
    let house = House::with(Limits { strangers: 4, stranger_grace: Duration::ZERO, ..Limits::default() }).await;
    let token = house.pair("a").await;
    let mut crowd = Vec::new();
    for _ in 0..20 {
        crowd.push(Line::open(house.port).await);
    }
    assert_eq!(house.once(&token, "GET", "/v1/tools", "").await.head.status, 200);
}

#[tokio::test]
async fn a_flood_of_one_agent_is_cut_with_a_time_to_come_back_and_another_agent_is_unaffected() {
    let house = House::with(Limits { creates_burst: 5, creates_per_second: 1, ..Limits::default() }).await;
    let (one, other) = (house.pair("one").await, house.pair("other").await);
    let mut cut = 0;
    for n in 0..30 {
        let mut ask = question(&format!("Question {n}?"));
        ask["hold_seconds"] = json!(0);
        let reply = house.once(&one, "POST", "/v1/tools/ask_human", &ask.to_string()).await;
        if reply.head.status == 429 {
            cut += 1;
            assert_eq!(reply.head.get("retry-after"), Some("1"));
        }
    }
    assert!((20..=25).contains(&cut), "{cut}");
    let mut ask = question("Mine?");
    ask["hold_seconds"] = json!(0);
    assert_eq!(house.tool(&other, "ask_human", ask).await["structuredContent"]["state"], "pending");
    assert_eq!(house.tool(&one, "list_specs", json!({})).await["isError"], false, "reading isn't counted");
}

#[tokio::test]
async fn odd_requests_are_refused_and_the_port_goes_on() {
    let house = House::new().await;
    let long = "x".repeat(70_000);
    for bytes in [
        format!("GET /{long} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n", house.port),
        format!("GET /v1/health HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nx: {long}\r\n\r\n", house.port),
        format!("GET /v1/health HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n{}\r\n", house.port, "x: y\r\n".repeat(200)),
        "\u{0}\u{1}garbage\r\n\r\n".to_owned(),
    ] {
        let mut line = Line::open(house.port).await;
        // The server may close before all of it is written; that is fine.
        let _ = tokio::io::AsyncWriteExt::write_all(line.0.get_mut(), bytes.as_bytes()).await;
        let status = line.head().await.status;
        assert!([400, 414, 431].contains(&status), "{status} for {bytes:.30}");
    }
    assert_eq!(raw::once(house.port, "GET", "/v1/health", &[], "").await.head.status, 200);
}

#[tokio::test]
async fn at_shutdown_held_calls_return_what_stands_and_all_is_over_within_two_seconds() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let mut held = house.hold(&token, "ask_human", question("Which?")).await;
    house.waiting().await;
    let mut silent = Line::open(house.port).await;
    let start = tokio::time::Instant::now();
    house.shutdown.cancel();
    let reply = held.reply().await.json();
    assert_eq!(reply["structuredContent"]["state"], "pending");
    house.served.await.expect("ended");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(silent.closes().await);
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", house.port)).await.is_err());
}
