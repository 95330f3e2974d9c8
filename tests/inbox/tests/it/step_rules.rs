//! Rules over HTTP: what is remembered, what is settled by it at once, and what no rule ever lets pass (field cases 27, 28, 32).

use crate::steps::{WINDOW, bash, gate, id_of, remembers, says, session};
use countersign_broker::{ManualClock, NewRule, Person, Until};
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId};
use countersign_core::rule::{CommandMatch, Effect, Scope};
use countersign_core::time::Millis;
use countersign_inbox_tests::{Agent, House, in_time};
use serde_json::{Value, json};
use std::sync::Arc;

fn prefix(effect: Effect, words: &str) -> NewRule {
    let words = words.split(' ').map(str::to_owned).collect();
    let scope = Scope { command: Some(CommandMatch::Prefix(words)), ..Scope::default() };
    NewRule { effect, scope, expires_in_seconds: None }
}

async fn make(house: &House, rule: NewRule) -> i64 {
    house.broker().make_rule(WINDOW, rule).await.expect("made").id
}

async fn says_of(agent: &Agent, command: &str) -> String {
    gate(agent, bash(command)).await["decision"].as_str().expect("a decision").to_owned()
}

fn open(house: &House) -> Vec<RequestId> {
    house.broker().open_list(None, 100).expect("a list").into_iter().map(|listed| listed.row.id).collect()
}

#[tokio::test]
async fn a_rule_settles_a_step_in_one_commit_and_says_so() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let rule = make(&house, prefix(Effect::Allow, "cargo test")).await;
    let said = gate(&agent, bash("cargo test -p core")).await;
    assert_eq!(
        (said["decision"].as_str(), said["decided_by"].as_str(), &said["rule"]),
        (Some("allow"), Some("rule"), &json!(rule))
    );
    let detail = house.broker().detail(&id_of(&said)).expect("kept");
    assert_eq!((detail.request.state.word(), detail.request.collected_at.is_some()), ("answered", true));
    assert_eq!(open(&house), []);
    for command in
        ["cargo test && rm x", "cargo test > x", "A=1 cargo test", "cargo test $(x)", "cargo", "cargo test\nrm x"]
    {
        assert_eq!(says_of(&agent, command).await, "pending", "{command}");
    }
    let row = &house.broker().rules().expect("reads")[0];
    assert_eq!((row.rule.id, row.matched), (rule, 1));
    house.broker().read(|db| Ok(db.verify_log()?)).expect("reads").expect("the log holds");
}

#[tokio::test]
async fn the_strictest_rule_wins_and_no_rule_lets_pass_what_is_never_ruled() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    make(&house, prefix(Effect::Allow, "git")).await;
    assert_eq!(says_of(&agent, "git status").await, "allow");
    for command in
        ["git push --force", "git clean -fd", "git -c alias.x=!y x", "git push live", "git log -- countersign"]
    {
        assert_eq!(says_of(&agent, command).await, "pending", "{command}");
    }
    make(&house, prefix(Effect::Ask, "git push")).await;
    assert_eq!(
        (says_of(&agent, "git push").await, says_of(&agent, "git status").await),
        ("pending".into(), "allow".into())
    );
    make(&house, prefix(Effect::Deny, "git push")).await;
    assert_eq!(says_of(&agent, "ls; sudo git push").await, "deny");
    for (rule, words) in [
        ("rm", "can't be had again"),
        ("sudo", "runs other programs"),
        ("deploy prod", "production"),
        ("countersign", "Countersign itself"),
    ] {
        let refused =
            house.broker().make_rule(WINDOW, prefix(Effect::Allow, rule)).await.expect_err("refused").to_string();
        assert!(refused.contains(words), "{refused}");
    }
}

#[tokio::test]
async fn a_rule_that_asks_or_denies_holds_in_every_mode() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    make(&house, prefix(Effect::Deny, "rm")).await;
    make(&house, prefix(Effect::Ask, "git push")).await;
    gate(&agent, json!({"tool": "Read", "input": {}})).await;
    let file = rusqlite::Connection::open(house.home.path().join("countersign.db")).expect("opens");
    file.execute("UPDATE sessions SET mode = 'autonomous'", []).expect("changed");
    for (command, want) in [
        ("ls", "allow"),
        ("rm x", "deny"),
        ("ls && rm x", "deny"),
        ("git push", "pending"),
        ("eval $x", "pending"),
        ("rm 'x", "pending"),
    ] {
        assert_eq!(says_of(&agent, command).await, want, "{command}");
    }
}

