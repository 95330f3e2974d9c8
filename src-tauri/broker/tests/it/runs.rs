//! Trust, deployments and runs, with a runner that starts nothing.

mod share;

use crate::room::{DIALOG, Room, SERVE, WINDOW};
use countersign_broker::{Broker, BrokerError, Caller, Deployed, Gated, Person, RunOrder, Runner, Teller, Verdict};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::id::{AgentId, RunId, SpecId};
use countersign_core::mode::Mode;
use countersign_core::request::{Request, State};
use countersign_core::run::{RunBy, RunEnd, RunKind, RunState};
use countersign_core::scope::Scopes;
use countersign_core::spec::{NewCriterion, NewSpec};
use countersign_core::trust::TrustState;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

const CONFIG: &str = "[checks.unit]\nrun = [\"true\"]\n[targets.production]\nrun = [\"./d.sh\", \"live\"]\n[targets.staging]\nrun = [\"./d.sh\"]\n";

#[derive(Default)]
struct Fake {
    runs: Mutex<Vec<(RunOrder, Arc<Teller>)>>,
    cancelled: Mutex<Vec<RunId>>,
}

impl Runner for Fake {
    fn run(&self, order: RunOrder, told: Teller) {
        self.runs.lock().expect("held").push((order, Arc::new(told)));
    }
    fn cancel(&self, id: &RunId) {
        self.cancelled.lock().expect("held").push(id.clone());
    }
    fn stop(&self) {}
    fn sweep(&self, _: &[RunId]) {}
}

struct Place {
    room: Room,
    fake: Arc<Fake>,
    caller: Caller,
    folder: PathBuf,
}

impl Place {
    async fn new() -> Self {
        let room = Room::new();
        let folder = room.folder.path().canonicalize().expect("a path").join("shop");
        std::fs::create_dir(&folder).expect("made");
        let fake = Arc::<Fake>::default();
        room.broker.serve_runs(fake.clone());
        let place = Self { caller: enter(&room, "a", &folder).await, room, fake, folder };
        place.write("countersign.toml", CONFIG);
        place.write("d.sh", "one");
        place.spec("Refunds").await;
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("written");
    }

    fn broker(&self) -> &Broker {
        &self.room.broker
    }

    async fn spec(&self, title: &str) {
        let new = NewSpec { title: title.into(), body: "body".into(), criteria: Vec::new() };
        self.broker().create_spec(&self.caller, new, Default::default()).await.expect("made");
    }

    async fn call(&self, caller: &Caller, environment: &str, answers: Value) -> Result<Gated<Deployed>, BrokerError> {
        let answers = answers.as_object().cloned().expect("an object");
        self.broker().deploy_spec(caller, "SPEC-001", environment, answers).await
    }

    async fn deploy(&self, environment: &str) -> Gated<Deployed> {
        self.call(&self.caller, environment, json!({})).await.expect("goes")
    }

    async fn untrusted(&self, caller: &Caller) -> Request {
        match self.call(caller, "staging", json!({})).await.expect("goes") {
            Gated::Done { value: Deployed::Untrusted(request), .. } => *request,
            other => panic!("{other:?}"),
        }
    }

    async fn trust(&self) {
        let request = self.untrusted(&self.caller).await;
        self.room.typed(DIALOG, &request.id, json!({"confirm-trust": true}), Some("trust")).await.expect("trusted");
    }

    /// The environment that a run was started for.
    async fn started(&self, environment: &str) -> String {
        match self.deploy(environment).await {
            Gated::Done { value: Deployed::Started { run, .. }, .. } => run.name,
            other => panic!("{other:?}"),
        }
    }

    async fn asks(&self, environment: &str) -> (Request, Option<String>) {
        match self.deploy(environment).await {
            Gated::Asks { questions, request: Some(request), note, .. } => {
                assert_eq!(questions[0].id, "confirm-target-env");
                (*request, note)
            }
            other => panic!("{other:?}"),
        }
    }

    /// Ends the run that was started last, as its command would.
    async fn end(&self, state: RunState) -> bool {
        let (_, told) = self.fake.runs.lock().expect("held").last().cloned().expect("one was started");
        tokio::task::spawn_blocking(move || {
            let began = told.begin().is_some();
            told.printed(b"done\n");
            if began {
                told.ended(&RunEnd { state, exit_code: Some(0), reason: None });
            }
            began
        })
        .await
        .expect("ended")
    }
}

async fn enter(room: &Room, name: &str, folder: &std::path::Path) -> Caller {
    let agent = room.agent(name).await;
    room.broker.enter(&agent, None, folder.to_str()).await.expect("enters")
}

