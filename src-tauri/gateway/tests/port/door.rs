//! Who gets in.

use crate::house::House;
use crate::raw;

const ROUTES: [(&str, &str); 9] = [
    ("GET", "/v1/health"),
    ("POST", "/v1/pair"),
    ("GET", "/v1/pair/x"),
    ("GET", "/v1/tools"),
    ("POST", "/v1/tools/ask_human"),
    ("GET", "/v1/session"),
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
];

#[tokio::test]
async fn every_route_refuses_foreign_hosts_and_origins_before_anything_else() {
    let house = House::new().await;
    let token = house.pair("a").await;
    for (method, path) in ROUTES {
        let foreign =
            raw::once(house.port, method, path, &[("host", "evil.com"), ("authorization", &token.0)], "").await;
        assert_eq!(foreign.head.status, 403, "{method} {path}");
        for origin in ["https://evil.com", "null", "file://", "chrome-extension://x"] {
            let reply =
                raw::once(house.port, method, path, &[("origin", origin), ("authorization", &token.0)], "").await;
            assert_eq!(reply.head.status, 403, "{method} {path} {origin}");
            assert!(reply.json()["message"].is_string());
        }
    }
}

#[tokio::test]
async fn a_missing_or_doubled_host_is_a_bad_request_and_preflights_get_no_cors_header() {
    let house = House::new().await;
    let mut line = raw::Line::open(house.port).await;
    line.write(b"GET /v1/health HTTP/1.1\r\n\r\n").await;
    assert_eq!(line.head().await.status, 400);
    let ours = format!("127.0.0.1:{}", house.port);
    let twice = raw::once(house.port, "GET", "/v1/health", &[("host", &ours), ("host", "evil.com")], "").await;
    assert_eq!(twice.head.status, 400);
    let absolute = raw::once(house.port, "GET", "http://evil.com/v1/health", &[], "").await;
    assert_eq!(absolute.head.status, 400);
    for (_, path) in ROUTES {
        let own = format!("http://{ours}");
        let asked = [
            ("origin", own.as_str()),
            ("access-control-request-method", "POST"),
            ("access-control-request-private-network", "true"),
        ];
        let reply = raw::once(house.port, "OPTIONS", path, &asked, "").await;
        assert_eq!(reply.head.status, 405, "{path}");
        assert!(!reply.head.headers.iter().any(|(name, _)| name.starts_with("access-control")), "{path}");
    }
}

#[tokio::test]
async fn absent_wrong_and_revoked_tokens_get_one_and_the_same_answer() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let agent = house.broker.authenticate(token.0.trim_start_matches("Bearer ")).expect("read").expect("an agent");
    let person = countersign_broker::Person::at(countersign_core::channel::Channel::Window);
    house.broker.revoke(&agent.id, person).await.expect("revoked");
    let mut bodies = Vec::new();
    for (method, path) in ROUTES.into_iter().skip(3) {
        for authorization in [None, Some("Bearer x"), Some("Basic x"), Some(""), Some(token.0.as_str())] {
            let headers: Vec<_> = authorization.map(|value| ("authorization", value)).into_iter().collect();
            let reply = raw::once(house.port, method, path, &headers, "").await;
            assert_eq!(reply.head.status, 401, "{method} {path} {authorization:?}");
            assert_eq!(reply.head.get("www-authenticate"), Some("Bearer"));
            bodies.push(reply.text);
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
    assert!(bodies[0].contains("pair again"), "{}", bodies[0]);
}

#[tokio::test]
async fn every_answer_is_json_that_is_not_sniffed_or_stored_and_oauth_is_nowhere() {
    let house = House::new().await;
    let token = house.pair("a").await;
    for path in ["/", "/v1/health", "/v1/decide", "/.well-known/oauth-protected-resource", "/index.html", "/v1/tools"] {
        for headers in [vec![], vec![("authorization", token.0.as_str()), ("accept", "text/html")]] {
            let reply = raw::once(house.port, "GET", path, &headers, "").await;
            assert_eq!(reply.head.get("content-type"), Some("application/json"), "{path}");
            assert_eq!(reply.head.get("x-content-type-options"), Some("nosniff"), "{path}");
            assert_eq!(reply.head.get("cache-control"), Some("no-store"), "{path}");
            reply.json();
            if path.starts_with("/.well-known") {
                assert_eq!(reply.head.status, 404);
            }
        }
    }
    let health = raw::once(house.port, "GET", "/v1/health", &[], "").await.json();
    assert_eq!((health["status"].as_str(), health["name"].as_str()), (Some("ok"), Some("countersign")));
}

#[tokio::test]
async fn a_listener_that_others_could_reach_is_not_served() {
    let house = House::new().await;
    let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.expect("bound");
    let served =
        countersign_gateway::serve(vec![listener], house.broker.clone(), Default::default(), Default::default()).await;
    assert!(matches!(served, Err(countersign_gateway::ServeError::NotLoopback(_))));
}
