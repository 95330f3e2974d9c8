//! Who decides: nobody on the agents' port, and never over another's question.

use countersign_core::id::RequestId;
use countersign_core::request::State;
use countersign_inbox_tests::mcp::raw;
use countersign_inbox_tests::{Agent, House, in_time, question};
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use std::collections::HashSet;

fn id(said: &Value) -> String {
    said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned()
}

fn message(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| {
        let data = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap_or_else(|| panic!("{text}"));
        serde_json::from_str(data).expect("JSON")
    })
}

/// `tools/call` in the newest protocol, with this JSON-RPC id.
async fn call(agent: &Agent, rpc: &Value, tool: &str, arguments: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": rpc, "method": "tools/call", "params": params}).to_string();
    let bearer = format!("Bearer {}", agent.token);
    let headers = [
        ("authorization", bearer.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let (status, _, text) = raw(Method::POST, &format!("{}/mcp", agent.port.url()), &headers, &body).await;
    assert_eq!(status, 200, "{text}");
    message(&text)
}

#[tokio::test]
async fn two_agents_with_the_same_json_rpc_ids_and_the_same_question_each_get_their_own_answer() {
    let house = House::new().await;
    let agents = [house.pair("a").await, house.pair("b").await];
    let rpc = [json!(7), json!("7")];
    for rpc in &rpc {
        let ask = json!({"question": format!("Same, {rpc}?"), "options": ["A", "B"]});
        let calls = join_all(agents.iter().map(|agent| call(agent, rpc, "ask_human", ask.clone())));
        let person = async {
            let open = house.open("both wait", |open| open.len() == 2 && open.iter().all(|one| one.waiting)).await;
            assert_ne!(open[0].row.id, open[1].row.id);
            // The later one first, so that order settles nothing.
            for listed in open.iter().rev() {
                let own = if listed.row.agent == "a" { "A" } else { "B" };
                house.answer(&listed.row.id, json!({"answer": own})).await;
            }
        };
        let (said, ()) = in_time("both answers", async { tokio::join!(calls, person) }).await;
        for (said, own) in said.iter().zip(["A", "B"]) {
            assert_eq!((&said["id"], &said["result"]["structuredContent"]["chosen"]), (rpc, &json!([own])), "{said}");
        }
    }
}

#[tokio::test]
async fn fifty_questions_at_once_from_five_agents_without_a_window_each_get_their_own_answer() {
    let house = House::new().await;
    let mut agents = Vec::new();
    for n in 0..5 {
        agents.push(house.pair(&format!("agent {n}")).await);
    }
    let calls = (0..50).map(|n| {
        let agent = &agents[n % 5];
        let options = json!([format!("for {n}"), "other"]);
        async move {
            let ask = json!({"question": format!("Question {n}?"), "options": options});
            (n, call(agent, &json!(1), "ask_human", ask).await)
        }
    });
    let person = async {
        let open = house.open("all wait", |open| open.len() == 50 && open.iter().all(|one| one.waiting)).await;
        for listed in open {
            let request = house.broker().detail(&listed.row.id).expect("there").request;
            let own = request.ask.questions[0].options[0].label.clone();
            house.answer(&listed.row.id, json!({"answer": own})).await;
        }
    };
    let (said, ()) = in_time("all answers", async { tokio::join!(join_all(calls), person) }).await;
    for (n, said) in said {
        assert_eq!(said["result"]["structuredContent"]["chosen"], json!([format!("for {n}")]), "{said}");
    }
}

#[tokio::test]
async fn ids_are_our_own_long_and_never_seen_twice() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let mut seen = HashSet::new();
    for n in 0..100 {
        let request = agent.ask(&format!("Question {n}?")).await;
        assert!(request.len() >= 20, "{request} could be guessed");
        assert!(seen.insert(request));
    }
}

/// Every word in which an agent might try to decide.
fn attempts(id: &str) -> Vec<Value> {
    let answers = [
        json!({"answer": "Red"}),
        json!({"confirm-delete": true}),
        json!({"confirm-duplicate-title": "create anyway"}),
    ];
    let mut attempts =
        vec![json!({"request_id": id}), json!({"passphrase": "x", "verb": "prove", "unattended": false})];
    for answers in answers {
        attempts.extend([
            json!({"request_id": id, "answers": answers}),
            json!({"id": id, "answers": answers, "typed": "SPEC-001", "actor": "person", "channel": "window"}),
            json!({"request_id": id, "state": "answered", "decision": {"answers": answers, "channel": "dialog"}}),
            json!({"verb": "answer", "id": id, "answers": answers, "comment": null, "typed": "SPEC-001"}),
        ]);
    }
    attempts
}

const ROUTES: [&str; 26] = [
    "/",
    "/mcp",
    "/openapi.json",
    "/v1",
    "/v1/answer",
    "/v1/decide",
    "/v1/decisions",
    "/v1/events",
    "/v1/health",
    "/v1/inbox",
    "/v1/pair",
    "/v1/pair/ID",
    "/v1/requests",
    "/v1/requests/ID",
    "/v1/requests/ID/answer",
    "/v1/requests/ID/approve",
    "/v1/requests/ID/decide",
    "/v1/requests/ID/decline",
    "/v1/session",
    "/v1/steps",
    "/v1/tools",
    "/v1/tools/answer",
    "/v1/tools/answer_request",
    "/v1/tools/approve",
    "/v1/tools/decide",
    "/v1/hooks/claude-code",
];

struct Waiting {
    house: House,
    agent: Agent,
    /// Ids by class: `ask`, `ambiguity`, `destructive`.
    requests: [String; 3],
}

/// One pending request of each class that an agent can make today.
async fn one_of_each() -> Waiting {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let ask = agent.ask("Which?").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    let doubt = id(&agent.call("create_spec", json!({"title": "Login"})).await);
    let delete = id(&agent.call("delete_spec", json!({"spec": "SPEC-001"})).await);
    Waiting { house, agent, requests: [ask, doubt, delete] }
}

impl Waiting {
    fn states(&self) -> [State; 3] {
        self.requests.clone().map(|id| self.house.broker().detail(&RequestId(id)).expect("there").request.state)
    }
}

/// The head of an answer is enough; a stream that stays open is left.
async fn knock(agent: &Agent, method: Method, path: &str, body: &str) {
    let bearer = format!("Bearer {}", agent.token);
    let headers = [
        ("authorization", bearer.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ];
    let url = format!("{}{path}", agent.port.url());
    let sent = raw(method, &url, &headers, body);
    if path == "/v1/session" {
        // It says nothing and never ends: begun is enough.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(50), sent).await;
    } else {
        in_time(path, sent).await;
    }
}

#[tokio::test]
async fn no_route_whatever_the_method_and_the_body_answers_a_request_for_an_agents_token() {
    let scene = one_of_each().await;
    let stranger = scene.house.pair("b").await;
    for agent in [&scene.agent, &stranger] {
        for (request, path) in scene.requests.iter().flat_map(|id| ROUTES.map(|path| (id, path.replace("ID", id)))) {
            for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                let bodies = if method == Method::POST { attempts(request) } else { attempts(request).split_off(13) };
                for body in bodies {
                    let body = if method == Method::GET { String::new() } else { body.to_string() };
                    knock(agent, method.clone(), &path, &body).await;
                }
            }
        }
    }
    assert_eq!(scene.states(), [State::Pending; 3]);
}

#[tokio::test]
async fn no_tool_answers_a_request_but_by_a_relayed_answer_to_the_agents_own_harmless_question() {
    let scene = one_of_each().await;
    let stranger = scene.house.pair("b").await;
    let tools = scene.agent.port.get("/v1/tools").await.expect("listed");
    let names: Vec<_> = tools["tools"].as_array().expect("a list").iter().map(|tool| tool["name"].clone()).collect();
    for agent in [&stranger, &scene.agent] {
        for tool in names.iter().map(|name| name.as_str().expect("a name")) {
            for request in &scene.requests {
                for mut arguments in attempts(request) {
                    // What waits or takes back has tests of its own; here it would only take time, or end what is watched.
                    if tool == "wait_for_answer" || tool == "cancel_request" && agent.id == scene.agent.id {
                        arguments["request_id"] = json!("another");
                    }
                    agent.try_call(tool, arguments).await.expect("an answer");
                }
            }
            for extra in [json!({}), json!({"typed": "SPEC-001"}), json!({"confirmed": true})] {
                let mut delete = json!({"spec": "SPEC-001", "answers": {"confirm-delete": true}});
                delete.as_object_mut().expect("an object").extend(extra.as_object().cloned().unwrap_or_default());
                let said = agent.call("delete_spec", delete).await;
                assert_ne!(said["structuredContent"]["outcome"], "deleted", "{said}");
            }
        }
    }
    assert_eq!(scene.states(), [State::Pending; 3], "nothing was answered so far");

    // Another agent's word on it doesn't count, even where it asks the same.
    let question = scene.house.broker().detail(&RequestId(scene.requests[1].clone())).expect("there").request;
    let relayed = json!({"title": "Login", "answers": {"confirm-duplicate-title": "create anyway"}});
    stranger.call("create_spec", relayed.clone()).await;
    assert_eq!(scene.states()[1], State::Pending);
    let made = scene.agent.call("create_spec", relayed).await;
    assert_eq!(made["structuredContent"]["outcome"], "created", "{made}");
    assert_eq!(scene.states(), [State::Pending, State::Answered, State::Pending], "its own, harmless, and that alone");
    let settled = scene.house.broker().detail(&RequestId(scene.requests[1].clone())).expect("there").request;
    let channel = settled.decision.expect("decided").channel;
    assert_eq!(channel, countersign_core::channel::Channel::Relayed, "and marked as what it is");
    assert_eq!(question.state, State::Pending);
}

#[tokio::test]
async fn a_question_is_on_disk_when_its_asker_hears_of_it_though_there_is_no_window_at_all() {
    let house = House::new().await;
    let said = house.pair("a").await.call("ask_human", question("Recorded?")).await;
    let mut beside = countersign_store::Store::open(&house.home.path().join("countersign.db")).expect("opened");
    let found = beside.write(|tx| tx.request(&RequestId(id(&said)))).expect("read").expect("there");
    assert_eq!((found.state, found.ask.title.as_str()), (State::Pending, "Recorded?"));
}
