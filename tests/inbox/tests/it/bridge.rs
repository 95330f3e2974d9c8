//! `countersign mcp`: its stdout, its session, its end, and what it says when nobody could be asked.

use countersign_core::id::RequestId;
use countersign_core::time::Timestamp;
use countersign_inbox_tests::{Home, House, Program, in_time, question, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

/// The time in which a bridge that nobody needs any more is gone.
const GONE: Duration = Duration::from_secs(2);

/// A bridge that is spoken to by hand, line by line.
struct Bridge {
    program: Program,
    calls: u64,
}

impl Bridge {
    fn start(home: &Home, token: &str) -> Self {
        Self::run(home.command(&["mcp"]).env("COUNTERSIGN_TOKEN", token))
    }

    fn run(command: &mut Command) -> Self {
        let mut bridge = Self { program: Program::start(command), calls: 0 };
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        bridge.write(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        bridge.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        bridge
    }

    fn write(&mut self, message: &Value) {
        self.program.send(&format!("{message}\n"));
    }

    fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.calls += 1;
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": self.calls}});
        self.write(&json!({"jsonrpc": "2.0", "id": self.calls, "method": "tools/call", "params": params}));
        self.calls
    }

    /// The next message. Every line must be one.
    async fn message(&mut self) -> Value {
        let line = self.program.line().await.unwrap_or_else(|| panic!("ended: {}", self.program.stderr()));
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    async fn result(&mut self, call: u64) -> Value {
        in_time("the result, however much progress is shown", async {
            loop {
                let message = self.message().await;
                if message["id"] == call {
                    return message["result"].clone();
                }
            }
        })
        .await
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let call = self.begin(tool, arguments);
        self.result(call).await
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

fn held(text: &str) -> Value {
    json!({"question": text, "options": ["Red", "Blue"]})
}

fn refuses_to_go_on(result: &Value) {
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(result).starts_with("Not decided: do not proceed."), "{result}");
}

#[tokio::test]
async fn every_line_on_its_stdout_is_json_rpc_however_noisy_its_stderr_is_and_wherever_the_app_is() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    let mut command = house.home.command(&["mcp"]);
    let mut bridge = Bridge::run(command.env("COUNTERSIGN_TOKEN", &agent.token).env("COUNTERSIGN_LOG", "trace"));
    bridge.program.send("this is no JSON\n\n{\"jsonrpc\":\"2.0\"}\n[]\n");
    assert!(bridge.call("list_specs", json!({})).await["structuredContent"]["specs"].is_array());
    house.stop().await;
    refuses_to_go_on(&bridge.call("ask_human", question("Away?")).await);
    bridge.write(&json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}));
    while bridge.message().await["id"] != "list" {}
    house.start().await;
    assert_eq!(bridge.call("ask_human", question("Back?")).await["structuredContent"]["state"], "pending");
    bridge.call("no_such_tool", json!({})).await;
    bridge.program.close_stdin();
    bridge.program.end().await;
    while let Some(line) = bridge.program.line().await {
        assert!(line.starts_with('{') && line.contains(r#""jsonrpc":"2.0""#), "{line}");
    }
    let stderr = bridge.program.stderr();
    assert!(stderr.lines().count() > 20, "it was noisy: {stderr}");
    assert!(!stderr.contains(&agent.token), "and said no token");
}

#[tokio::test]
async fn without_a_token_it_ends_with_2_and_says_how_to_pair() {
    let home = Home::new();
    home.run(&["mcp"]).await.refused(2, "countersign pair --name");
}

#[tokio::test]
async fn where_the_app_is_not_running_nothing_is_decided_and_nothing_is_left_to_ask() {
    let home = Home::new();
    let mut bridge = Bridge::start(&home, "a token of old times");
    for (tool, arguments) in [
        ("ask_human", held("Is anybody there?")),
        ("ask_human", question("Is anybody there?")),
        ("wait_for_answer", json!({"request_id": "x"})),
        ("get_request", json!({"request_id": "x"})),
        ("delete_spec", json!({"spec": "SPEC-001"})),
        ("create_spec", json!({"title": "Login"})),
    ] {
        refuses_to_go_on(&bridge.call(tool, arguments).await);
    }
}

#[tokio::test]
async fn an_app_that_hangs_lets_a_call_go_with_nothing_decided() {
    let home = Home::new();
    let serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    let mut bridge = Bridge::start(&home, &agent.token);
    let mut short = held("Do you hang?");
    short["hold_seconds"] = json!(1);
    assert_eq!(bridge.call("ask_human", short.clone()).await["structuredContent"]["state"], "pending");
    serve.program.signal(Signal::STOP);
    let said = bridge.call("ask_human", short).await;
    let looked = bridge.call("list_specs", json!({})).await;
    serve.program.signal(Signal::CONT);
    refuses_to_go_on(&said);
    refuses_to_go_on(&looked);
}

#[tokio::test]
async fn a_call_is_held_no_longer_than_it_was_told_though_it_waits_in_slices() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let mut bridge = Bridge::start(&house.home, &agent.token);
    let mut ask = held("Nobody answers?");
    ask["hold_seconds"] = json!(25);
    let begun = Instant::now();
    let said = bridge.call("ask_human", ask).await;
    assert_eq!(said["structuredContent"]["state"], "pending", "{said}");
    let seconds = begun.elapsed().as_secs_f64();
    assert!((20.0..26.0).contains(&seconds), "{seconds} s");
}

/// Restarts the app in the middle of a held call, by `kill`, and answers after that: the same call returns the answer.
async fn over_a_restart(kill: bool) {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    let mut bridge = Bridge::start(&home, &agent.token);
    let call = bridge.begin("ask_human", held("Over a restart?"));
    let id = in_time("the request", async {
        loop {
            if let Some(open) = home.inbox(&["list"]).await.objects().pop().filter(|open| open["waiting"] == true) {
                return open["id"].as_str().expect("an id").to_owned();
            }
        }
    })
    .await;
    if kill {
        serve.program.kill();
    } else {
        serve.stop().await;
    }
    let _serve = home.serve(&[]).await;
    assert_eq!(home.inbox(&["answer", &id, "--option", "Blue"]).await.code, 0);
    let said = bridge.result(call).await;
    assert_eq!(text(&said), "The person chose: Blue.");
    assert!(home.inbox(&["list"]).await.objects().is_empty(), "and there is no second card");
}

#[tokio::test]
async fn a_call_that_waits_over_a_restart_of_the_app_returns_the_answer_given_after_it() {
    over_a_restart(false).await;
}

#[tokio::test]
async fn a_call_that_waits_while_the_app_is_killed_returns_the_answer_given_after_its_next_start() {
    over_a_restart(true).await;
}

#[tokio::test]
async fn it_ends_within_two_seconds_of_its_stdin_whether_it_waits_or_not() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    for waits in [false, true] {
        let mut bridge = Bridge::start(&house.home, &agent.token);
        assert_eq!(bridge.message().await["id"], 0);
        if waits {
            bridge.begin("ask_human", held("Still there?"));
            house.waiting().await;
        }
        bridge.program.close_stdin();
        tokio::time::timeout(GONE, bridge.program.end()).await.expect("within two seconds");
        house.open("nobody waits", |open| open.iter().all(|listed| !listed.waiting)).await;
    }
}

