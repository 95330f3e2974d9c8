//! The gate for steps over HTTP: all modes, one card for one action, and nothing that fails is an allow (field cases 15, 17 to 20, 26).

use countersign_broker::{BrokerError, ManualClock, Person, Remember, StepVerdict, Until, Verdict};
use countersign_client::{Port, PortError};
use countersign_core::channel::Channel;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::limit;
use countersign_core::mode::Mode;
use countersign_core::request::Request;
use countersign_core::time::Millis;
use countersign_inbox_tests::{Agent, House, in_time};
use serde_json::{Value, json};
use std::sync::Arc;

pub const WINDOW: Person = Person::at(Channel::Window);

/// A step that is not held.
pub fn bash(command: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command}, "hold_seconds": 0})
}

/// One that is.
fn held(command: &str) -> Value {
    json!({"tool": "Bash", "input": {"command": command}})
}

pub async fn gate(agent: &Agent, step: Value) -> Value {
    agent.port.post("/v1/steps", &step).await.unwrap_or_else(|error| panic!("{step}: {error}"))
}

pub fn id_of(said: &Value) -> RequestId {
    RequestId(said["request"]["id"].as_str().unwrap_or_else(|| panic!("no request: {said}")).to_owned())
}

pub async fn says(house: &House, id: &RequestId, allow: bool, comment: Option<&str>) -> Result<Request, BrokerError> {
    let verdict = StepVerdict { allow, edited: None, remember: None, comment: comment.map(str::to_owned) };
    house.broker().decide(WINDOW, id, None, Verdict::Step(Box::new(verdict))).await
}

pub async fn remembers(
    house: &House,
    id: &RequestId,
    allow: bool,
    proposal: usize,
    until: Until,
) -> Result<Request, BrokerError> {
    let remember = Some(Remember { proposal, until });
    let verdict = StepVerdict { allow, edited: None, remember, comment: None };
    house.broker().decide(WINDOW, id, None, Verdict::Step(Box::new(verdict))).await
}

pub fn session(house: &House) -> SessionId {
    let rows = house.broker().read(|db| Ok(db.latest_sessions(1)?)).expect("reads");
    rows[0].session.id.clone()
}

async fn switch(house: &House, mode: Mode) {
    house.broker().set_mode(&session(house), mode, WINDOW).await.expect("switched");
}

fn open(house: &House) -> Vec<RequestId> {
    house.broker().open_list(None, 100).expect("a list").into_iter().map(|listed| listed.row.id).collect()
}

/// What each mode says to a step of each kind, and whether it is kept.
#[tokio::test]
async fn each_mode_passes_asks_about_or_denies_each_kind_of_step() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let work = house.home.work();
    let inside = work.join("a.rs").to_str().expect("UTF-8").to_owned();
    let tool = |tool: &str, input: Value| json!({"tool": tool, "input": input, "hold_seconds": 0});
    let steps = [
        tool("Read", json!({"file_path": inside})),
        tool("Read", json!({"file_path": "/etc/passwd"})),
        tool("Write", json!({"file_path": "a.rs", "content": "x"})),
        tool("Write", json!({"file_path": "../a.rs", "content": "x"})),
        tool("Bash", json!({"command": "ls"})),
        tool("Bash", json!({"command": "rm -rf x"})),
        tool("WebFetch", json!({"url": "https://x.test"})),
        tool("mcp__x__y", json!({})),
        tool("TodoWrite", json!({"todos": []})),
        tool("AskUserQuestion", json!({})),
        tool("mcp__countersign__ask_human", json!({})),
    ];
    gate(&agent, steps[0].clone()).await;
    let mut table = String::new();
    for mode in [Mode::Guided, Mode::Interactive, Mode::Plan] {
        switch(&house, mode).await;
        for step in &steps {
            let said = gate(&agent, step.clone()).await;
            let decision = said["decision"].as_str().expect("a decision");
            let kept = said["request"].is_object();
            assert_eq!(kept, said["decided_by"] != "mode" || decision == "deny", "{said}");
            if decision == "pending" {
                assert!(said["reason"].as_str().expect("a reason").contains("do not proceed"), "{said}");
                says(&house, &id_of(&said), false, None).await.expect("denied");
                gate(&agent, step.clone()).await;
            }
            if decision == "deny" {
                assert!(said["reason"].as_str().expect("a reason").contains("present_plan"), "{said}");
                assert_eq!(said["request"]["state"], "answered");
            }
            table += &format!("{} ", &decision[..1]);
        }
        table += "\n";
    }
    assert_eq!(table, "a p a p p p p p a a a \np p p p p p p p a a a \na p d d d d a d a a a \n");
    assert_eq!(open(&house), []);
}

