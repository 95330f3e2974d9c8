//! What else agents ask for, on a real terminal: steps, files, approvals, things done by hand; and the session's tasks.

use countersign_core::id::RequestId;
use countersign_host::Passphrase;
use countersign_inbox_tests::{Agent, House, PASSPHRASE, Pty, in_time};
use serde_json::{Value, json};

const ENTER: &str = "\r";

async fn house() -> House {
    House::with(|options| options.passphrase = Passphrase::Given(PASSPHRASE.into())).await
}

fn inbox(house: &House) -> Pty {
    Pty::start(&house.home, &["inbox"], (90, 30), &[])
}

async fn prove(pty: &mut Pty) {
    pty.shows("Passphrase:").await;
    pty.press(PASSPHRASE);
    pty.press(ENTER);
}

async fn step(agent: &Agent, command: &str, hold: u64) -> Value {
    let step = json!({"tool": "Bash", "input": {"command": command}, "hold_seconds": hold});
    agent.port.post("/v1/steps", &step).await.unwrap_or_else(|error| panic!("{step}: {error}"))
}

#[tokio::test]
async fn a_step_is_allowed_by_its_key_for_the_session_and_the_session_is_stopped_and_released() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house);
    let person = async {
        let screen = pty.shows("a allow · s for this session · d deny").await;
        for line in ["Bash · runs something", "make check", "2. Bash make check …", "❯ Deny"] {
            assert!(screen.contains(line), "{line:?} is not on\n{screen}");
        }
        pty.press("y");
        pty.shows("❯ Allow").await;
        pty.press(ENTER);
        pty.shows("Enter never does this; press a.").await;
        pty.press("s");
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let (said, ()) = in_time("the step", async { tokio::join!(step(&agent, "make check", 50), person) }).await;
    assert_eq!(said["decision"], "allow", "{said}");
    assert_eq!(step(&agent, "make check", 0).await["decided_by"], "rule", "and again without a question");
    let person = async {
        pty.shows("d deny").await;
        pty.press("d");
        pty.shows("Why not").await;
        pty.press("not on a Friday\r");
        pty.shows("Sent:").await;
    };
    let (said, ()) = in_time("the step", async { tokio::join!(step(&agent, "make deploy", 50), person) }).await;
    assert_eq!((&said["decision"], &said["comment"]), (&json!("deny"), &json!("not on a Friday")), "{said}");
    step(&agent, "make docs", 0).await;
    pty.shows("d deny").await;
    pty.press("/stop\r");
    pty.shows("This session is stopped").await;
    assert_eq!(step(&agent, "make check", 0).await["stop"], true);
    pty.press("/release\r");
    pty.shows("This session is released").await;
    assert_eq!(step(&agent, "make check", 0).await["decision"], "allow");
}

#[tokio::test]
async fn a_files_path_is_typed_or_pasted_also_one_that_begins_with_a_slash() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let file = house.home.file("syllabus.txt", "Topic 3");
    let mut pty = inbox(&house);
    let person = async {
        let screen = pty.shows("Type your answer").await;
        for line in ["The agent asks for a file", "The syllabus", "Its copy goes to docs", "50 MiB"] {
            assert!(screen.contains(line), "{line:?} is not on\n{screen}");
        }
        pty.press(file.to_str().expect("UTF-8"));
        pty.shows("syllabus.txt").await;
        pty.press(ENTER);
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let call = agent.call("request_file", json!({"description": "The syllabus", "destination": "docs"}));
    let (said, ()) = in_time("the file", async { tokio::join!(call, person) }).await;
    assert_eq!(said["structuredContent"]["file"]["path"], "docs/syllabus.txt", "{said}");
}

