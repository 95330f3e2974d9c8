//! The spec tools as an agent uses them, over MCP and over HTTP.

use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_inbox_tests::mcp::{self, Client, Era, call};
use countersign_inbox_tests::{Agent, House, in_time};
use http::{Method, StatusCode};
use serde_json::{Value, json};

/// A way to call a tool: the seed document's agent does not care which.
enum Way<'w> {
    Mcp(&'w Client),
    Http(&'w Agent),
}

impl Way<'_> {
    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        match self {
            Self::Mcp(client) => call(client, tool, arguments).await,
            Self::Http(agent) => agent.call(tool, arguments).await,
        }
    }

    /// What came of it.
    async fn does(&self, tool: &'static str, arguments: Value) -> Value {
        let said = self.call(tool, arguments).await;
        assert_ne!(said["isError"], true, "{said}");
        said["structuredContent"].clone()
    }

    /// Why it was refused.
    async fn fails(&self, tool: &'static str, arguments: Value) -> String {
        let said = self.call(tool, arguments).await;
        assert_eq!(said["isError"], true, "{said}");
        said["text"].as_str().expect("a text").to_owned()
    }
}

fn request(said: &Value) -> RequestId {
    RequestId(said["request"]["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned())
}

/// The eight steps of the seed document, "Cómo el LLM Transmite las Preguntas", in its words.
async fn relays_as_the_seed_says(way: &Way<'_>, title: &str) {
    let made = way.does("create_spec", json!({"title": title, "criteria": ["it is nice", "it works well"]})).await;
    let spec = made["id"].as_str().expect("an id");
    // 1. The model calls the tool: update_status("SPEC-NNN", "approved"). 2. It detects the gate's condition (0 criteria that pass).
    assert_eq!(way.does("check_readiness", json!({"spec": spec})).await["passing"], 0);
    let said = way.call("update_status", json!({"spec": spec, "status": "approved"})).await;
    // 3. It returns { interactiveQuestions: [ { id: "confirm-low-criteria", ... } ] }, at once. 4. The model reads the array.
    let questions = said["structuredContent"]["interactiveQuestions"].as_array().expect("an array");
    assert_eq!(questions.len(), 1, "{said}");
    assert_eq!((&questions[0]["id"], &questions[0]["type"]), (&json!("confirm-low-criteria"), &json!("confirm")));
    assert_eq!(questions[0].get("default"), None);
    // 5. It asks with its host's own tool, with the question's text. 6. The person answers "yes".
    let text = said["text"].as_str().expect("a text");
    assert!(text.contains(questions[0]["question"].as_str().expect("a text")) && text.contains("`answers`"), "{text}");
    assert_eq!(way.does("get_spec", json!({"spec": spec})).await["status"], "draft", "nothing was done yet");
    // 7. It calls again: update_status("SPEC-NNN", "approved", { answers: { "confirm-low-criteria": true } }).
    let again = json!({"spec": spec, "status": "approved", "answers": {"confirm-low-criteria": true}});
    let done = way.does("update_status", again).await;
    // 8. The tool passes the gate.
    assert_eq!((&done["outcome"], &done["status"]), (&json!("updated"), &json!("approved")), "{done}");
    assert_eq!(way.does("get_spec", json!({"spec": spec})).await["status"], "approved");
    let kept = way.does("get_request", json!({"request_id": said["structuredContent"]["request"]["id"]})).await;
    assert_eq!(kept["state"], "answered", "{kept}");
}

async fn lives_a_specs_life(house: &House, way: &Way<'_>, title: &str) {
    let criteria = json!(["GET /refunds/{id} returns 404 for an unknown id", "The page shows «Saved» within 1 s"]);
    let made = way.does("create_spec", json!({"title": title, "body": "Why.", "criteria": criteria})).await;
    let spec = json!({"spec": made["id"]});
    let with = |more: Value| {
        let mut arguments = spec.clone();
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    let word = title.split(' ').next().expect("a word").to_lowercase();
    let found = way.does("search_specs", json!({"query": word})).await;
    assert_eq!(found["specs"][0]["id"], made["id"], "{found}");

    // A draft is locked only if the person says so; one no is one no.
    let asks = way.does("lock_spec", spec.clone()).await;
    assert_eq!(asks["interactiveQuestions"][0]["default"], false, "{asks}");
    let refused = way.does("lock_spec", with(json!({"answers": {"confirm-lock-draft": false}}))).await;
    assert_eq!((&refused["outcome"], &refused["locked"]), (&json!("refused"), &json!(false)), "{refused}");

    let illegal = way.fails("update_status", with(json!({"status": "done"}))).await;
    assert_eq!(illegal, "a spec in draft can't go to done; it can go to review, approved, archived.");
    assert_eq!(way.does("update_status", with(json!({"status": "approved"}))).await["status"], "approved");

    // What was agreed is not dropped by the way, and new content goes back to review.
    let edit = with(json!({"criteria": ["GET /refunds/{id} returns 404 for an unknown id"], "base_revision": 1}));
    let asks = way.does("update_spec", edit.clone()).await;
    assert_eq!(asks["interactiveQuestions"][0]["id"], "confirm-drop-criteria", "{asks}");
    house.answer(&request(&asks), json!({"confirm-drop-criteria": true})).await;
    let edited = way.does("update_spec", edit.clone()).await;
    assert_eq!((&edited["revision"], &edited["status"]), (&json!(2), &json!("review")), "{edited}");
    assert!(edited["note"].as_str().expect("a note").contains("back to review"), "{edited}");
    let conflict = way.fails("update_spec", edit).await;
    assert!(conflict.contains("revision 2") && conflict.contains("get_spec"), "{conflict}");

    // Under lock its content takes the person, in the dialog alone.
    assert_eq!(way.does("update_status", with(json!({"status": "approved"}))).await["status"], "approved");
    assert_eq!(way.does("lock_spec", spec.clone()).await["outcome"], "locked");
    let edit = with(json!({"body": "Because."}));
    let asks = way.does("update_spec", edit.clone()).await;
    assert_eq!(asks["interactiveQuestions"][0]["id"], "confirm-overwrite-locked", "{asks}");
    let relayed = with(json!({"body": "Because.", "answers": {"confirm-overwrite-locked": true}}));
    assert!(way.does("update_spec", relayed).await["interactiveQuestions"].is_array(), "a claim at most");
    let word = made["id"].as_str().expect("an id");
    house.answer_at(Channel::Dialog, &request(&asks), json!({"confirm-overwrite-locked": true}), Some(word)).await;
    assert_eq!(way.does("update_spec", edit).await["outcome"], "updated");
    let asks = way.does("unlock_spec", spec.clone()).await;
    house.answer_at(Channel::Dialog, &request(&asks), json!({"confirm-overwrite-locked": true}), Some(word)).await;
    assert_eq!(way.does("unlock_spec", spec.clone()).await["outcome"], "unlocked");

    // Built, shown, done.
    for status in ["approved", "implementing"] {
        assert_eq!(way.does("update_status", with(json!({"status": status}))).await["status"], status);
    }
    let unmet = way.does("validate", spec.clone()).await;
    assert_eq!((&unmet["all_met"], &unmet["criteria"][0]["state"]), (&json!(false), &json!("unmet")), "{unmet}");
    let asks = way.does("update_status", with(json!({"status": "done"}))).await;
    assert_eq!(asks["interactiveQuestions"][0]["id"], "confirm-unmet-criteria", "{asks}");
    let evidence = with(json!({"criterion": "AC-1", "met": true, "evidence": "curl said 404"}));
    assert_eq!(way.does("record_evidence", evidence).await["outcome"], "recorded");
    let seen = way.does("get_spec", spec.clone()).await;
    assert_eq!(seen["criteria"][0]["evidence"]["by"]["kind"], "agent", "shown as the agent's word: {seen}");
    assert_eq!(way.does("validate", spec.clone()).await["all_met"], true);
    assert_eq!(way.does("update_status", with(json!({"status": "done"}))).await["status"], "done");
}

async fn asks_which_one_is_meant(way: &Way<'_>) {
    for title in ["Ledger export to files", "Ledger of all the payments"] {
        way.does("create_spec", json!({"title": title})).await;
    }
    // A tool that reads only returns the question; nothing stands in the inbox.
    let asks = way.does("get_spec", json!({"spec": "ledger"})).await;
    let options = asks["interactiveQuestions"][0]["options"].as_array().expect("options").clone();
    assert_eq!((asks["interactiveQuestions"][0]["id"].as_str(), options.len()), (Some("choose-spec"), 2), "{asks}");
    assert_eq!(asks.get("request"), None, "{asks}");
    let chosen = json!({"spec": "ledger", "answers": {"choose-spec": options[1]}});
    let whole = way.does("get_spec", chosen).await;
    assert!(options[1].as_str().expect("a label").starts_with(whole["id"].as_str().expect("an id")));
    // One that writes asks the person, and goes on with what the agent relays.
    let moved = json!({"spec": "ledger", "status": "review"});
    assert!(way.does("update_status", moved.clone()).await["request"]["id"].is_string());
    let mut answered = moved;
    answered["answers"] = json!({"choose-spec": options[0]});
    assert_eq!(way.does("update_status", answered).await["status"], "review");
    let nothing = way.fails("get_spec", json!({"spec": "no such thing"})).await;
    assert!(nothing.contains("list_specs"), "{nothing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_written_for_the_seed_document_works_unchanged_over_mcp_and_http() {
    in_time("the specs", async {
        let house = House::new().await;
        let agent = house.pair("seed").await;
        relays_as_the_seed_says(&Way::Http(&agent), "Refunds over the phone").await;
        lives_a_specs_life(&house, &Way::Http(&agent), "Invoices that are paid twice").await;
        asks_which_one_is_meant(&Way::Http(&agent)).await;
        for (era, title, life) in [
            (Era::Newest, "Kitchen timers", "Birthday greetings by letter"),
            (Era::Sessions, "Night shifts and their pay", "Colours of the company car"),
        ] {
            let client = mcp::over_http(&house.pair(title).await, era).await;
            relays_as_the_seed_says(&Way::Mcp(&client), title).await;
            lives_a_specs_life(&house, &Way::Mcp(&client), life).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_that_is_nearly_there_is_asked_about_and_says_how_near() {
    in_time("the specs", async {
        let house = House::new().await;
        let agent = house.pair("seed").await;
        let way = Way::Http(&agent);
        way.does("create_spec", json!({"title": "Política de reintentos del webhook"})).await;
        for near in [
            "politica de reintentos del webhook",
            "Webhook: política de reintentos del",
            "Política de reintentos del webhok",
        ] {
            let asks = way.does("create_spec", json!({"title": near})).await;
            let question = &asks["interactiveQuestions"][0];
            assert_eq!(
                (&question["id"], &question["default"]),
                (&json!("confirm-duplicate-title"), &json!("use the existing one"))
            );
            assert!(question["question"].as_str().expect("a text").contains("SPEC-001"), "{asks}");
        }
        let nearly = way.does("create_spec", json!({"title": "Política de reintentos del webhok"})).await;
        let question = nearly["interactiveQuestions"][0]["question"].as_str().expect("a text");
        assert!(question.contains(" % alike: SPEC-001 “Política de reintentos del webhook”"), "{question}");
        assert_eq!(way.does("create_spec", json!({"title": "Firmas del webhook"})).await["outcome"], "created");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fields_limit_is_in_its_schema_and_holds_at_below_and_above() {
    in_time("the specs", async {
        let house = House::new().await;
        let agent = house.pair("seed").await;
        let way = Way::Http(&agent);
        let tools = agent.port.get("/v1/tools").await.expect("a list");
        let tools = tools["tools"].as_array().expect("tools");
        let limit = |tool: &str, path: &str| {
            let tool = tools.iter().find(|row| row["name"] == tool).unwrap_or_else(|| panic!("{tool}"));
            let found = tool["inputSchema"].pointer(path).and_then(Value::as_u64);
            usize::try_from(found.unwrap_or_else(|| panic!("{path} in {tool}"))).expect("it fits")
        };
        let (title, body, count) = (
            limit("create_spec", "/properties/title/maxLength"),
            limit("create_spec", "/properties/body/maxLength"),
            limit("create_spec", "/properties/criteria/maxItems"),
        );
        // Words of their own, so that no two are alike.
        let named = |n: usize, seed: char| seed.to_string().repeat(n);
        for (n, seed) in [(1, 'a'), (title - 1, 'b'), (title, 'ñ')] {
            assert_eq!(way.does("create_spec", json!({"title": named(n, seed)})).await["outcome"], "created");
        }
        let said = way.fails("create_spec", json!({"title": named(title + 1, 'd')})).await;
        assert_eq!(said, format!("`title` has {} characters; {title} are allowed.", title + 1));
        assert!(way.fails("create_spec", json!({"title": " "})).await.contains("`title` is empty"));

        let made = way.does("create_spec", json!({"title": "Large", "body": "x".repeat(body)})).await;
        assert_eq!(made["outcome"], "created", "1 MiB passes");
        let whole = way.does("get_spec", json!({"spec": made["id"]})).await;
        assert_eq!(whole["body"].as_str().map(str::len), Some(body));
        let said = way.fails("create_spec", json!({"title": "Larger", "body": "x".repeat(body + 1)})).await;
        assert_eq!(said, format!("`body` has {} bytes; {body} are allowed.", body + 1));

        let texts = |n: usize| (0..n).map(|i| format!("returns {i}")).collect::<Vec<_>>();
        let made = way.does("create_spec", json!({"title": "Many criteria", "criteria": texts(count)})).await;
        assert_eq!(made["total"], count);
        for n in [count + 1, 10_000] {
            let said = way.fails("create_spec", json!({"title": "Too many of them", "criteria": texts(n)})).await;
            assert_eq!(said, format!("`criteria` has {n} entries; {count} are allowed."));
        }
        let long = limit("create_spec", "/properties/criteria/items/anyOf/1/properties/text/maxLength");
        let said = way.fails("create_spec", json!({"title": "T of T", "criteria": ["x".repeat(long + 1)]})).await;
        assert_eq!(said, format!("`criteria[0].text` has {} characters; {long} are allowed.", long + 1));
        let long = limit("record_evidence", "/properties/evidence/maxLength");
        let evidence =
            |n: usize| json!({"spec": "SPEC-001", "criterion": "AC-1", "met": true, "evidence": "x".repeat(n)});
        assert!(way.fails("record_evidence", evidence(long + 1)).await.contains(&format!("{long} are allowed")));
        assert!(way.fails("record_evidence", evidence(long)).await.contains("there is no criterion `AC-1`"));

        for (field, arguments) in [
            ("title", json!({"title": "a\0b"})),
            ("body", json!({"title": "Nul", "body": "a\0b"})),
            ("criteria[0].text", json!({"title": "Nul", "criteria": ["a\0b"]})),
        ] {
            let said = way.fails("create_spec", arguments).await;
            assert_eq!(said, format!("`{field}` contains a NUL character (U+0000); remove it."));
        }
        assert_eq!(way.does("list_specs", json!({"limit": 1})).await["next"], "SPEC-001");
        let page = way.does("list_specs", json!({"limit": 9999, "after": "SPEC-001"})).await;
        assert_eq!(page["specs"].as_array().map(Vec::len), Some(4));
        assert!(page["note"].as_str().expect("a note").contains("lowered to 200 specs"), "{page}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_text_is_refused_and_nothing_is_made() {
    in_time("the specs", async {
        let house = House::new().await;
        let agent = house.pair("seed").await;
        let way = Way::Http(&agent);
        // A lone surrogate is no character (RFC 8259, section 8.2).
        let url = format!("{}/v1/tools/create_spec", house.url());
        let bearer = format!("Bearer {}", agent.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        for body in [r#"{"title": "\ud800"}"#, r#"{"title": "\udfff tail"}"#, "{\"title\": \"\u{1}\"}", "{\"title\""] {
            let said = mcp::open(Method::POST, &url, &headers, body).await;
            assert_eq!(said.status(), StatusCode::BAD_REQUEST, "{body}");
        }
        assert_eq!(way.does("list_specs", json!({})).await["specs"], json!([]));
    })
    .await;
}
