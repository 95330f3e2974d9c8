//! What the commands work with.

use crate::dialog::Dialog;
use crate::notice::Bell;
use countersign_broker::{Broker, BrokerError, Clock};
use countersign_host::Engine;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tauri::PhysicalPosition;

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
    /// Where the one that notifies is told.
    pub bell: Arc<Bell>,
    /// The data folder, where it is not the system's usual one.
    pub home: Option<PathBuf>,
    /// Whether this desktop shows tray icons.
    pub tray: bool,
    /// Where the main window was when it was hidden.
    pub left_at: Mutex<Option<PhysicalPosition<i32>>>,
    page: Mutex<Page>,
    revision: AtomicU64,
}

impl Desk {
    /// Over a running engine.
    pub fn new(engine: Engine, clock: Arc<dyn Clock>, bell: Arc<Bell>, tray: bool) -> Self {
        let moved = std::env::var_os("COUNTERSIGN_HOME").is_some_and(|home| !home.is_empty());
        let address = engine.endpoint.url.trim_start_matches("http://").to_owned();
        Self {
            broker: engine.broker.clone(),
            home: moved.then(|| engine.home().to_owned()),
            clock,
            test_home: engine.is_test_home(),
            engine: tokio::sync::RwLock::new(Some(engine)),
            address,
            dialog: Dialog::default(),
            bell,
            tray,
            left_at: Mutex::default(),
            page: Mutex::default(),
            revision: AtomicU64::new(0),
        }
    }

    /// The page should open this place. True: it listens, so tell it; else it takes the place with its first look.
    pub fn page_opens(&self, place: &str) -> bool {
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *page {
            Page::Loading(wanted) => {
                *wanted = Some(place.to_owned());
                false
            }
            Page::Listens => true,
        }
    }

    /// Whether the page hears what is pushed.
    pub fn page_is_there(&self) -> bool {
        matches!(*self.page.lock().unwrap_or_else(PoisonError::into_inner), Page::Listens)
    }

    /// The page listens from now on; where it should open.
    pub fn page_listens(&self) -> Option<String> {
        match std::mem::replace(&mut *self.page.lock().unwrap_or_else(PoisonError::into_inner), Page::Listens) {
            Page::Loading(wanted) => wanted,
            Page::Listens => None,
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

/// What the main window's page has got to.
enum Page {
    /// It is not there yet; where it should open.
    Loading(Option<String>),
    /// It hears what is pushed.
    Listens,
}

impl Default for Page {
    fn default() -> Self {
        Self::Loading(None)
    }
}
