//! What is done to specs: evidence, waivers, locks, revisions, and moving on by itself.

use crate::room::{Room, WINDOW, came};
use countersign_broker::{Acted, BrokerError, Caller, Change, Gated, Outcome, Person, Told};
use countersign_core::channel::Channel;
use countersign_core::id::SpecId;
use countersign_core::request::State;
use countersign_core::spec::{By, CriterionState, NewCriterion, NewSpec, Spec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edit;
use countersign_core::workspace::{EvidenceRule, WorkspaceRules};
use serde_json::json;

const FIT: &str = "GET /refunds/{id} returns 404 for an unknown id";

async fn stage(rules: WorkspaceRules) -> (Room, Caller) {
    let room = Room::new();
    let caller = room.caller("a").await;
    room.broker.set_rules(WINDOW, caller.workspace, rules).await.expect("ruled");
    let criteria = vec![
        NewCriterion::plain(FIT),
        NewCriterion::plain("The page shows «Saved» within 1 s"),
        NewCriterion { id: None, text: "All unit tests pass in CI".into(), check: Some("unit".into()) },
    ];
    let spec = NewSpec { title: "Refunds".into(), body: "body".into(), criteria };
    room.broker.make_spec(WINDOW, caller.workspace, spec).await.expect("made");
    (room, caller)
}

fn evidence(criterion: &str, met: bool) -> SpecAct {
    SpecAct::Evidence { criterion: criterion.into(), met, text: format!("{criterion} seen") }
}

async fn agent_does(room: &Room, caller: &Caller, act: SpecAct) -> Acted {
    match room.act(caller, "SPEC-001", act, json!({})).await.expect("goes") {
        Gated::Done { value, .. } => value,
        asks @ Gated::Asks { .. } => panic!("{asks:?}"),
    }
}

async fn person_does(room: &Room, caller: &Caller, act: SpecAct) -> Acted {
    room.broker.do_to_spec(WINDOW, caller.workspace, SpecId(1), act).await.expect("goes")
}

fn states(spec: &Spec) -> Vec<&str> {
    spec.criteria.iter().map(|criterion| criterion.state.word()).collect()
}

#[tokio::test]
async fn an_agents_evidence_counts_as_its_word_and_what_has_a_check_goes_by_that() {
    let (room, caller) = stage(WorkspaceRules::default()).await;
    let acted = agent_does(&room, &caller, evidence("ac-1", true)).await;
    let spec = acted.spec.expect("there");
    assert_eq!(states(&spec), ["met", "unmet", "unmet"]);
    let by = spec.criteria[0].evidence.as_ref().map(|evidence| evidence.by.clone());
    assert_eq!(by, Some(By::Agent { id: caller.agent.clone(), name: "a".into() }));
    assert_eq!(spec.row.revision, 1, "evidence is no change of content");
    let checked = agent_does(&room, &caller, evidence("AC-3", true)).await;
    assert!(checked.notes[0].contains("goes by its check `unit`"), "{:?}", checked.notes);
    assert_eq!(checked.spec.expect("there").criteria[2].state, CriterionState::Unmet);
    let found_out = agent_does(&room, &caller, evidence("AC-1", false)).await;
    assert_eq!(states(&found_out.spec.expect("there")), ["unmet", "unmet", "unmet"]);
    let none = room.act(&caller, "SPEC-001", evidence("AC-9", true), json!({})).await.expect_err("no such one");
    assert_eq!(none.to_string(), "there is no criterion `AC-9` in this spec; it has AC-1, AC-2, AC-3");
    room.log_holds();
}

#[tokio::test]
async fn a_workspace_can_count_the_persons_word_alone_and_an_agents_does_not_cover_it() {
    let (room, caller) = stage(WorkspaceRules { evidence: EvidenceRule::Checked, ..WorkspaceRules::default() }).await;
    let claimed = agent_does(&room, &caller, evidence("AC-1", true)).await;
    assert!(claimed.notes[0].contains("has to confirm"), "{:?}", claimed.notes);
    let spec = claimed.spec.expect("there");
    assert_eq!((spec.criteria[0].state, spec.criteria[0].evidence.is_some()), (CriterionState::Unmet, true));
    let confirmed = person_does(&room, &caller, evidence("AC-1", true)).await;
    assert_eq!(confirmed.spec.expect("there").criteria[0].state, CriterionState::Met);
    let again = agent_does(&room, &caller, evidence("AC-1", false)).await.spec.expect("there");
    assert_eq!(again.criteria[0].state, CriterionState::Met);
    assert_eq!(again.criteria[0].evidence.as_ref().map(|e| e.by.clone()), Some(By::Person), "theirs stays on top");
}

#[tokio::test]
async fn only_a_person_waives_and_nobody_talks_a_waiver_away_but_them() {
    let (room, caller) = stage(WorkspaceRules::default()).await;
    let waive = |reason: Option<&str>| SpecAct::Waive { criterion: "AC-2".into(), reason: reason.map(str::to_owned) };
    let refused = room.act(&caller, "SPEC-001", waive(Some("later")), json!({})).await;
    assert!(matches!(refused, Err(BrokerError::NotAllowed(_))), "{refused:?}");
    let waived = person_does(&room, &caller, waive(Some("no page yet"))).await.spec.expect("there");
    assert_eq!((waived.criteria[1].state, waived.row.met), (CriterionState::Waived, 1));
    let error = room.act(&caller, "SPEC-001", evidence("AC-2", false), json!({})).await.expect_err("refused");
    assert!(error.to_string().contains("waived by the person"), "{error}");
    let back = person_does(&room, &caller, waive(None)).await.spec.expect("there");
    assert_eq!((back.criteria[1].state, back.criteria[1].evidence.clone()), (CriterionState::Unmet, None));
    for (channel, unattended) in [(Channel::Relayed, false), (Channel::Notification, false), (Channel::Terminal, true)]
    {
        let person = Person { channel, unattended };
        let said = room.broker.do_to_spec(person, caller.workspace, SpecId(1), waive(Some("x"))).await;
        assert!(matches!(said, Err(BrokerError::NotAllowed(_))), "{channel:?}: {said:?}");
    }
}

#[tokio::test]
async fn it_moves_on_by_itself_only_where_the_workspace_wants_that() {
    for auto_transitions in [false, true] {
        let (room, caller) = stage(WorkspaceRules { auto_transitions, ..WorkspaceRules::default() }).await;
        person_does(&room, &caller, SpecAct::Waive { criterion: "AC-3".into(), reason: Some("no CI".into()) }).await;
        assert_eq!(
            came(room.act(&caller, "SPEC-001", SpecAct::Move(Status::Approved), json!({})).await.expect("goes")),
            Outcome::Updated
        );
        let first = agent_does(&room, &caller, evidence("AC-1", true)).await;
        let status = |acted: &Acted| acted.spec.as_ref().map(|spec| spec.row.status);
        let after = if auto_transitions { Status::Implementing } else { Status::Approved };
        assert_eq!(status(&first), Some(after));
        assert_eq!(first.notes.iter().any(|note| note.contains("by itself")), auto_transitions);
        if !auto_transitions {
            agent_does(&room, &caller, SpecAct::Move(Status::Implementing)).await;
        }
        // Not all is met: it stays, and nobody is asked.
        let early = agent_does(&room, &caller, SpecAct::Validate).await;
        assert_eq!(status(&early), Some(Status::Implementing));
        agent_does(&room, &caller, evidence("AC-2", true)).await;
        let late = agent_does(&room, &caller, SpecAct::Validate).await;
        assert_eq!(status(&late), Some(if auto_transitions { Status::Done } else { Status::Implementing }));
        assert!(room.open().is_empty());
        room.log_holds();
    }
}

#[tokio::test]
async fn the_persons_own_acts_are_asked_about_by_nobody() {
    let (room, caller) = stage(WorkspaceRules::default()).await;
    room.shell.take();
    let edit = |edit: Edit| SpecAct::Edit(edit);
    for (act, outcome) in [
        (SpecAct::Lock, Outcome::Locked),
        (edit(Edit { criteria: Some(Vec::new()), ..Edit::default() }), Outcome::Updated),
        (SpecAct::Unlock, Outcome::Unlocked),
        (SpecAct::Move(Status::Approved), Outcome::Updated),
        (SpecAct::Move(Status::Implementing), Outcome::Updated),
        (SpecAct::Move(Status::Done), Outcome::Updated),
        (edit(Edit { title: Some("Refunds".into()), ..Edit::default() }), Outcome::Unchanged),
        (SpecAct::Delete, Outcome::Deleted),
    ] {
        assert_eq!(person_does(&room, &caller, act.clone()).await.outcome, outcome, "{act:?}");
    }
    assert!(room.open().is_empty());
    assert!(room.shell.take().iter().all(|told| *told == Told::Changed(Change::Specs)));
    let illegal = room.broker.do_to_spec(WINDOW, caller.workspace, SpecId(1), SpecAct::Lock).await;
    assert!(matches!(illegal, Err(BrokerError::NotFound(_))), "{illegal:?}");
    room.log_holds();
}

#[tokio::test]
async fn each_revision_stays_as_it_was_with_who_wrote_it() {
    let (room, caller) = stage(WorkspaceRules::default()).await;
    let body = |text: &str| SpecAct::Edit(Edit { body: Some(text.into()), ..Edit::default() });
    agent_does(&room, &caller, body("second\r\n")).await;
    person_does(&room, &caller, body("third")).await;
    let read = |n| room.broker.read(|db| Ok(db.revision(caller.workspace, SpecId(1), n)?)).expect("reads");
    let bodies: Vec<_> = (1..=4).map(|n| read(n).map(|content| content["body"].clone())).collect();
    assert_eq!(bodies, [Some(json!("body")), Some(json!("second\r\n")), Some(json!("third")), None]);
    let rows = room.broker.read(|db| Ok(db.revisions(caller.workspace, SpecId(1), None, 10)?)).expect("reads");
    let who: Vec<_> = rows.iter().map(|row| (row.revision, row.name.as_deref())).collect();
    assert_eq!(who, [(3, None), (2, Some("a")), (1, None)]);
}

#[tokio::test]
async fn an_approved_specs_new_content_goes_back_to_review_and_a_later_one_stays() {
    for (status, after) in [(Status::Approved, Status::Review), (Status::Implementing, Status::Implementing)] {
        let (room, caller) = stage(WorkspaceRules::default()).await;
        person_does(&room, &caller, SpecAct::Move(Status::Approved)).await;
        if status == Status::Implementing {
            person_does(&room, &caller, SpecAct::Move(status)).await;
        }
        let edit = SpecAct::Edit(Edit { body: Some("new".into()), ..Edit::default() });
        let edited = agent_does(&room, &caller, edit).await.spec.expect("there");
        assert_eq!(edited.row.status, after);
    }
}

#[tokio::test]
async fn what_was_asked_about_a_spec_goes_when_the_spec_is_another_and_its_asker_is_told() {
    let (room, caller) = stage(WorkspaceRules::default()).await;
    let asked = async |act: SpecAct| match room.act(&caller, "SPEC-001", act, json!({})).await.expect("asks") {
        Gated::Asks { request: Some(request), note, .. } => (*request, note),
        other => panic!("{other:?}"),
    };
    let (lock, _) = asked(SpecAct::Lock).await;
    let (delete, _) = asked(SpecAct::Delete).await;
    let question = room.ask(&caller, "Something else?").await.request;
    // The person locks it themselves: whether the draft is to be locked is no question any more, and deleting it still is.
    person_does(&room, &caller, SpecAct::Lock).await;
    assert_eq!(room.open(), [delete.id.clone(), question.id.clone()]);
    let gone = room.broker.get(&caller, &lock.id).await.expect("there");
    assert_eq!(gone.state, State::Superseded);
    let text = countersign_core::ending::text(&gone);
    assert!(text.contains("changed meanwhile") && text.contains("Call lock_spec again"), "{text}");
    let (unlock, _) = asked(SpecAct::Unlock).await;
    person_does(&room, &caller, SpecAct::Unlock).await;
    assert!(!room.open().contains(&unlock.id));
    // It moves on: what would be deleted is not what was shown.
    person_does(&room, &caller, SpecAct::Move(Status::Review)).await;
    assert_eq!(room.open(), std::slice::from_ref(&question.id));
    let (again, note) = asked(SpecAct::Delete).await;
    assert!(note.expect("said").contains("changed since"));
    person_does(&room, &caller, SpecAct::Delete).await;
    assert!(!room.open().contains(&again.id) && room.open().contains(&question.id));
    room.log_holds();
}

#[tokio::test]
async fn evidence_that_does_not_count_moves_nothing_on() {
    let rules = WorkspaceRules { evidence: EvidenceRule::Checked, auto_transitions: true, ..WorkspaceRules::default() };
    let (room, caller) = stage(rules).await;
    person_does(&room, &caller, SpecAct::Move(Status::Approved)).await;
    let said = agent_does(&room, &caller, evidence("AC-1", true)).await.spec.expect("there");
    assert_eq!(said.row.status, Status::Approved);
    let confirmed = person_does(&room, &caller, evidence("AC-1", true)).await.spec.expect("there");
    assert_eq!(confirmed.row.status, Status::Implementing);
}
