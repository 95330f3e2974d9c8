//! `kill -9` at any moment: what was acknowledged before is there after.

use countersign_client::PortError;
use countersign_core::id::RequestId;
use countersign_core::request::State;
use countersign_host::{Command, Reply};
use countersign_inbox_tests::{Agent, Home, PASSPHRASE, Terminal, in_time, question};
use countersign_store::Store;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

const ROUNDS: usize = 15;
const AGENTS: usize = 4;

/// What was acknowledged, over all rounds.
#[derive(Default)]
struct Acknowledged {
    /// Titles by id.
    asked: HashMap<String, String>,
    /// Labels by id.
    answered: HashMap<String, String>,
}

type Kept = Arc<Mutex<Acknowledged>>;

/// What was acknowledged in one round.
#[derive(Default)]
struct Acks {
    all: usize,
    answers: usize,
}

/// An agent that asks one question after the other, until the app is gone.
async fn ask_on(agent: Agent, round: usize, kept: Kept, acks: watch::Sender<Acks>) {
    for n in 0.. {
        let title = format!("Round {round}, {}, question {n}?", agent.id);
        match agent.try_call("ask_human", question(&title)).await {
            Ok(said) => {
                let id = said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned();
                kept.lock().expect("not poisoned").asked.insert(id, title);
                acks.send_modify(|acks| acks.all += 1);
            }
            Err(PortError::Gone { .. }) => return,
            Err(error) => panic!("{error}"),
        }
    }
}

/// A terminal that answers whatever is open, until the app is gone.
async fn answer_on(mut terminal: Terminal, kept: Kept, acks: watch::Sender<Acks>) {
    for n in 0_usize.. {
        let Ok(open) = terminal.must(&Command::List { workspace: None }).await else { return };
        for request in open.as_array().expect("a list").iter().take(20) {
            let id = request["id"].as_str().expect("an id");
            let label = ["Red", "Blue"][n % 2];
            let answers = json!({"answer": label}).as_object().cloned().unwrap_or_default();
            let answer = Command::Answer { id: RequestId(id.to_owned()), answers, comment: None, typed: None };
            if terminal.must(&answer).await.is_err() {
                return;
            }
            kept.lock().expect("not poisoned").answered.insert(id.to_owned(), label.to_owned());
            acks.send_modify(|acks| *acks = Acks { all: acks.all + 1, answers: acks.answers + 1 });
        }
        tokio::task::yield_now().await;
    }
}

