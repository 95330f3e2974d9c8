//! Specs and their gates over HTTP.

use crate::house::House;
use serde_json::json;

#[tokio::test]
async fn a_duplicate_title_comes_back_as_a_question_and_a_relayed_answer_counts() {
    let house = House::new().await;
    let token = house.pair("a").await;
    let spec =
        json!({"title": "Webhook retry", "criteria": ["returns 200", {"text": "p99 under 5 ms", "check": "bench"}]});
    let made = house.tool(&token, "create_spec", spec.clone()).await;
    assert_eq!(
        (made["structuredContent"]["id"].as_str(), made["structuredContent"]["outcome"].as_str()),
        (Some("SPEC-001"), Some("created"))
    );
    let asked = house.tool(&token, "create_spec", spec.clone()).await;
    assert_eq!(asked["structuredContent"]["interactiveQuestions"][0]["id"], "confirm-duplicate-title", "{asked}");
    assert_eq!(asked["structuredContent"]["request"]["class"], "ambiguity");
    let text = asked["text"].as_str().expect("a text");
    assert!(text.contains("Relay these questions") && text.contains("wait_for_answer"), "{text}");
    let mut answered = spec;
    answered["answers"] = json!({"confirm-duplicate-title": "use the existing one"});
    let used = house.tool(&token, "create_spec", answered).await;
    assert_eq!(
        (used["structuredContent"]["id"].as_str(), used["structuredContent"]["outcome"].as_str()),
        (Some("SPEC-001"), Some("existing")),
        "{used}"
    );
    let read = house.tool(&token, "get_spec", json!({"spec": "webhook"})).await;
    assert_eq!(read["structuredContent"]["criteria"][1]["id"], "AC-2");
    assert_eq!(
        house.tool(&token, "list_specs", json!({})).await["structuredContent"]["specs"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn no_answer_that_an_agent_relays_deletes_anything() {
    let house = House::new().await;
    let token = house.pair("a").await;
    house.tool(&token, "create_spec", json!({"title": "Legacy"})).await;
    for answers in [json!({"confirm-delete": true}), json!({"confirm-delete": true, "typed": "SPEC-001"})] {
        let asked = house.tool(&token, "delete_spec", json!({"spec": "SPEC-001", "answers": answers})).await;
        if asked["isError"] == false {
            assert_eq!(asked["structuredContent"]["request"]["class"], "destructive", "{asked}");
            assert!(
                asked["text"].as_str().expect("a text").contains("the person decides in Countersign itself"),
                "{asked}"
            );
        }
    }
    assert_eq!(
        house.tool(&token, "list_specs", json!({})).await["structuredContent"]["specs"].as_array().map(Vec::len),
        Some(1)
    );
}
