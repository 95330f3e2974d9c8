//! One command's process and its group.

use super::kin::Kin;
use super::{Event, remains};
use countersign_broker::RunOrder;
use countersign_core::run::RunKind;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::io::PipeReader;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;

/// Asks a process to end.
pub(super) const TERM: Signal = Signal::TERM;
/// Ends a process.
pub(super) const KILL: Signal = Signal::KILL;

/// Variables that every command gets as this process has them; all of `LC_…` besides.
const PASSED: [&str; 6] = ["HOME", "LANG", "USER", "LOGNAME", "TMPDIR", "TZ"];

/// Where the program is that has the system kill a command whose parent was killed (util-linux). What it takes is a system call
/// between fork and exec, which safe code can't make.
const SETPRIV: [&str; 2] = ["/usr/bin/setpriv", "/bin/setpriv"];

/// A command's own process, and the group that it leads. Reaped only once the group is not signalled any more.
pub(super) struct Process {
    child: Child,
    group: Pid,
    kin: Kin,
}

/// Starts a command; what it prints comes out of the pipe.
pub(super) fn start(order: &RunOrder, folder: &Path) -> Result<(Process, PipeReader), String> {
    let (name, arguments) = order.command.argv.split_first().ok_or("it has no program")?;
    let program = find(name, folder, &order.path_env)?;
    let failed = |error: std::io::Error| format!("{} could not be started: {error}", program.display());
    let (output, writer) = std::io::pipe().map_err(failed)?;
    let mut command = with_parent(&program);
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .envs(environment(order))
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer)
        .process_group(0);
    let mut child = command.spawn().map_err(failed)?;
    // The command holds our ends of the pipe: as long as they are open, nobody sees it close.
    drop(command);
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let Some(group) = pid else {
        let _ = child.kill();
        return Err("it has no process id".to_owned());
    };
    Ok((Process { child, group, kin: Kin::new(group) }, output))
}

/// The command, so that it does not outlive this process even if that is killed.
fn with_parent(program: &Path) -> Command {
    match SETPRIV.into_iter().find(|path| cfg!(target_os = "linux") && Path::new(path).exists()) {
        Some(setpriv) => {
            let mut command = Command::new(setpriv);
            command.args(["--pdeathsig", "KILL", "--"]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// Where a program is: as it is named from the folder in which it runs, or on the trusted search path.
fn find(name: &str, folder: &Path, path_env: &str) -> Result<PathBuf, String> {
    if name.contains('/') {
        let path = folder.join(name);
        return match usable(&path) {
            Ok(()) => Ok(path),
            Err(why) => Err(format!("the program {name} can't be run in {}: {why}", folder.display())),
        };
    }
    std::env::split_paths(path_env)
        .map(|entry| entry.join(name))
        .find(|path| usable(path).is_ok())
        .ok_or_else(|| format!("there is no program {name} on the trusted PATH ({path_env})"))
}

fn usable(path: &Path) -> Result<(), String> {
    let meta = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !meta.is_file() {
        return Err("it is no file".into());
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return Err("it may not be executed; `chmod +x` it, or name the program that reads it".into());
    }
    Ok(())
}

/// All that a command gets, and nothing else.
fn environment(order: &RunOrder) -> Vec<(OsString, OsString)> {
    let passes = |name: &str| {
        PASSED.contains(&name) || name.starts_with("LC_") || order.command.env.iter().any(|named| named == name)
    };
    let mut passed: Vec<_> = std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(passes)).collect();
    let environment = match order.kind {
        RunKind::Deploy => order.name.as_str(),
        RunKind::Check => "",
    };
    for (name, value) in [
        ("PATH", order.path_env.as_str()),
        ("COUNTERSIGN_SPEC", &order.spec.to_string()),
        ("COUNTERSIGN_ENVIRONMENT", environment),
        (remains::MARK, order.id.as_str()),
    ] {
        passed.retain(|(passed, _)| passed != name);
        if !value.is_empty() {
            passed.push((name.into(), value.into()));
        }
    }
    passed
}

impl Process {
    /// Tells when the command's own process exits, and leaves it to be reaped.
    pub(super) fn tell_exit(&self, hears: Sender<Event>) -> Result<(), String> {
        let pid = self.group;
        let wait = move || {
            let until = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), until), Err(rustix::io::Errno::INTR)) {}
            let _ = hears.send(Event::Exited);
        };
        let thread = std::thread::Builder::new().name("run exit".into()).spawn(wait);
        thread.map(|_| ()).map_err(|error| format!("no thread could be started for it: {error}"))
    }

    pub(super) fn signal_group(&self, signal: Signal) {
        // A group in which nobody is left any more needs none.
        let _ = kill_process_group(self.group, signal);
    }

    /// Ends the command's own process and its group. It may have left that, so it is also ended by its own number.
    pub(super) fn kill(&mut self) {
        self.signal_group(KILL);
        // Not reaped yet: the number is its own, and one that is dead needs no more.
        let _ = self.child.kill();
    }

    /// All that it started and that was seen to be there, wherever it went.
    pub(super) fn kin(&mut self) -> &mut Kin {
        &mut self.kin
    }

    /// Whether others than the command's own process are in its group.
    pub(super) fn has_others(&self) -> bool {
        remains::has_others(self.group)
    }

    /// How it exited. Only after it did, and once its group is not signalled any more.
    pub(super) fn reap(&mut self) -> Option<ExitStatus> {
        self.child.wait().ok()
    }
}

/// What ended a process that did not exit by itself.
pub(super) fn signal_of(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("it was ended by signal {signal}"),
        None => "it ended without a code".to_owned(),
    }
}
