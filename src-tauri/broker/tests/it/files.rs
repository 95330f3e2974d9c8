//! Files that decisions take: copied in, put away, and as they were where nothing was decided.

use crate::room::{Room, SERVE, WINDOW, question_of};
use countersign_broker::{Broker, BrokerError, Caller, Person, Told, Verdict};
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::filed::Filed;
use countersign_core::id::RequestId;
use countersign_core::mode::Mode;
use countersign_core::request::{Ask, Request, State};
use countersign_core::retire::{Retire, Why};
use countersign_core::{given, retire, todo};
use countersign_store::{BegunWork, FileWork};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A workspace, and a folder of the person's beside it.
struct Scene {
    room: Room,
    caller: Caller,
    folder: tempfile::TempDir,
}

async fn scene() -> Scene {
    let (room, folder) = (Room::new(), tempfile::tempdir().expect("a folder"));
    for part in ["w/docs", "mine"] {
        fs::create_dir_all(folder.path().join(part)).expect("made");
    }
    fs::write(folder.path().join("mine/a.pdf"), "mine").expect("written");
    fs::write(folder.path().join("w/docs/old.pdf"), "old").expect("written");
    let agent = room.agent("a").await;
    let work = folder.path().join("w");
    let caller = room.broker.enter(&agent, None, work.to_str()).await.expect("enters");
    Scene { room, caller, folder }
}

impl Scene {
    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.at(path)).ok()
    }

    /// All that is in the workspace, by its path.
    fn all(&self) -> Vec<String> {
        let (mut found, mut folders) = (Vec::new(), vec![self.at("w")]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("lists") {
                let entry = entry.expect("an entry");
                let path = entry.path();
                let named = path.strip_prefix(self.at("w")).expect("in it").to_string_lossy().into_owned();
                // Not through links.
                if entry.file_type().expect("a type").is_dir() {
                    folders.push(path);
                }
                found.push(named);
            }
        }
        found.sort();
        found
    }

    async fn wants(&self, arguments: Value) -> RequestId {
        let ask = Ask {
            tool: given::TOOL.into(),
            questions: vec![given::question("Which?".into())],
            arguments,
            ..question_of("Which?")
        };
        self.room.broker.ask(&self.caller, ask).await.expect("asks").request.id
    }

    async fn gives(&self, id: &RequestId, path: &str) -> Result<Request, BrokerError> {
        self.room.answer(WINDOW, id, json!({"file": path})).await
    }

    async fn away(&self, source: &str) -> RequestId {
        let seen = self.room.broker.look_at_source(&self.caller, source.into(), None).await.expect("looked at");
        let (bytes, sha256) = seen.seen.expect("there");
        let retire =
            Retire { source: seen.path, why: Why::Wrong, reason: "x".into(), replaced_by: None, bytes, sha256 };
        let ask = Ask {
            tool: retire::TOOL.into(),
            class: Class::Approval,
            questions: vec![retire.question()],
            arguments: retire.arguments(json!({})),
            ..question_of("Away?")
        };
        self.room.broker.ask(&self.caller, ask).await.expect("asks").request.id
    }

    async fn says(&self, id: &RequestId, yes: bool) -> Result<Request, BrokerError> {
        self.room.answer(WINDOW, id, json!({"retire": yes})).await
    }

    fn state(&self, id: &RequestId) -> State {
        self.room.broker.detail(id).expect("there").request.state
    }
}

fn broker_of(scene: &Scene) -> &Broker {
    &scene.room.broker
}

#[tokio::test]
async fn a_file_that_is_given_is_copied_before_the_decision_is_told_and_never_takes_anothers_place() {
    let scene = scene().await;
    let id = scene.wants(json!({"destination": "docs"})).await;
    fs::write(scene.at("w/docs/a.pdf"), "another").expect("written");
    scene.room.shell.take();
    let request = scene.gives(&id, &format!("\"{}\" ", scene.at("mine/a.pdf").display())).await.expect("given");
    let decision = request.decision.expect("decided");
    assert_eq!(decision.answers.to_json(), json!({"file": "docs/a (2).pdf"}));
    let Some(Filed::Given(file)) = decision.file else { panic!("no file") };
    let want = (4, Digest::of_bytes(b"mine"), false, "a.pdf");
    assert_eq!((file.bytes, file.sha256, file.already_there, file.name.as_str()), want);
    assert_eq!(scene.text("w/docs/a (2).pdf").as_deref(), Some("mine"));
    assert_eq!(scene.text("w/docs/a.pdf").as_deref(), Some("another"));
    assert_eq!(scene.text("mine/a.pdf").as_deref(), Some("mine"), "the person's own stays");
    assert!(scene.room.shell.take().iter().any(|told| matches!(told, Told::Settled(_))));
    // The same content is named, not copied again; a whole new folder is made for another place.
    let id = scene.wants(json!({"destination": "docs/"})).await;
    let again = scene.gives(&id, scene.at("mine/a.pdf").to_str().expect("UTF-8")).await.expect("given");
    let Some(Filed::Given(file)) = again.decision.expect("decided").file else { panic!("no file") };
    assert_eq!((file.path.as_str(), file.already_there), ("docs/a (2).pdf", true));
    let id = scene.wants(json!({"destination": "new/deep/b.pdf"})).await;
    scene.gives(&id, scene.at("mine/a.pdf").to_str().expect("UTF-8")).await.expect("given");
    let want = ["docs", "docs/a (2).pdf", "docs/a.pdf", "docs/old.pdf", "new", "new/deep", "new/deep/b.pdf"];
    assert_eq!(scene.all(), want, "no half file");
    assert_eq!(broker_of(&scene).read(|db| Ok(db.file_works()?)).expect("reads"), []);
    scene.room.log_holds();
}