#[tokio::test]
async fn what_is_remembered_is_a_rule_and_settles_what_waits_and_is_covered() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let other = Agent { port: agent.port.clone().with_session("other"), ..agent.clone() };
    let first = id_of(&gate(&agent, bash("npm run build")).await);
    let covered = tokio::spawn({
        let agent = agent.clone();
        async move { gate(&agent, json!({"tool": "Bash", "input": {"command": "npm run build --fast"}})).await }
    });
    house.open("it waits", |open| open.iter().any(|one| one.waiting)).await;
    let not = id_of(&gate(&agent, bash("npm run build && ls")).await);
    let elsewhere = id_of(&gate(&other, bash("npm run build")).await);
    // 0: exactly this; 1: its three words; 2: `npm run`.
    assert_eq!(
        remembers(&house, &first, true, 9, Until::Session).await.map_err(|e| e.code()),
        Err("invalid"),
        "was not offered"
    );
    let decided = remembers(&house, &first, true, 1, Until::Session).await.expect("decided");
    let rule = decided.decision.and_then(|decision| decision.step).and_then(|step| step.remembered).expect("a rule");
    let said = in_time("the covered one", covered).await.expect("no panic");
    assert_eq!((said["decision"].as_str(), &said["rule"]), (Some("allow"), &json!(rule)), "{said}");
    assert_eq!(open(&house), [not, elsewhere], "no other");
    assert_eq!(says_of(&agent, "npm run build").await, "allow");
    assert_eq!(says_of(&agent, "npm run other").await, "pending");
    let row = house.broker().rules().expect("reads").remove(0);
    assert_eq!((row.rule.id, row.session.is_some(), row.rule.request), (rule, true, Some(first)));
    // Removed, it matches nothing any more.
    house.broker().remove_rule(WINDOW, rule).await.expect("removed");
    assert_eq!(house.broker().remove_rule(WINDOW, rule).await.map_err(|e| e.code()), Err("not_found"));
    assert_eq!(says_of(&agent, "npm run build --more").await, "pending");
}

#[tokio::test]
async fn a_no_can_be_remembered_too() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let id = id_of(&gate(&agent, bash("curl https://x.test")).await);
    remembers(&house, &id, false, 2, Until::Good).await.expect("decided");
    assert_eq!(says_of(&agent, "curl https://x.test").await, "deny", "what was said of it");
    assert_eq!(says_of(&agent, "ls; curl -s https://y.test").await, "deny");
    assert_eq!(house.broker().rules().expect("reads")[0].rule.expires_at, None);
}

#[tokio::test]
async fn an_hour_is_an_hour_and_a_session_ends() {
    let clock = ManualClock::default();
    let house = House::with({
        let clock = clock.clone();
        move |options| options.clock = Arc::new(clock.clone())
    })
    .await;
    let agent = house.pair("a").await;
    let id = id_of(&gate(&agent, bash("make a")).await);
    remembers(&house, &id, true, 0, Until::Hour).await.expect("decided");
    gate(&agent, bash("make a")).await;
    clock.pass(Millis(3_599_000));
    assert_eq!(says_of(&agent, "make a").await, "allow");
    clock.pass(Millis(2_000));
    assert_eq!(says_of(&agent, "make a").await, "pending");
    assert_eq!(house.broker().rules().expect("reads"), []);
    let id = id_of(&gate(&agent, bash("make b")).await);
    remembers(&house, &id, true, 0, Until::Session).await.expect("decided");
    gate(&agent, bash("make b")).await;
    assert_eq!(says_of(&agent, "make b").await, "allow");
    let known = house.broker().authenticate(&agent.token).expect("reads").expect("known");
    let caller = house.broker().enter(&known, None, None).await.expect("enters");
    assert_eq!(caller.session, session(&house));
    house.broker().present(&caller, true).await.expect("here");
    house.broker().present(&caller, false).await.expect("gone");
    assert_eq!(says_of(&agent, "make b").await, "pending", "the session ended");
    assert_eq!(house.broker().rules().expect("reads"), []);
}

