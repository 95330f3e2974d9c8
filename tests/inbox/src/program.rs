//! The real program as a child: its lines, its end, and the end of it with the test.

use crate::until::{PATIENCE, in_time, until};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A child process. It is killed, by its own id, when this is dropped.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    lines: Option<UnboundedReceiver<String>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    errors: Option<JoinHandle<()>>,
}

/// Where the command line's program is; the build of the workspace puts it there.
pub fn countersign() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(target.unwrap_or_else(|| "target".into())).join("debug/countersign");
    assert!(path.exists(), "{} is missing; build it first: cargo build -p countersign", path.display());
    path
}

impl Program {
    /// Starts it, with all three of its streams in our hands.
    pub fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let stderr: Arc<Mutex<Vec<u8>>> = Arc::default();
        let errors = child.stderr.take().map(|mut pipe| {
            let kept = stderr.clone();
            std::thread::spawn(move || {
                let mut part = [0; 4_096];
                while let Ok(count @ 1..) = pipe.read(&mut part) {
                    kept.lock().unwrap_or_else(PoisonError::into_inner).extend(&part[..count]);
                }
            })
        });
        Self { stdin: child.stdin.take(), stdout: child.stdout.take(), lines: None, child, stderr, errors }
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its ends of the pipes, for one who reads and writes by other means.
    pub fn take_pipes(&mut self) -> (ChildStdout, ChildStdin) {
        self.stdout.take().zip(self.stdin.take()).expect("nobody has the pipes yet")
    }

    /// The next line on its stdout; none at the end.
    pub async fn line(&mut self) -> Option<String> {
        if let Some(stdout) = self.stdout.take() {
            let (sender, lines) = unbounded_channel();
            self.lines = Some(lines);
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        let lines = self.lines.as_mut().expect("its stdout was not taken");
        in_time("a line", lines.recv()).await
    }

    /// Writes to its stdin.
    pub fn send(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("its stdin is open");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).expect("written");
    }

    /// Closes its stdin.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.pid()).ok().and_then(Pid::from_raw).expect("a process");
        kill_process(pid, signal).expect("it is there");
    }

    /// Kills it (`kill -9`) and waits until it is gone.
    pub fn kill(&mut self) {
        // One that ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("our own child")
    }

    /// Waits for its end, and that of its stderr.
    pub async fn end(&mut self) -> ExitStatus {
        let said = self.stderr.clone();
        let ended = async {
            let status = until("the program's end", || self.ended()).await;
            let silent = || self.errors.as_ref().is_none_or(JoinHandle::is_finished).then_some(());
            until("the end of its stderr", silent).await;
            status
        };
        match tokio::time::timeout(PATIENCE / 2, ended).await {
            Ok(status) => status,
            Err(_) => panic!("it did not end; stderr: {}", text(&said)),
        }
    }

    /// What it wrote to stderr up to now.
    pub fn stderr(&self) -> String {
        text(&self.stderr)
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    String::from_utf8_lossy(&bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
