//! The note about a mode that the agent did not hear of: with the first result after the change, once, whichever way it calls.

use countersign_broker::Person;
use countersign_core::channel::Channel;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_inbox_tests::mcp::{self, Client, Era, call};
use countersign_inbox_tests::{Agent, House, in_time, until};
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};

const WINDOW: Person = Person::at(Channel::Window);

async fn set(house: &House, session: &SessionId, mode: Mode) {
    house.broker().set_mode(session, mode, WINDOW).await.expect("switched");
}

/// The session that was seen last.
async fn session(house: &House) -> SessionId {
    until("a session is there", || {
        let rows = house.broker().read(|db| Ok(db.latest_sessions(1)?)).expect("rows");
        rows.into_iter().next().map(|row| row.session.id)
    })
    .await
}

fn text(said: &Value) -> &str {
    said["text"].as_str().unwrap_or_else(|| panic!("{said}"))
}

fn note(said: &Value) -> Option<&str> {
    let note = said["structuredContent"]["note"].as_str();
    // In both forms, or in none.
    assert_eq!(note.is_some(), text(said).contains("\nNote: "), "{said}");
    note
}

/// That a note was told is on disk; it is written after the result was.
async fn settled(house: &House, session: &SessionId) {
    until("it is kept that the agent was told", || {
        let modes = house.broker().read(|db| Ok(db.told_mode(session)?)).expect("reads");
        modes.filter(|knows| Some(knows.now) == knows.told).map(|_| ())
    })
    .await;
}

async fn hears_once(house: &House, says: impl AsyncFn(&str, Value) -> Value) {
    says("list_specs", json!({})).await;
    let session = session(house).await;
    for (mode, words) in
        [(Mode::Interactive, "interactive mode"), (Mode::Plan, "plan mode"), (Mode::Guided, "from plan mode to guided")]
    {
        assert_eq!(note(&says("list_specs", json!({})).await), None);
        set(house, &session, mode).await;
        let said = says("list_specs", json!({})).await;
        assert!(note(&said).is_some_and(|note| note.contains(words)), "{said}");
        assert!(said["structuredContent"]["specs"].is_array(), "beside what was asked for: {said}");
        settled(house, &session).await;
        assert_eq!(note(&says("list_specs", json!({})).await), None, "once");
    }
    // What is refused is a result too, and carries it.
    set(house, &session, Mode::Plan).await;
    let said = says("create_spec", json!({"title": "Login"})).await;
    assert_eq!(said["isError"], true);
    assert!(text(&said).contains("\nNote: the person switched this session to plan mode"), "{said}");
    settled(house, &session).await;
    assert_eq!(note(&says("list_specs", json!({})).await), None);
    // It falls into a call that is held: that call's result says it.
    let (said, ()) = tokio::join!(says("ask_human", json!({"question": "Which?", "options": ["A", "B"]})), async {
        let id = house.waiting().await;
        set(house, &session, Mode::Interactive).await;
        house.answer(&id, json!({"answer": "A"})).await;
    });
    assert!(text(&said).starts_with("The person chose: A."), "{said}");
    assert!(note(&said).is_some_and(|note| note.contains("to interactive mode")), "{said}");
    settled(house, &session).await;
    // What the agent asked for, and how its plan ended, it heard.
    assert_eq!(note(&says("request_mode", json!({"mode": "plan"})).await), None);
    let (said, ()) = tokio::join!(says("present_plan", json!({"plan": "# One"})), async {
        let id = house.waiting().await;
        house.answer_at(Channel::Dialog, &id, json!({"plan": "Run it"}), None).await;
    });
    assert!(text(&said).contains("(now interactive mode)"), "{said}");
    assert_eq!(note(&said), None);
    assert_eq!(note(&says("list_specs", json!({})).await), None);
}

async fn over_mcp(house: &House, client: &Client) {
    // An error of MCP has no structured part.
    in_time("the walk", hears_once(house, async |tool, arguments| call(client, tool, arguments).await)).await;
}

#[tokio::test]
async fn a_program_over_plain_http_hears_of_a_mode_once() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    in_time("the walk", hears_once(&house, async |tool, arguments| agent.call(tool, arguments).await)).await;
}

#[tokio::test]
async fn a_client_of_the_newest_protocol_hears_of_a_mode_once_over_the_port() {
    let house = House::new().await;
    let client = mcp::over_http(&house.pair("a").await, Era::Newest).await;
    over_mcp(&house, &client).await;
}

#[tokio::test]
async fn a_client_with_sessions_hears_of_a_mode_once_over_the_port() {
    let house = House::new().await;
    let client = mcp::over_http(&house.pair("a").await, Era::Sessions).await;
    over_mcp(&house, &client).await;
}

