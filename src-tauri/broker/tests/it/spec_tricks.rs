//! What an agent tries so that a spec passes for more than it is.

use crate::room::{Room, WINDOW};
use countersign_broker::{BrokerError, Caller, Gated, Import};
use countersign_core::id::SpecId;
use countersign_core::import::{Existing, Incoming, IncomingSpec};
use countersign_core::request::Request;
use countersign_core::scope::{Scope, Scopes};
use countersign_core::spec::{CriterionState, NewCriterion, NewSpec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use countersign_core::workspace::{EvidenceRule, WorkspaceRules};
use serde_json::{Map, Value, json};

fn new(title: &str, criteria: &[&str]) -> NewSpec {
    let criteria = criteria.iter().map(|text| NewCriterion::plain(*text)).collect();
    NewSpec { title: title.into(), body: "body".into(), criteria }
}

async fn stage(criteria: &[&str]) -> (Room, Caller) {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.broker.make_spec(WINDOW, caller.workspace, new("Refunds", criteria)).await.expect("made");
    for status in [Status::Approved, Status::Implementing] {
        person(&room, &caller, SpecAct::Move(status)).await;
    }
    (room, caller)
}

async fn person(room: &Room, caller: &Caller, act: SpecAct) {
    room.broker.do_to_spec(WINDOW, caller.workspace, SpecId(1), act).await.expect("goes");
}

fn evidence(criterion: &str, met: bool) -> SpecAct {
    SpecAct::Evidence { criterion: criterion.into(), met, text: "so I say".into() }
}

async fn tries(room: &Room, caller: &Caller, act: SpecAct, answers: Value) -> Option<Request> {
    match room.act(caller, "SPEC-001", act, answers).await.expect("goes or asks") {
        Gated::Asks { request: Some(request), .. } => Some(*request),
        Gated::Asks { .. } | Gated::Done { .. } => None,
    }
}

fn states(room: &Room, caller: &Caller) -> Vec<CriterionState> {
    let spec = room.broker.read(|db| Ok(db.spec(caller.workspace, SpecId(1))?)).expect("reads").expect("there");
    spec.criteria.iter().map(|criterion| criterion.state).collect()
}

#[tokio::test]
async fn a_criterion_that_is_turned_around_by_one_sign_is_another_one() {
    let (room, caller) = stage(&["Error rate < 1 %", "p99 <= 7 ms"]).await;
    tries(&room, &caller, evidence("AC-1", true), json!({})).await;
    let edit = |text: &str, id: &str| NewCriterion { id: Some(id.into()), ..NewCriterion::plain(text) };
    let turned = vec![edit("Error rate > 1 %", "AC-1"), edit("p99 <= 7 ms", "AC-2")];
    let change = SpecAct::Edit(Edit { criteria: Some(turned), ..Edit::default() });
    assert!(tries(&room, &caller, change, json!({})).await.is_none(), "what is met may be reworded");
    assert_eq!(states(&room, &caller)[0], CriterionState::Unmet, "and is unmet again");
    let turned = vec![edit("Error rate > 1 %", "AC-1"), edit("p99 >= 7 ms", "AC-2")];
    let change = SpecAct::Edit(Edit { criteria: Some(turned), ..Edit::default() });
    let asked = tries(&room, &caller, change, json!({})).await.expect("asks");
    assert_eq!(asked.ask.questions[0].id, "confirm-drop-criteria");
}

#[tokio::test]
async fn an_agreed_criterion_is_not_put_under_a_check_by_the_way() {
    let (room, caller) = stage(&["All payments are refunded within 5 days"]).await;
    let under = NewCriterion {
        id: Some("AC-1".into()),
        check: Some("lint".into()),
        ..NewCriterion::plain("All payments are refunded within 5 days")
    };
    let change = SpecAct::Edit(Edit { criteria: Some(vec![under]), ..Edit::default() });
    let asked = tries(&room, &caller, change, json!({})).await.expect("asks");
    assert_eq!(asked.ask.questions[0].id, "confirm-drop-criteria");
    assert!(asked.ask.context.as_deref().is_some_and(|context| context.contains("goes by the check `lint`")));
}

#[tokio::test]
async fn a_yes_to_one_that_is_unmet_is_none_to_all_of_them() {
    let (room, caller) = stage(&["One returns 1", "Two returns 2"]).await;
    tries(&room, &caller, evidence("AC-1", true), json!({})).await;
    let done = || SpecAct::Move(Status::Done);
    let asked = tries(&room, &caller, done(), json!({})).await.expect("asks");
    assert!(asked.ask.questions[0].question.starts_with("1 of 2"), "{:?}", asked.ask.questions);
    // Meanwhile it says that the other one is not met either: the question on the person's screen goes.
    tries(&room, &caller, evidence("AC-1", false), json!({})).await;
    assert!(room.open().is_empty());
    let asked = tries(&room, &caller, done(), json!({"confirm-unmet-criteria": true})).await.expect("asks");
    assert!(asked.ask.questions[0].question.contains("2 of 2"), "{:?}", asked.ask.questions);
    // And a yes that was given is over what was shown.
    tries(&room, &caller, evidence("AC-2", true), json!({})).await;
    let asked = tries(&room, &caller, done(), json!({})).await.expect("asks");
    room.answer(WINDOW, &asked.id, json!({"confirm-unmet-criteria": true})).await.expect("answered");
    tries(&room, &caller, evidence("AC-2", false), json!({})).await;
    assert!(tries(&room, &caller, done(), json!({})).await.is_some(), "it asks anew");
}

#[tokio::test]
async fn a_choice_of_a_spec_is_for_the_call_that_asked() {
    let room = Room::new();
    let caller = room.caller("a").await;
    for title in ["Alpha of the one", "Alpha and another"] {
        room.broker.make_spec(WINDOW, caller.workspace, new(title, &[])).await.expect("made");
    }
    let edit = |body: &str| SpecAct::Edit(Edit { body: Some(body.into()), ..Edit::default() });
    let asks = room.act(&caller, "alpha", edit("harmless"), json!({})).await.expect("asks");
    let Gated::Asks { request: Some(request), .. } = asks else { panic!("{asks:?}") };
    room.answer(WINDOW, &request.id, json!({"choose-spec": "SPEC-001 Alpha of the one"})).await.expect("answered");
    let other = room.act(&caller, "alpha", edit("something else"), json!({})).await.expect("asks");
    assert!(matches!(other, Gated::Asks { .. }), "{other:?}");
    let same = room.act(&caller, "alpha", edit("harmless"), json!({})).await.expect("goes");
    assert!(matches!(same, Gated::Done { .. }), "{same:?}");
}

#[tokio::test]
async fn an_agents_word_that_counted_before_counts_no_more_once_only_checks_do() {
    let (room, caller) = stage(&["One returns 1", "Two returns 2"]).await;
    tries(&room, &caller, evidence("AC-1", true), json!({})).await;
    person(&room, &caller, evidence("AC-2", true)).await;
    let rules = WorkspaceRules { evidence: EvidenceRule::Checked, ..WorkspaceRules::default() };
    room.broker.set_rules(WINDOW, caller.workspace, rules).await.expect("ruled");
    assert_eq!(states(&room, &caller), [CriterionState::Unmet, CriterionState::Met]);
}

#[tokio::test]
async fn more_than_is_written_in_one_go_is_refused_and_names_the_limit() {
    let room = Room::new();
    let caller = room.caller("a").await;
    let import = |specs: usize, criteria: usize, body: usize| Import {
        incoming: (0..specs)
            .map(|n| {
                let criteria = (0..criteria).map(|i| NewCriterion::plain(format!("returns {i}"))).collect();
                let content = NewSpec { title: format!("T{n}"), body: "x".repeat(body), criteria };
                let spec = IncomingSpec { id: None, content, notes: Vec::new(), evidence: false };
                Incoming { file: format!("{n}.md"), spec: Ok(spec) }
            })
            .collect(),
        existing: Existing::Copy,
    };
    for (import, said) in [
        (import(1_001, 0, 0), "1001 specs"),
        (import(11, 1_000, 0), "11000 criteria"),
        (import(9, 0, 1 << 20), "9437184 bytes"),
    ] {
        let refused = room.broker.import_specs(&caller, import, Map::new()).await;
        let Err(BrokerError::Invalid(text)) = refused else { panic!("{refused:?}") };
        assert!(text.contains(said) && text.contains("by parts"), "{text}");
    }
    assert!(room.specs(&caller).is_empty());
    let long = NewSpec { criteria: vec![NewCriterion::plain("x".repeat(5_000)); 210], ..new("Long", &[]) };
    let refused = room.broker.create_spec(&caller, long, Map::new()).await;
    assert!(matches!(&refused, Err(BrokerError::Invalid(text)) if text.contains("1048576 are allowed")), "{refused:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_its_folder_takes_an_agent_nowhere() {
    let room = Room::new();
    let base = room.folder.path().canonicalize().expect("a path");
    let (own, secret) = (base.join("own"), base.join("secret"));
    for folder in [&own, &secret] {
        std::fs::create_dir(folder).expect("made");
    }
    let mut agent = room.agent("a").await;
    agent.workspace = own.to_str().map(str::to_owned);
    agent.scopes = Scopes::NONE.with(Scope::Ask).with(Scope::Specs);
    std::os::unix::fs::symlink(&secret, own.join("link")).expect("linked");
    let refused = room.broker.enter(&agent, None, own.join("link").to_str()).await;
    assert!(matches!(refused, Err(BrokerError::OutOfScope(_))), "{refused:?}");
}
