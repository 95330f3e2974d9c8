//! Pairing as a program sees it.

use crate::house::House;
use crate::raw::once;
use countersign_broker::Person;
use countersign_core::channel::Channel;
use countersign_core::scope::Scopes;
use countersign_gateway::Limits;
use serde_json::json;

#[tokio::test]
async fn a_program_shows_its_code_the_person_types_it_and_the_token_is_given_once() {
    let house = House::new().await;
    let begun =
        once(house.port, "POST", "/v1/pair", &[], &json!({"name": "Robot", "client": "test"}).to_string()).await;
    assert_eq!(begun.head.status, 200, "{}", begun.text);
    let begun = begun.json();
    assert_eq!(begun["expires_in"], 120);
    let code = begun["code"].as_str().expect("a code").to_owned();
    assert_eq!(code.len(), 6);
    let arrival = house.broker.arrivals().waiting.remove(0);
    assert_eq!((arrival.program.name.as_str(), arrival.program.pid), ("Robot", Some(std::process::id())));
    let path = format!("/v1/pair/{}", begun["id"].as_str().expect("an id"));
    assert_eq!(once(house.port, "GET", &path, &[], "").await.json(), json!({"state": "waiting"}));
    let accept = async {
        tokio::task::yield_now().await;
        house.broker.accept_arrival(None, &code, Scopes::ALL, Person::at(Channel::Window)).expect("accepted");
    };
    let waiting = format!("{path}?wait=25");
    let (accepted, ()) = tokio::join!(once(house.port, "GET", &waiting, &[], ""), accept);
    let accepted = accepted.json();
    assert_eq!(accepted["state"], "accepted");
    let token = format!("Bearer {}", accepted["token"].as_str().expect("a token"));
    assert_eq!(once(house.port, "GET", "/v1/tools", &[("authorization", &token)], "").await.head.status, 200);
    let again = once(house.port, "GET", &path, &[], "").await.json();
    assert!(again.get("token").is_none(), "{again}");
}

#[tokio::test]
async fn starts_of_pairing_are_few_a_minute_whoever_makes_them() {
    let house = House::with(Limits { pairings_burst: 2, pairings_per_minute: 1, ..Limits::default() }).await;
    let mut seen = Vec::new();
    for n in 0..4 {
        let reply = once(house.port, "POST", "/v1/pair", &[], &json!({"name": format!("Robot {n}")}).to_string()).await;
        seen.push(reply.head.status);
    }
    assert_eq!(seen, [200, 200, 429, 429]);
}

#[tokio::test]
async fn a_bad_start_says_which_field_and_costs_nothing() {
    let house = House::with(Limits { pairings_burst: 1, pairings_per_minute: 1, ..Limits::default() }).await;
    for (body, status, word) in [
        (json!({}), 422, "`name`"),
        (json!({"name": 3}), 422, "`name`"),
        (json!({"name": "a\nb"}), 422, "`name`"),
        (json!({"name": "x".repeat(201)}), 422, "`name`"),
        (json!([]), 400, "object"),
    ] {
        let reply = once(house.port, "POST", "/v1/pair", &[], &body.to_string()).await;
        assert_eq!(reply.head.status, status, "{body}");
        assert!(reply.json()["message"].as_str().expect("a text").contains(word), "{}", reply.text);
    }
    assert_eq!(once(house.port, "POST", "/v1/pair", &[], r#"{"name":"Robot"}"#).await.head.status, 200);
}