#[tokio::test]
async fn rules_survive_a_restart_and_end_with_their_agent() {
    let mut house = House::new().await;
    let agent = house.pair("a").await;
    let id = id_of(&gate(&agent, bash("make a")).await);
    remembers(&house, &id, true, 0, Until::Good).await.expect("decided");
    let by_hand = make(&house, prefix(Effect::Allow, "cargo test")).await;
    house.stop().await;
    house.start().await;
    let agent = agent.at(house.url());
    assert_eq!(says_of(&agent, "make a").await, "allow", "fetched");
    assert_eq!(says_of(&agent, "make a").await, "allow");
    let other = house.pair("b").await;
    assert_eq!(says_of(&other, "make a").await, "pending", "it was that agent's");
    assert_eq!(says_of(&other, "cargo test").await, "allow");
    house.broker().revoke(&AgentId(agent.id.clone()), WINDOW).await.expect("revoked");
    let left: Vec<i64> = house.broker().rules().expect("reads").into_iter().map(|row| row.rule.id).collect();
    assert_eq!(left, [by_hand]);
}

#[tokio::test]
async fn a_rule_by_hand_settles_what_waits_and_a_try_of_it_tells_what_it_would_have_matched() {
    let house = House::new().await;
    let agent = house.pair("a").await;
    let ids = [
        id_of(&gate(&agent, bash("make a")).await),
        id_of(&gate(&agent, bash("make b")).await),
        id_of(&gate(&agent, bash("ls")).await),
    ];
    says(&house, &ids[0], false, None).await.expect("decided");
    let tried = house.broker().try_rule(&prefix(Effect::Allow, "make")).expect("tried");
    assert_eq!((tried.refused, tried.of), (None, 3));
    assert_eq!(
        tried.matched.iter().map(|request| request.id.clone()).collect::<Vec<_>>(),
        [ids[1].clone(), ids[0].clone()]
    );
    assert_eq!(open(&house).len(), 2, "trying changes nothing");
    let refused = house.broker().try_rule(&prefix(Effect::Allow, "rm")).expect("tried");
    assert!(refused.refused.is_some());
    make(&house, prefix(Effect::Allow, "make")).await;
    assert_eq!(open(&house), [ids[2].clone()]);
    make(&house, prefix(Effect::Deny, "ls")).await;
    assert_eq!(open(&house), []);
}

#[tokio::test]
async fn a_proof_from_a_file_only_makes_things_stricter() {
    let house = House::new().await;
    let unattended = Person { unattended: true, ..Person::at(Channel::Serve) };
    let allow = house.broker().make_rule(unattended, prefix(Effect::Allow, "make")).await;
    assert_eq!(allow.map_err(|e| e.code()).err(), Some("not_allowed"));
    let deny = house.broker().make_rule(unattended, prefix(Effect::Deny, "make")).await.expect("made");
    assert_eq!(house.broker().remove_rule(unattended, deny.id).await.map_err(|e| e.code()), Err("not_allowed"));
    let allow = make(&house, prefix(Effect::Allow, "make")).await;
    house.broker().remove_rule(unattended, allow).await.expect("removed");
    for channel in [Channel::File, Channel::Notification, Channel::Relayed, Channel::Dialog] {
        let made = house.broker().make_rule(Person::at(channel), prefix(Effect::Deny, "x")).await;
        assert_eq!(made.map_err(|e| e.code()).err(), Some("not_allowed"), "{channel:?}");
    }
}

#[tokio::test]
async fn what_a_rule_takes_for_good_takes_no_time_that_is_none() {
    let house = House::new().await;
    for (seconds, code) in [
        (Some(0), Some("invalid")),
        (Some(59), Some("invalid")),
        (Some(u64::MAX), Some("invalid")),
        (Some(60), None),
        (None, None),
    ] {
        let rule = NewRule { expires_in_seconds: seconds, ..prefix(Effect::Deny, "x") };
        assert_eq!(house.broker().make_rule(WINDOW, rule).await.map_err(|e| e.code()).err(), code, "{seconds:?}");
    }
    let none: Value = json!(house.broker().rules().expect("reads").len());
    assert_eq!(none, json!(2));
}
