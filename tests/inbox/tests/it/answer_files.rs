//! Answer files: what is obeyed, by which request, and what is not, whoever put it there.

use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::request::{Request, State};
use countersign_core::scope::Scopes;
use countersign_inbox_tests::{Agent, Home, House, Program, in_time, question, until};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A house with an agent that works in a run.
struct Run {
    house: House,
    agent: Agent,
    folder: PathBuf,
}

const FILE: &str = "approval-response.txt";

async fn run() -> Run {
    let house = House::new().await;
    let folder = house.home.work().canonicalize().expect("a path").join("run");
    fs::create_dir(&folder).expect("made");
    let mut agent = house.pair("a").await;
    agent.port = agent.port.with_run_folder(folder.to_str().expect("UTF-8"));
    Run { house, agent, folder }
}

impl Run {
    fn request(&self, id: &str) -> Request {
        self.house.broker().detail(&RequestId(id.into())).expect("there").request
    }

    /// The request once it ended.
    async fn ended(&self, id: &str) -> Request {
        let ended = || Some(self.request(id)).filter(|request| request.state != State::Pending);
        until("it ended", ended).await
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("written");
    }

    fn pending(&self) -> Option<Value> {
        let text = fs::read_to_string(self.path("pending.json")).ok()?;
        Some(serde_json::from_str(&text).expect("whole at any moment"))
    }

    /// What waits, as the folder says, once there is so much.
    async fn says(&self, count: usize) -> Value {
        let said = || self.pending().filter(|said| said["requests"].as_array().is_some_and(|all| all.len() == count));
        until("pending.json", said).await
    }

    async fn note(&self, name: &str, words: &str) -> String {
        let read = || fs::read_to_string(self.path(name)).ok().filter(|text| text.contains(words));
        until(&format!("{name} says {words:?}"), read).await
    }

    async fn asked(&self, text: &str) -> String {
        let id = self.agent.ask(text).await;
        let listed = || self.pending().filter(|said| said.to_string().contains(&id));
        until("it is listed", listed).await;
        id
    }
}

fn chosen(request: &Request) -> String {
    request.decision.as_ref().expect("a decision").answers.0["answer"].line()
}

#[tokio::test]
async fn the_originals_file_answers_what_alone_waits_there_and_is_gone_then() {
    let run = run().await;
    let id = run.asked("Which colour?").await;
    let said = run.pending().expect("there");
    let row = &said["requests"][0];
    assert_eq!((&row["id"], &row["kind"], &row["class"]), (&json!(id), &json!("ask_human"), &json!("ask")));
    assert_eq!(row["questions"][0]["options"], json!(["Red", "Blue"]));
    assert_eq!(row["answer_files"], json!([format!("answers/{id}.txt"), FILE]));
    run.write(FILE, "2\n");
    let request = run.ended(&id).await;
    assert_eq!((chosen(&request).as_str(), request.state), ("Blue", State::Answered));
    assert_eq!(request.decision.as_ref().map(|decision| decision.channel), Some(Channel::File));
    until("all is taken away", || fs::read_dir(&run.folder).expect("read").next().is_none().then_some(())).await;
    let said = run.agent.call("get_request", json!({"request_id": id})).await;
    assert_eq!(said["text"], "The person chose: Blue.");
    assert_eq!(said["structuredContent"]["decided_by"], "person");
}

#[tokio::test]
async fn own_words_line_ends_marks_and_a_thousand_lines_arrive_as_they_were_written() {
    let run = run().await;
    let thousand: Vec<String> = (0..1_000).map(|n| format!("line {n}")).collect();
    for (text, want) in [
        ("\u{feff}Blue\r\n".to_owned(), "Blue".to_owned()),
        ("  Neither\r\nof them \r\n".into(), "Neither\nof them".into()),
        ("42".into(), "42".into()),
        (thousand.join("\r\n"), thousand.join("\n")),
        ("ñandú 🦤 日本".into(), "ñandú 🦤 日本".into()),
    ] {
        let id = run.asked(&format!("Which? {}", want.len())).await;
        run.write(FILE, text);
        assert_eq!(chosen(&run.ended(&id).await), want);
    }
}

