//! What the commands work with.

use crate::dialog::Dialog;
use countersign_broker::{Broker, BrokerError, Clock};
use countersign_host::Engine;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The app's state, shared by all commands.
pub struct Desk {
    /// Where requests meet decisions.
    pub broker: Broker,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The engine, until the app ends.
    pub engine: tokio::sync::RwLock<Option<Engine>>,
    /// The port's address, such as `127.0.0.1:4780`.
    pub address: String,
    /// Whether decisions here mean nothing.
    pub test_home: bool,
    /// What the dialog window shows.
    pub dialog: Dialog,
    revision: AtomicU64,
}

impl Desk {
    /// Over a running engine.
    pub fn new(engine: Engine, clock: Arc<dyn Clock>) -> Self {
        let address = engine.endpoint.url.trim_start_matches("http://").to_owned();
        Self {
            broker: engine.broker.clone(),
            clock,
            test_home: engine.is_test_home(),
            engine: tokio::sync::RwLock::new(Some(engine)),
            address,
            dialog: Dialog::default(),
            revision: AtomicU64::new(0),
        }
    }

    /// A number for a list that is about to be read: a list with a higher one is not older.
    pub fn next_revision(&self) -> u64 {
        self.revision.fetch_add(1, Ordering::SeqCst)
    }

    /// A setting's text.
    pub fn setting(&self, key: &str) -> Result<Option<String>, BrokerError> {
        self.broker.read(|db| Ok(db.setting(key)?))
    }
}
