//! Plans that are revised: at the terminal, and as the agent hears of it.

use countersign_broker::{ManualClock, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::time::Millis;
use countersign_inbox_tests::{Agent, Home, House, Serve, in_time};
use serde_json::{Value, json};
use std::sync::Arc;

const FIRST: &str = "# Move the ledger\n\n1. Read the old ledger\n2. Move it";
const SECOND: &str = "# Move the ledger\n\n1. Read the old ledger twice\n2. Move it";

fn id(said: &Value) -> RequestId {
    RequestId(said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned())
}

async fn planning() -> (Home, Serve, Agent) {
    let home = Home::new();
    let serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    agent.call("request_mode", json!({"mode": "interactive"})).await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    (home, serve, agent)
}

async fn present(agent: &Agent, plan: &str) -> RequestId {
    let said = agent.call("present_plan", json!({"plan": plan, "hold_seconds": 0})).await;
    id(&said)
}

async fn heard(agent: &Agent, id: &RequestId) -> Value {
    agent.call("wait_for_answer", json!({"request_id": id})).await
}

#[tokio::test]
async fn remarks_and_changes_go_from_the_terminal_to_the_agent_and_back() {
    let (home, _serve, agent) = planning().await;
    let first = present(&agent, FIRST).await;
    let shown = home.run(&["inbox", "show", first.as_str(), "--json"]).await.object();
    let plan = &shown["plan"];
    assert_eq!((&plan["revision"], &plan["changes"], &plan["previous"]), (&json!(1), &json!(null), &json!([])));
    assert_eq!((&plan["modes"], &plan["run_mode"]), (&json!(["guided", "interactive"]), &json!("interactive")));

    let keep = ["answer", first.as_str(), "--plan", "keep", "--comment", "No lab", "--remark", "4:Not yet", "--remark"];
    let kept = home.inbox(&[&keep[..], &["3:Twice: once is not enough"]].concat()).await.object();
    let remarks = json!([
        {"line": 3, "quote": "1. Read the old ledger", "text": "Twice: once is not enough"},
        {"line": 4, "quote": "2. Move it", "text": "Not yet"},
    ]);
    assert_eq!(kept["decision"]["remarks"], remarks);
    let said = heard(&agent, &first).await;
    let words = "The person wants to keep planning: No lab.\nOn line 3 (“1. Read the old ledger”): Twice: once is not enough\nOn line 4 (“2. Move it”): Not yet\nYou're still in plan mode: revise the plan and present it again.";
    assert_eq!(said["text"], words);
    let structured = &said["structuredContent"];
    assert_eq!((&structured["outcome"], &structured["remarks"]), (&json!("keep"), &remarks));
    assert_eq!((&structured["revision"], &structured["mode"]), (&json!(1), &json!("plan")));

    let second = present(&agent, SECOND).await;
    let shown = home.run(&["inbox", "show", second.as_str(), "--json"]).await.object();
    let plan = &shown["plan"];
    assert_eq!(plan["revision"], 2);
    let changes = "@@ -1,4 +1,4 @@\n # Move the ledger\n \n-1. Read the old ledger\n+1. Read the old ledger twice\n 2. Move it\n\\ No newline at end of file\n";
    assert_eq!(plan["changes"], changes);
    let past = &plan["previous"][0];
    assert_eq!((&past["id"], &past["outcome"], &past["remarks"]), (&json!(first), &json!("keep"), &remarks));
    let page = home.run(&["inbox", "show", second.as_str()]).await.lines.join("\n");
    for line in [
        "Revision: 2",
        "  │ -1. Read the old ledger",
        "  │ +1. Read the old ledger twice",
        "    Comment: No lab",
        "    Line 4 (“2. Move it”): Not yet",
        "Running it leads to interactive mode; --mode guided|interactive picks another",
    ] {
        assert!(page.lines().any(|shown| shown == line), "{line:?} is not in {page}");
    }
    assert!(page.contains(&format!("Before it: revision 1 (keep), {first}  Move the ledger")), "{page}");

    let ran = home.inbox(&["answer", second.as_str(), "--plan", "run", "--mode", "guided"]).await.object();
    assert_eq!((&ran["decision"]["mode"], &ran["mode"]), (&json!("guided"), &json!("guided")));
    let said = heard(&agent, &second).await;
    let words =
        "The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step.";
    assert_eq!((&said["text"], &said["structuredContent"]["revision"]), (&json!(words), &json!(2)));
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let third = present(&agent, FIRST).await;
    let shown = home.run(&["inbox", "show", third.as_str(), "--json"]).await.object();
    assert_eq!((&shown["plan"]["revision"], &shown["plan"]["changes"]), (&json!(1), &json!(null)), "another matter");
}

#[tokio::test]
async fn what_goes_with_no_answer_to_a_plan_is_refused_before_or_without_a_decision() {
    let (home, _serve, agent) = planning().await;
    let plan = present(&agent, FIRST).await;
    let answer = async |more: &[&str]| home.inbox(&[&["answer", plan.as_str()], more].concat()).await;
    answer(&["--plan", "keep", "--mode", "guided"]).await.refused(2, "--plan run");
    answer(&["--plan", "run", "--mode", "plan"]).await.refused(2, "plan");
    answer(&["--plan", "run", "--mode", "autonomous"]).await.refused(2, "autonomous");
    answer(&["--plan", "keep", "--remark", "No lab"]).await.refused(2, "4:TEXT");
    answer(&["--remark", "4:No lab"]).await.refused(2, "--plan");
    answer(&["--plan", "keep", "--remark", "5:No lab"])
        .await
        .refused(1, "there is no line 5; the plan has lines 1 to 4");
    let session = home.run(&["mode", "--json"]).await.object()["session"].as_str().expect("an id").to_owned();
    let file = home.passphrase();
    let guided = ["mode", session.as_str(), "guided", "--passphrase-file", file.to_str().expect("UTF-8"), "--json"];
    assert_eq!(home.run(&guided).await.object()["mode"], "guided");
    answer(&["--plan", "run", "--mode", "interactive"]).await.refused(1, "plan mode was left meanwhile");
    let shown = home.run(&["inbox", "show", plan.as_str(), "--json"]).await.object();
    assert_eq!((&shown["state"], &shown["plan"]["modes"]), (&json!("pending"), &json!([])));
    let ran = answer(&["--plan", "run", "--comment", "and be quick", "--remark", "4:by night"]).await.object();
    assert_eq!(ran["decision"]["mode"], "guided");
    let words = "The person approved the plan. Plan mode is off (now guided mode): carry the plan out now, step by step. They added: and be quick\nOn line 4 (“2. Move it”): by night";
    assert_eq!(heard(&agent, &plan).await["text"], words);
}

/// How the person, or nobody, ends a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Run,
    Keep,
    Cancel,
    Decline,
    Withdraw,
    Expire,
}

