//! `countersign inbox --plain`: on a real terminal, and at the end of a pipe.

use countersign_core::id::RequestId;
use countersign_host::Passphrase;
use countersign_inbox_tests::{Home, House, PASSPHRASE, Program, Pty, in_time, question};
use serde_json::json;

async fn house() -> House {
    House::with(|options| options.passphrase = Passphrase::Given(PASSPHRASE.into())).await
}

fn inbox(house: &House) -> Pty {
    Pty::start(&house.home, &["inbox", "--plain"], (80, 40), &[])
}

/// Waits until this question is asked, and a line is taken for it.
async fn asked(pty: &mut Pty, question: &str) {
    let last = |screen: &str| screen.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    let asked = |screen: &str| {
        let at = screen.rfind(&format!("│ {question}"));
        at.is_some_and(|at| screen[at..].contains("A number") && last(screen).starts_with("A number"))
    };
    pty.becomes(question, asked).await;
}

#[tokio::test]
async fn a_number_chooses_and_the_passphrase_is_asked_for_once_and_not_shown() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let mut pty = inbox(&house);
    pty.shows("Nothing is waiting for you.").await;
    let person = async {
        asked(&mut pty, "Which?").await;
        pty.press("2\r");
        pty.shows("Passphrase:").await;
        pty.press(PASSPHRASE);
        pty.press("\r");
        pty.shows("Sent: Which?").await;
    };
    let mut ask = question("Which?");
    ask["hold_seconds"] = json!(50);
    let (said, ()) = in_time("the answer", async { tokio::join!(agent.call("ask_human", ask), person) }).await;
    assert_eq!(said["text"], "The person chose: Blue.");
    assert!(!pty.written().contains(PASSPHRASE));
    let id = agent.ask("And now?").await;
    asked(&mut pty, "And now?").await;
    pty.press("/decline not today\r");
    pty.shows("Declined: And now?").await;
    let request = house.broker().detail(&RequestId(id)).expect("there").request;
    assert_eq!(request.decision.and_then(|decision| decision.comment).as_deref(), Some("not today"));
    pty.press("\x03");
    pty.shows("What waits is kept.").await;
    assert_eq!(pty.end().await, 0);
}

#[tokio::test]
async fn a_paste_of_several_lines_is_one_answer_also_where_its_last_line_has_no_end() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let first = agent.ask("First?").await;
    let second = agent.ask("Second?").await;
    let mut pty = inbox(&house);
    asked(&mut pty, "First?").await;
    pty.press("my own words\r1\rand so on");
    pty.shows("and so on").await;
    pty.press(", the end\r");
    pty.shows("Passphrase:").await;
    pty.press(PASSPHRASE);
    pty.press("\r");
    pty.shows("│ Second?").await;
    let of = |id: &str| house.broker().detail(&RequestId(id.to_owned())).expect("there").request;
    let decision = of(&first).decision.expect("decided");
    assert_eq!(
        decision.answers.to_json()["answer"],
        json!({"chosen": [], "other": "my own words\n1\nand so on, the end"})
    );
    assert!(of(&second).decision.is_none());
}

#[tokio::test]
async fn settled_elsewhere_it_says_so_and_the_next_one_is_asked() {
    let house = house().await;
    let agent = house.pair("Ink").await;
    let first = agent.ask("First?").await;
    agent.ask("Second?").await;
    let mut pty = inbox(&house);
    pty.shows("│ First?").await;
    house.answer(&RequestId(first), json!({"answer": "Red"})).await;
    pty.shows("First?: answered in the window").await;
    pty.shows("│ Second?").await;
}

#[tokio::test]
async fn a_pipe_answers_line_by_line_with_a_passphrase_file_and_the_words_are_utf8_whatever_the_locale() {
    let home = Home::new();
    let _serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("Ink").await;
    let (first, second) = (agent.ask("¿Qué?").await, agent.ask("第二?").await);
    let file = home.passphrase();
    let mut command = home.command(&["inbox", "--plain", "--passphrase-file", file.to_str().expect("UTF-8")]);
    command.env("LC_ALL", "C");
    let mut program = Program::start(&mut command);
    program.send("Azul, ¡por supuesto!\n1\n");
    program.close_stdin();
    let mut lines = Vec::new();
    while let Some(line) = program.line().await {
        lines.push(line);
    }
    assert_eq!(program.end().await.code(), Some(0), "{}", program.stderr());
    assert!(lines.iter().any(|line| line.contains("│ ¿Qué?")), "{lines:?}");
    let decided = async |id: &str| home.inbox(&["show", id]).await.object()["decision"]["answers"]["answer"].clone();
    assert_eq!(decided(&first).await["other"], "Azul, ¡por supuesto!", "{lines:?}");
    assert_eq!(decided(&second).await, "Red", "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("第二?")));
}

#[tokio::test]
async fn flags_that_do_not_go_together_are_wrong_use() {
    let home = Home::new();
    let _serve = home.serve(&["--insecure-test"]).await;
    home.run(&["inbox", "--plain", "list"]).await.refused(2, "--plain");
    home.run(&["inbox", "--json"]).await.refused(2, "--json");
}