#[tokio::test]
async fn an_approval_and_what_is_done_by_hand_have_their_own_words_and_a_no_says_why() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house);
    let person = async {
        let screen = pty.shows("❯ Reject").await;
        assert!(screen.contains("asks for your approval") && screen.contains("Send the mail"), "{screen}");
        pty.shows("Enter to send").await;
        pty.press("y");
        pty.shows("❯ Approve").await;
        pty.press("+");
        pty.shows("Enter goes on").await;
        pty.press("but not to all\r");
        pty.shows("You add: but not to all").await;
        pty.press(ENTER);
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let call = agent.call("request_human_approval", json!({"summary": "# Send the mail\n\nTo everybody."}));
    let (said, ()) = in_time("the approval", async { tokio::join!(call, person) }).await;
    let text = said["text"].as_str().unwrap_or_default();
    assert!(text.contains("Approved by the human") && text.contains("but not to all"), "{said}");
    let person = async {
        pty.shows("❯ Done").await;
        pty.shows("Enter to send").await;
        pty.press("n");
        pty.shows("❯ Could not be done").await;
        pty.press(ENTER);
        pty.shows("Something to tell the agent besides?").await;
        pty.press("no key\r");
        pty.shows("Sent:").await;
    };
    let call = agent.call("request_manual_intervention", json!({"title": "Log in", "steps": ["Open it", "Log in"]}));
    let (said, ()) = in_time("the intervention", async { tokio::join!(call, person) }).await;
    assert_eq!(said["structuredContent"]["done"], false, "{said}");
    assert!(said["text"].as_str().is_some_and(|text| text.contains("no key")), "{said}");
}

#[tokio::test]
async fn a_batch_is_answered_question_by_question_and_sent_whole() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house);
    let person = async {
        pty.shows("question 1 of 3").await;
        pty.shows("Enter to send").await;
        pty.press("2");
        pty.shows("❯ 2. y").await;
        pty.press(ENTER);
        pty.shows("question 2 of 3").await;
        pty.press("n");
        pty.shows("❯ No").await;
        pty.press(ENTER);
        pty.shows("question 3 of 3").await;
        pty.press("in words");
        pty.shows("in words").await;
        pty.press(ENTER);
        let screen = pty.shows("Your answers:").await;
        assert!(screen.contains("Enter sends all") && screen.contains("in words"), "{screen}");
        pty.press(ENTER);
        prove(&mut pty).await;
        pty.shows("Sent:").await;
    };
    let questions = json!([
        {"id": "a", "question": "One?", "type": "choice", "options": ["x", "y"]},
        {"id": "b", "question": "Two?", "type": "confirm"},
        {"id": "c", "question": "Three?", "type": "text"},
    ]);
    let call = agent.call("ask_questions", json!({"questions": questions}));
    let (said, ()) = in_time("the answers", async { tokio::join!(call, person) }).await;
    assert_eq!(said["structuredContent"]["answers"], json!({"a": "y", "b": false, "c": "in words"}), "{said}");
}

#[tokio::test]
async fn the_sessions_tasks_stand_beside_its_request_and_follow_it() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let todos = |done: usize| {
        let todo = |n: usize| {
            let status = if n < done {
                "completed"
            } else if n == done {
                "in_progress"
            } else {
                "pending"
            };
            json!({"content": format!("Task {n}"), "status": status, "activeForm": format!("Doing {n}")})
        };
        json!({"todos": (0..12).map(todo).collect::<Vec<_>>()})
    };
    agent.call("set_todos", todos(0)).await;
    let id = agent.ask("Go on?").await;
    let mut pty = inbox(&house);
    let screen = pty.shows("◼ Doing 0").await;
    assert!(screen.contains("☐ Task 7") && screen.contains("… 4 more tasks") && !screen.contains("Task 8"), "{screen}");
    agent.call("set_todos", todos(6)).await;
    let screen = pty.shows("◼ Doing 6").await;
    assert!(screen.contains("☑ Task 5") && screen.contains("☐ Task 11"), "{screen}");
    house.answer(&RequestId(id), json!({"answer": "Red"})).await;
    pty.shows("answered in the window").await;
}
