//! `countersign serve`: its folder, its port, its passphrase, its end; and one of it at a time.

use countersign_inbox_tests::{Home, PASSPHRASE, quiet_port};
use rustix::process::Signal;
use serde_json::json;
use std::collections::HashSet;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::Path;

/// Everything below a folder with its permission bits, the folder itself included.
fn modes(path: &Path, found: &mut Vec<(String, u32)>) {
    let meta = std::fs::symlink_metadata(path).expect("there");
    let kind = if meta.is_dir() {
        "folder"
    } else if meta.file_type().is_socket() {
        "socket"
    } else {
        "file"
    };
    let name = path.file_name().expect("a name").to_string_lossy();
    found.push((format!("{kind} {name}"), meta.permissions().mode() & 0o777));
    if meta.is_dir() {
        std::fs::read_dir(path).expect("read").for_each(|entry| modes(&entry.expect("an entry").path(), found));
    }
}

#[tokio::test]
async fn nobody_but_the_owner_gets_into_the_data_folder_or_any_file_in_it() {
    let home = Home::new();
    let mut serve = home.serve(&[]).await;
    home.pair("a").await.ask("Is it private?").await;
    let mut found = Vec::new();
    modes(&home.path(), &mut found);
    let names: HashSet<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    for name in
        ["file countersign.db", "file countersign.db-wal", "file endpoint.json", "socket person.sock", "folder tokens"]
    {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    for (name, mode) in &found {
        assert_eq!(*mode, if name.starts_with("folder") { 0o700 } else { 0o600 }, "{name}");
    }
    serve.stop().await;
}

#[tokio::test]
async fn it_says_where_it_listens_in_one_line_and_the_discovery_file_goes_with_a_clean_end() {
    for signal in [Signal::TERM, Signal::INT] {
        let home = Home::new();
        let mut serve = home.serve(&[]).await;
        assert_eq!(serve.said, json!({"listening": serve.url, "home": home.path()}));
        let endpoint = home.endpoint().expect("it runs");
        assert_eq!((&endpoint["url"], &endpoint["pid"]), (&json!(serve.url), &json!(serve.program.pid())));
        serve.program.signal(signal);
        assert_eq!(serve.program.end().await.code(), Some(0));
        assert_eq!(serve.program.line().await, None, "nothing else on stdout");
        assert_eq!(home.endpoint(), None);
        assert!(!home.path().join("person.sock").exists());
    }
}

#[tokio::test]
async fn a_discovery_file_that_a_kill_left_behind_fools_nobody() {
    let home = Home::new();
    let mut serve = home.serve(&[]).await;
    serve.program.kill();
    assert!(home.endpoint().is_some(), "left behind");
    home.inbox(&["list"]).await.refused(3, "isn't running");
    home.run(&["pair", "--name", "a", "--json"]).await.refused(3, "isn't running");
    let serve = home.serve(&[]).await;
    assert_eq!(home.endpoint().expect("it runs")["pid"], json!(serve.program.pid()));
    assert_eq!(home.inbox(&["list"]).await.code, 0);
}

#[tokio::test]
async fn a_second_one_on_the_same_folder_is_refused_and_leaves_the_first_alone() {
    let home = Home::new();
    let mut first = home.serve(&[]).await;
    home.run(&["serve", "--json", "--port", "0"]).await.refused(1, "runs already on");
    assert_eq!(home.endpoint().expect("still there")["pid"], json!(first.program.pid()));
    assert_eq!(home.inbox(&["list"]).await.code, 0);
    first.stop().await;
}

#[tokio::test]
async fn the_port_once_chosen_is_kept_and_replaced_while_a_stranger_has_it() {
    let home = Home::new();
    let port = quiet_port();
    let text = port.to_string();
    let mut serve = home.serve_as(&["serve", "--json", "--port", &text]).await;
    assert_eq!(serve.port(), port);
    serve.stop().await;
    let mut serve = home.serve_as(&["serve", "--json"]).await;
    assert_eq!(serve.port(), port, "kept");
    serve.stop().await;

    let stranger = std::net::TcpListener::bind(("127.0.0.1", port)).expect("free");
    let mut serve = home.serve_as(&["serve", "--json"]).await;
    assert_ne!(serve.port(), port, "replaced");
    assert_eq!(home.endpoint().expect("it runs")["url"], json!(serve.url), "and said where clients look");
    serve.stop().await;
    home.run(&["serve", "--json", "--port", &text]).await.refused(2, "can't be used");
    drop(stranger);

    let mut serve = home.serve_as(&["serve", "--json"]).await;
    assert_eq!(serve.port(), port, "back again");
    serve.stop().await;
}

#[tokio::test]
async fn the_passphrase_is_set_at_the_first_start_on_an_empty_folder_and_must_match_later() {
    let home = Home::new();
    let file = |name: &str, text: &str| home.file(name, text).to_str().expect("UTF-8").to_owned();
    let (short, other) = (file("short", "short\n"), file("other", "another passphrase\n"));
    let serve = |passphrase: String| {
        let home = &home;
        async move { home.run(&["serve", "--json", "--port", "0", "--passphrase-file", &passphrase]).await }
    };
    serve(short).await.refused(2, "at least 8 characters");
    serve(file("empty", "")).await.refused(2, "is empty");
    serve("/no/such/file".into()).await.refused(2, "can't be read");
    // A start that was refused leaves the folder as empty as it was.
    home.serve(&[]).await.stop().await;
    serve(other).await.refused(1, "not the one that is set");
    home.serve(&[]).await.stop().await;
    let digest = std::fs::read(home.path().join("countersign.db")).expect("read");
    let bare = PASSPHRASE.as_bytes();
    assert!(!digest.windows(bare.len()).any(|window| window == bare), "only its digest is kept");
}

#[tokio::test]
async fn a_folder_in_which_something_was_done_takes_no_passphrase_later_and_one_in_which_nothing_was_does() {
    let home = Home::new();
    let mut serve = home.serve_as(&["serve", "--json", "--port", "0"]).await;
    home.inbox(&["pairings", "refuse", "000000"]).await.refused(1, "no passphrase is set");
    serve.stop().await;
    assert!(serve.program.stderr().contains("No passphrase is set"), "{}", serve.program.stderr());
    let file = home.passphrase();
    // A bridge's token tells that somebody used this folder, whatever became of its data file.
    let tokens = home.path().join("tokens");
    std::fs::create_dir(&tokens).expect("made");
    let late = home.run(&["serve", "--json", "--passphrase-file", file.to_str().expect("UTF-8")]).await;
    late.refused(1, "only be set at the first start on an empty data folder");
    std::fs::remove_dir(&tokens).expect("removed");
    let mut serve = home.serve(&[]).await;
    home.inbox(&["pairings", "refuse", "000000"]).await.refused(1, "nothing with that code");
    serve.stop().await;
}

#[tokio::test]
async fn a_test_home_is_made_of_an_empty_folder_only_and_stays_one_for_good() {
    let home = Home::new();
    let mut serve = home.serve(&["--insecure-test"]).await;
    assert_eq!(serve.said["test_home"], true);
    serve.stop().await;
    assert!(serve.program.stderr().contains("This is a test home"), "{}", serve.program.stderr());
    for more in [&[][..], &["--insecure-test"]] {
        let mut serve = home.serve(more).await;
        assert_eq!(serve.said["test_home"], true);
        assert_eq!(home.endpoint().expect("it runs")["test_home"], true);
        serve.stop().await;
    }

    let used = Home::new();
    used.serve(&[]).await.stop().await;
    used.run(&["serve", "--json", "--port", "0", "--insecure-test"]).await.refused(2, "this one is in use");
    let mut serve = used.serve(&[]).await;
    assert_eq!(serve.said["test_home"], json!(null), "refused, and not marked");
    serve.stop().await;
}

#[tokio::test]
async fn a_folder_named_by_a_flag_wins_over_the_environment() {
    let (home, other) = (Home::new(), Home::new());
    let named = other.path();
    let mut serve = home.serve_as(&["serve", "--json", "--port", "0", "--home", named.to_str().expect("UTF-8")]).await;
    assert_eq!(serve.said["home"], json!(named));
    assert!(other.endpoint().is_some() && home.endpoint().is_none());
    serve.stop().await;
}
