//! What an agent may do at all: which tools it has, in which folders, and what the person changes of that.

use countersign_broker::{Person, SpecPage};
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId};
use countersign_core::scope::{Scope, Scopes};
use countersign_inbox_tests::mcp::{self, Ears, Era, call};
use countersign_inbox_tests::{Agent, Home, House, in_time, question, until};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use std::path::Path;

/// What each scope opens, with a call of it.
fn opened() -> [(Scope, &'static str, Value); 4] {
    [
        (Scope::Ask, "ask_human", question("Red or blue?")),
        (Scope::Ask, "present_plan", json!({"plan": "# Move", "hold_seconds": 0})),
        (Scope::Specs, "create_spec", json!({"title": "Refunds"})),
        (Scope::Specs, "delete_spec", json!({"spec": "SPEC-001"})),
    ]
}

fn without(scope: Scope) -> Scopes {
    Scope::ALL.into_iter().filter(|one| *one != scope).fold(Scopes::NONE, Scopes::with)
}

async fn confined(house: &House, folder: &Path, scopes: Scopes) -> Agent {
    house.pair_for("confined", "", Some(folder), scopes).await
}

fn names(said: &Value) -> Vec<String> {
    let tools = said["tools"].as_array().unwrap_or_else(|| panic!("{said}"));
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn must_refuse(said: &Value, scope: Scope) {
    let text = said["text"].as_str().unwrap_or_else(|| panic!("{said}"));
    assert_eq!(said["isError"], true, "{said}");
    assert!(text.contains(&format!("`{}`", scope.word())) && text.contains("Agents screen"), "{text}");
}

fn is_open(house: &House) -> bool {
    !house.broker().open_list(None, 9).expect("a list").is_empty()
}

fn is_known(house: &House, folder: &str) -> bool {
    house.broker().read(|db| Ok(db.workspace_at(folder)?)).expect("read").is_some()
}

#[tokio::test]
async fn a_tool_outside_the_scopes_is_neither_listed_nor_run_over_http_and_mcp() {
    let house = House::new().await;
    for scope in [Scope::Ask, Scope::Specs] {
        let agent = confined(&house, &house.home.work(), without(scope)).await;
        let listed = names(&agent.port.get("/v1/tools").await.expect("a list"));
        let clients = [mcp::over_http(&agent, Era::Newest).await, mcp::over_http(&agent, Era::Sessions).await];
        let (bridged, _bridge) = mcp::through_bridge(&house.home, &agent, Era::Sessions).await;
        for (takes, tool, arguments) in opened() {
            assert_eq!(listed.contains(&tool.to_owned()), takes != scope, "{tool}");
            for client in clients.iter().chain([&bridged]) {
                let tools = client.list_all_tools().await.expect("a list");
                assert_eq!(tools.iter().any(|one| one.name == tool), takes != scope, "{tool}");
                if takes == scope {
                    must_refuse(&call(client, tool, arguments.clone()).await, scope);
                }
            }
            if takes == scope {
                let said = agent.call(tool, arguments).await;
                must_refuse(&said, scope);
                assert_eq!(said["structuredContent"]["code"], "out_of_scope");
            }
        }
        assert!(!is_open(&house), "nothing was asked");
        let caller = house.broker().authenticate(&agent.token).expect("read").expect("known");
        let caller = house.broker().enter(&caller, None, None).await.expect("entered");
        assert!(
            house
                .broker()
                .list_specs(caller.workspace, SpecPage { limit: 1, ..SpecPage::default() })
                .expect("read")
                .is_empty(),
            "nothing was made"
        );
    }
}

#[tokio::test]
async fn without_any_scope_an_agent_reads_and_minds_what_it_asked_before() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    agent.call("create_spec", json!({"title": "Refunds"})).await;
    let [first, second] = [agent.ask("First?").await, agent.ask("Second?").await];
    house.allow(&agent, Scopes::NONE).await;
    assert_eq!(agent.call("get_spec", json!({"spec": "SPEC-001"})).await["structuredContent"]["title"], "Refunds");
    assert_eq!(agent.call("list_specs", json!({})).await["isError"], false);
    assert_eq!(agent.call("request_mode", json!({"mode": "interactive"})).await["isError"], false);
    assert_eq!(agent.call("get_request", json!({"request_id": first})).await["structuredContent"]["state"], "pending");
    assert_eq!(agent.call("cancel_request", json!({"request_id": second})).await["isError"], false);
    house.answer(&RequestId(first.clone()), json!({"answer": "Red"})).await;
    assert_eq!(agent.call("wait_for_answer", json!({"request_id": first})).await["text"], "The person chose: Red.");
}

#[tokio::test]
async fn a_folder_outside_is_refused_however_it_is_named_and_nothing_of_it_is_kept() {
    let house = House::new().await;
    let own = house.home.work();
    let own = own.to_str().expect("UTF-8");
    let agent = confined(&house, &house.home.work(), without(Scope::Folders)).await;
    let parent = own.rsplit_once('/').expect("a parent").0;
    for outside in
        [format!("{own}b"), parent.to_owned(), "/".into(), format!("{own}/../elsewhere"), "/elsewhere".into()]
    {
        let named = |mut arguments: Value| {
            arguments["workspace"] = json!(outside);
            arguments
        };
        let port = agent.port.clone().with_workspace(&outside);
        for (tool, arguments) in
            [("ask_human", question("Here?")), ("create_spec", json!({"title": "T"})), ("list_specs", json!({}))]
        {
            let said = [
                agent.call(tool, named(arguments.clone())).await,
                port.call(tool, &arguments).await.expect("a result"),
                port.call(tool, &named(arguments)).await.expect("a result"),
            ];
            for said in said {
                if outside.contains("..") {
                    assert_eq!(said["isError"], true, "{said}");
                } else {
                    must_refuse(&said, Scope::Folders);
                }
            }
        }
        for path in ["/v1/tools", "/v1/session"] {
            assert!(port.get(path).await.is_err(), "{path} in {outside}");
        }
        assert!(!is_known(&house, &outside), "{outside} left something behind");
    }
    assert!(!is_open(&house));
    let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
    assert!(rows.is_empty(), "not even a session: {rows:?}");
}

#[tokio::test]
async fn its_own_folder_and_those_beneath_it_are_an_agents_however_they_are_named() {
    let house = House::new().await;
    let own = house.home.work();
    let own = own.to_str().expect("UTF-8");
    let agent = confined(&house, &house.home.work(), without(Scope::Folders)).await;
    let list = |folder: &str| json!({"workspace": folder});
    for inside in [own.to_owned(), format!("{own}/"), format!("{own}/./lab"), format!("{own}//lab/deep")] {
        let port = agent.port.clone().with_workspace(&inside);
        assert_eq!(agent.call("list_specs", list(&inside)).await["isError"], false, "{inside}");
        assert_eq!(port.call("list_specs", &json!({})).await.expect("a result")["isError"], false, "{inside}");
        assert!(port.get("/v1/tools").await.is_ok(), "{inside}");
    }
    // The parameter counts before the header, for better and for worse.
    let port = agent.port.clone().with_workspace("/elsewhere");
    assert_eq!(port.call("list_specs", &list(own)).await.expect("a result")["isError"], false);
    must_refuse(&port.call("list_specs", &list(" ")).await.expect("a result"), Scope::Folders);
    assert_eq!(agent.call("list_specs", json!({})).await["isError"], false, "the token's own");
    let (client, _bridge) = mcp::through_bridge(&house.home, &agent, Era::Sessions).await;
    assert_eq!(call(&client, "list_specs", json!({})).await["isError"], false, "the bridge starts in its own");
}

#[tokio::test]
async fn a_bridge_in_another_folder_says_why_and_works_as_soon_as_the_person_allows_it() {
    let house = House::new().await;
    let agent = confined(&house, Path::new("/elsewhere"), without(Scope::Folders)).await;
    let id = agent.ask("Asked at home?").await;
    let (client, _bridge) = mcp::through_bridge(&house.home, &agent, Era::Sessions).await;
    let refused = client.list_all_tools().await.expect_err("refused").to_string();
    assert!(refused.contains("`folders`") && refused.contains("Agents screen"), "{refused}");
    must_refuse(&call(&client, "ask_human", question("Here?")).await, Scope::Folders);
    house.answer(&RequestId(id.clone()), json!({"answer": "Red"})).await;
    let said = call(&client, "wait_for_answer", json!({"request_id": id})).await;
    assert_eq!(said["text"], "The person chose: Red.", "its own requests are its own everywhere");
    house.allow(&agent, Scopes::ALL).await;
    assert!(client.list_all_tools().await.is_ok());
    assert_eq!(call(&client, "ask_human", question("Here?")).await["isError"], false);
}

#[tokio::test]
async fn a_session_that_is_open_follows_what_the_person_changes_and_is_told() {
    let house = House::new().await;
    let (agent, other) = (house.pair("a").await, house.pair("b").await);
    let (ears, others) = (Ears::default(), Ears::default());
    let over_http = mcp::over_http_as(ears.clone(), &agent, Era::Sessions).await;
    let bystander = mcp::over_http_as(others.clone(), &other, Era::Sessions).await;
    let bridged_ears = Ears::default();
    let (bridged, _bridge) = mcp::through_bridge_as(bridged_ears.clone(), &house.home, &agent, Era::Sessions).await;
    bystander.list_all_tools().await.expect("a list");
    until("the bridge's session is there", || {
        let rows = house.broker().read(|db| Ok(db.latest_sessions(9)?)).expect("rows");
        rows.iter().any(|row| row.present).then_some(())
    })
    .await;
    for client in [&over_http, &bridged] {
        let asks = async || client.list_all_tools().await.expect("a list").iter().any(|tool| tool.name == "ask_human");
        assert!(asks().await);
    }
    for (scopes, wanted) in [(without(Scope::Ask), false), (Scopes::ALL, true)] {
        for (client, ears) in [(&over_http, &ears), (&bridged, &bridged_ears)] {
            let before = ears.told();
            if client.list_all_tools().await.expect("a list").iter().any(|tool| tool.name == "ask_human") != wanted {
                house.allow(&agent, scopes).await;
                in_time("it is told", until("told", || (ears.told() > before).then_some(()))).await;
            }
            let tools = client.list_all_tools().await.expect("a list");
            assert_eq!(tools.iter().any(|tool| tool.name == "ask_human"), wanted);
            let said = call(client, "ask_human", question("Now?")).await;
            assert_eq!(said["isError"] == false, wanted, "{said}");
        }
    }
    assert_eq!(others.told(), 0, "another agent's tools are what they were");
    house.broker().read(|db| Ok(db.verify_log()?)).expect("read").expect("the log holds");
}

#[tokio::test]
async fn a_held_question_outlives_the_scope_and_new_ones_are_refused() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let held = agent.call("ask_human", json!({"question": "Held?", "options": ["Red", "Blue"]}));
    let (said, ()) = tokio::join!(held, async {
        let id = house.waiting().await;
        house.allow(&agent, without(Scope::Ask)).await;
        must_refuse(&agent.call("ask_human", question("Another?")).await, Scope::Ask);
        house.answer(&id, json!({"answer": "Blue"})).await;
    });
    assert_eq!(said["text"], "The person chose: Blue.");
}

