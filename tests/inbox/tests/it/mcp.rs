//! A real MCP client walks through every tool: over the port and through the bridge, in both protocol eras.

use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_inbox_tests::mcp::{self, Client, Era, call};
use countersign_inbox_tests::{House, in_time, question};
use serde_json::{Value, json};

const TOOLS: [&str; 29] = [
    "ask_human",
    "ask_questions",
    "cancel_request",
    "cancel_run",
    "check_readiness",
    "create_spec",
    "delete_spec",
    "deploy_spec",
    "export_specs",
    "get_request",
    "get_run",
    "get_spec",
    "import_specs",
    "list_specs",
    "lock_spec",
    "present_plan",
    "record_evidence",
    "request_file",
    "request_human_approval",
    "request_manual_intervention",
    "request_mode",
    "retire_source",
    "search_specs",
    "set_todos",
    "unlock_spec",
    "update_spec",
    "update_status",
    "validate",
    "wait_for_answer",
];

fn id(said: &Value) -> RequestId {
    RequestId(said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned())
}

fn state(said: &Value) -> &str {
    said["structuredContent"]["state"].as_str().unwrap_or_else(|| panic!("{said}"))
}

async fn walks_through_every_tool(house: &House, client: &Client) {
    let listed = client.list_all_tools().await.expect("a list");
    let mut names: Vec<_> = listed.iter().map(|tool| tool.name.to_string()).collect();
    names.sort();
    assert_eq!(names, TOOLS);
    asks_and_waits(house, client).await;
    makes_and_deletes_a_spec(house, client).await;
    plans(house, client).await;
}

async fn asks_and_waits(house: &House, client: &Client) {
    // Held until the answer comes, in the same call.
    let ask = json!({"question": "Which colour? 🎨", "options": ["Red", "Blue"]});
    let (said, ()) = tokio::join!(call(client, "ask_human", ask.clone()), async {
        house.answer(&house.waiting().await, json!({"answer": "Red"})).await;
    });
    assert_eq!((said["text"].as_str(), state(&said)), (Some("The person chose: Red."), "answered"), "{said}");
    let again = call(client, "ask_human", ask).await;
    assert_eq!((state(&again), &again["structuredContent"]["chosen"]), ("answered", &json!(["Red"])), "{again}");

    // Not held: pending, looked at, waited for.
    let said = call(client, "ask_human", question("And which size?")).await;
    assert_eq!(state(&said), "pending");
    let request = id(&said);
    let by_id = json!({"request_id": request});
    assert_eq!(state(&call(client, "get_request", by_id.clone()).await), "pending");
    let (said, ()) = tokio::join!(call(client, "wait_for_answer", by_id.clone()), async {
        house.answer(&house.waiting().await, json!({"answer": {"other": "42"}})).await;
    });
    assert_eq!(said["text"], "Their own answer: 42");
    let late = call(client, "cancel_request", by_id).await;
    assert_eq!(state(&late), "answered", "a late cancel changes nothing");

    // Taken back.
    let request = id(&call(client, "ask_human", question("Never mind?")).await);
    let by_id = json!({"request_id": request});
    assert_eq!(state(&call(client, "cancel_request", by_id.clone()).await), "cancelled");
    let said = call(client, "get_request", by_id).await;
    assert!(said["text"].as_str().expect("a text").contains("Nobody decided"), "{said}");
    let unknown = call(client, "get_request", json!({"request_id": "no-such-id"})).await;
    assert_eq!(unknown["isError"], true, "{unknown}");
}

async fn makes_and_deletes_a_spec(house: &House, client: &Client) {
    let made = call(client, "create_spec", json!({"title": "Login", "criteria": ["Signs in within 2 s"]})).await;
    let spec = made["structuredContent"]["id"].clone();
    assert_eq!((&spec, &made["structuredContent"]["status"]), (&json!("SPEC-001"), &json!("draft")), "{made}");
    let found = call(client, "get_spec", json!({"spec": spec})).await;
    assert_eq!(found["structuredContent"]["criteria"][0]["text"], "Signs in within 2 s", "{found}");
    let listed = call(client, "list_specs", json!({})).await;
    assert_eq!(listed["structuredContent"]["specs"][0]["id"], spec, "{listed}");
    let delete = json!({"spec": spec});
    let asks = call(client, "delete_spec", delete.clone()).await;
    assert_eq!(asks["structuredContent"]["interactiveQuestions"][0]["id"], "confirm-delete", "{asks}");
    let answers = json!({"confirm-delete": true});
    house.answer_at(Channel::Dialog, &id(&asks), answers, Some("SPEC-001")).await;
    let deleted = call(client, "delete_spec", delete).await;
    assert_eq!(deleted["structuredContent"]["outcome"], "deleted", "{deleted}");
    let listed = call(client, "list_specs", json!({})).await;
    assert_eq!(listed["structuredContent"]["specs"], json!([]));
}

async fn plans(house: &House, client: &Client) {
    let now = call(client, "request_mode", json!({"mode": "plan"})).await;
    assert_eq!(now["structuredContent"]["mode"], "plan", "{now}");
    let names: Vec<_> =
        client.list_all_tools().await.expect("a list").iter().map(|tool| tool.name.to_string()).collect();
    assert!(!names.contains(&"create_spec".to_owned()) && names.contains(&"get_spec".to_owned()), "{names:?}");
    let plan = json!({"plan": "# Move the ledger\n\n1. Read\n2. Move"});
    let (said, ()) = tokio::join!(call(client, "present_plan", plan), async {
        house.answer_at(Channel::Dialog, &house.waiting().await, json!({"plan": "Run it"}), None).await;
    });
    let words =
        "The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step.";
    assert_eq!((said["text"].as_str(), &said["structuredContent"]["outcome"]), (Some(words), &json!("run")), "{said}");
}

#[tokio::test]
async fn a_client_of_the_newest_protocol_walks_through_every_tool_over_the_port() {
    let house = House::new().await;
    let client = mcp::over_http(&house.pair("a").await, Era::Newest).await;
    in_time("the walk", walks_through_every_tool(&house, &client)).await;
}

#[tokio::test]
async fn a_client_with_sessions_walks_through_every_tool_over_the_port() {
    let house = House::new().await;
    let client = mcp::over_http(&house.pair("a").await, Era::Sessions).await;
    in_time("the walk", walks_through_every_tool(&house, &client)).await;
}

#[tokio::test]
async fn a_client_of_the_newest_protocol_walks_through_every_tool_through_the_bridge() {
    let house = House::new().await;
    let (client, _bridge) = mcp::through_bridge(&house.home, &house.pair("a").await, Era::Newest).await;
    in_time("the walk", walks_through_every_tool(&house, &client)).await;
}

#[tokio::test]
async fn a_client_that_initializes_walks_through_every_tool_through_the_bridge() {
    let house = House::new().await;
    let (client, _bridge) = mcp::through_bridge(&house.home, &house.pair("a").await, Era::Sessions).await;
    in_time("the walk", walks_through_every_tool(&house, &client)).await;
}

#[tokio::test]
async fn a_client_with_a_session_goes_on_after_the_app_was_restarted_and_gets_the_answer_by_its_id() {
    let mut house = House::new().await;
    let client = mcp::over_http(&house.pair("a").await, Era::Sessions).await;
    let request = id(&call(&client, "ask_human", question("Over a restart?")).await);
    house.stop().await;
    house.start().await;
    house.answer(&request, json!({"answer": "Blue"})).await;
    let said = in_time("the answer", call(&client, "wait_for_answer", json!({"request_id": request}))).await;
    assert_eq!(said["text"], "The person chose: Blue.");
}
