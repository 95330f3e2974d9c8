//! Plans and modes: who leaves plan mode, where that leads, what an agent may do in it, and what it is told.

use countersign_broker::{BrokerError, Caller, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_core::request::State;
use countersign_inbox_tests::mcp::{self, Ears, Era};
use countersign_inbox_tests::{Agent, Home, House, in_time, until};
use serde_json::{Value, json};

const PLAN: &str = "Read this.\n\n## Move the ledger\n\n1. Read\n2. Move";
const WINDOW: Person = Person::at(Channel::Window);

fn plan(text: &str) -> Value {
    json!({"plan": text, "hold_seconds": 0})
}

fn id(said: &Value) -> RequestId {
    RequestId(said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned())
}

fn text(said: &Value) -> &str {
    said["text"].as_str().unwrap_or_else(|| panic!("{said}"))
}

/// The agent's one session, as the broker sees it.
async fn caller(house: &House, agent: &Agent) -> Caller {
    let agent = house.broker().authenticate(&agent.token).expect("read").expect("known");
    house.broker().enter(&agent, None, None).await.expect("entered")
}

async fn set(house: &House, session: &SessionId, mode: Mode) {
    house.broker().set_mode(session, mode, WINDOW).await.expect("switched");
}

async fn answer(house: &House, id: &RequestId, label: &str, comment: Option<&str>) {
    let answers = json!({"plan": label}).as_object().expect("an object").clone();
    let verdict = Verdict::Answer { answers, comment: comment.map(str::to_owned), typed: None };
    house.broker().decide(Person::at(Channel::Dialog), id, None, verdict).await.expect("decided");
}

async fn names(agent: &Agent) -> Vec<String> {
    let said = agent.port.get("/v1/tools").await.expect("a list");
    let tools = said["tools"].as_array().expect("tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn a_plan_outside_plan_mode_is_refused_with_the_words_to_just_go_ahead() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    for mode in [Mode::Guided, Mode::Interactive] {
        set(&house, &caller(&house, &agent).await.session, mode).await;
        let said = agent.call("present_plan", plan(PLAN)).await;
        let words = "present_plan only works in plan mode: you aren't in it, so just go ahead.";
        // What follows is a note about the mode, where that was switched.
        assert_eq!((text(&said).lines().next(), &said["isError"]), (Some(words), &json!(true)), "{said}");
    }
    assert!(house.broker().open_list(None, 10).expect("a list").is_empty());
}

#[tokio::test]
async fn a_plan_is_one_request_named_by_its_first_heading_and_shown_whole() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let long = format!("{PLAN}\n\n{}the end", "A step of many.\n\n".repeat(2_000));
    let said = agent.call("present_plan", plan(&long)).await;
    let request = house.broker().detail(&id(&said)).expect("there").request;
    assert_eq!((request.ask.title.as_str(), request.ask.class.word()), ("Move the ledger", "plan"));
    assert_eq!(request.ask.context.as_deref(), Some(long.as_str()));
    assert_eq!(text(&said).split('.').next(), Some("Nobody has answered yet"));
    for wrong in
        [json!({"plan": " "}), json!({}), json!({"plan": "x\u{0}"}), json!({"plan": PLAN, "on_expiry": "default"})]
    {
        assert_eq!(agent.call("present_plan", wrong.clone()).await["isError"], true, "{wrong}");
    }
}

#[tokio::test]
async fn run_it_returns_to_the_mode_before_plan_however_that_was_entered() {
    let house = House::new().await;
    for (n, (before, by_agent)) in
        [(Mode::Guided, true), (Mode::Guided, false), (Mode::Interactive, true), (Mode::Interactive, false)]
            .into_iter()
            .enumerate()
    {
        let agent = house.pair(&format!("agent {n}")).await;
        let session = caller(&house, &agent).await.session;
        set(&house, &session, before).await;
        if by_agent {
            assert_eq!(agent.call("request_mode", json!({"mode": "plan"})).await["isError"], false);
        } else {
            set(&house, &session, Mode::Plan).await;
        }
        let said = agent.call("present_plan", plan(PLAN)).await;
        answer(&house, &id(&said), "Run it", Some("and be quick")).await;
        let said = agent.call("wait_for_answer", json!({"request_id": id(&said)})).await;
        let words = format!(
            "The person approved the plan. Plan mode is off (now {} mode): carry the plan out now, step by step. They added: and be quick",
            before.word()
        );
        assert_eq!(text(&said), words);
        assert_eq!(said["structuredContent"]["mode"], before.word());
        assert_eq!(caller(&house, &agent).await.mode, before);
    }
    assert!(house.broker().read(|db| Ok(db.verify_log()?)).expect("read").is_ok());
}

