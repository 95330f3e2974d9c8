//! Trusted commands in the real program: from `countersign.toml` in a folder to the end of what it started.

use countersign_inbox_tests::{Agent, Home, Serve, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

const CONFIG: &str = r#"
[checks.unit]
run = ["sh", "-c", "echo checked; exit 1"]

[targets.staging]
run = ["./deploy.sh", "to staging"]
timeout_seconds = 60

[targets.production]
run = ["./deploy.sh", "to production"]
"#;

struct Shop {
    home: Home,
    serve: Serve,
    agent: Agent,
}

impl Shop {
    async fn open(script: &str) -> Self {
        let home = Home::new();
        let serve = home.serve(&["--insecure-test"]).await;
        let agent = home.pair("shop").await;
        let shop = Self { home, serve, agent };
        std::fs::write(shop.home.work().join("countersign.toml"), CONFIG).expect("written");
        shop.script(script);
        shop.does("create_spec", json!({"title": "Refunds"})).await;
        shop
    }

    fn script(&self, script: &str) {
        let path = self.home.work().join("deploy.sh");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    }

    async fn does(&self, tool: &'static str, arguments: Value) -> Value {
        let said = self.agent.call(tool, arguments).await;
        assert_ne!(said["isError"], true, "{said}");
        said["structuredContent"].clone()
    }

    async fn deploy(&self, environment: &str) -> Value {
        self.does("deploy_spec", json!({"spec": "refunds", "environment": environment})).await
    }

    async fn run(&self, id: &Value) -> Value {
        self.does("get_run", json!({"run_id": id})).await
    }

    async fn ended(&self, id: &Value) -> Value {
        let run = self.does("get_run", json!({"run_id": id, "wait_seconds": 30})).await;
        assert!(!run["ended_at"].is_null(), "{run}");
        run
    }

    /// Waits until a run has printed a line that begins so; the rest of it.
    async fn printed(&self, id: &Value, words: &str) -> String {
        for _ in 0..300 {
            let run = self.run(id).await;
            let output = run["output"].as_str().unwrap_or_default();
            if let Some(line) = output.lines().find_map(|line| line.strip_prefix(words)) {
                return line.to_owned();
            }
            assert!(run["ended_at"].is_null(), "{run}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{words:?} was not printed");
    }

    async fn trust(&self) -> Value {
        let file = self.home.passphrase();
        let file = file.to_str().expect("UTF-8");
        self.home.run(&["trust", "--json", "--passphrase-file", file]).await.object()
    }
}

/// Whether a process is there and not dead.
fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

#[tokio::test]
async fn an_agent_deploys_what_the_person_trusted_and_is_told_where_it_went() {
    let mut shop = Shop::open("echo \"deploying $1 for $COUNTERSIGN_SPEC\"").await;
    let untrusted = shop.deploy("staging").await;
    assert_eq!((&untrusted["outcome"], &untrusted["request"]["class"]), (&json!("untrusted"), &json!("destructive")));
    let id = untrusted["request"]["id"].as_str().expect("an id");
    let wrong = shop.home.inbox(&["answer", id, "--yes", "--typed", "Trust"]).await;
    wrong.refused(1, "“trust”");
    let answered = shop.home.inbox(&["answer", id, "--yes", "--typed", "trust"]).await.object();
    assert_eq!(answered["state"], "answered");
    let told = shop.agent.call("wait_for_answer", json!({"request_id": id})).await;
    assert!(told["text"].as_str().is_some_and(|text| text.contains("trusted the commands")), "{told}");

    let started = shop.deploy("staging").await;
    assert_eq!((&started["outcome"], &started["environment"]), (&json!("started"), &json!("staging")));
    let run = shop.ended(&started["run_id"]).await;
    assert_eq!((&run["state"], &run["exit_code"]), (&json!("passed"), &json!(0)), "{run}");
    assert_eq!(run["output"], "deploying to staging for SPEC-001\n");

    let asks = shop.deploy("production").await;
    assert_eq!(asks["interactiveQuestions"][0]["id"], "confirm-target-env");
    assert_eq!(asks["interactiveQuestions"][0]["default"], "staging");
    let id = asks["request"]["id"].as_str().expect("an id").to_owned();
    shop.home.inbox(&["answer", &id, "--option", "production"]).await.refused(1, "“production”");
    shop.home.inbox(&["answer", &id, "--option", "staging"]).await.object();
    let said = shop.agent.call("deploy_spec", json!({"spec": "SPEC-001", "environment": "production"})).await;
    assert_eq!(said["structuredContent"]["environment"], "staging");
    assert!(said["text"].as_str().is_some_and(|text| text.contains("not to “production”")), "{said}");
    shop.ended(&said["structuredContent"]["run_id"]).await;

    let asks = shop.deploy("production").await;
    let id = asks["request"]["id"].as_str().expect("an id").to_owned();
    shop.home.inbox(&["answer", &id, "--option", "production", "--typed", "production"]).await.object();
    let run = shop.ended(&shop.deploy("production").await["run_id"]).await;
    assert_eq!(run["output"], "deploying to production for SPEC-001\n");
    shop.serve.stop().await;
}

#[tokio::test]
async fn the_terminal_shows_what_changed_and_trusts_exactly_that() {
    let mut shop = Shop::open("echo one").await;
    let looked = shop.home.run(&["trust", "--json"]).await;
    assert_eq!((looked.code, looked.objects()[0]["state"].as_str()), (1, Some("untrusted")), "{looked:?}");
    assert!(looked.stderr.contains("passphrase"), "{looked:?}");
    let trusted = shop.trust().await;
    assert_eq!((&trusted["state"], &trusted["trusted"]), (&json!("trusted"), &json!(true)));
    assert_eq!(trusted["targets"][1], json!({"name": "production", "protected": true}));
    assert_eq!(shop.home.run(&["trust", "--json"]).await.object()["changes"], "");

    let run = shop.ended(&shop.deploy("staging").await["run_id"]).await;
    assert_eq!(run["output"], "one\n");
    shop.script("echo two");
    let untrusted = shop.deploy("staging").await;
    assert_eq!(untrusted["outcome"], "untrusted");
    let shown = shop.home.run(&["trust"]).await;
    assert_eq!(shown.code, 1);
    let text = shown.lines.join("\n");
    assert!(text.contains("│ -echo one") && text.contains("│ +echo two") && !text.contains("[checks.unit]"), "{text}");
    shop.trust().await;
    let asked = shop.does("get_request", json!({"request_id": untrusted["request"]["id"]})).await;
    assert_eq!(asked["state"], "superseded", "settled by what the person did at the terminal");
    let run = shop.ended(&shop.deploy("staging").await["run_id"]).await;
    assert_eq!(run["output"], "two\n");

    std::fs::write(shop.home.work().join("countersign.toml"), "[targets.x]\nrun = 1\n").expect("written");
    let wrong = shop.home.run(&["trust", "--json"]).await;
    assert_eq!((wrong.code, wrong.objects()[0]["state"].as_str()), (1, Some("mistake")), "{wrong:?}");
    assert!(wrong.stderr.contains("line 2, column"), "{wrong:?}");
    std::fs::remove_file(shop.home.work().join("countersign.toml")).expect("removed");
    let none = shop.home.run(&["trust", "--json"]).await;
    assert_eq!((none.code, none.objects()[0]["state"].as_str()), (1, Some("none")), "{none:?}");
    shop.serve.stop().await;
    shop.home.run(&["trust"]).await.refused(3, "isn't running");
}

#[tokio::test]
async fn a_proof_from_a_file_trusts_nothing_where_decisions_mean_something() {
    let home = Home::new();
    let _serve = home.serve(&[]).await;
    std::fs::write(home.work().join("countersign.toml"), CONFIG).expect("written");
    let file = home.passphrase();
    let refused = home.run(&["trust", "--json", "--passphrase-file", file.to_str().expect("UTF-8")]).await;
    assert_eq!((refused.code, refused.objects()[0]["state"].as_str()), (1, Some("untrusted")), "{refused:?}");
    assert!(refused.stderr.contains("a proof from a file trusts no commands"), "{refused:?}");
    assert!(home.inbox(&["list"]).await.lines.is_empty(), "and leaves no request behind");
}

#[tokio::test]
async fn an_agent_ends_what_it_started_with_all_that_this_started() {
    let mut shop = Shop::open("trap '' TERM; sleep 600 & echo child $!; while :; do sleep 0.1; done").await;
    shop.trust().await;
    let id = shop.deploy("staging").await["run_id"].clone();
    let child = shop.printed(&id, "child ").await;
    assert!(lives(&child));
    let ending = shop.does("cancel_run", json!({"run_id": id})).await;
    assert_eq!(ending["cancelled_by"], "shop");
    let run = shop.ended(&id).await;
    assert_eq!(run["state"], "cancelled", "{run}");
    assert!(!lives(&child));
    let stranger = shop.agent.call("get_run", json!({"run_id": "none"})).await;
    assert_eq!(stranger["isError"], true);
    shop.serve.stop().await;
}

#[tokio::test]
async fn runs_end_with_the_app_and_after_a_crash_they_are_interrupted_and_nothing_of_them_is_left() {
    let mut shop = Shop::open("setsid sleep 600 & echo away $!; echo self $$; sleep 600").await;
    shop.trust().await;
    let id = shop.deploy("staging").await["run_id"].clone();
    let (away, own) = (shop.printed(&id, "away ").await, shop.printed(&id, "self ").await);
    shop.serve.program.signal(Signal::TERM);
    assert_eq!(shop.serve.program.end().await.code(), Some(0));
    assert!(!lives(&own) && !lives(&away), "ended with the app");
    shop.serve = shop.home.serve(&[]).await;
    let run = shop.run(&id).await;
    assert_eq!(run["state"], "interrupted", "{run}");
    assert!(run["output"].as_str().is_some_and(|output| output.contains("self ")), "what it printed is kept: {run}");

    let id = shop.deploy("staging").await["run_id"].clone();
    let (away, own) = (shop.printed(&id, "away ").await, shop.printed(&id, "self ").await);
    shop.serve.program.kill();
    until("the command's own process to go with the app", || (!lives(&own)).then_some(())).await;
    assert!(lives(&away), "it left its group");
    shop.serve = shop.home.serve(&[]).await;
    let run = shop.run(&id).await;
    assert_eq!(run["state"], "interrupted", "{run}");
    until("what the crash left to be ended", || (!lives(&away)).then_some(())).await;
    let listed = shop.home.inbox(&["list"]).await;
    assert!(listed.lines.is_empty(), "{listed:?}");
    shop.serve.stop().await;
}

#[tokio::test]
async fn validate_runs_the_checks_and_the_next_one_knows_how_they_went() {
    let mut shop = Shop::open("true").await;
    let criteria = json!([
        {"text": "All unit tests pass in CI", "check": "unit"},
        {"text": "`make lint` prints 0 warnings", "check": "nobody"},
        "The page shows «Saved» within 1 s"
    ]);
    shop.does("create_spec", json!({"title": "Night shifts", "criteria": criteria})).await;
    let spec = json!({"spec": "SPEC-002"});
    let untrusted = shop.does("validate", spec.clone()).await;
    assert_eq!((&untrusted["all_met"], &untrusted["runs"]), (&json!(false), &json!([])), "{untrusted}");
    let note = untrusted["note"].as_str().expect("a note");
    assert!(note.contains("trust the commands") && note.contains("no check nobody"), "{note}");
    assert!(untrusted["untrusted"]["id"].is_string(), "{untrusted}");
    shop.trust().await;

    // At once, with what is known now: none has run yet, so none is met.
    let first = shop.does("validate", spec.clone()).await;
    assert_eq!(
        (&first["runs"][0]["check"], &first["criteria"][0]["state"]),
        (&json!("unit"), &json!("unmet")),
        "{first}"
    );
    assert_eq!(first["run_id"], first["runs"][0]["run_id"], "{first}");
    assert_eq!(shop.ended(&first["run_id"]).await["state"], "failed");
    let seen = shop.does("get_spec", spec.clone()).await;
    assert_eq!(seen["criteria"][0]["evidence"]["by"], json!({"kind": "check", "name": "unit"}), "{seen}");
    assert_eq!(seen["criteria"][0]["evidence"]["met"], false, "{seen}");

    // The check is mended, trusted again, and passes; over the next revision it has said nothing yet.
    std::fs::write(shop.home.work().join("countersign.toml"), CONFIG.replace("exit 1", "exit 0")).expect("written");
    shop.trust().await;
    let run = shop.does("validate", spec.clone()).await["run_id"].clone();
    assert_eq!(shop.ended(&run).await["state"], "passed");
    assert_eq!(shop.does("validate", spec.clone()).await["criteria"][0]["state"], "met");
    let edited = shop.does("update_spec", json!({"spec": "SPEC-002", "body": "more"})).await;
    assert_eq!(edited["criteria"][0]["state"], "unmet", "{edited}");
    shop.serve.stop().await;
}