#[tokio::test]
async fn nothing_runs_before_the_person_typed_the_word_and_then_exactly_what_was_shown_does() {
    let place = Place::new().await;
    let request = place.untrusted(&place.caller).await;
    assert_eq!((request.ask.tool.as_str(), request.ask.class), ("trust_commands", Class::Destructive));
    assert_eq!((request.ask.typed_word.as_deref(), request.ask.gate), (Some("trust"), false));
    assert!(
        request.ask.context.as_deref().is_some_and(|context| context.contains("./d.sh") && context.contains("one"))
    );
    assert_eq!(place.untrusted(&place.caller).await.id, request.id, "joined");
    let yes = json!({"confirm-trust": true});
    assert!(place.room.typed(WINDOW, &request.id, yes.clone(), Some("trust")).await.is_err(), "not in the main window");
    assert!(place.room.typed(DIALOG, &request.id, yes.clone(), Some("Trust")).await.is_err());
    let file = Person { channel: Channel::Serve, unattended: true };
    assert!(
        place.room.typed(file, &request.id, yes.clone(), Some("trust")).await.is_err(),
        "nobody typed the passphrase"
    );
    assert!(place.fake.runs.lock().expect("held").is_empty());
    // What lies on disk by now is not what was shown.
    place.write("d.sh", "two");
    place.room.typed(SERVE, &request.id, yes, Some("trust")).await.expect("trusted");
    let second = place.untrusted(&place.caller).await;
    assert_ne!(second.id, request.id);
    assert!(second.ask.context.as_deref().is_some_and(|context| context.contains("-one") && context.contains("+two")));
    place.write("d.sh", "one");
    assert_eq!(place.started("staging").await, "staging");
    place.room.log_holds();
}

#[tokio::test]
async fn a_request_over_what_is_no_longer_there_is_replaced_and_one_yes_settles_it_for_all_agents() {
    let place = Place::new().await;
    let other = enter(&place.room, "b", &place.folder).await;
    let (first, theirs) = (place.untrusted(&place.caller).await, place.untrusted(&other).await);
    assert_ne!(first.id, theirs.id, "each waits for its own");
    place.write("d.sh", "two");
    let second = place.untrusted(&place.caller).await;
    let state = async |request: &Request, caller| place.broker().get(caller, &request.id).await.expect("there").state;
    assert_eq!(state(&first, &place.caller).await, State::Superseded);
    assert_eq!(state(&theirs, &other).await, State::Superseded);
    let theirs = place.untrusted(&other).await;
    place.room.typed(DIALOG, &second.id, json!({"confirm-trust": true}), Some("trust")).await.expect("trusted");
    assert_eq!(state(&theirs, &other).await, State::Superseded);
    let text = countersign_core::ending::text(&place.broker().get(&other, &theirs.id).await.expect("there"));
    assert!(text.contains("settled by another request"), "{text}");
    assert!(matches!(
        place.call(&other, "staging", json!({})).await,
        Ok(Gated::Done { value: Deployed::Started { .. }, .. })
    ));
    assert!(place.room.open().is_empty());
}

#[tokio::test]
async fn a_no_trusts_nothing_and_is_told_as_one() {
    let place = Place::new().await;
    let request = place.untrusted(&place.caller).await;
    place.room.answer(DIALOG, &request.id, json!({"confirm-trust": false})).await.expect("a no takes no word");
    let again = place.untrusted(&place.caller).await;
    assert_eq!((again.id.clone(), again.state), (request.id.clone(), State::Answered));
    assert!(countersign_core::ending::text(&again).contains("did not trust"));
    place.broker().collected(again.id);
    place.broker().tick().await.expect("kept");
    place.room.pass(countersign_core::time::Millis(120_001)).await;
    assert_ne!(place.untrusted(&place.caller).await.id, request.id, "later it is a new question");
}