#[tokio::test]
async fn keep_planning_and_cancel_leave_the_mode_alone_and_say_so() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let cases = [
        (
            "Keep planning",
            Some("Keep session 1 as it is"),
            "The person wants to keep planning: Keep session 1 as it is. You're still in plan mode: revise the plan and present it again.",
        ),
        (
            "Keep planning",
            None,
            "The person wants to keep planning. You're still in plan mode: revise the plan and present it again.",
        ),
        ("Cancel", None, "The person cancelled the plan. Stop, and ask them what they want instead."),
    ];
    for (label, comment, words) in cases {
        // The same plan again is a new one once its ending was collected.
        let (said, ()) = tokio::join!(agent.call("present_plan", json!({"plan": PLAN})), async {
            answer(&house, &house.waiting().await, label, comment).await;
        });
        assert_eq!((text(&said), &said["isError"]), (words, &json!(false)), "{said}");
        assert_eq!(caller(&house, &agent).await.mode, Mode::Plan);
    }
}

#[tokio::test]
async fn a_plan_that_is_run_after_the_person_left_plan_mode_just_runs_and_switches_nothing() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let session = caller(&house, &agent).await.session;
    for left_for in [Mode::Interactive, Mode::Guided] {
        set(&house, &session, Mode::Plan).await;
        let said = agent.call("present_plan", plan(left_for.word())).await;
        set(&house, &session, left_for).await;
        answer(&house, &id(&said), "Run it", None).await;
        assert_eq!(caller(&house, &agent).await.mode, left_for);
        // The same call, though plan mode is off: it gets what the person said, not a refusal.
        let said = agent.call("present_plan", plan(left_for.word())).await;
        assert!(text(&said).contains(&format!("now {} mode", left_for.word())), "{said}");
    }
}

#[tokio::test]
async fn a_newer_plan_replaces_the_one_that_still_waits() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let older = id(&agent.call("present_plan", plan("# One")).await);
    let newer = id(&agent.call("present_plan", plan("# Two")).await);
    assert_eq!(id(&agent.call("present_plan", plan("# Two")).await), newer, "the same plan joins itself");
    assert_eq!(house.broker().detail(&older).expect("there").request.state, State::Superseded);
    let open = house.broker().open_list(None, 10).expect("a list");
    assert_eq!(open.iter().map(|listed| &listed.row.id).collect::<Vec<_>>(), [&newer]);
}

#[tokio::test]
async fn an_agent_gets_a_stricter_mode_at_once_and_never_a_looser_one() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    for (wanted, now) in [
        ("guided", None),
        ("interactive", Some("interactive")),
        ("interactive", None),
        ("guided", None),
        ("plan", Some("plan")),
        ("interactive", None),
        ("guided", None),
        ("plan", None),
        ("autonomous", None),
    ] {
        let said = agent.call("request_mode", json!({"mode": wanted})).await;
        match now {
            Some(mode) => assert_eq!(said["structuredContent"]["mode"], mode, "{said}"),
            None => assert!(said["isError"] == true && text(&said).contains("mode"), "{wanted}: {said}"),
        }
    }
    assert_eq!(caller(&house, &agent).await.mode, Mode::Plan);
}

