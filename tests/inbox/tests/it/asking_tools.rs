//! The asking tools besides `ask_human`, over HTTP, MCP and the terminal: what comes back for every way in which each ends.

use countersign_broker::{ManualClock, Person, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::request::State;
use countersign_core::time::Millis;
use countersign_inbox_tests::mcp::{self, Era, call};
use countersign_inbox_tests::{Agent, Home, House, in_time};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A house with an agent, a file of the person's and one of the workspace.
struct Scene {
    house: House,
    clock: ManualClock,
    agent: Agent,
}

async fn scene() -> Scene {
    let clock = ManualClock::default();
    let house = {
        let clock = clock.clone();
        House::with(move |options| options.clock = Arc::new(clock.clone())).await
    };
    fs::create_dir_all(house.home.work().join("docs")).expect("made");
    fs::write(house.home.work().join("docs/old.pdf"), "old").expect("written");
    house.home.file("mine.pdf", "mine");
    let agent = house.pair("a").await;
    Scene { house, clock, agent }
}

/// The tools, each with arguments that it takes, and a yes to it.
fn tools(scene: &Scene) -> [(&'static str, Value, Value); 5] {
    let mine = scene.mine();
    let questions = json!([
        {"id": "colour", "question": "Which colour?", "type": "choice", "options": ["Red", "Blue"], "allow_other": true},
        {"id": "sizes", "question": "Which sizes?", "type": "multiChoice", "options": ["S", "M", "L"], "required": false},
        {"id": "name", "question": "Whose name?", "type": "text", "pattern": "^[A-Z]"},
        {"id": "rush", "question": "In a hurry?", "type": "confirm"},
    ]);
    let all = json!({"colour": {"other": "Green"}, "name": "Ana", "rush": false});
    [
        ("ask_questions", json!({"questions": questions, "title": "An order"}), all),
        ("request_human_approval", json!({"summary": "# Send the invoice\n\nTo all."}), json!({"approval": true})),
        (
            "request_manual_intervention",
            json!({"title": "Log in", "steps": ["Open the site", "Log in"]}),
            json!({"done": true}),
        ),
        ("request_file", json!({"description": "The syllabus", "destination": "docs"}), json!({"file": mine})),
        (
            "retire_source",
            json!({"source": "docs/old.pdf", "why": "wrong", "reason": "It is last year's."}),
            json!({"retire": true}),
        ),
    ]
}

#[derive(Debug, Clone, Copy)]
enum End {
    Yes,
    No,
    Decline,
    Cancel,
    Expire,
}

impl Scene {
    fn mine(&self) -> PathBuf {
        self.house.home.path().parent().expect("a folder").join("mine.pdf")
    }

    fn work(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.house.home.work().join(path)).ok()
    }

    async fn end(&self, how: End, yes: &Value) {
        let id = self.house.waiting().await;
        let decide = async |verdict| {
            let said = self.house.broker().decide(Person::at(Channel::Window), &id, None, verdict).await;
            said.expect("decided");
        };
        let comment = Some("As we said.".to_owned());
        match how {
            End::Yes | End::No => {
                let mut answers = yes.as_object().expect("an object").clone();
                if let End::No = how {
                    answers.values_mut().for_each(|answer| *answer = json!(false));
                }
                decide(Verdict::Answer { answers, comment, typed: None }).await;
            }
            End::Decline => decide(Verdict::Decline { comment }).await,
            End::Cancel => drop(self.agent.call("cancel_request", json!({"request_id": id})).await),
            End::Expire => {
                self.clock.pass(Millis::seconds(600));
                self.house.broker().tick().await.expect("ticked");
            }
        }
    }
}

#[tokio::test]
async fn every_tool_tells_every_ending_in_words_of_its_own_and_only_a_yes_is_one() {
    for n in 0..5 {
        let mut texts = std::collections::HashSet::new();
        for how in [End::Yes, End::No, End::Decline, End::Cancel, End::Expire] {
            let scene = scene().await;
            let (tool, mut arguments, yes) = tools(&scene)[n].clone();
            if matches!(how, End::No) && ["ask_questions", "request_file"].contains(&tool) {
                continue;
            }
            arguments["expires_in_seconds"] = json!(600);
            let held = scene.agent.call(tool, arguments.clone());
            let (said, ()) = in_time("the end", async { tokio::join!(held, scene.end(how, &yes)) }).await;
            let (told, text) = (&said["structuredContent"], said["text"].as_str().expect("a text").to_owned());
            assert_eq!(said["isError"], false, "{tool} {how:?}: {said}");
            let state = match how {
                End::Yes | End::No => "answered",
                End::Decline => "declined",
                End::Cancel => "cancelled",
                End::Expire => "expired",
            };
            assert_eq!((&told["state"], &told["request"]["state"]), (&json!(state), &json!(state)), "{tool}");
            let class = if ["request_human_approval", "retire_source"].contains(&tool) { "approval" } else { "ask" };
            assert_eq!(told["request"]["class"], class, "{tool}");
            let said_yes = matches!(how, End::Yes);
            match tool {
                "ask_questions" if said_yes => {
                    let answers = json!({"colour": {"chosen": [], "other": "Green"}, "name": "Ana", "rush": false});
                    assert_eq!(told["answers"], answers);
                    for part in [
                        "colour: Their own answer: Green",
                        "name: Their own answer: Ana",
                        "rush: The person chose: no.",
                    ] {
                        assert!(text.contains(part), "{text}");
                    }
                }
                "request_human_approval" => assert_eq!(told["approved"], said_yes, "{how:?}"),
                "request_manual_intervention" => assert_eq!(told["done"], said_yes, "{how:?}"),
                "request_file" => {
                    assert_eq!(told["file"]["path"], if said_yes { json!("docs/mine.pdf") } else { Value::Null });
                    assert_eq!(scene.work("docs/mine.pdf").is_some(), said_yes, "{how:?}");
                }
                "retire_source" => {
                    assert_eq!(told["retired"], said_yes, "{how:?}");
                    assert_eq!(scene.work("docs/old.pdf").is_none(), said_yes, "{how:?}");
                    assert_eq!(scene.work(".countersign/retired/docs/old.pdf").is_some(), said_yes, "{how:?}");
                }
                _ => {}
            }
            if matches!(how, End::Yes | End::No | End::Decline) {
                assert_eq!(told["comment"], "As we said.", "{tool} {how:?}");
                assert!(text.contains("They added: As we said."), "{tool} {how:?}: {text}");
            }
            assert!(texts.insert(text.clone()), "{tool} {how:?} shares its words: {text}");
            // What waiting returns is what the call would have.
            let id = &told["request"]["id"];
            let waited = scene.agent.call("wait_for_answer", json!({"request_id": id})).await;
            assert_eq!(waited["text"].as_str(), Some(text.as_str()), "{tool} {how:?}");
        }
    }
}

#[tokio::test]
async fn over_mcp_each_tool_is_asked_and_answered_in_both_eras() {
    for era in [Era::Sessions, Era::Newest] {
        let scene = scene().await;
        let client = mcp::over_http(&scene.agent, era).await;
        for (tool, arguments, yes) in tools(&scene) {
            let (said, ()) =
                in_time(tool, async { tokio::join!(call(&client, tool, arguments), scene.end(End::Yes, &yes)) }).await;
            assert_eq!(said["structuredContent"]["state"], "answered", "{tool}: {said}");
        }
        let todos = json!([{"content": "Read", "status": "in_progress", "activeForm": "Reading"}, {"content": "Write", "status": "?"}]);
        let said = call(&client, "set_todos", json!({"todos": todos})).await;
        let kept = json!([
            {"content": "Read", "activeForm": "Reading", "status": "in_progress"},
            {"content": "Write", "status": "pending"},
        ]);
        assert_eq!(said["structuredContent"]["todos"], kept);
        let asked = call(&client, "request_human_approval", json!({"summary": "Go?", "hold_seconds": 0})).await;
        let id = RequestId(asked["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned());
        assert_eq!(json!(scene.house.broker().detail(&id).expect("there").todos), kept, "beside its requests");
    }
}

#[tokio::test]
async fn an_approval_is_delivered_once_and_the_same_call_then_asks_anew() {
    let scene = scene().await;
    let ask = json!({"summary": "Send it", "hold_seconds": 0});
    let id = |said: &Value| said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned();
    let first = id(&scene.agent.call("request_human_approval", ask.clone()).await);
    assert_eq!(id(&scene.agent.call("request_human_approval", ask.clone()).await), first, "joined while it waits");
    scene.house.answer(&RequestId(first.clone()), json!({"approval": true})).await;
    let told = scene.agent.call("request_human_approval", ask.clone()).await;
    assert_eq!((id(&told), &told["structuredContent"]["approved"]), (first.clone(), &json!(true)));
    let again = scene.agent.call("request_human_approval", ask).await;
    assert_ne!(id(&again), first);
    assert_eq!(again["structuredContent"]["state"], "pending");
    assert!(again["structuredContent"]["approved"].is_null(), "nothing was decided: {again}");
}

#[tokio::test]
async fn a_title_is_the_summarys_start_and_what_is_shown_is_whole() {
    let scene = scene().await;
    let long = format!("# Send the invoice\n\n{}", "word ".repeat(40_000));
    for (tool, arguments, title, shown) in [
        (
            "request_human_approval",
            json!({"summary": long, "context": "More."}),
            "Send the invoice",
            format!("{long}\n\n---\n\nMore."),
        ),
        ("request_human_approval", json!({"summary": "Send it now"}), "Send it now", "Send it now".into()),
        (
            "request_manual_intervention",
            json!({"title": "Log in", "steps": ["Open", "Log\nin"]}),
            "Log in",
            "1. Open\n2. Log\n   in\n".into(),
        ),
        ("request_manual_intervention", json!({"title": "Log in", "steps": "Just do"}), "Log in", "Just do".into()),
    ] {
        let mut arguments = arguments;
        arguments["hold_seconds"] = json!(0);
        let said = scene.agent.call(tool, arguments).await;
        let id = RequestId(said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned());
        let ask = scene.house.broker().detail(&id).expect("there").request.ask;
        assert_eq!((ask.title.as_str(), ask.context), (title, Some(shown)), "{tool}");
    }
}

#[tokio::test]
async fn wrong_arguments_are_refused_before_anyone_is_asked_and_say_what_to_do() {
    let scene = scene().await;
    #[cfg(unix)]
    {
        let at = |path: &str| scene.house.home.work().join(path);
        std::os::unix::fs::symlink("/etc", at("out")).expect("linked");
        std::os::unix::fs::symlink("docs", at("alias")).expect("linked");
    }
    let question = |id: &str| json!({"id": id, "question": "?", "type": "confirm"});
    for (tool, arguments, why) in [
        ("ask_questions", json!({"questions": []}), "1 to 50 are allowed"),
        ("ask_questions", json!({"questions": vec![question("a"); 51]}), "51 questions"),
        ("ask_questions", json!({"questions": [question("a"), question("a")]}), "two questions have the id `a`"),
        ("ask_questions", json!({"questions": [{"id": "a", "question": "?", "type": "poll"}]}), "unknown variant"),
        ("ask_questions", json!({"questions": [question("a")], "on_expiry": "default"}), "required and has no default"),
        ("request_human_approval", json!({"summary": " "}), "`summary` is empty"),
        ("request_human_approval", json!({"summary": "x", "on_expiry": "default"}), "never takes a default"),
        ("request_manual_intervention", json!({"title": "x", "steps": []}), "0 steps"),
        ("request_manual_intervention", json!({"title": "a\nb", "steps": ["x"]}), "control character"),
        ("request_file", json!({"description": "x", "destination": "../out"}), "is not inside the workspace"),
        ("request_file", json!({"description": "x", "destination": "/tmp"}), "is not inside the workspace"),
        ("request_file", json!({"description": "x", "destination": "out/a.pdf"}), "is not inside the workspace"),
        ("request_file", json!({"description": "x", "destination": ".git/hooks"}), "keep for themselves"),
        ("request_file", json!({"description": "x", "destination": "docs/old.pdf/x"}), "is not a folder"),
        ("request_file", json!({"description": "x", "replaces": "/etc/hosts"}), "is not inside the workspace"),
        ("request_file", json!({"description": "x", "replaces": "docs/none.pdf"}), "there is no file `docs/none.pdf`"),
        ("request_file", json!({"description": "x", "replaces": "docs"}), "is a folder"),
        ("retire_source", json!({"source": "../x", "why": "wrong", "reason": "x"}), "is not inside the workspace"),
        ("retire_source", json!({"source": "out/hosts", "why": "wrong", "reason": "x"}), "is not inside the workspace"),
        ("retire_source", json!({"source": "alias/old.pdf", "why": "wrong", "reason": "x"}), "leads through a link"),
        ("retire_source", json!({"source": "docs", "why": "wrong", "reason": "x"}), "is a folder"),
        ("retire_source", json!({"source": "docs/none.pdf", "why": "wrong", "reason": "x"}), "there is no file"),
        ("retire_source", json!({"source": "docs/old.pdf", "why": "boring", "reason": "x"}), "`why` takes"),
        ("retire_source", json!({"source": "docs/old.pdf", "why": "wrong", "reason": ""}), "`reason` is empty"),
        (
            "retire_source",
            json!({"source": "docs/old.pdf", "why": "replaced", "reason": "x", "replaced_by": "./docs/old.pdf"}),
            "`replaced_by` is the file",
        ),
        ("set_todos", json!({"todos": "x"}), "takes a list"),
        ("set_todos", json!({"todos": [{"status": "pending"}]}), "item 1 of `todos`"),
    ] {
        let said = scene.agent.call(tool, arguments.clone()).await;
        assert_eq!(said["isError"], true, "{tool} {arguments}: {said}");
        assert!(said["text"].as_str().is_some_and(|text| text.contains(why)), "{tool} {arguments}: {said}");
    }
    scene.house.open("nobody was asked", <[_]>::is_empty).await;
}

#[tokio::test]
async fn a_file_that_replaces_another_says_what_may_follow_and_the_place_is_beside_it() {
    let scene = scene().await;
    let ask = json!({"description": "The new one", "replaces": "./docs/old.pdf"});
    let yes = json!({"file": scene.mine()});
    let held = scene.agent.call("request_file", ask);
    let (said, ()) = in_time("the file", async { tokio::join!(held, scene.end(End::Yes, &yes)) }).await;
    let (told, text) = (&said["structuredContent"], said["text"].as_str().expect("a text"));
    let digest = countersign_core::digest::Digest::of_bytes(b"mine").hex();
    let file =
        json!({"path": "docs/mine.pdf", "bytes": 4, "sha256": digest, "already_there": false, "name": "mine.pdf"});
    assert_eq!(told["file"], file);
    assert_eq!(told["answers"], json!({"file": "docs/mine.pdf"}));
    let may = "retire_source with source \"docs/old.pdf\", why \"replaced\" and replaced_by \"docs/mine.pdf\"";
    assert!(text.contains(may), "{text}");
    assert_eq!(scene.work("docs/old.pdf").as_deref(), Some("old"), "it stays until it is put away");
}

#[tokio::test]
async fn a_file_that_can_not_be_taken_leaves_the_question_open_and_the_agent_waiting() {
    let scene = scene().await;
    let held = scene.agent.call("request_file", json!({"description": "The syllabus"}));
    let person = async {
        let id = scene.house.waiting().await;
        for path in ["/nowhere/a.pdf", "a.pdf", "", "/dev/zero"] {
            let answers = json!({"file": path}).as_object().expect("an object").clone();
            let verdict = Verdict::Answer { answers, comment: None, typed: None };
            let said = scene.house.broker().decide(Person::at(Channel::Window), &id, None, verdict).await;
            assert!(said.is_err(), "{path}");
        }
        assert_eq!(scene.house.broker().detail(&id).expect("there").request.state, State::Pending);
        scene.house.answer(&id, json!({"file": format!("'{}'", scene.mine().display())})).await;
    };
    let (said, ()) = in_time("the file", async { tokio::join!(held, person) }).await;
    assert_eq!(said["structuredContent"]["file"]["path"], "mine.pdf");
}

#[tokio::test]
async fn a_source_that_changed_meanwhile_is_told_as_that_and_asked_anew_on_the_next_call() {
    let scene = scene().await;
    let (tool, arguments, _) = tools(&scene)[4].clone();
    let held = scene.agent.call(tool, arguments.clone());
    let person = async {
        let id = scene.house.waiting().await;
        fs::write(scene.house.home.work().join("docs/old.pdf"), "changed").expect("written");
        let answers = json!({"retire": true}).as_object().expect("an object").clone();
        let verdict = Verdict::Answer { answers, comment: None, typed: None };
        let said = scene.house.broker().decide(Person::at(Channel::Window), &id, None, verdict).await;
        assert_eq!(said.expect_err("stale").code(), "stale");
    };
    let (said, ()) = in_time("the change", async { tokio::join!(held, person) }).await;
    assert_eq!(said["structuredContent"]["state"], "superseded");
    assert_eq!(said["structuredContent"]["retired"], false);
    assert!(said["text"].as_str().is_some_and(|text| text.contains("nobody decided")), "{said}");
    let held = scene.agent.call(tool, arguments);
    let yes = json!({"retire": true});
    let (said, ()) = in_time("the yes", async { tokio::join!(held, scene.end(End::Yes, &yes)) }).await;
    assert_eq!(said["structuredContent"]["retired"], true);
    assert_eq!(scene.work(".countersign/retired/docs/old.pdf").as_deref(), Some("changed"));
}

#[tokio::test]
async fn a_retired_file_whose_agent_died_before_it_heard_is_told_on_the_same_call_once() {
    let scene = scene().await;
    let (tool, mut arguments, yes) = tools(&scene)[4].clone();
    arguments["hold_seconds"] = json!(0);
    let asked = scene.agent.call(tool, arguments.clone()).await;
    let id = RequestId(asked["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned());
    scene.house.answer(&id, yes).await;
    let told = scene.agent.call(tool, arguments.clone()).await;
    assert_eq!(told["structuredContent"]["retired"], true, "{told}");
    let again = scene.agent.call(tool, arguments).await;
    assert_eq!(again["isError"], true);
    assert!(again["text"].as_str().is_some_and(|text| text.contains("put away or moved before")), "{again}");
}

#[tokio::test]
async fn a_terminal_gives_files_says_yes_and_no_and_shows_lists() {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    fs::create_dir(home.work().join("docs")).expect("made");
    fs::write(home.work().join("docs/old.pdf"), "old").expect("written");
    home.file("mine.pdf", "mine");
    let ask = async |tool: &str, mut arguments: Value| {
        arguments["hold_seconds"] = json!(0);
        let said = agent.call(tool, arguments).await;
        said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    agent.call("set_todos", json!({"todos": [{"content": "Read\u{202e}", "status": "in_progress"}]})).await;
    let file = ask("request_file", json!({"description": "Syllabus", "destination": "docs"})).await;
    let shown = home.inbox(&["show", &file]).await.object();
    assert_eq!(shown["file"], json!({"destination": "docs", "replaces": null, "limit_bytes": 52_428_800}));
    assert_eq!(shown["todos"][0]["content"], "Read\u{202e}");
    let read = home.run(&["inbox", "show", &file]).await.lines.join("\n");
    for words in ["Goes to: docs", "up to 50 MiB", "◼ Read⟦U+202E⟧"] {
        assert!(read.contains(words), "{words:?} in {read}");
    }
    // Relative to where the terminal is, not to where the engine runs.
    home.inbox(&["answer", &file, "--file", "../none.pdf"]).await.refused(1, "there is no file");
    let given = home.inbox(&["answer", &file, "--file", "../mine.pdf", "--comment", "Here"]).await.object();
    assert_eq!(given["decision"]["file"]["path"], "docs/mine.pdf");
    let told = agent.call("wait_for_answer", json!({"request_id": file})).await;
    assert!(told["text"].as_str().is_some_and(|text| text.ends_with("They added: Here")), "{told}");
    let text = ask("request_file", json!({"description": "Again"})).await;
    let given = home.inbox(&["answer", &text, "--text", "'../mine.pdf'"]).await.object();
    assert_eq!(given["decision"]["answers"]["file"], "mine.pdf");
    home.inbox(&["answer", &text, "--file", "../mine.pdf"]).await.refused(1, "settled already");

    let approval = ask("request_human_approval", json!({"summary": "Send it"})).await;
    home.inbox(&["answer", &approval, "--file", "x"]).await.refused(2, "this one is none");
    let said = home.inbox(&["answer", &approval, "--no", "--comment", "Later"]).await.object();
    assert_eq!((&said["state"], &said["decision"]["answers"]["approval"]), (&json!("answered"), &json!(false)));
    let manual = ask("request_manual_intervention", json!({"title": "Log in", "steps": ["Open"]})).await;
    let said = home.inbox(&["answer", &manual, "--yes"]).await.object();
    assert_eq!(said["decision"]["answers"]["done"], true);
    let away = ask("retire_source", json!({"source": "docs/old.pdf", "why": "wrong", "reason": "x"})).await;
    let read = home.run(&["inbox", "show", &away]).await.lines.join("\n");
    assert!(read.contains("File: docs/old.pdf (3 bytes, SHA-256 "), "{read}");
    let said = home.inbox(&["answer", &away, "--yes"]).await.object();
    assert_eq!(said["decision"]["file"]["path"], ".countersign/retired/docs/old.pdf");
    assert!(!home.work().join("docs/old.pdf").exists());
    serve.stop().await;
}
