//! What this process asks of the system before it starts.

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