#[tokio::test]
async fn in_plan_mode_what_writes_is_denied_with_the_reason_and_what_reads_passes() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    let asked = agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    house.answer_at(Channel::Dialog, &id(&asked), json!({"confirm-delete": true}), Some("SPEC-001")).await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    for (tool, arguments) in [("create_spec", json!({"title": "Other"})), ("delete_spec", json!({"spec": "SPEC-001"}))]
    {
        let said = agent.call(tool, arguments).await;
        let words = format!("`{tool}` is not available in plan mode: only what reads is allowed in it");
        assert!(said["isError"] == true && text(&said).starts_with(&words), "{said}");
    }
    assert_eq!(agent.call("get_spec", json!({"spec": "SPEC-001"})).await["structuredContent"]["title"], "Login");
    assert_eq!(
        agent.call("list_specs", json!({})).await["structuredContent"]["specs"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(
        names(&agent).await,
        [
            "ask_human",
            "ask_questions",
            "request_human_approval",
            "request_manual_intervention",
            "set_todos",
            "present_plan",
            "request_mode",
            "wait_for_answer",
            "get_request",
            "cancel_request",
            "get_spec",
            "list_specs",
            "search_specs",
            "check_readiness",
            "get_run",
            // Ending something is never in a mode's way.
            "cancel_run",
        ]
    );
}

#[tokio::test]
async fn no_new_session_of_an_agent_is_out_of_plan_mode_until_its_plan_is_run() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let create = json!({"title": "Login"});
    let bridge = async |denied: bool| {
        let (client, _bridge) = mcp::through_bridge(&house.home, &agent, Era::Sessions).await;
        let said = mcp::call(&client, "create_spec", create.clone()).await;
        assert_eq!(said.to_string().contains("not available in plan mode"), denied, "{said}");
    };
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let other = agent.port.clone().with_session("another name");
    assert_eq!(other.call("create_spec", &create).await.expect("a result")["isError"], true);
    let elsewhere = json!({"title": "Login", "workspace": "/elsewhere"});
    assert_eq!(agent.call("create_spec", elsewhere).await["isError"], true);
    bridge(true).await;
    bridge(true).await;
    let said = agent.call("present_plan", plan(PLAN)).await;
    answer(&house, &id(&said), "Run it", None).await;
    until("both bridges are gone", || {
        let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
        rows.iter().all(|row| !row.present).then_some(())
    })
    .await;
    bridge(false).await;
    // One that began in plan mode is in it still.
    assert_eq!(other.call("create_spec", &create).await.expect("a result")["isError"], true);
    assert_eq!(agent.call("create_spec", create.clone()).await["isError"], false);
}

#[tokio::test]
async fn only_the_dialog_and_a_terminal_under_serve_decide_a_plan() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let request = id(&agent.call("present_plan", plan(PLAN)).await);
    for label in ["Run it", "Keep planning", "Cancel"] {
        let answers = json!({"plan": label}).as_object().expect("an object").clone();
        for channel in Channel::ALL {
            if matches!(channel, Channel::Dialog | Channel::Serve) {
                continue;
            }
            let verdict = Verdict::Answer { answers: answers.clone(), comment: None, typed: None };
            let refused = house.broker().decide(Person::at(channel), &request, None, verdict).await;
            assert!(matches!(refused, Err(BrokerError::NotAllowed(_))), "{channel:?}: {refused:?}");
        }
        let unattended = Person { channel: Channel::Serve, unattended: true };
        let verdict = Verdict::Answer { answers, comment: None, typed: None };
        assert!(house.broker().decide(unattended, &request, None, verdict).await.is_err());
    }
    assert_eq!(caller(&house, &agent).await.mode, Mode::Plan);
}

/// The tools that a client heard of follow the mode: it is told each time, and finds the new list.
async fn follows<H: rmcp::ClientHandler>(
    house: &House,
    agent: &Agent,
    client: &rmcp::service::RunningService<rmcp::RoleClient, H>,
    ears: &Ears,
    session: &SessionId,
) {
    let writes = async || {
        let tools = client.list_all_tools().await.expect("a list");
        tools.iter().any(|tool| tool.name == "create_spec")
    };
    let _ = agent;
    assert!(writes().await);
    for (mode, wanted) in [(Mode::Plan, false), (Mode::Interactive, true)] {
        let before = ears.told();
        set(house, session, mode).await;
        until("the client is told", || (ears.told() > before).then_some(())).await;
        assert_eq!(writes().await, wanted, "{mode:?}");
    }
}

#[tokio::test]
async fn a_client_with_sessions_is_told_over_the_port_when_its_tools_change() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let ears = Ears::default();
    let client = mcp::over_http_as(ears.clone(), &agent, Era::Sessions).await;
    let session = caller(&house, &agent).await.session;
    in_time("it follows", follows(&house, &agent, &client, &ears, &session)).await;
}

#[tokio::test]
async fn a_client_with_sessions_is_told_through_the_bridge_when_its_tools_change() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let ears = Ears::default();
    let (client, _bridge) = mcp::through_bridge_as(ears.clone(), &house.home, &agent, Era::Sessions).await;
    let session = until("the bridge's session is there", || {
        let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
        rows.into_iter().find(|row| row.present).map(|row| row.session.id)
    })
    .await;
    in_time("it follows", follows(&house, &agent, &client, &ears, &session)).await;
}

