//! What this process asks of the system before it starts.

use countersign_broker::Program;

/// The program of a process, as the system says; what it says of itself is not asked.
pub(crate) fn program_of(pid: Option<u32>) -> Program {
    let link = |name: &str| {
        let target = std::fs::read_link(format!("/proc/{}/{name}", pid?)).ok()?;
        Some(target.to_string_lossy().into_owned())
    };
    let path = link("exe");
    let name = path.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or("a terminal").to_owned();
    Program { name, pid, folder: link("cwd"), path, ..Program::default() }
}

/// As many open files as the system allows (each agent that waits holds one), and no death by a file-size limit.
pub(crate) fn prepare() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
            tracing::debug!(%error, "the limit of open files stays as it is");
        }
        // A file-size limit raises SIGXFSZ, whose default is death. With a handler the write fails instead, and says so.
        if let Ok(mut signal) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(SIGXFSZ)) {
            tokio::spawn(async move { while signal.recv().await.is_some() {} });
        }
    }
}

/// The same number on Linux (x86, ARM, RISC-V), macOS and the BSDs.
#[cfg(unix)]
const SIGXFSZ: i32 = 25;