/// Opens the file as the next start would, and looks for everything that was acknowledged.
fn check(home: &Home, kept: &Acknowledged) {
    let store = Store::open(&home.path().join("countersign.db")).expect("the file opens");
    store
        .read(|db| {
            let entries = db.verify_log()?.unwrap_or_else(|fault| panic!("entry {}: {}", fault.seq, fault.what));
            assert!(entries >= (kept.asked.len() + kept.answered.len()) as u64);
            for (id, title) in &kept.asked {
                let request = db.request(&RequestId(id.clone()))?.unwrap_or_else(|| panic!("{title} is gone"));
                assert_eq!(request.ask.title, *title);
            }
            for (id, label) in &kept.answered {
                let request = db.request(&RequestId(id.clone()))?.expect("kept");
                let answers = request.decision.map(|decision| decision.answers.to_json());
                assert_eq!((request.state, answers), (State::Answered, Some(json!({"answer": label}))), "{id}");
            }
            Ok::<_, countersign_store::StoreError>(())
        })
        .expect("read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_ask_and_answer_outlives_a_kill_at_any_moment() {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    let mut agents = Vec::new();
    for n in 0..AGENTS {
        agents.push(home.pair(&format!("agent {n}")).await);
    }
    let kept = Kept::default();
    for round in 0..ROUNDS {
        let (acks, mut seen) = watch::channel(Acks::default());
        let mut work: Vec<_> = agents
            .iter()
            .map(|agent| tokio::spawn(ask_on(agent.at(&serve.url), round, kept.clone(), acks.clone())))
            .collect();
        let mut terminal = Terminal::open(&home).await.expect("a line");
        assert!(matches!(terminal.prove(PASSPHRASE, true).await, Ok(Reply::Ok(_))));
        work.push(tokio::spawn(answer_on(terminal, kept.clone(), acks.clone())));
        // After so many acknowledgements, and so somewhere in the middle of the work of the other four. Every other time the
        // answers are counted: a busy machine may kill fifteen times before the first of them otherwise.
        let moment = 1 + RandomState::new().hash_one(round) as usize % 80;
        let reached = |acks: &Acks| if round % 2 == 0 { acks.all >= moment } else { acks.answers * 8 >= moment };
        in_time("the work", seen.wait_for(reached)).await.expect("counted");
        serve.program.kill();
        for worker in work {
            in_time("the end of the work", worker).await.expect("no panic");
        }
        check(&home, &kept.lock().expect("not poisoned"));
        serve = home.serve(&[]).await;
    }
    serve.stop().await;
    let kept = kept.lock().expect("not poisoned");
    assert!(!kept.answered.is_empty() && kept.asked.len() >= ROUNDS, "there was something to lose");
    check(&home, &kept);
}

async fn answered_at_a_terminal(home: &Home, id: &str) {
    let mut terminal = Terminal::open(home).await.expect("a line");
    assert!(matches!(terminal.prove(PASSPHRASE, true).await, Ok(Reply::Ok(_))));
    let answers = json!({"answer": "Blue"}).as_object().cloned().unwrap_or_default();
    let answer = Command::Answer { id: RequestId(id.to_owned()), answers, comment: None, typed: None };
    terminal.must(&answer).await.expect("acknowledged");
}

fn is_blue(said: &Value) -> bool {
    said["structuredContent"]["state"] == "answered" && said["structuredContent"]["chosen"] == json!(["Blue"])
}

#[tokio::test]
async fn an_answer_that_a_kill_kept_from_its_agent_is_handed_out_after_the_restart() {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    let id = agent.ask("Was it delivered?").await;
    // Nobody waits when the answer is committed, so that it can't be delivered before the kill.
    answered_at_a_terminal(&home, &id).await;
    serve.program.kill();
    serve = home.serve(&[]).await;
    let agent = agent.at(&serve.url);
    let said = agent.call("ask_human", question("Was it delivered?")).await;
    assert!(is_blue(&said) && said["structuredContent"]["repeated"].is_null(), "as new: {said}");
    assert_eq!(said["structuredContent"]["request"]["id"], json!(id), "and no second card");
    assert!(is_blue(&agent.call("wait_for_answer", json!({"request_id": id})).await));
    assert!(home.inbox(&["list"]).await.objects().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_waits_while_the_app_is_killed_right_after_the_commit_gets_that_answer_next_time() {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    let mut agent = home.pair("a").await;
    for round in 0..5 {
        agent = agent.at(&serve.url);
        let text = format!("Round {round}?");
        let id = agent.ask(&text).await;
        let waiting = {
            let (agent, id) = (agent.clone(), id.clone());
            tokio::spawn(async move { agent.try_call("wait_for_answer", json!({"request_id": id})).await })
        };
        in_time("the wait", async { while home.inbox(&["show", &id]).await.object()["waiting"] != true {} }).await;
        answered_at_a_terminal(&home, &id).await;
        serve.program.kill();
        match in_time("the end of the call", waiting).await.expect("no panic") {
            Ok(said) => assert!(is_blue(&said), "{said}"),
            Err(error) => assert!(matches!(error, PortError::Gone { .. }), "{error}"),
        }
        serve = home.serve(&[]).await;
        agent = agent.at(&serve.url);
        assert!(is_blue(&agent.call("wait_for_answer", json!({"request_id": id})).await));
        assert!(is_blue(&agent.call("ask_human", question(&text)).await), "the same ask too, without a second card");
    }
}
