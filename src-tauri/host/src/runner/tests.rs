//! Real processes, from a trusted file to how they ended.

#[cfg(target_os = "linux")]
mod escapes;

use super::Processes;
use countersign_broker::{Broker, Change, Deployed, Person, RecordingShell, RunView, SystemClock, Told, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::{RunId, SpecId, WorkspaceId};
use countersign_core::run::{Run, RunState};
use countersign_core::spec::NewSpec;
use countersign_core::time::Timestamp;
use countersign_store::{Store, StoreError};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const DIALOG: Person = Person::at(Channel::Dialog);
const LONG: Duration = Duration::from_secs(20);

struct Place {
    broker: Broker,
    shell: RecordingShell,
    folder: PathBuf,
    workspace: WorkspaceId,
    spec: SpecId,
    outer: tempfile::TempDir,
}

/// A workspace with a file of trusted commands; `files` are scripts beside it.
async fn place(config: &str, files: &[(&str, &str)]) -> Place {
    let outer = tempfile::tempdir().expect("a folder");
    let folder = outer.path().join("w");
    std::fs::create_dir(&folder).expect("a workspace");
    std::fs::write(folder.join("countersign.toml"), config).expect("written");
    for (name, text) in files {
        script(&folder.join(name), text);
    }
    let place = open(outer, folder).await;
    place.trust().await;
    place
}

async fn open(outer: tempfile::TempDir, folder: PathBuf) -> Place {
    let mut store = Store::open(&outer.path().join("data.db")).expect("opens");
    let path = folder.to_str().expect("UTF-8").to_owned();
    let workspace = store
        .write(|tx| {
            Ok::<_, StoreError>(match tx.workspace_at(&path)? {
                Some(workspace) => workspace.id,
                None => tx.insert_workspace(&path, Timestamp(0))?.id,
            })
        })
        .expect("a workspace");
    let shell = RecordingShell::default();
    let broker = Broker::start(store, Arc::new(SystemClock), Arc::new(shell.clone())).expect("starts");
    broker.serve_runs(Arc::new(Processes::new(Arc::new(SystemClock))));
    let new = NewSpec { title: "Ship it".into(), body: String::new(), criteria: Vec::new() };
    let spec = broker.make_spec(DIALOG, workspace, new).await.expect("a spec").id;
    Place { broker, shell, folder, workspace, spec, outer }
}

fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("executable");
}

impl Place {
    async fn trust(&self) {
        let request = self.broker.review_trust(self.workspace).await.expect("reviewed").expect("asked");
        let answers = json!({"confirm-trust": true}).as_object().cloned().expect("an object");
        let yes = Verdict::Answer { answers, comment: None, typed: Some("trust".into()) };
        self.broker.decide(DIALOG, &request.id, Some(request.digest), yes).await.expect("trusted");
    }

    async fn start(&self, target: &str) -> Run {
        match self.broker.deploy(DIALOG, self.workspace, self.spec, target).await.expect("deploys") {
            Deployed::Started { run, .. } => *run,
            other => panic!("{other:?}"),
        }
    }

    async fn run(&self, target: &str) -> RunView {
        let run = self.start(target).await;
        self.ended(&run.id).await
    }

    async fn ended(&self, id: &RunId) -> RunView {
        self.broker.wait_run(id, LONG).await.expect("waited");
        let view = self.broker.run(id).expect("there");
        assert!(view.run.state.is_over(), "{view:?}");
        view
    }