#[tokio::test]
async fn nobody_is_asked_in_autonomous_mode_and_nothing_is_kept() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    gate(&agent, json!({"tool": "Read", "input": {}})).await;
    let file = rusqlite::Connection::open(house.home.path().join("countersign.db")).expect("opens");
    file.execute("UPDATE sessions SET mode = 'autonomous'", []).expect("changed");
    for step in [bash("ls"), bash("rm -rf /"), json!({"tool": "mcp__x__y", "input": {}})] {
        let said = gate(&agent, step).await;
        assert_eq!((said["decision"].as_str(), said["decided_by"].as_str()), (Some("allow"), Some("mode")), "{said}");
        assert!(said["request"].is_null());
    }
}

#[tokio::test]
async fn a_held_call_hears_the_decision_and_its_comment_at_once() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    for (allow, comment, want) in
        [(true, None, "allow"), (false, Some("not now"), "deny"), (true, Some("mind the cache"), "allow")]
    {
        let asked = tokio::spawn({
            let agent = agent.clone();
            async move { gate(&agent, held("make")).await }
        });
        let id = in_time("one waits", house.waiting()).await;
        says(&house, &id, allow, comment).await.expect("decided");
        let said = in_time("the decision", asked).await.expect("no panic");
        assert_eq!((said["decision"].as_str(), said["decided_by"].as_str()), (Some(want), Some("person")), "{said}");
        assert_eq!(said["comment"].as_str(), comment);
        assert_eq!(comment.is_none(), !said["reason"].as_str().expect("a reason").contains("They added"), "{said}");
    }
}

#[tokio::test]
async fn the_same_step_twice_at_once_is_one_card_and_both_hear() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let ask = |step: Value| {
        let agent = agent.clone();
        tokio::spawn(async move { gate(&agent, step).await })
    };
    let by_use =
        |edits: bool| json!({"tool": "Bash", "input": {"command": "make"}, "tool_use_id": "toolu_1", "edits": edits});
    let calls = [ask(held("make")), ask(held("make")), ask(by_use(true)), ask(by_use(false))];
    let id = in_time("one waits", house.waiting()).await;
    let other = gate(&agent, bash("make other")).await;
    assert_ne!(id_of(&other), id);
    says(&house, &id_of(&other), true, None).await.expect("decided");
    // All four stand in line before it is decided: one card for them, and one for the other.
    for call in &calls {
        assert!(!call.is_finished());
    }
    let again = gate(&agent, bash("make")).await;
    assert_eq!((id_of(&again), again["decision"].as_str()), (id.clone(), Some("pending")));
    says(&house, &id, true, None).await.expect("decided");
    for call in calls {
        let said = in_time("the decision", call).await.expect("no panic");
        assert_eq!((said["decision"].as_str(), id_of(&said)), (Some("allow"), id.clone()), "{said}");
    }
    house.open("nothing is open", |open| open.is_empty()).await;
}

