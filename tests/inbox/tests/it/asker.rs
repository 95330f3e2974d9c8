//! Who asks, as the system tells: from the socket's process, through the bridge from its parent, and never from the agent.

use countersign_core::id::RequestId;
use countersign_inbox_tests::mcp::{self, Era, call};
use countersign_inbox_tests::{Home, House, question};
use serde_json::{Value, json};

fn id(said: &Value) -> RequestId {
    RequestId(said["structuredContent"]["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned())
}

/// This process, as the system has it.
fn own() -> (u32, String, String) {
    let text = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    let path = std::env::current_exe().expect("a path");
    (std::process::id(), text(path), text(std::env::current_dir().expect("a folder")))
}

#[tokio::test]
async fn what_has_a_dialog_is_kept_with_the_program_on_the_other_end_of_the_socket_and_nothing_else_is() {
    let house = House::new().await;
    let agent = house.pair("Somebody else").await;
    let asker = |said: &Value| house.broker().detail(&id(said)).expect("there").request.asker;
    assert_eq!(
        asker(&agent.call("ask_human", question("Plain?")).await),
        None,
        "no look at the system for a plain ask"
    );
    agent.call("create_spec", json!({"title": "Login"})).await;
    assert_eq!(asker(&agent.call("create_spec", json!({"title": "Login"})).await), None);
    // What the agent says of a program is not listened to.
    let claims = json!({"program": "/usr/bin/other", "pid": 1});
    let deletion = agent.call("delete_spec", json!({"spec": "SPEC-001", "_meta": claims})).await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    let plan = agent.call("present_plan", json!({"plan": "# Plan", "hold_seconds": 0, "_meta": claims})).await;
    for said in [deletion, plan] {
        let asker = asker(&said).expect("known");
        let (pid, path, folder) = own();
        assert_eq!((asker.pid, asker.path, asker.folder, asker.bridge), (pid, Some(path), Some(folder), false));
    }
    house.broker().read(|db| Ok(db.verify_log()?)).expect("read").expect("the log holds");
}

#[tokio::test]
async fn through_the_bridge_it_is_the_program_that_started_the_bridge() {
    let home = Home::new();
    let _serve = home.serve(&["--insecure-test"]).await;
    let agent = home.pair("a").await;
    let (client, _bridge) = mcp::through_bridge(&home, &agent, Era::Sessions).await;
    call(&client, "request_mode", json!({"mode": "plan"})).await;
    let said = call(&client, "present_plan", json!({"plan": "# Plan", "hold_seconds": 0})).await;
    let shown = home.run(&["inbox", "show", id(&said).as_str(), "--json"]).await.object();
    let (pid, path, folder) = own();
    assert_eq!(shown["program"], json!({"pid": pid, "path": path, "folder": folder, "bridge": true}));
    let lines = home.run(&["inbox", "show", id(&said).as_str()]).await.lines;
    let line = format!("(process {pid}, through Countersign's bridge)");
    assert!(lines.iter().any(|shown| shown.starts_with("Program: ") && shown.contains(&line)), "{lines:?}");
}

#[tokio::test]
async fn a_row_whose_program_was_changed_in_the_file_does_not_fit_the_log() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("request_mode", json!({"mode": "plan"})).await;
    agent.call("present_plan", json!({"plan": "# Plan", "hold_seconds": 0})).await;
    let verify = |house: &House| house.broker().read(|db| Ok(db.verify_log()?)).expect("read");
    assert!(verify(&house).is_ok());
    house.stop().await;
    let file = rusqlite::Connection::open(house.home.path().join("countersign.db")).expect("opens");
    let changed = file.execute("UPDATE requests SET program = json_set(program, '$.path', '/usr/bin/good')", []);
    assert_eq!(changed.expect("changed"), 1);
    drop(file);
    house.start().await;
    assert!(verify(&house).is_err());
}