#[tokio::test]
async fn a_client_of_the_newest_protocol_hears_of_a_mode_once_through_the_bridge() {
    let house = House::new().await;
    let (client, _bridge) = mcp::through_bridge(&house.home, &house.pair("a").await, Era::Newest).await;
    over_mcp(&house, &client).await;
}

#[tokio::test]
async fn a_client_with_sessions_hears_of_a_mode_once_through_the_bridge() {
    let house = House::new().await;
    let (client, _bridge) = mcp::through_bridge(&house.home, &house.pair("a").await, Era::Sessions).await;
    over_mcp(&house, &client).await;
}

/// What the newest protocol has in the place of being told: each list is as the mode is.
async fn finds_the_list_of_the_mode(house: &House, client: &Client) {
    let writes = async || client.list_all_tools().await.expect("a list").iter().any(|tool| tool.name == "create_spec");
    assert!(writes().await);
    let session = session(house).await;
    for (mode, wanted) in [(Mode::Plan, false), (Mode::Interactive, true), (Mode::Plan, false), (Mode::Guided, true)] {
        set(house, &session, mode).await;
        assert_eq!(writes().await, wanted, "{mode:?}");
    }
}

#[tokio::test]
async fn a_client_of_the_newest_protocol_finds_the_tools_of_the_mode_each_time_it_lists_them() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let over_port = mcp::over_http(&agent, Era::Newest).await;
    in_time("it follows", finds_the_list_of_the_mode(&house, &over_port)).await;
    let other = house.pair("b").await;
    let (through_bridge, _bridge) = mcp::through_bridge(&house.home, &other, Era::Newest).await;
    in_time("it follows", finds_the_list_of_the_mode(&house, &through_bridge)).await;
}

#[tokio::test]
async fn a_note_that_a_call_was_to_bring_and_that_was_given_up_comes_with_the_next() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let client = mcp::over_http(&agent, Era::Newest).await;
    call(&client, "list_specs", json!({})).await;
    let session = session(&house).await;
    let ask = json!({"question": "Which?", "options": ["A", "B"]}).as_object().expect("an object").clone();
    let held = CallToolRequestParams::new("ask_human").with_arguments(ask);
    let given_up = in_time("one waits", async {
        tokio::select! {
            _ = client.call_tool(held) => unreachable!("nobody answers"),
            id = house.waiting() => id,
        }
    })
    .await;
    // The client hung up; then the mode changes, and the answer comes to nobody.
    set(&house, &session, Mode::Plan).await;
    house.answer(&given_up, json!({"answer": "A"})).await;
    let said = call(&client, "list_specs", json!({})).await;
    assert!(note(&said).is_some_and(|note| note.contains("to plan mode")), "{said}");
}

#[tokio::test]
async fn over_a_restart_an_agent_is_told_what_it_was_not_told_and_nothing_else() {
    let mut house = House::new().await;
    let (told, untold) = (house.pair("told").await, house.pair("untold").await);
    let enter = async |house: &House, agent: &Agent| {
        let known = house.broker().authenticate(&agent.token).expect("read").expect("known");
        house.broker().enter(&known, None, None).await.expect("entered").session
    };
    for agent in [&told, &untold] {
        let session = enter(&house, agent).await;
        set(&house, &session, Mode::Plan).await;
    }
    assert!(note(&told.call("list_specs", json!({})).await).is_some());
    settled(&house, &enter(&house, &told).await).await;
    house.stop().await;
    house.start().await;
    assert_eq!(note(&told.call("list_specs", json!({})).await), None);
    assert!(note(&untold.call("list_specs", json!({})).await).is_some());
    // A new session of an agent that plans starts in plan mode, and is told so.
    let port = told.port.clone().with_session("another");
    let said = port.call("list_specs", &json!({})).await.expect("a result");
    assert!(note(&said).is_some_and(|note| note.starts_with("this session is in plan mode")), "{said}");
}

#[tokio::test]
async fn an_agent_that_is_told_it_may_go_on_without_a_plan_presents_none() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let said = agent.call("present_plan", json!({"plan": "# One", "hold_seconds": 0})).await;
    let id = RequestId(said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned());
    set(&house, &session(&house).await, Mode::Guided).await;
    let said = agent.call("present_plan", json!({"plan": "# Two", "hold_seconds": 0})).await;
    let words = "present_plan only works in plan mode: you aren't in it, so just go ahead.\nNote: the person switched this session from plan mode to guided mode";
    assert!(said["isError"] == true && text(&said).starts_with(words), "{said}");
    assert_eq!(note(&said), said["structuredContent"]["note"].as_str(), "over HTTP a refusal has it in both forms");
    assert!(house.broker().open_list(None, 9).expect("a list").iter().any(|listed| listed.row.id == id));
}
