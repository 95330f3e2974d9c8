//! A terminal that watches: told what is there, and again when that changed, with nothing asked.

use countersign_broker::Person;
use countersign_core::channel::Channel;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_host::{Command, Reply};
use countersign_inbox_tests::{House, Terminal, in_time};
use serde_json::{Value, json};

/// Hears lines until one is as wanted: several changes may be told in one, or in several.
async fn until_told(terminal: &mut Terminal, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    in_time(what, async {
        loop {
            match terminal.hear().await.expect("a line") {
                Reply::Ok(said) if wanted(&said) => return said,
                Reply::Ok(_) => {}
                Reply::Error { code, message } => panic!("{code}: {message}"),
            }
        }
    })
    .await
}

fn titles(said: &Value) -> Vec<&str> {
    said["open"].as_array().into_iter().flatten().filter_map(|row| row["title"].as_str()).collect()
}

#[tokio::test]
async fn whoever_watches_is_told_what_came_what_went_and_which_mode_a_session_is_in() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    let first = terminal.must(&Command::Watch).await.expect("what is there");
    assert_eq!((&first["open"], &first["more"]), (&json!([]), &json!(false)));
    let id = RequestId(agent.ask("First?").await);
    agent.ask("Second?").await;
    let both = until_told(&mut terminal, "both", |said| titles(said) == ["First?", "Second?"]).await;
    let row = &both["open"][0];
    assert_eq!((&row["class"], &row["agent"], &row["id"]), (&json!("ask"), &json!("a"), &json!(id)));
    house.answer(&id, json!({"answer": "Red"})).await;
    let told = until_told(&mut terminal, "one", |said| titles(said) == ["Second?"]).await;
    let session = told["sessions"][0]["session"].as_str().expect("a session").to_owned();
    house.broker().set_mode(&SessionId(session), Mode::Plan, Person::at(Channel::Window)).await.expect("switched");
    until_told(&mut terminal, "the mode", |said| said["sessions"][0]["mode"] == "plan").await;
}

#[tokio::test]
async fn what_a_terminal_says_while_it_watches_does_nothing_and_hanging_up_frees_its_place() {
    let house = House::new().await;
    let id = house.pair("a").await.ask("First?").await;
    for _ in 0..100 {
        let mut terminal = Terminal::open(&house.home).await.expect("a line");
        terminal.must(&Command::Watch).await.expect("what is there");
        terminal.tell(&Command::Decline { id: RequestId(id.clone()), comment: None }).await.expect("said");
    }
    let mut terminal = Terminal::open(&house.home).await.expect("a line");
    let shown = terminal.must(&Command::Show { id: RequestId(id) }).await.expect("shown");
    assert_eq!(shown["state"], "pending");
}