#[tokio::test]
async fn scopes_stay_with_the_agent_over_a_new_token_and_a_restart_and_each_change_is_in_the_log() {
    let mut house = House::new().await;
    let agent = confined(&house, &house.home.work(), without(Scope::Specs)).await;
    let (renewed, _) = house.rotate(&agent).await;
    must_refuse(&renewed.call("create_spec", json!({"title": "T"})).await, Scope::Specs);
    house.stop().await;
    house.start().await;
    must_refuse(&renewed.call("create_spec", json!({"title": "T"})).await, Scope::Specs);
    house.allow(&renewed, Scopes::ALL).await;
    assert_eq!(renewed.call("create_spec", json!({"title": "T"})).await["isError"], false);
    // The same again changes nothing, and is no entry.
    house.allow(&renewed, Scopes::ALL).await;
    house.broker().read(|db| Ok(db.verify_log()?)).expect("read").expect("the log holds");
    let file = rusqlite::Connection::open(house.home.path().join("countersign.db")).expect("opens");
    let mut rows = file.prepare("SELECT kind, body FROM log WHERE subject = ?1 ORDER BY seq").expect("prepared");
    let entries: Vec<(String, Value)> = rows
        .query_map([&agent.id], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
        .expect("rows")
        .map(|row| row.map(|(kind, body): (String, String)| (kind, serde_json::from_str(&body).expect("JSON"))))
        .collect::<Result<_, _>>()
        .expect("rows");
    let kinds: Vec<_> = entries.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["agent.paired", "agent.rotated", "agent.scopes"]);
    assert_eq!(entries[0].1["scopes"], json!(["ask", "folders"]));
    assert_eq!(entries[2].1["from"], json!(["ask", "folders"]));
    assert_eq!(entries[2].1["to"], json!(["ask", "specs", "folders"]));
}

