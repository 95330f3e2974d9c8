//! Logs for people who look for a fault: to stderr, `COUNTERSIGN_LOG` says how much. Tokens, answers and plans are never
//! logged above DEBUG.

use tracing_subscriber::EnvFilter;

/// Starts logging, once a process.
pub fn start_logging() {
    let filter = EnvFilter::try_from_env("COUNTERSIGN_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // A second start (in tests) finds a subscriber there already.
    let _ =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).try_init();
}