#[tokio::test]
async fn a_decision_is_handed_out_once_and_to_the_same_use_of_the_tool_again() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let with = |tool_use: &str| json!({"tool": "Bash", "input": {"command": "make"}, "tool_use_id": tool_use, "hold_seconds": 0});
    let first = id_of(&gate(&agent, with("1")).await);
    says(&house, &first, true, None).await.expect("decided");
    // Another use of the tool is another action, whatever was said of this one and not yet fetched.
    let second = gate(&agent, with("2")).await;
    assert_eq!((second["decision"].as_str(), id_of(&second) == first), (Some("pending"), false));
    says(&house, &id_of(&second), false, None).await.expect("decided");
    for _ in 0..2 {
        let said = gate(&agent, with("1")).await;
        assert_eq!((said["decision"].as_str(), id_of(&said)), (Some("allow"), first.clone()), "by both ways");
    }
    assert_eq!(gate(&agent, with("2")).await["decision"], "deny");
    let third = gate(&agent, with("3")).await;
    assert_eq!(third["decision"], "pending", "used up");
    // The same name for another input is not the same.
    let other = json!({"tool": "Bash", "input": {"command": "make evil"}, "tool_use_id": "1", "hold_seconds": 0});
    assert_eq!(gate(&agent, other).await["decision"], "pending");
    // Nor is it another session's.
    let elsewhere = Agent { port: agent.port.clone().with_session("other"), ..agent.clone() };
    assert_eq!(gate(&elsewhere, with("1")).await["decision"], "pending");
}

#[tokio::test]
async fn waiting_for_an_answer_tells_of_it_and_hands_nothing_out() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let id = id_of(&gate(&agent, bash("make")).await);
    says(&house, &id, true, None).await.expect("decided");
    for _ in 0..2 {
        let told = agent.call("wait_for_answer", json!({"request_id": id})).await;
        assert!(told["text"].as_str().expect("a text").contains("Make the same call again now"), "{told}");
    }
    assert_eq!(gate(&agent, bash("make")).await["decision"], "allow");
    assert_eq!(gate(&agent, bash("make")).await["decision"], "pending", "once");
}

#[tokio::test]
async fn a_card_and_its_decision_survive_a_restart() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    let waits = id_of(&gate(&agent, bash("make")).await);
    let decided = id_of(&gate(&agent, bash("make other")).await);
    says(&house, &decided, true, None).await.expect("decided");
    house.stop().await;
    house.start().await;
    let agent = agent.at(house.url());
    assert_eq!(id_of(&gate(&agent, bash("make")).await), waits);
    assert_eq!(gate(&agent, bash("make other")).await["decision"], "allow");
    says(&house, &waits, false, None).await.expect("decided");
    assert_eq!(gate(&agent, bash("make")).await["decision"], "deny");
    house.broker().read(|db| Ok(db.verify_log()?)).expect("reads").expect("the log holds");
}

#[tokio::test]
async fn a_yes_that_nobody_fetches_lapses() {
    let clock = ManualClock::default();
    let house = House::with({
        let clock = clock.clone();
        move |options| options.clock = Arc::new(clock.clone())
    })
    .await;
    let agent = house.pair("a").await;
    for (command, lives) in [("make", limit::STEP_GRANT_MILLIS), ("rm x", limit::DESTRUCTIVE_GRANT_MILLIS)] {
        let id = id_of(&gate(&agent, bash(command)).await);
        says(&house, &id, true, None).await.expect("decided");
        clock.pass(Millis(lives + 1_000));
        let later = gate(&agent, bash(command)).await;
        assert_eq!((later["decision"].as_str(), id_of(&later) == id), (Some("pending"), false), "{command}");
    }
}