#[tokio::test]
async fn what_is_not_protected_starts_at_once_and_what_is_asks_where_to() {
    let place = Place::new().await;
    place.trust().await;
    assert_eq!(place.started("staging").await, "staging");
    assert!(place.end(RunState::Passed).await);
    let (request, _) = place.asks("production").await;
    let question = &request.ask.questions[0];
    assert_eq!((request.ask.class, question.default.clone()), (Class::Destructive, Some(json!("staging"))));
    assert_eq!(request.ask.safe_options, ["staging"]);
    let live = json!({"confirm-target-env": "production"});
    let claim = place.call(&place.caller, "production", live.clone()).await.expect("goes");
    assert!(matches!(claim, Gated::Asks { note: Some(note), .. } if note.contains("decides nothing")));
    for typed in [None, Some("staging"), Some("PRODUCTION")] {
        let refused = place.room.typed(DIALOG, &request.id, live.clone(), typed).await.expect_err("no word");
        assert!(refused.to_string().contains("“production”"), "{refused}");
    }
    place.room.typed(DIALOG, &request.id, live, Some("production")).await.expect("typed");
    let order = |n: usize| place.fake.runs.lock().expect("held")[n].0.clone();
    assert_eq!(place.started("production").await, "production");
    assert_eq!(order(1).command.argv, ["./d.sh", "live"]);
    place.end(RunState::Passed).await;
    let (second, _) = place.asks("production").await;
    assert_ne!(second.id, request.id, "the grant was used");
    let staging = json!({"confirm-target-env": "staging"});
    place.room.typed(DIALOG, &second.id, staging, None).await.expect("a safe choice takes no word");
    assert_eq!(place.started("production").await, "staging");
    assert_eq!(order(2).command.argv, ["./d.sh"]);
    place.room.log_holds();
}

#[tokio::test]
async fn a_decision_over_a_spec_or_commands_that_changed_counts_no_more() {
    let place = Place::new().await;
    place.trust().await;
    let yes = async |request: &Request| {
        let live = json!({"confirm-target-env": "production"});
        place.room.typed(DIALOG, &request.id, live, Some("production")).await.expect("typed");
    };
    yes(&place.asks("production").await.0).await;
    place.write("d.sh", "two");
    place.trust().await;
    let (request, note) = place.asks("production").await;
    assert!(note.expect("said").contains("commands"), "the commands changed");
    yes(&request).await;
    let edit = countersign_core::spec_edit::Edit { title: Some("Refunds, again".into()), ..Default::default() };
    place
        .room
        .act(&place.caller, "SPEC-001", countersign_core::spec_act::SpecAct::Edit(edit), json!({}))
        .await
        .expect("edited");
    let (request, note) = place.asks("production").await;
    assert!(note.expect("said").contains("spec changed"));
    yes(&request).await;
    let other = enter(&place.room, "b", &place.folder).await;
    assert!(matches!(place.call(&other, "production", json!({})).await, Ok(Gated::Asks { .. })), "another agent's");
    assert_eq!(place.started("production").await, "production");
}

#[tokio::test]
async fn a_deployment_that_the_person_declined_is_refused_once() {
    let place = Place::new().await;
    place.trust().await;
    let (request, _) = place.asks("production").await;
    place.broker().decide(DIALOG, &request.id, None, Verdict::Decline { comment: None }).await.expect("declined");
    assert!(matches!(place.deploy("production").await, Gated::Done { value: Deployed::Refused, .. }));
    assert_ne!(place.asks("production").await.0.id, request.id);
}

#[tokio::test]
async fn nobody_is_asked_in_autonomous_mode_and_the_safe_environment_is_taken() {
    let place = Place::new().await;
    place.trust().await;
    let rules = countersign_core::workspace::WorkspaceRules { mode: Mode::Autonomous, ..Default::default() };
    place.broker().set_rules(WINDOW, place.caller.workspace, rules).await.expect("ruled");
    let agent = place.room.agent("robot").await;
    let robot = place.broker().enter(&agent, None, place.folder.to_str()).await.expect("enters");
    assert_eq!(robot.mode, Mode::Autonomous);
    let Ok(Gated::Done { value: Deployed::Started { run, asked, .. }, took }) =
        place.call(&robot, "production", json!({})).await
    else {
        panic!("not started")
    };
    assert_eq!((run.name.as_str(), asked.as_str()), ("staging", "production"));
    assert_eq!(took.get("confirm-target-env"), Some(&json!("staging")));
    place.end(RunState::Passed).await;
    place.write("countersign.toml", "[targets.production]\nrun = [\"./d.sh\"]\n");
    place.trust_by_review().await;
    let blocked = place.call(&robot, "production", json!({})).await.expect("goes");
    assert!(matches!(blocked, Gated::Asks { note: Some(note), .. } if note.contains("blocked")));
}

impl Place {
    async fn trust_by_review(&self) -> Request {
        let request = self.broker().review_trust(self.caller.workspace).await.expect("reviewed").expect("asked");
        self.room.typed(DIALOG, &request.id, json!({"confirm-trust": true}), Some("trust")).await.expect("trusted");
        request
    }
}

