//! `countersign pair` and `countersign inbox`: what each verb prints, and its exit code.

use countersign_broker::ManualClock;
use countersign_core::time::Millis;
use countersign_inbox_tests::{Home, House, Program, Serve, question};
use serde_json::{Value, json};
use std::sync::Arc;

async fn test_home() -> (Home, Serve) {
    let home = Home::new();
    let serve = home.serve(&["--insecure-test"]).await;
    (home, serve)
}

async fn object(program: &mut Program) -> Value {
    let line = program.line().await.unwrap_or_else(|| panic!("no line: {}", program.stderr()));
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

#[tokio::test]
async fn a_program_is_paired_by_the_code_that_it_prints_and_gets_its_token_once() {
    let (home, _serve) = test_home().await;
    let mut pairing =
        Program::start(&mut home.command(&["pair", "--name", "Ana's agent", "--client", "codex", "--json"]));
    let said = object(&mut pairing).await;
    let code = said["code"].as_str().expect("a code").to_owned();
    assert_eq!(said, json!({"code": code, "expires_in": 120}));
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");

    let waiting = home.run(&["inbox", "pairings", "--json"]).await.object();
    assert_eq!((&waiting["name"], &waiting["client"]), (&json!("Ana's agent"), &json!("codex")));
    let work = home.work().canonicalize().expect("there");
    assert_eq!(waiting["workspace"], json!(work));
    assert!(!waiting.to_string().contains(&code), "the person reads the code from the program, not from here");
    home.inbox(&["pairings", "accept", "000000"]).await.refused(1, "4");
    assert_eq!(home.inbox(&["pairings", "accept", &code]).await.object(), json!({"accepted": true}));

    let said = object(&mut pairing).await;
    let keys: Vec<&String> = said.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["agent", "token"]);
    assert_eq!(pairing.line().await, None);
    assert_eq!(pairing.end().await.code(), Some(0));
    home.inbox(&["pairings", "accept", &code]).await.refused(1, "");
    assert!(home.run(&["inbox", "pairings", "--json"]).await.lines.is_empty());
}

#[tokio::test]
async fn a_program_that_is_refused_ends_with_1_and_one_that_nobody_answers_with_4() {
    let clock = ManualClock::default();
    let house = {
        let clock = clock.clone();
        let file = countersign_host::Passphrase::Given(countersign_inbox_tests::PASSPHRASE.into());
        House::with(move |options| {
            options.clock = Arc::new(clock.clone());
            options.passphrase = file.clone();
        })
        .await
    };
    let pair = || Program::start(&mut house.home.command(&["pair", "--name", "a", "--json"]));
    let mut refused = pair();
    let code = object(&mut refused).await["code"].as_str().expect("a code").to_owned();
    assert_eq!(house.home.inbox(&["pairings", "refuse", &code]).await.object(), json!({"refused": true}));
    assert_eq!(object(&mut refused).await, json!({"refused": "the person said no"}));
    assert_eq!(refused.end().await.code(), Some(1));

    let mut left = pair();
    object(&mut left).await;
    clock.pass(Millis(120_000));
    assert_eq!(object(&mut left).await, json!({"refused": "nobody typed the code in time"}));
    assert_eq!(left.end().await.code(), Some(4));
}

#[tokio::test]
async fn every_program_that_waits_hears_that_wrong_codes_closed_pairing_and_not_that_it_was_refused() {
    let (home, _serve) = test_home().await;
    let pair = |name: &str| Program::start(&mut home.command(&["pair", "--name", name, "--json"]));
    let mut waiting = [pair("a"), pair("b")];
    let mut codes = Vec::new();
    for one in &mut waiting {
        codes.push(object(one).await["code"].as_str().expect("a code").to_owned());
    }
    let wrong: Vec<String> = (0..).map(|n| format!("{n:06}")).filter(|code| !codes.contains(code)).take(5).collect();
    for (code, said) in wrong.iter().zip(["4 tries are left", "3 tries", "2 tries", "1 try is left", "closed"]) {
        home.inbox(&["pairings", "accept", code]).await.refused(1, said);
    }
    for mut one in waiting {
        let why = object(&mut one).await["refused"].as_str().expect("why").to_owned();
        assert!(why.contains("too many wrong codes") && why.contains("nobody refused"), "{why}");
        assert_eq!(one.end().await.code(), Some(1));
    }
}