#[tokio::test]
async fn an_agent_that_is_revoked_or_has_no_folder_of_its_own_is_not_given_other_scopes() {
    let house = House::new().await;
    let person = Person::at(Channel::Window);
    let nowhere = house.pair_for("nowhere", "", None, Scopes::ALL).await;
    let id = AgentId(nowhere.id.clone());
    let refused = house.broker().set_scopes(&id, without(Scope::Folders), person).await.expect_err("refused");
    assert_eq!(refused.code(), "out_of_scope");
    house.allow(&nowhere, without(Scope::Ask)).await;
    assert_eq!(nowhere.call("list_specs", json!({"workspace": "/any"})).await["isError"], false);
    house.broker().revoke(&id, person).await.expect("revoked");
    assert!(house.broker().set_scopes(&id, Scopes::ALL, person).await.is_err());
}

#[tokio::test]
async fn a_terminal_accepts_with_the_scopes_it_names_and_with_all_when_it_names_none() {
    let home = Home::new();
    let serve = home.serve(&[]).await;
    let begin = async |workspace: Option<&str>| -> (String, String) {
        let body = json!({"name": "a", "workspace": workspace}).to_string();
        let json = [("content-type", "application/json")];
        let (status, _, text) = mcp::raw(Method::POST, &format!("{}/v1/pair", serve.url), &json, &body).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let said: Value = serde_json::from_str(&text).expect("JSON");
        let word = |key: &str| said[key].as_str().expect("text").to_owned();
        (word("id"), word("code"))
    };
    let paired = async |id: &str| -> Agent {
        let (_, _, text) = mcp::raw(Method::GET, &format!("{}/v1/pair/{id}", serve.url), &[], "").await;
        let said: Value = serde_json::from_str(&text).expect("JSON");
        let word = |key: &str| said[key].as_str().unwrap_or_else(|| panic!("{said}")).to_owned();
        Agent::new(&serve.url, &word("agent"), &word("token"))
    };
    let tools = async |agent: &Agent| names(&agent.port.get("/v1/tools").await.expect("a list"));
    let (id, code) = begin(Some("/w")).await;
    home.inbox(&["pairings", "accept", &code, "--scopes", "ask,all"])
        .await
        .refused(2, "the scopes are ask, specs and folders");
    let said = home.inbox(&["pairings", "accept", &code, "--scopes", "specs"]).await.object();
    assert_eq!(said, json!({"accepted": true}));
    let agent = paired(&id).await;
    let listed = tools(&agent).await;
    assert!(listed.contains(&"create_spec".into()) && !listed.contains(&"ask_human".into()), "{listed:?}");
    must_refuse(&agent.call("list_specs", json!({"workspace": "/v"})).await, Scope::Folders);
    let (id, code) = begin(Some("/w")).await;
    home.inbox(&["pairings", "accept", &code, "--scopes", "none"]).await.object();
    assert!(!tools(&paired(&id).await).await.contains(&"create_spec".into()));
    let (id, code) = begin(None).await;
    home.inbox(&["pairings", "accept", &code, "--scopes", "ask"]).await.refused(1, "no folder of its own");
    home.inbox(&["pairings", "accept", &code]).await.object();
    let agent = paired(&id).await;
    assert_eq!(agent.call("ask_human", question("Anywhere?")).await["isError"], false);
    assert_eq!(agent.call("create_spec", json!({"title": "T", "workspace": "/v"})).await["isError"], false);
}