#[tokio::test]
async fn a_file_that_is_still_being_written_is_not_read() {
    let run = run().await;
    let id = run.asked("Which?").await;
    let mut text = String::new();
    // Each piece within the time for which a file must be left alone; the first alone would be an answer.
    for piece in ["1", "2 of the first kind, ", "and ", "three of the other"] {
        text += piece;
        run.write(FILE, &text);
        assert_eq!(run.request(&id).state, State::Pending);
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    assert_eq!(chosen(&run.ended(&id).await), "12 of the first kind, and three of the other");
    let id = run.asked("And this?").await;
    run.write("half", "1");
    fs::rename(run.path("half"), run.path(FILE)).expect("renamed");
    assert_eq!(chosen(&run.ended(&id).await), "Red", "put there whole");
}

#[tokio::test]
async fn a_file_that_is_older_than_the_question_is_set_aside_and_not_obeyed() {
    let run = run().await;
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let write_old = |name: &str| {
        run.write(name, "1");
        fs::File::options().write(true).open(run.path(name)).and_then(|f| f.set_modified(old)).expect("set");
    };
    write_old(FILE);
    let id = run.asked("Which?").await;
    assert!(!run.path(FILE).exists(), "out of the way before anybody hears of the question");
    assert_eq!(fs::read_to_string(run.path("approval-response.set-aside-1.txt")).expect("kept"), "1");
    run.note("approval-response.note.txt", "older than the question").await;
    run.note("approval-response.note.txt", "anterior a la pregunta").await;
    let named = format!("answers/{id}.txt");
    write_old(&named);
    run.note(&format!("answers/{id}.note.txt"), "older").await;
    assert_eq!(run.request(&id).state, State::Pending);
    run.write(FILE, "2");
    assert_eq!(chosen(&run.ended(&id).await), "Blue", "and what is newer is obeyed");
}

#[tokio::test]
async fn what_is_no_plain_file_of_text_gets_a_note_and_decides_nothing() {
    let run = run().await;
    let id = run.asked("Which?").await;
    let secret = run.house.home.file("secret", "1");
    let note = "approval-response.note.txt";
    let clear = || {
        let path = run.path(FILE);
        if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) }.expect("removed");
    };
    symlink(&secret, run.path(FILE)).expect("linked");
    run.note(note, "It is a link").await;
    clear();
    until("its note goes with it", || (!run.path(note).exists()).then_some(())).await;
    fs::hard_link(&secret, run.path(FILE)).expect("linked");
    run.note(note, "It is a link").await;
    clear();
    fs::create_dir(run.path(FILE)).expect("made");
    run.note(note, "no plain file").await;
    clear();
    rustix::fs::mkfifoat(rustix::fs::CWD, run.path(FILE), rustix::fs::Mode::RWXU).expect("made");
    run.note(note, "no plain file").await;
    clear();
    run.write(FILE, vec![b'1'; (1 << 20) + 1]);
    run.note(note, "larger than 1 MiB").await;
    run.write(FILE, [b'1', 0xff, 0xfe]);
    run.note(note, "UTF-8").await;
    assert_eq!(run.request(&id).state, State::Pending);
    assert_eq!(fs::read_to_string(&secret).expect("there"), "1", "what a link led to was not touched");
    run.write(FILE, "1");
    assert_eq!(chosen(&run.ended(&id).await), "Red");
    assert!(!run.path(note).exists());
}

#[tokio::test]
async fn a_file_that_is_replaced_by_a_link_in_the_last_moment_is_not_followed() {
    let run = run().await;
    let id = run.asked("Which?").await;
    let secret = run.house.home.file("secret", "2");
    run.write(FILE, "1");
    fs::remove_file(run.path(FILE)).expect("removed");
    symlink(&secret, run.path(FILE)).expect("linked");
    run.note("approval-response.note.txt", "It is a link").await;
    assert_eq!(run.request(&id).state, State::Pending);
}

