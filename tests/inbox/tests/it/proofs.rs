//! The proof that a person is there, without which no terminal changes anything.

use countersign_broker::ManualClock;
use countersign_core::id::RequestId;
use countersign_core::scope::Scopes;
use countersign_core::time::Millis;
use countersign_host::{Command, Passphrase, Reply, Surface};
use countersign_inbox_tests::{Home, House, PASSPHRASE, Terminal, question, until};
use serde_json::{Value, json};
use std::sync::Arc;

async fn house_with(clock: &ManualClock) -> House {
    let clock = clock.clone();
    House::with(move |options| {
        options.clock = Arc::new(clock.clone());
        options.passphrase = Passphrase::Given(PASSPHRASE.into());
    })
    .await
}

fn code(reply: std::io::Result<Reply>) -> String {
    match reply.expect("a reply") {
        Reply::Ok(_) => "ok".into(),
        Reply::Error { code, .. } => code,
    }
}

fn id(said: &Value) -> String {
    said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[tokio::test]
async fn without_a_proof_every_verb_that_changes_something_is_refused_and_those_that_look_are_not() {
    let clock = ManualClock::default();
    let house = house_with(&clock).await;
    let id = house.pair("a").await.ask("Really?").await;
    for arguments in [
        &["answer", &id, "--option", "Red"][..],
        &["decline", &id],
        &["pairings", "accept", "123456"],
        &["pairings", "refuse", "123456"],
    ] {
        house.home.run(&[&["inbox"], arguments, &["--json"]].concat()).await.refused(1, "proof that a person is there");
    }
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    let change = [
        Command::Answer { id: RequestId(id.clone()), answers: Default::default(), comment: None, typed: None },
        Command::Decline { id: RequestId(id.clone()), comment: None },
        Command::AcceptPairing { code: "123456".into(), scopes: Scopes::ALL },
        Command::RefusePairing { code: "123456".into() },
    ];
    for command in change {
        assert_eq!(code(terminal.say(&command).await), "proof_needed", "{command:?}");
    }
    for arguments in [&["list"][..], &["show", &id], &["pairings"]] {
        assert_eq!(house.home.run(&[&["inbox"], arguments, &["--json"]].concat()).await.code, 0, "{arguments:?}");
    }
    assert_eq!(house.home.run(&["inbox", "show", &id, "--json"]).await.object()["state"], "pending");
}

#[tokio::test]
async fn five_wrong_passphrases_make_a_pause_in_which_the_right_one_is_refused_too() {
    let clock = ManualClock::default();
    let house = house_with(&clock).await;
    let id = house.pair("a").await.ask("Guess?").await;
    let wrong = house.home.file("wrong", "not the passphrase\n");
    let guess = ["inbox", "decline", &id, "--json", "--passphrase-file", wrong.to_str().expect("UTF-8")];
    for _ in 0..5 {
        house.home.run(&guess).await.refused(1, "not the passphrase");
    }
    house.home.run(&guess).await.refused(1, "try again in 60 s");
    house.home.inbox(&["decline", &id]).await.refused(1, "too many wrong passphrases");
    clock.pass(Millis(59_000));
    house.home.inbox(&["decline", &id]).await.refused(1, "try again in 1 s");
    assert_eq!(house.home.run(&["inbox", "show", &id, "--json"]).await.object()["state"], "pending");
    clock.pass(Millis(1_000));
    assert_eq!(house.home.inbox(&["decline", &id]).await.object()["state"], "declined");
}

#[tokio::test]
async fn a_proof_from_a_file_decides_what_is_harmless_and_nothing_else_on_a_normal_home() {
    let home = Home::new();
    let _serve = home.serve(&[]).await;
    let agent = home.pair("a").await;
    // Class `ask`.
    let ask = agent.ask("Harmless?").await;
    let shown = home.inbox(&["answer", &ask, "--option", "Red"]).await.object();
    assert_eq!(shown["decision"]["unattended"], true);
    let said = agent.call("wait_for_answer", json!({"request_id": ask})).await;
    assert_eq!(said["structuredContent"]["decided_by"], "unattended", "and the agent hears what it was");
    // Class `ambiguity`.
    agent.call("create_spec", json!({"title": "Login"})).await;
    let doubt = agent.call("create_spec", json!({"title": "Login"})).await;
    assert_eq!(doubt["structuredContent"]["request"]["class"], "ambiguity", "{doubt}");
    let choice = doubt["structuredContent"]["interactiveQuestions"][0]["options"][1].as_str().expect("an option");
    assert_eq!(home.inbox(&["answer", &id(&doubt), "--option", choice]).await.object()["state"], "answered");
    // Class `destructive`: neither a yes nor, which is a decision too, a no.
    let delete = agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    for flags in [&["--yes", "--typed", "SPEC-001"][..], &["--no"]] {
        let answered = home.inbox(&[&["answer", &id(&delete)], flags].concat()).await;
        assert_eq!((answered.code, answered.lines.len()), (1, 0), "{flags:?}: {answered:?}");
    }
    assert_eq!(home.run(&["inbox", "show", &id(&delete), "--json"]).await.object()["state"], "pending");
    let found = agent.call("get_spec", json!({"spec": "SPEC-001"})).await;
    assert_eq!(found["isError"], false);
}

#[tokio::test]
async fn a_passphrase_that_a_person_typed_decides_what_destroys_under_serve() {
    let clock = ManualClock::default();
    let house = house_with(&clock).await;
    let agent = house.pair("a").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    let delete = agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    let answers = json!({"confirm-delete": true}).as_object().cloned().unwrap_or_default();
    let yes = |typed: Option<&str>| Command::Answer {
        id: RequestId(id(&delete)),
        answers: answers.clone(),
        comment: None,
        typed: typed.map(str::to_owned),
    };
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    assert_eq!(code(terminal.prove("not the passphrase", false).await), "wrong_passphrase");
    assert_eq!(code(terminal.say(&yes(Some("SPEC-001"))).await), "proof_needed");
    assert_eq!(code(terminal.prove(PASSPHRASE, false).await), "ok");
    assert_ne!(code(terminal.say(&yes(None)).await), "ok", "the word is missing");
    assert_eq!(code(terminal.say(&yes(Some("SPEC-001"))).await), "ok");
    let deleted = agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    assert_eq!(deleted["structuredContent"]["outcome"], "deleted");
}

#[tokio::test]
async fn a_proof_lives_in_its_own_terminal_for_an_hour() {
    let clock = ManualClock::default();
    let house = house_with(&clock).await;
    let agent = house.pair("a").await;
    let (mut one, mut other) =
        (Terminal::open(&house.home).await.expect("a line"), Terminal::open(&house.home).await.expect("a line"));
    assert_eq!(code(one.prove(PASSPHRASE, false).await), "ok");
    let decline = |said: &Value| Command::Decline { id: RequestId(id(said)), comment: None };
    let first = agent.call("ask_human", question("First?")).await;
    assert_eq!(code(other.say(&decline(&first)).await), "proof_needed", "not in another terminal");
    clock.pass(Millis(3_599_000));
    assert_eq!(code(one.say(&decline(&first)).await), "ok");
    clock.pass(Millis(1_000));
    let second = agent.call("ask_human", question("Second?")).await;
    assert_eq!(code(one.say(&decline(&second)).await), "proof_needed", "not after an hour");
    assert_eq!(code(one.say(&Command::ProveInWindow).await), "wrong_proof", "there is no window that could say so");
}

#[tokio::test]
async fn many_guesses_at_once_are_judged_one_by_one_and_no_more_than_five() {
    let clock = ManualClock::default();
    let house = house_with(&clock).await;
    let mut guesses = tokio::task::JoinSet::new();
    for n in 0..30 {
        let mut terminal = Terminal::open(&house.home).await.expect("a line");
        guesses.spawn(async move { code(terminal.prove(&format!("a wrong guess, {n}"), false).await) });
    }
    let said = guesses.join_all().await;
    assert_eq!(said.iter().filter(|code| *code == "wrong_passphrase").count(), 5, "{said:?}");
    assert_eq!(said.iter().filter(|code| *code == "too_many").count(), 25, "{said:?}");
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    assert_eq!(code(terminal.prove(PASSPHRASE, false).await), "too_many", "the right one too, in the pause");
}

#[tokio::test]
async fn beside_the_window_a_terminal_is_what_the_system_says_it_is_and_is_gone_when_it_hangs_up() {
    let house = House::with(|options| options.surface = Surface::Desktop).await;
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    let asked = terminal.must(&Command::ProveInWindow).await.expect("a code");
    assert_eq!(asked["code"].as_str().map(str::len), Some(6));
    let [arrival] = house.broker().arrivals().waiting.try_into().expect("one waits");
    let own = std::env::current_exe().expect("a program").to_string_lossy().into_owned();
    assert_eq!((arrival.program.pid, arrival.program.path), (Some(std::process::id()), Some(own)));
    drop(terminal);
    until("it is withdrawn", || house.broker().arrivals().waiting.is_empty().then_some(())).await;
}