    /// Waits until a run has printed this.
    async fn printed(&self, id: &RunId, words: &str) -> String {
        for _ in 0..200 {
            let view = self.broker.run(id).expect("there");
            if text(&view).contains(words) {
                return text(&view);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{words:?} was not printed: {:?}", self.broker.run(id));
    }
}

fn text(view: &RunView) -> String {
    view.output.as_ref().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).unwrap_or_default()
}

fn target(run: &[&str]) -> String {
    format!("[targets.t]\nrun = {}\n", json!(run))
}

fn is_there(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_arrive_as_they_are_with_a_chosen_environment_and_no_input() {
    let show = r#"printf '[%s]' "$@"; echo; env | cut -d= -f1 | sort | tr '\n' ' '; echo; pwd; cat; echo "env:$COUNTERSIGN_ENVIRONMENT $COUNTERSIGN_SPEC $COUNTERSIGN_RUN" >&2"#;
    let run = ["./show.sh", "a b", "$HOME", ";true", "*", "", "ñ"];
    let place = place(&format!("{}env = [\"CARGO_MANIFEST_DIR\"]\n", target(&run)), &[("show.sh", show)]).await;
    let view = place.run("t").await;
    assert_eq!((view.run.state, view.run.exit_code), (RunState::Passed, Some(0)), "{view:?}");
    let said = text(&view);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "[a b][$HOME][;true][*][][ñ]");
    let names: Vec<&str> = lines[1].split(' ').collect();
    for name in ["PATH", "COUNTERSIGN_SPEC", "COUNTERSIGN_RUN", "CARGO_MANIFEST_DIR"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(!names.contains(&"CARGO_PKG_NAME") && !names.contains(&"CARGO"), "{names:?}");
    assert_eq!(Path::new(lines[2]), place.folder.canonicalize().expect("there"));
    assert_eq!(lines[3], format!("env:t SPEC-001 {}", view.run.id));
    assert!(place.shell.take().contains(&Told::Changed(Change::Runs)));
}

#[tokio::test(flavor = "multi_thread")]
async fn both_streams_come_in_order_live_and_whatever_the_bytes_are() {
    let talk =
        r"for n in 1 2 3; do echo out$n; echo err$n >&2; done; printf '\377\000\033[31m'; sleep 1; echo end; exit 3";
    let place = place(&target(&["./talk.sh"]), &[("talk.sh", talk)]).await;
    let run = place.start("t").await;
    let live = place.printed(&run.id, "err3").await;
    assert!(live.starts_with("out1\nerr1\nout2\nerr2\nout3\nerr3\n") && !live.contains("end"), "{live:?}");
    let view = place.ended(&run.id).await;
    assert_eq!((view.run.state, view.run.exit_code), (RunState::Failed, Some(3)));
    let bytes = view.output.expect("kept").bytes;
    assert_eq!(bytes, b"out1\nerr1\nout2\nerr2\nout3\nerr3\n\xff\0\x1b[31mend\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn much_output_is_kept_up_to_a_mebibyte_with_its_middle_cut() {
    let place = place(&target(&["sh", "-c", "echo first; seq 1 600000; echo last"]), &[]).await;
    let view = place.run("t").await;
    assert_eq!(view.run.state, RunState::Passed);
    let output = view.output.expect("kept");
    assert!(output.bytes.len() <= 1 << 20 && output.total > 4_000_000, "{}", output.total);
    let said = String::from_utf8(output.bytes).expect("ASCII");
    assert!(said.starts_with("first\n1\n") && said.ends_with("600000\nlast\n") && said.contains("[Countersign cut "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timeout_ends_the_group_even_of_those_who_ignore_being_asked() {
    let stubborn = "trap '' TERM; (trap '' TERM; echo child $(sh -c 'echo $PPID'); while :; do sleep 0.1; done) & echo started; while :; do sleep 0.1; done";
    let place = place(&format!("{}timeout_seconds = 1\n", target(&["./s.sh"])), &[("s.sh", stubborn)]).await;
    let view = place.run("t").await;
    assert_eq!((view.run.state, view.run.exit_code), (RunState::TimedOut, None), "{view:?}");
    let said = text(&view);
    let child = said.split("child ").nth(1).and_then(|rest| rest.lines().next()).expect("its id");
    assert!(!is_there(child), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_is_asked_to_end_and_says_who_ended_it() {
    let polite = "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.1; done";
    let place = place(&target(&["./p.sh"]), &[("p.sh", polite)]).await;
    let run = place.start("t").await;
    place.printed(&run.id, "ready").await;
    let cancelled = place.broker.cancel_run_for_person(DIALOG, &run.id).await.expect("cancelled");
    assert_eq!(cancelled.cancelled_by.as_deref(), Some("the person"));
    let view = place.ended(&run.id).await;
    assert_eq!(view.run.state, RunState::Cancelled);
    assert!(
        text(&view).ends_with("bye\n") && view.run.sentence().ends_with("was cancelled by the person."),
        "{view:?}"
    );
    let again = place.broker.cancel_run_for_person(DIALOG, &run.id).await.expect("as it ended");
    assert_eq!(again, view.run);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_leaves_in_its_group_ends_with_it_and_what_left_the_group_holds_nothing_up() {
    let leaves = "sleep 60 & echo in $!; setsid sleep 5 & echo out; exit 0";
    let place = place(&target(&["./l.sh"]), &[("l.sh", leaves)]).await;
    let run = place.start("t").await;
    place.broker.wait_run(&run.id, Duration::from_secs(4)).await.expect("waited");
    let view = place.broker.run(&run.id).expect("there");
    assert_eq!(view.run.state, RunState::Passed, "not held up by the open pipe: {view:?}");
    assert_eq!(view.run.reason.as_deref(), Some("what it left running was ended"));
    let said = text(&view);
    assert!(!is_there(said.split("in ").nth(1).and_then(|rest| rest.lines().next()).expect("its id")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_not_there_or_ended_by_a_signal_fails_with_the_reason() {
    let config = "[targets.missing]\nrun = [\"no-such-program\"]\n[targets.plain]\nrun = [\"./plain.txt\"]\n[targets.killed]\nrun = [\"sh\", \"-c\", \"kill -9 $$\"]\n[targets.away]\nrun = [\"true\"]\ndir = \"gone\"\n";
    let place = place(config, &[]).await;
    let reason = async |target| place.run(target).await.run;
    let missing = reason("missing").await;
    assert_eq!(missing.state, RunState::Failed);
    assert!(missing.reason.expect("said").starts_with("there is no program no-such-program on the trusted PATH"));
    assert!(reason("plain").await.reason.expect("said").contains("./plain.txt can't be run"));
    assert_eq!(reason("killed").await.reason.as_deref(), Some("it was ended by signal 9"));
    assert!(reason("away").await.reason.expect("said").contains("working folder gone can't be used"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changed_while_the_run_waited_is_not_run_and_the_person_is_asked() {
    let slow = |name| format!("[targets.{name}]\nrun = [\"sleep\", \"1\"]\n");
    let config = ["a", "b", "c", "d", "e"].map(slow).concat() + "[targets.two]\nrun = [\"./d.sh\"]\n";
    let place = place(&config, &[("d.sh", "echo old")]).await;
    let first = place.run("two").await;
    assert_eq!(text(&first), "old\n");
    // Looked at as trusted, queued, and changed before its turn: as many as may run at once go first.
    let mut going = Vec::new();
    for name in ["a", "b", "c", "d"] {
        going.push(place.start(name).await);
    }
    let run = place.start("two").await;
    script(&place.folder.join("d.sh"), "echo new");
    assert_eq!(place.broker.run(&run.id).expect("there").run.state, RunState::Queued);
    let run = place.ended(&run.id).await;
    assert_eq!((run.run.state, run.run.started_at), (RunState::Failed, None), "{run:?}");
    let reason = run.run.reason.clone().expect("said");
    assert!(reason.starts_with("d.sh changed since the commands were trusted, so it was not started"), "{reason}");
    let open = place.broker.open_list(None, 10).expect("listed");
    assert_eq!(open.iter().map(|listed| listed.row.tool.as_str()).collect::<Vec<_>>(), ["trust_commands"]);
    assert!(reason.contains(open[0].row.id.as_str()));
    place.trust().await;
    assert_eq!(text(&place.run("two").await), "new\n");
    for run in going {
        place.ended(&run.id).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_end_of_the_app_its_runs_are_ended_and_interrupted_and_so_is_what_a_crash_left() {
    let place = place(&target(&["sh", "-c", "echo $$; exec sleep 60"]), &[]).await;
    let run = place.start("t").await;
    let pid = place.printed(&run.id, "\n").await;
    let broker = place.broker.clone();
    tokio::task::spawn_blocking(move || broker.stop_runs()).await.expect("stopped");
    let view = place.broker.run(&run.id).expect("there");
    assert_eq!(view.run.state, RunState::Interrupted);
    assert!(!is_there(&pid));

    // What a crash leaves: a row that says `running`, and a process that carries its mark.
    let Place { broker, folder, outer, .. } = place;
    drop(broker);
    let mut left =
        std::process::Command::new("sleep").arg("60").env("COUNTERSIGN_RUN", "left-behind").spawn().expect("starts");
    let mut store = Store::open(&outer.path().join("data.db")).expect("opens");
    let row =
        Run { id: RunId("left-behind".into()), state: RunState::Queued, ended_at: None, started_at: None, ..view.run };
    store
        .write(|tx| {
            tx.insert_run(&row, 9)?;
            tx.start_run(&row.id, Timestamp(1))
        })
        .expect("written");
    drop(store);
    let place = open(outer, folder).await;
    let view = place.broker.run(&row.id).expect("there");
    assert_eq!(view.run.state, RunState::Interrupted);
    let status = tokio::task::spawn_blocking(move || left.wait()).await.expect("waited").expect("ended");
    assert!(!status.success());
    let request = place.broker.open_list(None, 9).expect("listed");
    assert!(request.is_empty(), "what was trusted stays trusted: {request:?}");
    assert_eq!(place.broker.read(|db| Ok(db.verify_log()?)).expect("read").map(|_| ()), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_runs_a_few_at_once_and_never_two_in_one_environment() {
    let log = "echo begin >> log; sleep 0.3; echo end >> log";
    let place = place(&target(&["./log.sh"]), &[("log.sh", log)]).await;
    let mut runs = vec![place.start("t").await];
    assert_eq!(place.start("t").await.id, runs[0].id, "the same deployment is joined while it goes on");
    for n in 0..3 {
        let new = NewSpec { title: format!("Other {n}"), body: String::new(), criteria: Vec::new() };
        let spec = place.broker.make_spec(DIALOG, place.workspace, new).await.expect("a spec").id;
        let Deployed::Started { run, .. } =
            place.broker.deploy(DIALOG, place.workspace, spec, "t").await.expect("queued")
        else {
            panic!("not started")
        };
        runs.push(*run);
    }
    let last = runs.pop().expect("the last");
    let cancelled = place.broker.cancel_run_for_person(DIALOG, &last.id).await.expect("cancelled");
    assert_eq!((cancelled.state, cancelled.started_at), (RunState::Cancelled, None));
    for run in &runs {
        assert_eq!(place.ended(&run.id).await.run.state, RunState::Passed);
    }
    let log = std::fs::read_to_string(place.folder.join("log")).expect("written");
    assert_eq!(log, "begin\nend\n".repeat(runs.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passed_over_a_file_that_changed_while_it_ran_does_not_count() {
    let waits = "echo began; while [ ! -e go ]; do sleep 0.05; done";
    let place = place(&target(&["./c.sh"]), &[("c.sh", waits)]).await;
    let file = place.folder.join("c.sh");
    let changed = async |change: &dyn Fn()| {
        let run = place.start("t").await;
        place.printed(&run.id, "began").await;
        change();
        std::fs::write(place.folder.join("go"), "").expect("written");
        let view = place.ended(&run.id).await;
        std::fs::remove_file(place.folder.join("go")).expect("removed");
        view.run
    };
    assert_eq!(changed(&|| {}).await.state, RunState::Passed);
    // Another in its place, and the trusted one put back before the end.
    let away = place.folder.join("away.sh");
    let swap = || {
        std::fs::rename(&file, &away).expect("moved");
        script(&file, "echo evil");
        std::fs::rename(&away, &file).expect("put back");
    };
    let run = changed(&swap).await;
    let reason = "c.sh changed while it ran, so that it exited with 0 does not count";
    assert_eq!((run.state, run.exit_code, run.reason.as_deref()), (RunState::Failed, None, Some(reason)));
    assert_eq!(changed(&|| {}).await.state, RunState::Passed, "as it is trusted, from its start to its end");
    // More behind it, which the shell reads as it goes.
    let append = || {
        use std::io::Write as _;
        let mut open = std::fs::OpenOptions::new().append(true).open(&file).expect("opens");
        open.write_all(b"echo evil\n").expect("written");
    };
    let run = changed(&append).await;
    assert_eq!((run.state, run.reason.as_deref()), (RunState::Failed, Some(reason)));
}