#[tokio::test]
async fn an_edited_input_comes_back_whole_and_only_where_the_host_takes_it() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let step = |edits: bool| json!({"tool": "Bash", "input": {"command": "make", "timeout": 5}, "edits": edits, "hold_seconds": 0});
    let edit = |allow: bool, edited: Value, remember: Option<Remember>| {
        let edited = edited.as_object().cloned();
        Verdict::Step(Box::new(StepVerdict { allow, edited, remember, comment: Some("slower".into()) }))
    };
    let edited = json!({"command": "make -j1", "timeout": 5, "extra": {"deep": [1, 2.5, null, "ñ"]}});
    let id = id_of(&gate(&agent, step(true)).await);
    let shown = house.broker().detail(&id).expect("there").request.digest;
    for bad in [
        edit(false, edited.clone(), None),
        edit(true, edited.clone(), Some(Remember { proposal: 0, until: Until::Session })),
        edit(true, json!({"command": "x".repeat(limit::BODY_BYTES)}), None),
    ] {
        let refused = house.broker().decide(WINDOW, &id, Some(shown), bad).await.expect_err("refused");
        assert_eq!(refused.code(), "invalid", "{refused}");
    }
    let decided =
        house.broker().decide(WINDOW, &id, Some(shown), edit(true, edited.clone(), None)).await.expect("decided");
    assert_ne!(decided.decision.expect("there").digest, shown, "over what was shown and the edit");
    let said = gate(&agent, step(true)).await;
    assert_eq!(
        (said["decision"].as_str(), &said["input"], said["comment"].as_str()),
        (Some("allow"), &edited, Some("slower"))
    );
    let plain = id_of(&gate(&agent, step(false)).await);
    let refused =
        house.broker().decide(WINDOW, &plain, None, edit(true, edited.clone(), None)).await.expect_err("refused");
    assert!(refused.to_string().contains("takes no edited input"), "{refused}");
    // A card of a host that takes edits, fetched by a way that doesn't: what would run is not what was allowed.
    says(&house, &plain, true, None).await.expect("decided");
    gate(&agent, step(false)).await;
    let id = id_of(&gate(&agent, step(true)).await);
    house.broker().decide(WINDOW, &id, None, edit(true, edited, None)).await.expect("decided");
    let said = gate(&agent, step(false)).await;
    assert_eq!(said["decision"], "deny");
    assert!(said["reason"].as_str().expect("a reason").contains("make -j1"), "{said}");
}

#[tokio::test]
async fn a_stopped_session_is_denied_everything_until_it_is_released() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let other = Agent { port: agent.port.clone().with_session("other"), ..agent.clone() };
    gate(&other, json!({"tool": "Read", "input": {}})).await;
    let asked = tokio::spawn({
        let agent = agent.clone();
        async move { gate(&agent, held("make")).await }
    });
    let id = in_time("one waits", house.waiting()).await;
    let stopped = house.broker().detail(&id).expect("there").request.session;
    house.broker().stop_session(WINDOW, &stopped, true).await.expect("stopped");
    let said = in_time("the decision", asked).await.expect("no panic");
    assert_eq!((said["decision"].as_str(), &said["stop"]), (Some("deny"), &json!(true)), "{said}");
    let all = [
        bash("ls"),
        json!({"tool": "Read", "input": {}}),
        json!({"tool": "TodoWrite", "input": {}}),
        json!({"tool": "ask_human", "input": {}}),
    ];
    for step in all {
        let said = gate(&agent, step.clone()).await;
        assert_eq!((said["decision"].as_str(), &said["stop"]), (Some("deny"), &json!(true)), "{step}");
        assert!(said["reason"].as_str().expect("a reason").contains("stopped this session"), "{said}");
    }
    for (tool, arguments) in
        [("ask_human", countersign_inbox_tests::question("?")), ("create_spec", json!({"title": "x"}))]
    {
        let said = agent.call(tool, arguments).await;
        assert_eq!(
            (&said["isError"], &said["structuredContent"]["stop"]),
            (&json!(true), &json!(true)),
            "{tool}: {said}"
        );
    }
    assert_eq!(
        gate(&other, json!({"tool": "Read", "input": {}})).await["decision"],
        "allow",
        "another session goes on"
    );
    let unattended = Person { unattended: true, ..Person::at(Channel::Serve) };
    assert_eq!(
        house.broker().stop_session(unattended, &stopped, false).await.map_err(|e| e.code()),
        Err("not_allowed")
    );
    house.broker().stop_session(WINDOW, &stopped, false).await.expect("released");
    assert_eq!(gate(&agent, json!({"tool": "Read", "input": {}})).await["decision"], "allow");
    assert_eq!(gate(&agent, bash("make")).await["decision"], "pending");
}