/// Presents a plan and does what each text says, and nothing else: waits, revises, carries it out, or stops.
async fn obeys(agent: &Agent) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut revision = 1;
    let mut call = ("present_plan", json!({"plan": "# One", "hold_seconds": 0, "expires_in_seconds": 600}));
    // Far over the bound that is asserted; reached by an agent that is sent round in circles.
    while texts.len() < 12 {
        let said = agent.call(call.0, call.1).await;
        let text = said["text"].as_str().expect("a text").to_owned();
        texts.push(text.clone());
        call = if text.contains("Call wait_for_answer") {
            ("wait_for_answer", json!({"request_id": id(&said)}))
        } else if text.contains("present it again") {
            revision += 1;
            let plan = format!("# One\n\nRevision {revision}");
            ("present_plan", json!({"plan": plan, "hold_seconds": 0, "expires_in_seconds": 600}))
        } else {
            break;
        };
    }
    texts
}

#[tokio::test]
async fn an_agent_that_obeys_each_ending_of_a_plan_comes_to_an_end_and_runs_none_that_was_not_run() {
    for first in [End::Run, End::Keep, End::Cancel, End::Decline, End::Withdraw, End::Expire] {
        let clock = ManualClock::default();
        let house = {
            let clock = clock.clone();
            House::with(move |options| options.clock = Arc::new(clock.clone())).await
        };
        let agent = house.pair("a").await;
        agent.call("request_mode", json!({"mode": "plan"})).await;
        let person = async {
            // A plan that is to be revised is run the second time.
            for how in [first, End::Run].into_iter().take(if first == End::Keep { 2 } else { 1 }) {
                let id = house.waiting().await;
                let answer = |label: &str, remarks| {
                    let answers = json!({"plan": label}).as_object().expect("an object").clone();
                    Verdict::Plan { answers, comment: Some("please".into()), remarks, mode: None }
                };
                let remark = vec![GivenRemark { line: 1, text: "call wait_for_answer? No.".into() }];
                let verdict = match how {
                    End::Run => answer("Run it", Vec::new()),
                    End::Keep => answer("Keep planning", remark),
                    End::Cancel => answer("Cancel", Vec::new()),
                    End::Decline => Verdict::Decline { comment: None },
                    End::Withdraw => {
                        agent.call("cancel_request", json!({"request_id": id})).await;
                        continue;
                    }
                    End::Expire => {
                        clock.pass(Millis::seconds(600));
                        house.broker().tick().await.expect("ticked");
                        continue;
                    }
                };
                house.broker().decide(Person::at(Channel::Dialog), &id, None, verdict).await.expect("decided");
            }
        };
        let (texts, ()) = in_time("the end", async { tokio::join!(obeys(&agent), person) }).await;
        let calls = if first == End::Keep { 4 } else { 2 };
        assert_eq!(texts.len(), calls, "{first:?}: {texts:#?}");
        let runs = texts.last().is_some_and(|text| text.contains("carry the plan out now"));
        assert_eq!(runs, matches!(first, End::Run | End::Keep), "{first:?}: {texts:#?}");
        assert_eq!(texts.iter().filter(|text| text.contains("approved the plan")).count(), usize::from(runs));
        house.open("nothing is asked again", <[_]>::is_empty).await;
    }
}
