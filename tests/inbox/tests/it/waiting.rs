//! Waiting: as long as was said and no longer, woken by the decision, and never tied to a connection.

use countersign_broker::{Change, ManualClock, Shell};
use countersign_core::id::RequestId;
use countersign_core::limit;
use countersign_core::request::Request;
use countersign_core::scope::Scopes;
use countersign_core::time::Millis;
use countersign_inbox_tests::mcp::raw;
use countersign_inbox_tests::{House, in_time, question, until};
use futures_util::FutureExt as _;
use http::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

fn note(said: &Value) -> &str {
    said["structuredContent"]["note"].as_str().unwrap_or_default()
}

/// The slices of one agent, all at once, because each takes its time.
#[tokio::test]
async fn a_wait_ends_within_its_bound_whatever_limit_a_model_made_up_and_says_what_was_used() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let id = agent.ask("How long?").await;
    let begun = Instant::now();
    let wait = |limit: Value| {
        let (agent, id) = (agent.clone(), id.clone());
        async move {
            let said = agent.call("wait_for_answer", json!({"request_id": id, "timeout_seconds": limit})).await;
            (said, begun.elapsed().as_secs_f64())
        }
    };
    let slices = [json!(20), json!(25), json!(1), json!(0), json!(-1), json!("20"), json!(20.4), json!(1e-9)];
    let slices = in_time("all slices", futures_util::future::join_all(slices.map(wait))).await;
    for (n, (said, seconds)) in slices.iter().enumerate() {
        let (least, raised) = ([20.0, 25.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0][n], [2, 3, 4, 7].contains(&n));
        assert_eq!(said["structuredContent"]["state"], "pending", "{n}: {said}");
        assert!(*seconds >= least && *seconds < least + 2.0, "{n}: {seconds} s; {said}");
        assert_eq!(note(said).contains("raised to 20 seconds"), raised, "{n}: {said}");
        assert!(said["text"].as_str().expect("a text").contains("Call wait_for_answer with request_id"), "{said}");
    }
    // What is no number, or too large, is clamped too; these need not be waited for to their end.
    let limits = [json!("soon"), json!({}), json!(1e300), json!(u64::MAX), json!(3_600)];
    let (told, ()) = in_time("the answer", async {
        tokio::join!(futures_util::future::join_all(limits.map(wait)), async {
            let waiters = || house.broker().open_list(None, 1).expect("a list")[0].waiting.then_some(());
            until("somebody waits", waiters).await;
            house.answer(&RequestId(id.clone()), json!({"answer": "Red"})).await;
        })
    })
    .await;
    for (said, _) in &told {
        assert_eq!(said["structuredContent"]["chosen"], json!(["Red"]));
        assert!(note(said).contains("50"), "{said}");
    }
    // The answer came through a client whose own limit is 60 s, 20 s and 25 s after it was asked for, in slices.
}

#[tokio::test]
async fn a_call_that_asks_is_not_held_when_its_limit_is_nothing_and_says_so_when_it_made_no_sense() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    for (limit, clamped) in [(json!(0), false), (json!(-1), true), (json!("-5"), true)] {
        let mut ask = question(&format!("With {limit}?"));
        ask["hold_seconds"] = limit.clone();
        let said = in_time("no wait at all", agent.call("ask_human", ask)).await;
        assert_eq!(said["structuredContent"]["state"], "pending");
        assert_eq!(note(&said).contains("hold_seconds"), clamped, "{limit}: {said}");
    }
}

#[test]
fn an_agent_that_waits_makes_at_most_three_calls_a_minute() {
    assert!(60_u64.div_ceil(limit::WAIT_SECONDS_MIN) <= 3);
    for most in [0, 1, 20, 50, 240, 540] {
        let range = limit::WAIT_SECONDS_MIN..=u64::max(most, limit::WAIT_SECONDS_MIN);
        for given in [json!(null), json!(0), json!(-1), json!(1), json!("soon"), json!(19.9), json!(1e300), json!([])] {
            let (seconds, _) = limit::clamp_seconds("timeout_seconds", Some(&given), most, range.clone());
            assert!(seconds >= limit::WAIT_SECONDS_MIN, "{given} with {most}");
        }
    }
}

/// A desktop that takes its time: the writer's thread stands in it until it is let go.
struct Slow(std::sync::Mutex<std::sync::mpsc::Receiver<()>>);

impl Shell for Slow {
    fn asked(&self, _: &Request) {}
    fn changed(&self, _: Change) {}
    fn settled(&self, _: &Request) {
        // Until the test lets go, or is over.
        let _ = self.0.lock().expect("not poisoned").recv_timeout(Duration::from_secs(20));
    }
}