#[tokio::test]
async fn whatever_goes_wrong_is_no_allow() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let refused = |said: Result<Value, PortError>| match said {
        Err(PortError::Refused { status, message, .. }) => (status, message),
        other => panic!("{other:?}"),
    };
    for body in [
        json!({}),
        json!({"tool": "Bash"}),
        json!({"tool": "Bash", "input": "ls"}),
        json!({"tool": "", "input": {}}),
        json!({"tool": "Bash", "input": {}, "decision": "allow"}),
        json!({"tool": "Bash", "input": {"command": "x".repeat(limit::BODY_BYTES)}}),
        json!({"tool": "Bash", "input": {}, "cwd": "relative"}),
        json!({"tool": "Bash", "input": {}, "tool_use_id": "x".repeat(1_000)}),
    ] {
        let (status, message) = refused(agent.port.post("/v1/steps", &body).await);
        assert_eq!(status, 422, "{message}");
    }
    let stranger = Port::at(house.url()).with_token("cs_nobody");
    assert_eq!(refused(stranger.post("/v1/steps", &bash("ls")).await).0, 401);
    assert_eq!(refused(agent.port.get("/v1/steps").await).0, 405);
    for command in ["git 'status", "a\u{0}b", &"x ".repeat(100_000), &"$(".repeat(1_000)] {
        let said = gate(&agent, bash(command)).await;
        assert_eq!(said["decision"], "pending", "{command:.20}");
    }
    let id = id_of(&gate(&agent, bash("make")).await);
    house.broker().cancel(&caller(&house, &agent).await, &id).await.expect("cancelled");
    assert_eq!(gate(&agent, bash("make")).await["decision"], "pending", "asked anew");
    house.decline(&id_of(&gate(&agent, bash("make")).await)).await;
    assert_eq!(gate(&agent, bash("make")).await["decision"], "deny");
    let held = tokio::spawn({
        let agent = agent.clone();
        async move { agent.port.post("/v1/steps", &held("make more")).await }
    });
    house.open("it waits", |open| open.iter().any(|one| one.waiting)).await;
    house.broker().revoke(&countersign_core::id::AgentId(agent.id.clone()), WINDOW).await.expect("revoked");
    assert_eq!(refused(in_time("the refusal", held).await.expect("no panic")).0, 401);
    assert_eq!(refused(agent.port.post("/v1/steps", &bash("ls")).await).0, 401);
}

async fn caller(house: &House, agent: &Agent) -> countersign_broker::Caller {
    let known = house.broker().authenticate(&agent.token).expect("reads").expect("known");
    house.broker().enter(&known, None, None).await.expect("enters")
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_since_is_asked_about_anew() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let work = house.home.work();
    std::fs::create_dir_all(work.join("docs")).expect("made");
    std::os::unix::fs::symlink(work.join("docs"), work.join("out")).expect("linked");
    let write = json!({"tool": "Write", "input": {"file_path": "out/x", "content": "x"}, "hold_seconds": 0});
    assert_eq!(gate(&agent, write.clone()).await["decision"], "allow", "it stays inside");
    std::fs::remove_file(work.join("out")).expect("removed");
    std::os::unix::fs::symlink("/etc", work.join("out")).expect("linked");
    let first = gate(&agent, write.clone()).await;
    assert_eq!(first["decision"], "pending", "it leads out");
    std::fs::remove_file(work.join("out")).expect("removed");
    std::os::unix::fs::symlink("/usr", work.join("out")).expect("linked");
    let second = gate(&agent, write.clone()).await;
    assert_ne!(id_of(&first), id_of(&second), "and elsewhere now");
    assert_eq!(open(&house), [id_of(&second)]);
}

#[tokio::test]
async fn neither_a_notification_nor_a_file_nor_an_agent_decides_on_a_step() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let id = id_of(&gate(&agent, bash("make")).await);
    let verdict = || Verdict::Step(Box::new(StepVerdict { allow: true, edited: None, remember: None, comment: None }));
    for channel in Channel::ALL {
        // A rule's yes is the person's own; nobody speaks through that channel.
        if matches!(channel, Channel::Window | Channel::Terminal | Channel::Serve | Channel::Rule) {
            continue;
        }
        let refused = house.broker().decide(Person::at(channel), &id, None, verdict()).await.expect_err("refused");
        assert_eq!(refused.code(), "not_allowed", "{channel:?}");
    }
    let unattended = Person { unattended: true, ..Person::at(Channel::Serve) };
    assert_eq!(house.broker().decide(unattended, &id, None, verdict()).await.map_err(|e| e.code()), Err("not_allowed"));
    house.answer(&id, json!({"allow": true})).await;
    assert_eq!(gate(&agent, bash("make")).await["decision"], "allow", "a plain yes is a yes");
}