#[tokio::test]
async fn it_ends_within_two_seconds_of_its_parent_though_its_stdin_stays_open() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg("exec 3<&0; \"$0\" mcp <&3 & wait").arg(house.home.command(&[]).get_program());
    shell
        .env("COUNTERSIGN_HOME", house.home.path())
        .env("COUNTERSIGN_TOKEN", &agent.token)
        .env_remove("COUNTERSIGN_LOG");
    let mut bridge = Bridge::run(&mut shell);
    assert_eq!(bridge.message().await["id"], 0);
    let call = bridge.begin("ask_human", held("Orphaned?"));
    house.waiting().await;
    bridge.program.kill();
    // Its stdout ends when it does; our end of its stdin is still open.
    let ended = async { while bridge.program.line().await.is_some() {} };
    tokio::time::timeout(GONE, ended).await.expect("within two seconds");
    house.open("nobody waits", |open| open.len() == 1 && !open[0].waiting).await;
    assert_eq!(call, 1);
}

#[tokio::test]
async fn each_is_one_session_and_what_one_left_pending_the_next_picks_up_without_a_second_card() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let asked = |said: &Value| RequestId(said["structuredContent"]["request"]["id"].as_str().expect("an id").into());
    let mut one = Bridge::start(&house.home, &agent.token);
    let present = || house.broker().read(|db| Ok(db.connected_agents(Timestamp(i64::MAX))?)).expect("read");
    until("the first one is there", || (present() == 1).then_some(())).await;
    let first = asked(&one.call("ask_human", question("Which?")).await);
    assert_eq!(asked(&one.call("ask_human", question("Which?")).await), first, "the same session asks once");
    let mut other = Bridge::start(&house.home, &agent.token);
    let second = asked(&other.call("ask_human", question("Which?")).await);
    assert_ne!(second, first, "two bridges are two runs of the agent");

    let session = house.broker().detail(&first).expect("there").request.session;
    one.program.kill();
    let ended = || house.broker().read(|db| Ok(db.session(&session)?)).expect("read").and_then(|found| found.ended_at);
    until("its session ended with it", ended).await;
    let mut next = Bridge::start(&house.home, &agent.token);
    assert_eq!(asked(&next.call("ask_human", question("Which?")).await), first);
    house.open("no third card", |open| open.len() == 2).await;
    house.answer(&first, json!({"answer": "Red"})).await;
    let said = next.call("wait_for_answer", json!({"request_id": first})).await;
    assert_eq!(text(&said), "The person chose: Red.");
}