#[tokio::test]
async fn a_waiting_call_is_woken_by_the_decision_itself_before_any_surface_is_told() {
    let (release, held) = std::sync::mpsc::channel();
    let folder = tempfile::tempdir().expect("a folder");
    let store = countersign_store::Store::open(&folder.path().join("countersign.db")).expect("a store");
    let shell = Arc::new(Slow(std::sync::Mutex::new(held)));
    let broker = countersign_broker::Broker::start(store, Arc::new(ManualClock::default()), shell).expect("started");
    let person = countersign_broker::Person::at(countersign_core::channel::Channel::Window);
    let program = countersign_broker::Program { name: "a".into(), ..Default::default() };
    let pairing = broker.begin_pairing(program).await.expect("begun");
    broker.accept_arrival(None, &pairing.code, Scopes::ALL, person).expect("accepted");
    let paired = broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("a state");
    let countersign_broker::PairingState::Accepted { token, .. } = paired else { panic!("{paired:?}") };
    let agent = broker.authenticate(&token).expect("read").expect("paired");
    let caller = broker.enter(&agent, None, None).await.expect("entered");
    let options = || serde_json::from_value(json!(["A", "B"])).expect("options");
    let ask = |text: &str| countersign_core::request::Ask {
        tool: "ask_human".into(),
        class: countersign_core::class::Class::Ask,
        title: text.into(),
        context: None,
        questions: vec![countersign_core::question::Question::choice("answer", text.into(), options(), None)],
        arguments: json!({"question": text}),
        expires_in: None,
        on_expiry: Default::default(),
        subject: None,
        typed_word: None,
        safe_options: Vec::new(),
        gate: false,
    };
    let first = broker.ask(&caller, ask("First?")).await.expect("asked").request.id;
    let second = broker.ask(&caller, ask("Second?")).await.expect("asked").request.id;
    let hour = Duration::from_secs(3_600);
    let mut other = Box::pin(broker.wait(&caller, &second, hour));
    let mut waiting = Box::pin(broker.wait(&caller, &first, hour));
    assert!((&mut waiting).now_or_never().is_none() && (&mut other).now_or_never().is_none(), "both stand in line");
    let answers = json!({"answer": "A"}).as_object().cloned().unwrap_or_default();
    let verdict = countersign_broker::Verdict::Answer { answers, comment: None, typed: None };
    let mut deciding = Box::pin(broker.decide(person, &first, None, verdict));
    assert!((&mut deciding).now_or_never().is_none());
    // The desktop has not been told yet (it hangs), nor has the one who decides; no clock is turned.
    let request = in_time("the waiter", &mut waiting).await.expect("woken");
    assert_eq!(request.state, countersign_core::request::State::Answered);
    assert!((&mut deciding).now_or_never().is_none(), "the waiter was first");
    release.send(()).expect("it hangs there");
    in_time("the decision", deciding).await.expect("decided");
    assert!(other.now_or_never().is_none(), "and nobody else was woken");
}

#[tokio::test]
async fn a_sleep_of_eight_hours_denies_nothing_and_who_waits_comes_back_by_its_id() {
    let clock = ManualClock::default();
    let house = {
        let clock = clock.clone();
        House::with(move |options| options.clock = Arc::new(clock.clone())).await
    };
    let agent = house.pair("a").await;
    let id = agent.ask("After the sleep?").await;
    let waits = json!({"request_id": id});
    let first = {
        let (agent, waits) = (agent.clone(), waits.clone());
        tokio::spawn(async move { agent.call("wait_for_answer", waits).await })
    };
    let request = house.waiting().await;
    clock.pass(Millis::seconds(8 * 3_600));
    house.broker().tick().await.expect("ticked");
    // The connection did not outlive the sleep; the question did, and asking again makes no second card.
    first.abort();
    house
        .open("nobody waits", |open| {
            // Who comes back within a moment still waits, so the clock has to go on.
            clock.pass(Millis(100));
            open.len() == 1 && !open[0].waiting
        })
        .await;
    assert_eq!(agent.ask("After the sleep?").await, id);
    let (said, ()) = tokio::join!(agent.call("wait_for_answer", waits), async {
        assert_eq!(house.waiting().await, request);
        house.answer(&request, json!({"answer": "Blue"})).await;
    });
    assert_eq!(said["text"], "The person chose: Blue.");
}

#[tokio::test]
async fn a_session_id_of_before_the_restart_gets_404_and_a_new_one_gets_the_decision() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    let bearer = format!("Bearer {}", agent.token);
    let post = |url: String, session: Option<String>, message: Value| {
        let bearer = bearer.clone();
        async move {
            let mut headers = vec![
                ("authorization", bearer.as_str()),
                ("accept", "application/json, text/event-stream"),
                ("content-type", "application/json"),
            ];
            headers.extend(session.as_deref().map(|id| ("mcp-session-id", id)));
            raw(Method::POST, &format!("{url}/mcp"), &headers, &message.to_string()).await
        }
    };
    let client =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client});
    let session = |headers: &http::HeaderMap| headers["mcp-session-id"].to_str().expect("text").to_owned();
    let (_, headers, _) = post(house.url().into(), None, initialize.clone()).await;
    let old = session(&headers);
    let id = agent.ask("Over a restart?").await;
    house.stop().await;
    house.start().await;
    house.answer(&RequestId(id.clone()), json!({"answer": "Red"})).await;
    let params = json!({"name": "wait_for_answer", "arguments": {"request_id": id}});
    let wait = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    assert_eq!(post(house.url().into(), Some(old), wait.clone()).await.0, 404);
    let (status, headers, _) = post(house.url().into(), None, initialize).await;
    assert_eq!(status, 200);
    let (status, _, text) = post(house.url().into(), Some(session(&headers)), wait).await;
    assert!(status == 200 && text.contains("The person chose: Red."), "{status}: {text}");
}