#[tokio::test]
async fn a_terminal_shows_and_switches_a_sessions_mode_and_answers_a_plan() {
    let home = Home::new();
    let _serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("Ana's agent").await;
    agent.ask("Which?").await;
    let listed = home.run(&["inbox", "list", "--json"]).await.object();
    let session = listed["session"].as_str().expect("a session").to_owned();
    assert_eq!(listed["mode"], "guided");
    let all = home.run(&["mode", "--json"]).await.object();
    assert_eq!(
        (&all["session"], &all["mode"], &all["agent"]),
        (&json!(session), &json!("guided"), &json!("Ana's agent"))
    );
    let file = home.passphrase();
    let proof = ["--passphrase-file", file.to_str().expect("UTF-8"), "--json"];
    let mode = async |mode: &str| home.run(&[&["mode", session.as_str(), mode], &proof[..]].concat()).await;
    for wanted in ["interactive", "plan"] {
        assert_eq!(mode(wanted).await.object()["mode"], wanted);
    }
    let shown = home.run(&["mode", &session, "--json"]).await.object();
    assert_eq!((&shown["mode"], &shown["before_plan"]), (&json!("plan"), &json!("interactive")));

    let request = id(&agent.call("present_plan", plan(PLAN)).await);
    let shown = home.run(&["inbox", "show", request.as_str(), "--json"]).await.object();
    assert_eq!(
        (&shown["class"], &shown["title"], &shown["session"]),
        (&json!("plan"), &json!("Move the ledger"), &json!(session))
    );
    let kept = home.inbox(&["answer", request.as_str(), "--plan", "keep", "--comment", "No lab"]).await.object();
    assert_eq!((&kept["state"], &kept["decision"]["mode"]), (&json!("answered"), &json!("plan")));
    let said = agent.call("wait_for_answer", json!({"request_id": request})).await;
    assert!(text(&said).starts_with("The person wants to keep planning: No lab."), "{said}");
    let request = id(&agent.call("present_plan", plan("# Again")).await);
    home.inbox(&["answer", request.as_str(), "--plan", "run"]).await.object();
    assert_eq!(home.run(&["mode", &session, "--json"]).await.object()["mode"], "interactive");

    mode("autonomous").await.refused(2, "autonomous");
    let wrong = home.run(&[&["mode", "no-such-session", "guided"], &proof[..]].concat()).await;
    wrong.refused(1, "countersign mode");
    home.run(&["mode", &session, "guided", "--json"]).await.refused(1, "proof");
}

#[tokio::test]
async fn a_proof_from_a_file_makes_a_mode_stricter_and_neither_looser_nor_runs_a_plan() {
    let home = Home::new();
    let _serve = home.serve(&[]).await;
    let agent = home.pair("a").await;
    agent.call("request_mode", json!({"mode": "interactive"})).await;
    let session = home.run(&["mode", "--json"]).await.object()["session"].as_str().expect("an id").to_owned();
    let file = home.passphrase();
    let proof = ["--passphrase-file", file.to_str().expect("UTF-8"), "--json"];
    let mode = async |mode: &str| home.run(&[&["mode", session.as_str(), mode], &proof[..]].concat()).await;
    mode("guided").await.refused(1, "stricter");
    assert_eq!(mode("plan").await.object()["mode"], "plan");
    let request = id(&agent.call("present_plan", plan(PLAN)).await);
    for word in ["run", "keep", "cancel"] {
        home.inbox(&["answer", request.as_str(), "--plan", word]).await.refused(1, "plan");
    }
    assert_eq!(home.run(&["mode", &session, "--json"]).await.object()["mode"], "plan");
}

#[tokio::test]
async fn in_autonomous_mode_there_are_no_plans_and_the_mode_is_fixed_both_ways() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    let before = caller(&house, &agent).await.session;
    house.stop().await;
    let file = rusqlite::Connection::open(house.home.path().join("countersign.db")).expect("opens");
    file.execute("UPDATE workspaces SET mode = 'autonomous'", []).expect("the workspace's mode");
    drop(file);
    house.start().await;
    let port = agent.port.clone().with_session("a new run");
    let said = port.get("/v1/tools").await.expect("a list");
    let listed = said["tools"].to_string();
    assert!(!listed.contains("present_plan") && !listed.contains("request_mode"), "{listed}");
    for (tool, arguments) in [("present_plan", plan(PLAN)), ("request_mode", json!({"mode": "plan"}))] {
        let said = port.call(tool, &arguments).await.expect("a result");
        assert!(said["isError"] == true && text(&said).contains("autonomous mode"), "{said}");
    }
    let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
    let session = rows.into_iter().map(|row| row.session).find(|session| session.key == "a new run").expect("there").id;
    let out = house.broker().set_mode(&session, Mode::Guided, WINDOW).await;
    let into = house.broker().set_mode(&before, Mode::Autonomous, WINDOW).await;
    for refused in [out, into] {
        assert!(matches!(refused, Err(BrokerError::WrongMode(_))), "{refused:?}");
    }
}