#[tokio::test]
async fn the_list_has_what_is_pending_oldest_first_one_object_a_line() {
    let (home, _serve) = test_home().await;
    assert!(home.run(&["inbox", "list", "--json"]).await.objects().is_empty());
    let agent = home.pair("Agent α").await;
    let first = agent.ask("First line\nand more").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    agent.call("delete_spec", json!({"spec": "SPEC-001"})).await;
    let elsewhere = json!({"question": "Elsewhere?", "options": ["A", "B"], "hold_seconds": 0, "workspace": "/"});
    agent.call("ask_human", elsewhere).await;

    let listed = home.run(&["inbox", "list", "--json"]).await;
    assert_eq!(listed.code, 0);
    let listed = listed.objects();
    let titles: Vec<_> = listed.iter().map(|request| request["title"].as_str().expect("a title")).collect();
    assert_eq!((titles.len(), titles[0], titles[2]), (3, "First line", "Elsewhere?"));
    assert!(titles[1].contains("SPEC-001"), "the title names the spec: {titles:?}");
    let work = home.work().canonicalize().expect("there");
    for (key, value) in [
        ("id", json!(first)),
        ("state", json!("pending")),
        ("class", json!("ask")),
        ("kind", json!("ask_human")),
        ("agent", json!("Agent α")),
        ("workspace", json!(work)),
    ] {
        assert_eq!(listed[0][key], value, "{key}");
    }
    let asked = &listed[0]["questions"][0];
    assert_eq!((&asked["id"], &asked["type"]), (&json!("answer"), &json!("choice")));
    assert_eq!((&asked["question"], &asked["options"]), (&json!("First line\nand more"), &json!(["Red", "Blue"])));
    assert_eq!(listed[1]["class"], "destructive");

    let here = home.run(&["inbox", "list", "--workspace", ".", "--json"]).await.objects();
    assert_eq!(here.len(), 2);
    assert_eq!(home.run(&["inbox", "list", "--workspace", "/", "--json"]).await.objects()[0]["title"], "Elsewhere?");
    assert_eq!(home.run(&["inbox", "show", &first, "--json"]).await.object(), listed[0]);
    home.run(&["inbox", "show", "no-such-id", "--json"]).await.refused(1, "no-such-id");
    home.run(&["inbox", "list", "--workspace", "/no/such/folder", "--json"]).await.refused(1, "can't be used");
}

