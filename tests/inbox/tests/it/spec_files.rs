//! Specs from files and to files, and a workspace's rules: as an agent does it, and on the terminal under `serve`.

use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_inbox_tests::{Home, House, in_time};
use serde_json::{Value, json};
use std::fs;

const BODY: &str = "First line\r\n\r\n---\r\nno final newline, \u{1f512} and a \\ backslash";

async fn agents_files_go_out_and_come_in(house: &House) {
    let agent = house.pair("files").await;
    let work = house.home.work();
    let done = async |tool: &str, arguments: Value| {
        let said = agent.call(tool, arguments).await;
        assert_ne!(said["isError"], true, "{said}");
        said["structuredContent"].clone()
    };
    let fails = async |tool: &str, arguments: Value| {
        let said = agent.call(tool, arguments).await;
        assert_eq!(said["isError"], true, "{said}");
        said["text"].as_str().expect("a text").to_owned()
    };
    let criteria = json!(["returns 404: \"x\"\nsecond line", {"text": "# looks like yaml: - yes", "check": "unit"}]);
    done("create_spec", json!({"title": "Refunds: the \"real\" ones", "body": BODY, "criteria": criteria})).await;
    done("create_spec", json!({"title": "Night shifts"})).await;
    let written = done("export_specs", json!({"folder": "docs/specs"})).await;
    assert_eq!(written["files"].as_array().map(Vec::len), Some(2), "{written}");
    let file = fs::read_to_string(work.join("docs/specs/SPEC-001.md")).expect("written");
    assert!(file.ends_with(BODY), "the body byte for byte: {file:?}");
    // The same again is no overwriting; something else is.
    done("export_specs", json!({"folder": "docs/specs"})).await;
    fs::write(work.join("docs/specs/SPEC-002.md"), "mine").expect("writes");
    let refused = fails("export_specs", json!({"folder": "docs/specs"})).await;
    assert!(refused.contains("SPEC-002.md") && refused.contains("may be overwritten"), "{refused}");
    assert_eq!(fs::read_to_string(work.join("docs/specs/SPEC-002.md")).expect("reads"), "mine");
    done("export_specs", json!({"folder": "docs/specs", "overwrite": true})).await;
    for outside in ["../elsewhere", "/tmp/elsewhere"] {
        let refused = fails("export_specs", json!({"folder": outside})).await;
        assert!(refused.contains("not inside the workspace"), "{refused}");
    }

    // Said first, then done; the same is left alone, another one comes in as a draft beside it.
    let import = json!({"path": "docs/specs"});
    let planned = done("import_specs", import.clone()).await;
    assert_eq!(
        (&planned["outcome"], &planned["specs"][0]["action"]),
        (&json!("planned"), &json!("unchanged")),
        "{planned}"
    );
    let changed = file.replace("First line", "Another line").replace("\r\n", "\n").replace("SPEC-001", "SPEC-009");
    fs::write(work.join("docs/specs/SPEC-001.md"), changed).expect("writes");
    let planned = done("import_specs", import.clone()).await;
    assert_eq!(
        (&planned["specs"][0]["action"], &planned["specs"][0]["id"]),
        (&json!("create"), &json!("SPEC-009")),
        "{planned}"
    );
    assert!(planned["specs"][0]["notes"][0].as_str().expect("a note").contains("same title"), "{planned}");
    assert_eq!(done("list_specs", json!({})).await["specs"].as_array().map(Vec::len), Some(2), "only said");
    let done_now = done("import_specs", json!({"path": "docs/specs", "apply": true})).await;
    assert_eq!(done_now["outcome"], "imported", "{done_now}");
    let whole = done("get_spec", json!({"spec": "SPEC-009"})).await;
    assert_eq!((&whole["status"], whole["criteria"].as_array().map(Vec::len)), (&json!("draft"), Some(2)));
    assert_eq!(whole["criteria"][0]["text"], "returns 404: \"x\"\nsecond line", "{whole}");
    assert_eq!(whole["criteria"][1]["check"], "unit", "{whole}");
    let next = done("create_spec", json!({"title": "What comes after"})).await;
    assert_eq!(next["id"], "SPEC-010", "numbers go on after what came in");

    // Over a locked spec only through the dialog, bound to exactly these files.
    done("update_status", json!({"spec": "SPEC-001", "status": "review"})).await;
    assert_eq!(done("lock_spec", json!({"spec": "SPEC-001"})).await["outcome"], "locked");
    let over = file.replace("First line", "Overwritten");
    let replace = json!({"files": [{"name": "a.md", "text": over}], "existing": "replace", "apply": true});
    let asks = done("import_specs", replace.clone()).await;
    assert_eq!(asks["interactiveQuestions"][0]["id"], "confirm-overwrite-locked", "{asks}");
    let id = RequestId(asks["request"]["id"].as_str().expect("an id").to_owned());
    house.answer_at(Channel::Dialog, &id, json!({"confirm-overwrite-locked": true}), Some("SPEC-001")).await;
    let sly = json!({"files": [{"name": "a.md", "text": file.replace("First line", "Slyly")}], "existing": "replace", "apply": true});
    let asks = done("import_specs", sly).await;
    assert_ne!(asks["request"]["id"].as_str(), Some(id.as_str()), "other files are another question");
    let done_now = done("import_specs", replace).await;
    assert_eq!(done_now["specs"][0]["action"], "replace", "{done_now}");
    let whole = done("get_spec", json!({"spec": "SPEC-001"})).await;
    assert_eq!((&whole["status"], &whole["revision"]), (&json!("draft"), &json!(2)), "{whole}");
    assert!(whole["body"].as_str().expect("a body").starts_with("Overwritten\r\n"), "{whole}");

    // One that can't be read is told, and stops no other; what is no spec by its name is not read.
    fs::write(work.join("docs/specs/bad.md"), b"\xff").expect("writes");
    fs::write(work.join("docs/notes.txt"), "private").expect("writes");
    let planned = done("import_specs", import).await;
    let words = |key: &str| -> Vec<String> {
        let specs = planned["specs"].as_array().expect("a list");
        specs.iter().map(|spec| spec[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(words("why").last().map(String::as_str), Some("it is no UTF-8"), "{planned}");
    assert_eq!(words("action").iter().filter(|action| *action == "broken").count(), 1, "{planned}");

    for (arguments, said) in [
        (json!({"path": "docs/notes.txt"}), "only .md, .markdown and .json files are read"),
        (json!({}), "either `path` or `files`"),
        (json!({"path": "../.."}), "not inside the workspace"),
        (json!({"path": "nowhere"}), "no markdown or JSON file"),
    ] {
        let refused = fails("import_specs", arguments).await;
        assert!(refused.contains(said), "{refused}");
    }
    let broken = done("import_specs", json!({"files": [{"name": "b.md", "text": "---\ntitle: [\n---\n"}]})).await;
    assert_eq!(broken["specs"][0]["action"], "broken", "{broken}");
    assert!(broken["specs"][0]["why"].as_str().expect("why").contains("line"), "{broken}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_writes_specs_out_and_brings_them_in_and_overwrites_nothing_unasked() {
    let house = House::new().await;
    in_time("the files", agents_files_go_out_and_come_in(&house)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_lists_shows_exports_and_imports_and_says_first_what_it_would_do() {
    in_time("the terminal", async {
        let home = Home::new();
        let serve = home.serve(&[]).await;
        let agent = home.pair("terminal").await;
        agent.call("create_spec", json!({"title": "Refunds", "body": BODY, "criteria": ["returns 404"]})).await;
        agent.call("create_spec", json!({"title": "Night shifts"})).await;
        let work = home.work();
        let work = work.to_str().expect("UTF-8");
        let specs = async |more: &[&str]| home.run(&[&["specs", "--workspace", work, "--json"], more].concat()).await;

        let listed = specs(&["list"]).await.objects();
        assert_eq!(
            listed.iter().map(|row| row["id"].as_str()).collect::<Vec<_>>(),
            [Some("SPEC-001"), Some("SPEC-002")]
        );
        assert_eq!(specs(&["list", "--search", "refu"]).await.objects().len(), 1);
        assert_eq!(specs(&["list", "--status", "done"]).await.objects().len(), 0);
        specs(&["list", "--status", "sleeping"]).await.refused(2, "no such status");
        assert_eq!(specs(&["show", "SPEC-001"]).await.object()["body"], BODY);
        specs(&["show", "SPEC-077"]).await.refused(1, "no spec SPEC-077");

        let out = home.path().join("out");
        let written = specs(&["export", "--out", out.to_str().expect("UTF-8")]).await.objects();
        assert_eq!(written.len(), 2, "{written:?}");
        let file = fs::read_to_string(out.join("SPEC-001.md")).expect("written");
        assert!(file.ends_with(BODY), "{file:?}");
        let as_json = specs(&["export", "SPEC-002", "--format", "json"]).await.object();
        assert!(as_json["text"].as_str().expect("a text").contains("Night shifts"), "{as_json}");

        fs::write(out.join("new.md"), "# Brought in\n\n## Acceptance criteria\n\n- [ ] `x` returns 1\n")
            .expect("writes");
        let import = [out.to_str().expect("UTF-8"), "--existing", "skip"];
        let planned = specs(&[&["import"], &import[..]].concat()).await.objects();
        let actions: Vec<_> = planned.iter().map(|one| one["action"].as_str().expect("a word")).collect();
        assert_eq!(actions, ["unchanged", "unchanged", "create"], "{planned:?}");
        assert_eq!(specs(&["list"]).await.objects().len(), 2, "only said");
        let passphrase = home.passphrase();
        let apply = ["--apply", "--passphrase-file", passphrase.to_str().expect("UTF-8")];
        let done = specs(&[&["import"], &import[..], &apply[..]].concat()).await.objects();
        assert_eq!(done[2]["id"], "SPEC-003", "{done:?}");
        let whole = specs(&["show", "SPEC-003"]).await.object();
        assert_eq!(
            (&whole["status"], &whole["criteria"][0]["text"]),
            (&json!("draft"), &json!("`x` returns 1")),
            "{whole}"
        );
        drop(serve);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspaces_rules_are_the_persons_and_hold_from_the_next_session_on() {
    in_time("the rules", async {
        let home = Home::new();
        let serve = home.serve(&["--insecure-test"]).await;
        let work = home.work();
        let work = work.to_str().expect("UTF-8");
        let shown = home.run(&["workspace", work, "--json"]).await.object();
        assert_eq!(
            shown["rules"],
            json!({"mode": "guided", "auto_transitions": false, "evidence": "agent", "policy_in_app": false})
        );
        let passphrase = home.passphrase();
        let proof = ["--passphrase-file", passphrase.to_str().expect("UTF-8")];
        home.run(&["workspace", work, "--mode", "autonomous"]).await.refused(1, "proof");
        let set =
            [&["workspace", work, "--json", "--mode", "autonomous", "--auto-transitions", "on"], &proof[..]].concat();
        let now = home.run(&set).await.object();
        assert_eq!(
            now["rules"],
            json!({"mode": "autonomous", "auto_transitions": true, "evidence": "agent", "policy_in_app": false})
        );
        // What an unattended proof may not do it does not do elsewhere either.
        let real = Home::new();
        let _real = real.serve(&[]).await;
        let passphrase = real.passphrase();
        let unattended = ["--mode", "autonomous", "--passphrase-file", passphrase.to_str().expect("UTF-8")];
        real.run(&[&["workspace"], &unattended[..]].concat()).await.refused(1, "a proof from a file does not do this");
        // Nobody is asked; what was taken is said, and a question without a default waits for the person.
        let agent = home.pair("pipeline").await;
        agent.call("create_spec", json!({"title": "Refunds", "criteria": ["it is nice"]})).await;
        let again = agent.call("create_spec", json!({"title": "refunds"})).await["structuredContent"].clone();
        assert_eq!(
            (&again["outcome"], &again["took"]["confirm-duplicate-title"]),
            (&json!("existing"), &json!("use the existing one")),
            "{again}"
        );
        let blocked = agent.call("update_status", json!({"spec": "SPEC-001", "status": "approved"})).await;
        assert!(blocked["text"].as_str().expect("a text").contains("blocked"), "{blocked}");
        let id = blocked["structuredContent"]["request"]["id"].as_str().expect("an id");
        home.inbox(&["answer", id, "--yes"]).await;
        let passed = agent.call("update_status", json!({"spec": "SPEC-001", "status": "approved"})).await;
        assert_eq!(passed["structuredContent"]["status"], "approved", "{passed}");
        drop(serve);
    })
    .await;
}