#[tokio::test]
async fn countersign_itself_asks_for_a_review_and_is_no_agent_that_anybody_sees_or_takes_something_from() {
    let place = Place::new().await;
    let agents = || place.broker().read(|db| Ok((db.agents()?.len(), db.latest_sessions(9)?.len()))).expect("read");
    let before = agents();
    assert_eq!(place.broker().trust_state(place.caller.workspace).await.expect("looked").state, TrustState::Untrusted);
    let request = place.trust_by_review().await;
    assert!(request.agent.is_house() && request.asker.is_some_and(|asker| asker.pid == std::process::id()));
    assert_eq!(agents(), before);
    let house = AgentId::house();
    assert!(place.broker().revoke(&house, WINDOW).await.is_err());
    assert!(place.broker().rotate(&house, WINDOW).await.is_err());
    assert!(place.broker().set_scopes(&house, Scopes::ALL, WINDOW).await.is_err());
    assert!(place.broker().set_mode(&request.session, Mode::Plan, WINDOW).await.is_err());
    assert_eq!(place.broker().review_trust(place.caller.workspace).await.expect("reviewed"), None);
    let view = place.broker().trust_state(place.caller.workspace).await.expect("looked");
    assert_eq!((view.state, view.changes.as_str()), (TrustState::Trusted, ""));
    place.write("countersign.toml", "[targets.x]\nrun = 3\n");
    let view = place.broker().trust_state(place.caller.workspace).await.expect("looked");
    assert_eq!(view.state, TrustState::Mistake);
    assert!(view.problem.expect("said").contains("line 2, column"));
}

#[tokio::test]
async fn the_person_deploys_without_being_asked_twice_and_only_what_is_trusted() {
    let place = Place::new().await;
    let deploy =
        async |person, environment| place.broker().deploy(person, place.caller.workspace, SpecId(1), environment).await;
    let untrusted = deploy(WINDOW, "production").await.expect("goes");
    assert!(matches!(untrusted, Deployed::Untrusted(request) if request.agent.is_house()));
    place.trust_by_review().await;
    let Deployed::Started { run, .. } = deploy(WINDOW, "production").await.expect("goes") else {
        panic!("not started")
    };
    assert_eq!((run.name.as_str(), &run.by), ("production", &RunBy::Person(Channel::Window)));
    for wrong in [Person::at(Channel::Relayed), Person { channel: Channel::Serve, unattended: true }] {
        assert!(deploy(wrong, "staging").await.is_err());
    }
    assert!(deploy(WINDOW, "nowhere").await.expect_err("refused").to_string().contains("“production”, “staging”"));
}

#[tokio::test]
async fn a_run_is_seen_and_ended_by_agents_of_its_folder_alone() {
    let place = Place::new().await;
    place.trust().await;
    place.started("staging").await;
    let (order, told) = place.fake.runs.lock().expect("held")[0].clone();
    let outside = place.room.agent("b").await;
    let only = Scopes::parse("ask,specs").expect("scopes");
    place.broker().set_scopes(&outside.id, only, WINDOW).await.expect("set");
    let outside = place.broker().enter(&outside, None, None).await.expect("its own folder");
    assert!(matches!(place.broker().run_of(&outside, &order.id), Err(BrokerError::NotFound(_))));
    let began = tokio::task::spawn_blocking(move || (told.begin().is_some(), told)).await.expect("began");
    assert!(began.0);
    let view = place.broker().run_of(&place.caller, &order.id).expect("seen");
    assert_eq!(view.run.state, RunState::Running);
    let cancelled = place.broker().cancel_run(&place.caller, &order.id).await.expect("cancelled");
    assert_eq!((cancelled.state, cancelled.cancelled_by.as_deref()), (RunState::Running, Some("a")));
    assert_eq!(*place.fake.cancelled.lock().expect("held"), std::slice::from_ref(&order.id));
    let told = began.1;
    let ended = RunEnd { state: RunState::Cancelled, exit_code: None, reason: None };
    tokio::task::spawn_blocking(move || told.ended(&ended)).await.expect("ended");
    let view = place.broker().run_of(&place.caller, &order.id).expect("seen");
    assert!(view.run.sentence().ends_with("was cancelled by a."), "{}", view.run.sentence());
    assert!(place.broker().cancel_run(&place.caller, &RunId("none".into())).await.is_err());
}