#[tokio::test]
async fn answers_of_every_kind_are_given_by_flags_and_reach_the_agent() {
    let (home, _serve) = test_home().await;
    let agent = home.pair("a").await;
    let several = json!({"question": "Several?", "options": ["A", "B", "C"], "multiple": true, "hold_seconds": 0});
    for (ask, flags, text) in [
        (question("One?"), &["--option", "Blue"][..], "The person chose: Blue."),
        (question("Own?"), &["--text", "Verde ✓"], "Their own answer: Verde ✓"),
        (
            question("With words?"),
            &["--option", "Red", "--comment", "soon"],
            "The person chose: Red.\nThey added: soon",
        ),
        (question("JSON?"), &["--answers", r#"{"answer":"Red"}"#], "The person chose: Red."),
        (
            several.clone(),
            &["--option", "A", "--option", "C", "--text", "D"],
            "The person chose: A; C.\nTheir own answer: D",
        ),
    ] {
        let said = agent.call("ask_human", ask).await;
        let id = said["structuredContent"]["request"]["id"].as_str().expect("an id");
        let answered = home.inbox(&[&["answer", id], flags].concat()).await.object();
        assert_eq!((&answered["id"], &answered["state"]), (&json!(id), &json!("answered")), "{answered}");
        assert_eq!(
            (&answered["decision"]["channel"], &answered["decision"]["unattended"]),
            (&json!("serve"), &json!(true))
        );
        let said = agent.call("wait_for_answer", json!({"request_id": id})).await;
        assert_eq!(said["text"], text);
    }
}

#[tokio::test]
async fn a_no_and_a_decline_are_done_with_0_and_a_yes_to_what_destroys_takes_its_word() {
    let (home, _serve) = test_home().await;
    let agent = home.pair("a").await;
    agent.call("create_spec", json!({"title": "Login"})).await;
    let delete = || agent.call("delete_spec", json!({"spec": "SPEC-001"}));
    let id = |said: &Value| said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned();

    let first = id(&delete().await);
    home.inbox(&["answer", &first, "--yes"]).await.refused(1, "SPEC-001");
    home.inbox(&["answer", &first, "--yes", "--typed", "spec"]).await.refused(1, "SPEC-001");
    assert_eq!(home.inbox(&["answer", &first, "--no"]).await.object()["decision"]["answers"]["confirm-delete"], false);
    assert_eq!(delete().await["structuredContent"]["outcome"], "refused");

    let second = id(&delete().await);
    assert_ne!(first, second);
    assert_eq!(home.inbox(&["decline", &second, "--comment", "not now"]).await.object()["state"], "declined");
    let third = id(&delete().await);
    assert_eq!(home.inbox(&["answer", &third, "--yes", "--typed", "SPEC-001"]).await.object()["state"], "answered");
    assert_eq!(delete().await["structuredContent"]["outcome"], "deleted");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_1_or_2_and_changes_nothing() {
    let (home, _serve) = test_home().await;
    let agent = home.pair("a").await;
    let id = agent.ask("Which?").await;
    for (flags, code, words) in [
        (&["answer", &id, "--option", "Green"][..], 1, "Green"),
        (&["answer", &id, "--answers", r#"{"other-id":"Red"}"#], 1, "other-id"),
        (&["answer", "no-such-id", "--option", "Red"], 1, "no-such-id"),
        (&["decline", "no-such-id"], 1, "no-such-id"),
        (&["answer", &id, "--yes"], 2, "yes/no"),
        (&["answer", &id, "--plan", "run"], 2, "plans"),
        (&["answer", &id, "--answers", "[1]"], 2, "JSON object"),
        (&["answer", &id, "--answers", "{"], 2, "no JSON"),
        (&["answer", &id], 2, "Usage"),
        (&["answer", &id, "--yes", "--no"], 2, "cannot be used with"),
        (&["answer", "--option", "Red"], 2, "ID"),
        (&["frobnicate"], 2, "frobnicate"),
    ] {
        home.inbox(flags).await.refused(code, words);
    }
    assert_eq!(home.run(&["inbox", "show", &id, "--json"]).await.object()["state"], "pending");
    home.run(&["pair", "--json"]).await.refused(2, "--name");
    home.run(&["pair", "--name", "", "--json"]).await.refused(1, "name");
    home.run(&[]).await.refused(2, "Usage");
    assert_eq!(home.run(&["--help"]).await.code, 0);
}

#[tokio::test]
async fn a_second_answer_is_refused_and_says_who_settled_it_and_when() {
    let (home, _serve) = test_home().await;
    let id = home.pair("a").await.ask("Once?").await;
    assert_eq!(home.inbox(&["answer", &id, "--option", "Red"]).await.code, 0);
    let again = home.inbox(&["answer", &id, "--option", "Blue"]).await;
    again.refused(1, "answered");
    assert!(
        again.stderr.contains("serve") && again.stderr.contains(" UTC)"),
        "through what and when: {}",
        again.stderr
    );
    let shown = home.run(&["inbox", "show", &id, "--json"]).await.object();
    assert_eq!(shown["decision"]["answers"], json!({"answer": "Red"}));
}

#[tokio::test]
async fn where_nothing_runs_every_verb_ends_with_3() {
    let home = Home::new();
    for arguments in [
        &["pair", "--name", "a"][..],
        &["inbox", "list"],
        &["inbox", "pairings"],
        &["inbox", "pairings", "accept", "123456"],
        &["inbox", "pairings", "refuse", "123456"],
        &["inbox", "show", "x"],
        &["inbox", "answer", "x", "--yes"],
        &["inbox", "decline", "x"],
    ] {
        home.run(&[arguments, &["--json"]].concat()).await.refused(3, "isn't running");
    }
    assert!(!home.path().exists(), "looking makes nothing");
}

#[tokio::test]
async fn for_people_it_prints_plain_lines_in_which_nothing_of_an_agent_moves_the_cursor() {
    let (home, _serve) = test_home().await;
    assert_eq!(home.run(&["inbox", "list"]).await.lines, ["Nothing is waiting for you."]);
    let id = home.pair("a").await.ask("Clear \u{1b}[2J the \u{202e}screen?").await;
    // A title is made of a question's first line without what controls.
    for (arguments, shown) in
        [(&["inbox", "list"][..], &["⟦U+202E⟧"][..]), (&["inbox", "show", &id], &["⟦U+202E⟧", "⟦U+001B⟧"])]
    {
        let text = home.run(arguments).await.lines.join("\n");
        assert!(shown.iter().all(|escape| text.contains(escape)), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
    }
}
