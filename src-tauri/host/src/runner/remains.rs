//! What is left of runs: others in a run's group, and processes of runs that a crash of Countersign interrupted.

use countersign_core::id::RunId;
use rustix::process::Pid;

/// The variable by which a run's processes are known, whatever group they are in.
pub(super) const MARK: &str = "COUNTERSIGN_RUN";

/// Times that what is left is looked for: what is being ended may just have started another.
#[cfg(target_os = "linux")]
const LOOKS: usize = 5;

/// Whether others than its leader are in a group. What is dead and waits to be reaped does not count.
#[cfg(target_os = "linux")]
pub(super) fn has_others(group: Pid) -> bool {
    let group = group.as_raw_nonzero().get();
    processes().any(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        pid != group && group_of(&stat).is_some_and(|(its, dead)| its == group && !dead)
    })
}

/// Where that can't be told there may be some.
#[cfg(not(target_os = "linux"))]
pub(super) fn has_others(_: Pid) -> bool {
    true
}

/// The group that `/proc/PID/stat` tells (proc_pid_stat(5), field 5), and whether the process is dead. The name before it may hold
/// anything, so it is read from its last parenthesis on.
#[cfg(target_os = "linux")]
fn group_of(stat: &str) -> Option<(i32, bool)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((group, matches!(state, "Z" | "X")))
}

#[cfg(target_os = "linux")]
pub(super) fn processes() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Ends every process that carries the mark of one of these runs: of runs that are cancelled, or that a crash interrupted, where
/// nobody could follow or cancel them any more.
#[cfg(target_os = "linux")]
pub(super) fn end_all_of(runs: &[RunId]) {
    use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let marks: Vec<String> = runs.iter().map(|run| format!("{MARK}={run}")).collect();
    for _ in 0..LOOKS {
        let mut found = false;
        for pid in processes() {
            // Held before it is looked at: what is signalled is what was looked at, and none that got its number since.
            let Some(held) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
                continue;
            };
            let environ = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let marked = environ.split(|byte| *byte == 0).any(|set| marks.iter().any(|mark| mark.as_bytes() == set));
            if marked && pidfd_send_signal(&held, Signal::KILL).is_ok() {
                tracing::info!(pid, "a process of a run that is over was still there, and was ended");
                found = true;
            }
        }
        if !found {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Where processes can't be looked at, they stay.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_all_of(_: &[RunId]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_read_whatever_the_process_calls_itself() {
        for (stat, want) in [
            ("12 (sh) S 1 7 7 0 -1", Some((7, false))),
            ("12 (a) Z 9 (b) R 1 8 8", Some((8, false))),
            ("12 (sh) Z 1 7 7 0", Some((7, true))),
            ("12 (sh", None),
            ("", None),
        ] {
            assert_eq!(group_of(stat), want, "{stat:?}");
        }
    }
}