#[tokio::test]
async fn what_changed_after_it_was_queued_does_not_start_and_a_restart_interrupts_what_went_on() {
    let place = Place::new().await;
    place.trust().await;
    place.started("staging").await;
    std::fs::remove_file(place.folder.join("d.sh")).expect("removed");
    assert!(!place.end(RunState::Passed).await);
    let id = place.fake.runs.lock().expect("held")[0].0.id.clone();
    let run = place.broker().run(&id).expect("there").run;
    assert_eq!((run.state, run.started_at), (RunState::Failed, None));
    let open = place.room.open();
    assert!(run.reason.expect("said").contains(&format!("d.sh changed since the commands were trusted, so it was not started; the person is asked whether to trust what is there now (request {})", open[0])));
    place.write("d.sh", "one");
    // The same files, but the workspace's name leads elsewhere now.
    place.started("staging").await;
    let moved = place.folder.with_extension("moved");
    std::fs::rename(&place.folder, &moved).expect("moved");
    std::os::unix::fs::symlink(&moved, &place.folder).expect("linked");
    assert!(!place.end(RunState::Passed).await);
    let id = place.fake.runs.lock().expect("held")[1].0.id.clone();
    let reason = place.broker().run(&id).expect("there").run.reason.expect("said");
    assert!(reason.starts_with("where the folder is changed since"), "{reason}");
    std::fs::remove_file(&place.folder).and_then(|()| std::fs::rename(&moved, &place.folder)).expect("back");
    place.started("staging").await;
    let (order, told) = place.fake.runs.lock().expect("held")[2].clone();
    tokio::task::spawn_blocking(move || told.begin()).await.expect("began");
    let Place { room, caller, .. } = place;
    let room = room.restart();
    let run = room.broker.run_of(&caller, &order.id).expect("there").run;
    assert_eq!(run.state, RunState::Interrupted);
    room.log_holds();
}

#[tokio::test]
async fn a_specs_checks_are_started_once_each_and_what_can_not_be_run_is_said() {
    let place = Place::new().await;
    let criterion =
        |text: &str, check: Option<&str>| NewCriterion { check: check.map(str::to_owned), ..NewCriterion::plain(text) };
    let criteria = vec![
        criterion("One", Some("unit")),
        criterion("Two", Some("unit")),
        criterion("Three", Some("lint")),
        criterion("Four", None),
    ];
    let new = NewSpec { title: "Checked".into(), body: String::new(), criteria };
    let spec = place.broker().make_spec(WINDOW, place.caller.workspace, new).await.expect("made");
    let check = async || place.broker().run_checks(WINDOW, place.caller.workspace, spec.id).await.expect("goes");
    let untrusted = check().await;
    assert!(untrusted.runs.is_empty() && untrusted.untrusted.is_some(), "{untrusted:?}");
    place.trust_by_review().await;
    let checks = check().await;
    assert_eq!(checks.unknown, ["lint"]);
    assert_eq!(
        checks.runs.iter().map(|run| (run.name.as_str(), run.kind)).collect::<Vec<_>>(),
        [("unit", RunKind::Check)]
    );
    assert_eq!(check().await.runs[0].id, checks.runs[0].id, "while it goes on it is the same");
    let last = || place.broker().last_check(place.caller.workspace, &spec, "unit").expect("read");
    assert_eq!(last(), None);
    assert!(place.end(RunState::Passed).await);
    assert_eq!(last().map(|run| run.state), Some(RunState::Passed));
    assert_ne!(check().await.runs[0].id, checks.runs[0].id);
    assert_eq!(last().map(|run| run.id), Some(checks.runs[0].id.clone()), "one that goes on tells nothing yet");
    std::fs::remove_file(place.folder.join("countersign.toml")).expect("removed");
    assert!(check().await.problem.expect("said").contains("there is no countersign.toml"));
}

#[tokio::test]
async fn what_can_not_be_deployed_says_why_before_anybody_is_asked() {
    let place = Place::new().await;
    let said =
        async |environment| place.call(&place.caller, environment, json!({})).await.expect_err("refused").to_string();
    assert!(said("prod").await.contains("it has “production”, “staging”"));
    place.write("countersign.toml", "[targets.t]\nrun = []\nwhat = 1\n");
    assert!(said("t").await.contains("countersign.toml has a mistake in line"));
    std::fs::remove_file(place.folder.join("countersign.toml")).expect("removed");
    assert!(said("staging").await.contains("there is no countersign.toml in"));
    assert!(place.room.open().is_empty());
    let plan = place.broker().request_mode(&place.caller, Mode::Plan).await.expect("plan mode");
    assert!(
        matches!(place.call(&place.caller, "staging", json!({})).await, Err(BrokerError::WrongMode(_))),
        "{plan:?}"
    );
}