#[tokio::test]
async fn a_file_of_the_workspace_is_named_as_it_is() {
    let scene = scene().await;
    let id = scene.wants(json!({"destination": "other"})).await;
    let request = scene.gives(&id, scene.at("w/docs/old.pdf").to_str().expect("UTF-8")).await.expect("given");
    let Some(Filed::Given(file)) = request.decision.expect("decided").file else { panic!("no file") };
    assert_eq!((file.path.as_str(), file.already_there), ("docs/old.pdf", true));
    assert_eq!(scene.all(), ["docs", "docs/old.pdf"]);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_of_the_right_size_is_refused_and_the_request_stays_open() {
    use std::os::unix::fs::symlink;
    let scene = scene().await;
    let id = scene.wants(json!({})).await;
    symlink("a.pdf", scene.at("mine/link.pdf")).expect("linked");
    symlink(scene.at("mine"), scene.at("w/out")).expect("linked");
    let made = std::process::Command::new("mkfifo").arg(scene.at("mine/pipe")).status().expect("made");
    assert!(made.success());
    fs::File::create(scene.at("mine/big")).and_then(|file| file.set_len((50 << 20) + 1)).expect("written");
    let own = scene.room.folder.path().join("data.db");
    for (path, why) in [
        (scene.at("mine/none.pdf"), "there is no file"),
        (scene.at("mine"), "is a folder"),
        (scene.at("mine/link.pdf"), "is a link to `a.pdf`"),
        (scene.at("mine/pipe"), "is no regular file"),
        (PathBuf::from("/dev/zero"), "is no regular file"),
        (scene.at("mine/big"), "has 52428801 bytes; 52428800 are allowed"),
        (scene.at("w/out/a.pdf"), "leads out of it by a link"),
        (own, "Countersign's own files"),
        (PathBuf::from("a.pdf"), "is not a whole path"),
    ] {
        let said = scene.gives(&id, path.to_str().expect("UTF-8")).await.expect_err("refused").to_string();
        assert!(said.contains(why), "{path:?}: {said}");
        assert_eq!(scene.state(&id), State::Pending);
    }
    assert_eq!(scene.all(), ["docs", "docs/old.pdf", "out"]);
    let size = |path: &str| broker_of(&scene).file_size(scene.at(path).to_string_lossy().into_owned());
    let big = size("mine/big").await.expect("seen");
    assert_eq!((big.name.as_str(), big.bytes, big.fits), ("big", 52_428_801, false));
    assert!(size("mine/a.pdf").await.expect("seen").fits);
    assert!(size("mine/link.pdf").await.is_err());
    // The largest that is taken.
    fs::File::create(scene.at("mine/big")).and_then(|file| file.set_len(50 << 20)).expect("written");
    scene.gives(&id, scene.at("mine/big").to_str().expect("UTF-8")).await.expect("given");
}

#[tokio::test]
async fn who_may_not_decide_has_no_file_copied_or_moved_and_learns_nothing_of_one() {
    let scene = scene().await;
    let (file, away) = (scene.wants(json!({})).await, scene.away("docs/old.pdf").await);
    let none = scene.at("mine/none.pdf");
    for channel in Channel::ALL {
        for path in [scene.at("mine/a.pdf"), none.clone()] {
            if matches!(
                countersign_core::who_may_decide::may_decide(Class::Ask, channel),
                countersign_core::who_may_decide::May::Yes
            ) {
                continue;
            }
            let said = scene.room.answer(Person::at(channel), &file, json!({"file": path})).await;
            assert!(matches!(said, Err(BrokerError::NotAllowed(_))), "{channel:?}: {said:?}");
        }
    }
    for channel in [Channel::Notification, Channel::File, Channel::Relayed, Channel::Rule, Channel::Program] {
        let said = scene.room.answer(Person::at(channel), &away, json!({"retire": true})).await;
        assert!(matches!(said, Err(BrokerError::NotAllowed(_))), "{channel:?}: {said:?}");
    }
    let unattended = Person { unattended: true, ..SERVE };
    assert!(scene.room.answer(unattended, &away, json!({"retire": true})).await.is_err());
    let answers = json!({"file": scene.at("mine/a.pdf")}).as_object().expect("an object").clone();
    let verdict = Verdict::Answer { answers, comment: None, typed: None };
    let stale = broker_of(&scene).decide(WINDOW, &file, Some(Digest([0; 32])), verdict).await;
    assert!(matches!(stale, Err(BrokerError::Stale)), "{stale:?}");
    assert_eq!(scene.all(), ["docs", "docs/old.pdf"]);
    assert_eq!((scene.state(&file), scene.state(&away)), (State::Pending, State::Pending));
}

#[tokio::test]
async fn two_who_answer_at_once_leave_one_decision_and_one_copy() {
    let scene = scene().await;
    let id = scene.wants(json!({})).await;
    fs::write(scene.at("mine/b.pdf"), "other").expect("written");
    let (a, b) = (scene.at("mine/a.pdf"), scene.at("mine/b.pdf"));
    let (one, two) =
        tokio::join!(scene.gives(&id, a.to_str().expect("UTF-8")), scene.gives(&id, b.to_str().expect("UTF-8")));
    assert_eq!([&one, &two].into_iter().filter(|said| said.is_ok()).count(), 1, "{one:?} {two:?}");
    let kept = if one.is_ok() { "a.pdf" } else { "b.pdf" };
    assert_eq!(scene.all(), [kept, "docs", "docs/old.pdf"]);
}

#[tokio::test]
async fn a_yes_moves_the_file_a_no_leaves_it_and_a_second_of_that_name_gets_a_number() {
    let scene = scene().await;
    let id = scene.away("docs/old.pdf").await;
    scene.says(&id, false).await.expect("decided");
    broker_of(&scene).collected(id);
    assert_eq!(scene.text("w/docs/old.pdf").as_deref(), Some("old"));
    for (text, want) in [("old", "docs/old.pdf"), ("newer", "docs/old (2).pdf")] {
        fs::write(scene.at("w/docs/old.pdf"), text).expect("written");
        let id = scene.away("docs/old.pdf").await;
        let request = scene.says(&id, true).await.expect("decided");
        let path = format!(".countersign/retired/{want}");
        assert_eq!(
            request.decision.expect("decided").file,
            Some(Filed::Retired(retire::Retired { path: path.clone() }))
        );
        assert_eq!(scene.text(&format!("w/{path}")).as_deref(), Some(text));
        assert_eq!(scene.text("w/docs/old.pdf"), None);
        broker_of(&scene).collected(id);
    }
}

#[tokio::test]
async fn a_file_that_changed_since_it_was_shown_is_not_moved_and_the_question_is_over() {
    for gone in [false, true] {
        let scene = scene().await;
        let id = scene.away("docs/old.pdf").await;
        match gone {
            true => fs::remove_file(scene.at("w/docs/old.pdf")).expect("removed"),
            false => fs::write(scene.at("w/docs/old.pdf"), "new").expect("written"),
        }
        let said = scene.says(&id, true).await;
        assert!(matches!(said, Err(BrokerError::Stale)), "{said:?}");
        assert_eq!(scene.state(&id), State::Superseded);
        assert!(!scene.at("w/.countersign").exists());
        assert_eq!(scene.text("w/docs/old.pdf").is_some(), !gone);
        scene.room.log_holds();
    }
}

#[tokio::test]
async fn the_same_call_over_another_content_takes_the_place_of_what_waits_and_over_the_same_joins_it() {
    let scene = scene().await;
    let first = scene.away("docs/old.pdf").await;
    assert_eq!(scene.away("./docs/old.pdf").await, first);
    fs::write(scene.at("w/docs/old.pdf"), "new").expect("written");
    let second = scene.away("docs/old.pdf").await;
    assert_ne!(first, second);
    assert_eq!((scene.state(&first), scene.state(&second)), (State::Superseded, State::Pending));
    scene.says(&second, true).await.expect("decided");
    // The agent never heard of it: the same call finds it, though the file is gone.
    let looked = broker_of(&scene).look_at_source(&scene.caller, "docs/old.pdf".into(), None).await.expect("looked at");
    assert_eq!(looked.seen, None);
    let base = json!({"source": "docs/old.pdf", "why": "wrong", "reason": "x"});
    let again = broker_of(&scene).rejoin_retiring(&scene.caller, base.clone()).await.expect("looked for");
    assert_eq!(again.map(|asked| asked.request.id), Some(second.clone()));
    broker_of(&scene).collected(second);
    let later = broker_of(&scene).rejoin_retiring(&scene.caller, base).await.expect("looked for");
    assert_eq!(later, None, "delivered once");
}

#[tokio::test]
async fn a_crash_between_a_files_work_and_its_decision_leaves_the_workspace_as_it_was() {
    let scene = scene().await;
    let (file, away) = (scene.wants(json!({"destination": "docs"})).await, scene.away("docs/old.pdf").await);
    let Scene { room, caller, folder } = scene;
    let root = folder.path().join("w").to_str().expect("UTF-8").to_owned();
    let data = room.folder.path().join("data.db");
    // As it is when the process is killed right after the files were written.
    fs::write(folder.path().join("w/docs/a.pdf"), "mine").expect("written");
    fs::write(folder.path().join(format!("w/docs/.countersign-{file}.part")), "mi").expect("written");
    fs::create_dir_all(folder.path().join("w/.countersign/retired/docs")).expect("made");
    fs::rename(folder.path().join("w/docs/old.pdf"), folder.path().join("w/.countersign/retired/docs/old.pdf"))
        .expect("moved");
    let Room { folder: kept, broker, clock, shell } = room;
    drop(broker);
    let mut store = loop {
        // The writer's thread lets go of the file when it ends.
        match countersign_store::Store::open(&data) {
            Ok(store) => break store,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    let copy = FileWork::Copy {
        part: format!("docs/.countersign-{file}.part"),
        to: "docs/a.pdf".into(),
        sha256: Digest::of_bytes(b"mine"),
    };
    let moved = FileWork::Move {
        from: "docs/old.pdf".into(),
        to: ".countersign/retired/docs/old.pdf".into(),
        sha256: Digest::of_bytes(b"old"),
    };
    store
        .write(|tx| {
            for (request, work) in [(&file, copy), (&away, moved)] {
                let begun = BegunWork { request: request.clone(), root: root.clone(), work };
                tx.begin_file_work(&begun, countersign_core::time::Timestamp(1))?;
            }
            Ok::<_, countersign_store::StoreError>(())
        })
        .expect("written");
    drop(store);
    let room = Room::over(kept, clock, shell);
    let scene = Scene { room, caller, folder };
    assert_eq!(scene.text("w/docs/old.pdf").as_deref(), Some("old"));
    let files: Vec<_> = scene.all().into_iter().filter(|path| scene.at(&format!("w/{path}")).is_file()).collect();
    assert_eq!(files, ["docs/old.pdf"]);
    assert_eq!((scene.state(&file), scene.state(&away)), (State::Pending, State::Pending));
    // And both can be answered now as if nothing had been.
    scene.gives(&file, scene.at("mine/a.pdf").to_str().expect("UTF-8")).await.expect("given");
    scene.says(&away, true).await.expect("decided");
    assert_eq!(scene.text("w/docs/a.pdf").as_deref(), Some("mine"));
    assert_eq!(scene.text("w/.countersign/retired/docs/old.pdf").as_deref(), Some("old"));
}

#[tokio::test]
async fn a_question_about_files_is_not_asked_where_nothing_may_change() {
    let scene = scene().await;
    broker_of(&scene).set_mode(&scene.caller.session, Mode::Plan, WINDOW).await.expect("switched");
    let ask = Ask { tool: given::TOOL.into(), questions: vec![given::question("?".into())], ..question_of("?") };
    let said = broker_of(&scene).ask(&scene.caller, ask).await;
    assert!(matches!(said, Err(BrokerError::WrongMode(_))), "{said:?}");
}

#[tokio::test]
async fn a_sessions_list_is_told_once_and_stands_beside_its_requests() {
    let scene = scene().await;
    let id = scene.wants(json!({})).await;
    let list = todo::read(&json!([{"content": "Read", "status": "in_progress"}])).expect("a list");
    scene.room.shell.take();
    for _ in 0..2 {
        broker_of(&scene).set_todos(&scene.caller, list.clone()).await.expect("set");
    }
    assert_eq!(scene.room.shell.take(), [Told::Changed(countersign_broker::Change::List)]);
    let detail = broker_of(&scene).detail(&id).expect("there");
    assert_eq!((detail.todos, detail.todos_set), (list, 1));
    for mode in [Mode::Plan, Mode::Interactive] {
        broker_of(&scene).set_mode(&scene.caller.session, mode, WINDOW).await.expect("switched");
        broker_of(&scene).set_todos(&scene.caller, Vec::new()).await.expect("in every mode");
    }
    let other = scene.room.caller("b").await;
    broker_of(&scene).revoke(&other.agent, WINDOW).await.expect("revoked");
    assert!(broker_of(&scene).set_todos(&other, Vec::new()).await.is_err());
}