#[tokio::test]
async fn a_run_folder_that_is_swapped_for_a_link_is_neither_obeyed_nor_written_to() {
    let run = run().await;
    let id = run.asked("Which?").await;
    let (moved, trap) = (run.folder.with_extension("moved"), run.folder.with_extension("trap"));
    fs::create_dir_all(trap.join("answers")).expect("made");
    fs::rename(&run.folder, &moved).expect("moved");
    symlink(&trap, &run.folder).expect("linked");
    fs::write(trap.join(FILE), "1").expect("written");
    fs::write(trap.join(format!("answers/{id}.txt")), "1").expect("written");
    // Something else in the folder's list has it looked at again, more than once.
    for n in 0..2 {
        let other = run.house.pair(&format!("b{n}")).await;
        run.house.answer(&RequestId(other.ask("Another?").await), json!({"answer": "Red"})).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    assert_eq!(run.request(&id).state, State::Pending);
    assert!(!trap.join("pending.json").exists());
    assert!(trap.join(FILE).exists(), "nothing was taken out of it");
    fs::remove_file(&run.folder).expect("removed");
    fs::rename(&moved, &run.folder).expect("moved back");
    run.write(FILE, "2");
    assert_eq!(chosen(&run.ended(&id).await), "Blue");
}

#[tokio::test]
async fn several_questions_are_answered_by_their_ids_and_the_nameless_file_by_none() {
    let run = run().await;
    let (one, two) = (run.asked("One?").await, run.asked("Two?").await);
    let said = run.says(2).await;
    for (row, id) in said["requests"].as_array().expect("a list").iter().zip([&one, &two]) {
        assert_eq!((&row["id"], &row["answer_files"]), (&json!(id), &json!([format!("answers/{id}.txt")])));
    }
    run.write(FILE, "1");
    run.note("approval-response.note.txt", "Several questions wait").await;
    run.note("approval-response.note.txt", "approval-response.set-aside-1.txt").await;
    assert!(!run.path(FILE).exists(), "so that it answers nothing later either");
    run.write(&format!("answers/{two}.txt"), "2");
    assert_eq!(chosen(&run.ended(&two).await), "Blue");
    assert_eq!(run.request(&one).state, State::Pending);
    run.says(1).await;
    run.write(FILE, "1");
    assert_eq!(chosen(&run.ended(&one).await), "Red");
}

#[tokio::test]
async fn answers_for_unknown_ids_and_for_what_was_settled_get_a_note_and_change_nothing() {
    let run = run().await;
    let (open, settled) = (run.asked("Open?").await, run.asked("Settled?").await);
    run.house.answer(&RequestId(settled.clone()), json!({"answer": "Red"})).await;
    run.says(1).await;
    let unknown = "00000000-0000-4000-8000-000000000000";
    for id in [&settled, unknown] {
        run.write(&format!("answers/{id}.txt"), "2");
        run.note(&format!("answers/{id}.note.txt"), "No request with that id waits").await;
    }
    // Another run's question is none of this folder's.
    let (other, elsewhere) = (run.house.pair("b").await, run.house.home.work().join("elsewhere"));
    fs::create_dir(&elsewhere).expect("made");
    let other = Agent { port: other.port.clone().with_run_folder(elsewhere.to_str().expect("UTF-8")), ..other };
    let theirs = other.ask("Theirs?").await;
    run.write(&format!("answers/{theirs}.txt"), "2");
    run.note(&format!("answers/{theirs}.note.txt"), "No request with that id waits").await;
    assert_eq!(chosen(&run.request(&settled)), "Red");
    for id in [&open, &theirs] {
        assert_eq!(run.request(id).state, State::Pending);
    }
}

#[tokio::test]
async fn an_answer_that_the_question_does_not_take_leaves_a_note_and_the_question() {
    let run = run().await;
    let ask = json!({"kind": "decision", "title": "Publish?", "hold_seconds": 0});
    let said = run.agent.port.post("/v1/requests", &ask).await.expect("asked");
    let id = said["request"]["id"].as_str().expect("an id").to_owned();
    run.says(1).await;
    run.write(FILE, "maybe later");
    let note = run.note("approval-response.note.txt", "takes yes or no alone in the first line").await;
    assert!(note.contains("“maybe later” is neither") && note.contains("admite sí o no"), "{note}");
    assert_eq!(run.request(&id).state, State::Pending);
    assert!(run.path(FILE).exists(), "left where it is, to be changed");
    run.write(FILE, "no, not on a Friday");
    let request = run.ended(&id).await;
    let decision = request.decision.expect("a decision");
    assert_eq!(decision.answers.to_json(), json!({"approval": false}));
    assert_eq!(decision.comment.as_deref(), Some("not on a Friday"));
}

#[tokio::test]
async fn what_the_table_does_not_give_to_files_is_not_answered_by_one() {
    let run = run().await;
    let plan = |agent: Agent| async move {
        agent.call("request_mode", json!({"mode": "plan"})).await;
        agent.call("present_plan", json!({"plan": "# Plan\n\nDo it.", "hold_seconds": 0})).await
    };
    let said = plan(run.agent.clone()).await;
    let id = said["structuredContent"]["request"]["id"].as_str().expect("an id").to_owned();
    let said = run.says(1).await;
    assert_eq!(said["requests"][0]["answer_files"], json!([]), "and it says so");
    run.write(FILE, "Run it");
    run.note("approval-response.note.txt", "class plan is not answered by a file").await;
    run.write(&format!("answers/{id}.txt"), "1");
    run.note(&format!("answers/{id}.note.txt"), "class plan").await;
    assert_eq!(run.request(&id).state, State::Pending);

    // A policy question too, and beside it a plain one still has the nameless file for itself.
    let agent = run.house.pair("b").await;
    let agent = Agent { port: agent.port.clone().with_run_folder(run.folder.to_str().expect("UTF-8")), ..agent };
    let spec = agent.call("create_spec", json!({"title": "A thing"})).await;
    let spec = spec["structuredContent"]["id"].as_str().expect("an id").to_owned();
    let asked = agent.call("update_status", json!({"spec": spec, "status": "approved"})).await;
    let policy = asked["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    run.says(2).await;
    run.write(&format!("answers/{policy}.txt"), "yes");
    run.note(&format!("answers/{policy}.note.txt"), "class policy").await;
    let plain = agent.ask("Which?").await;
    run.says(3).await;
    run.write(FILE, "1");
    assert_eq!(chosen(&run.ended(&plain).await), "Red");
    for id in [&id, &policy] {
        assert_eq!(run.request(id).state, State::Pending);
    }
}

#[tokio::test]
async fn two_runs_have_a_folder_each() {
    let run = run().await;
    let second = run.folder.with_extension("two");
    fs::create_dir(&second).expect("made");
    let other = run.house.pair("b").await;
    let other = Agent { port: other.port.clone().with_run_folder(second.to_str().expect("UTF-8")), ..other };
    let (mine, theirs) = (run.asked("Which?").await, other.ask("Which?").await);
    until("the other folder says so", || second.join("pending.json").exists().then_some(())).await;
    fs::write(second.join(FILE), "1").expect("written");
    assert_eq!(chosen(&run.ended(&theirs).await), "Red");
    assert_eq!(run.request(&mine).state, State::Pending);
    run.write(FILE, "2");
    assert_eq!(chosen(&run.ended(&mine).await), "Blue");
}

#[tokio::test]
async fn a_file_that_was_written_while_the_app_was_away_is_taken_after_the_restart() {
    let mut run = run().await;
    let id = run.asked("Which?").await;
    run.house.stop().await;
    assert!(run.path("pending.json").exists(), "it still waits");
    run.write(FILE, "2");
    run.house.start().await;
    assert_eq!(chosen(&run.ended(&id).await), "Blue");
    until("nothing waits", || (!run.path("pending.json").exists()).then_some(())).await;
}

#[tokio::test]
async fn settled_elsewhere_it_is_gone_from_the_folder_within_a_second() {
    let run = run().await;
    let id = run.asked("Which?").await;
    run.house.answer(&RequestId(id), json!({"answer": "Red"})).await;
    let begun = tokio::time::Instant::now();
    until("nothing waits", || (!run.path("pending.json").exists()).then_some(())).await;
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_run_folder_is_checked_like_any_folder_that_an_agent_names() {
    let run = run().await;
    let work = run.house.home.work();
    let refused = |folder: PathBuf, words: &'static str| {
        let agent = run.agent.at(run.house.url());
        let port = agent.port.clone().with_run_folder(folder.to_str().expect("UTF-8"));
        async move {
            let said = Agent { port, ..agent }.call("ask_human", question("Which?")).await;
            assert_eq!(said["isError"], true, "{said}");
            assert!(said["text"].as_str().is_some_and(|text| text.contains(words)), "{words}: {said}");
        }
    };
    symlink(&run.folder, work.join("link")).expect("linked");
    fs::write(work.join("file"), "").expect("written");
    refused(work.join("missing"), "is not there").await;
    refused(work.join("link"), "is a link").await;
    refused(work.join("file"), "is no folder").await;
    refused(PathBuf::from("run"), "absolute path").await;
    refused(run.folder.join("../run"), "absolute path").await;
    refused(PathBuf::from("/"), "or around it").await;
    refused(run.house.home.path().join("tokens"), "is not there").await;
    fs::create_dir_all(run.house.home.path().join("tokens")).expect("made");
    refused(run.house.home.path().join("tokens"), "Countersign's own").await;
    refused(run.house.home.path(), "Countersign's own").await;
    let confined =
        run.house.pair_for("c", "", Some(&work), Scopes::NONE.with(countersign_core::scope::Scope::Ask)).await;
    let outside = tempfile::tempdir().expect("a folder");
    let port = confined.port.clone().with_run_folder(outside.path().to_str().expect("UTF-8"));
    let said = Agent { port, ..confined.clone() }.call("ask_human", question("Which?")).await;
    assert_eq!(said["structuredContent"]["code"], "out_of_scope", "{said}");
    let port = confined.port.clone().with_run_folder(run.folder.to_str().expect("UTF-8"));
    Agent { port, ..confined }.ask("Which?").await;
    run.says(1).await;
}

#[tokio::test]
async fn the_bridge_takes_the_run_folder_from_its_flag_or_the_environment() {
    let home = Home::new();
    let serve = home.serve(&[]).await;
    let agent = home.pair("a").await;
    let folder = home.work().canonicalize().expect("a path").join("run");
    fs::create_dir(&folder).expect("made");
    let missing = home.run(&["mcp", "--run-folder", "nowhere"]).await;
    missing.refused(1, "is not there");
    for (n, by_flag) in [true, false].into_iter().enumerate() {
        let mut command = home.command(if by_flag { &["mcp", "--run-folder", "run"] } else { &["mcp"] });
        command.env("COUNTERSIGN_TOKEN", &agent.token);
        if !by_flag {
            command.env("COUNTERSIGN_RUN_FOLDER", &folder);
        }
        let mut bridge = Program::start(&mut command);
        let text = answered_through(&mut bridge, &folder, n).await;
        assert_eq!(text, "The person chose: Blue.");
    }
    drop(serve);
}

/// Asks through a bridge, and answers by file.
async fn answered_through(bridge: &mut Program, folder: &Path, n: usize) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    bridge.send(&format!("{}\n", hello));
    in_time("the bridge says hello", bridge.line()).await.expect("a line");
    bridge.send(&format!("{}\n", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})));
    let arguments = json!({"question": format!("Which? {n}"), "options": ["Red", "Blue"]});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask_human", "arguments": arguments}});
    bridge.send(&format!("{}\n", call));
    until("it is listed", || folder.join("pending.json").exists().then_some(())).await;
    fs::write(folder.join(FILE), "2").expect("written");
    loop {
        let line = in_time("the answer", bridge.line()).await.expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON-RPC");
        if said["id"] == 2 {
            return said["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned();
        }
    }
}
