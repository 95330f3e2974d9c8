//! What tries to outlive its run: by another group, another session, or without the run's mark.

use super::*;
use rustix::process::{Pid, set_parent_process_death_signal, setpgid};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// No test: what a run starts here as its program. It leaves its group for its child's, and lives on without the run's mark.
#[test]
#[expect(clippy::zombie_processes, reason = "it is left behind on purpose")]
fn a_leader_that_leaves_its_group() {
    if std::env::var_os("COUNTERSIGN_RUN").is_none() {
        return;
    }
    let child = Command::new("sleep").arg("60").env_clear().process_group(0).spawn().expect("starts");
    let group = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
    setpgid(None, group).expect("left");
    set_parent_process_death_signal(None).expect("unset");
    println!("ids: {} {}", std::process::id(), child.id());
    let stays = "trap '' TERM; while :; do sleep 0.1; done";
    let error = Command::new("/bin/sh").args(["-c", stays]).env_clear().exec();
    panic!("{error}");
}

fn leaver() -> String {
    let me = std::env::current_exe().expect("there");
    let name = "runner::tests::escapes::a_leader_that_leaves_its_group";
    target(&[me.to_str().expect("UTF-8"), "--exact", name, "--nocapture"])
}

/// The numbers of the processes that a run printed.
async fn ids(place: &Place, id: &RunId) -> Vec<String> {
    let said = loop {
        let said = place.printed(id, "ids: ").await;
        if said.split("ids: ").nth(1).is_some_and(|rest| rest.contains('\n')) {
            break said;
        }
    };
    let line = said.split("ids: ").nth(1).and_then(|rest| rest.lines().next()).expect("a line");
    line.split(' ').map(str::to_owned).collect()
}

/// Waits until none of them is there; what was killed is gone a moment later.
async fn gone(pids: &[String]) {
    for _ in 0..100 {
        if !pids.iter().any(|pid| is_there(pid)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("still there: {:?}", pids.iter().filter(|pid| is_there(pid)).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_that_left_its_group_and_lost_its_mark_ends_when_the_run_is_cancelled() {
    let place = place(&leaver(), &[]).await;
    let run = place.start("t").await;
    let pids = ids(&place, &run.id).await;
    assert!(pids.len() == 2 && pids.iter().all(|pid| is_there(pid)), "{pids:?}");
    place.broker.cancel_run_for_person(DIALOG, &run.id).await.expect("cancelled");
    let view = place.ended(&run.id).await;
    assert_eq!((view.run.state, view.run.reason), (RunState::Cancelled, None));
    gone(&pids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_that_left_its_group_ends_when_its_time_is_over_and_when_the_app_ends() {
    let place = place(&format!("{}timeout_seconds = 2\n", leaver()), &[]).await;
    let run = place.start("t").await;
    let pids = ids(&place, &run.id).await;
    assert_eq!(place.ended(&run.id).await.run.state, RunState::TimedOut);
    gone(&pids).await;
    let run = place.start("t").await;
    let pids = ids(&place, &run.id).await;
    let broker = place.broker.clone();
    tokio::task::spawn_blocking(move || broker.stop_runs()).await.expect("stopped");
    assert_eq!(place.broker.run(&run.id).expect("there").run.state, RunState::Interrupted);
    gone(&pids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_took_a_session_of_its_own_without_the_mark_ends_with_a_cancelled_run() {
    let away = "trap \\'\\' TERM; while :; do sleep 0.1; done";
    let script = format!(
        "env -i setsid sh -c $'{away}' >/dev/null 2>&1 & one=$!\nenv -i setsid sh -c 'sleep 60 & wait' >/dev/null 2>&1 &\necho ids: $one $!\nsleep 60"
    );
    let place = place(&target(&["bash", "./away.sh"]), &[("away.sh", &script)]).await;
    let run = place.start("t").await;
    let pids = ids(&place, &run.id).await;
    assert!(pids.iter().all(|pid| is_there(pid)), "{pids:?}");
    place.broker.cancel_run_for_person(DIALOG, &run.id).await.expect("cancelled");
    assert_eq!(place.ended(&run.id).await.run.state, RunState::Cancelled);
    gone(&pids).await;
}
