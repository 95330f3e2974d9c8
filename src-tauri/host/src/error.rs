//! Why a process does not start.

use countersign_broker::BrokerError;
use countersign_gateway::ServeError;
use std::path::PathBuf;

/// A start that failed; the text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// There is no place for a data folder.
    #[error("there is no home folder to keep data in; set COUNTERSIGN_HOME to a folder of your own")]
    NoHome,
    /// The data folder can't be used.
    #[error("the data folder {} can't be used: {why}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Another process has it.
    #[error("Countersign runs already on {}", path.display())]
    Running {
        /// The folder.
        path: PathBuf,
    },
    /// No port.
    #[error("port {port} can't be used: {why}; choose another one with --port, or leave it out")]
    Port {
        /// The port asked for; 0 for any.
        port: u16,
        /// Why.
        why: std::io::Error,
    },
    /// The passphrase is not the one that is set.
    #[error("the passphrase in that file is not the one that is set for this data folder")]
    WrongPassphrase,
    /// A passphrase can't be set any more.
    #[error(
        "no passphrase is set here, and it can only be set at the first start on an empty data folder, or in the window"
    )]
    LatePassphrase,
    /// A passphrase that is too short.
    #[error("a passphrase has at least {least} characters")]
    ShortPassphrase {
        /// How many.
        least: usize,
    },
    /// A passphrase that could not be digested.
    #[error("the passphrase can't be kept: {0}")]
    Digest(String),
    /// `--insecure-test` on a folder that is in real use.
    #[error("--insecure-test works on an empty data folder, or on one that was made by it; this one is in use")]
    NotATestHome,
    /// The broker or its store.
    #[error("{0}")]
    Broker(#[from] BrokerError),
    /// The port's server.
    #[error("{0}")]
    Serve(#[from] ServeError),
    /// The system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl From<countersign_store::StoreError> for HostError {
    fn from(error: countersign_store::StoreError) -> Self {
        Self::Broker(error.into())
    }
}
