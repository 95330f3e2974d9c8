//! The desktop as the broker knows it: told what happened, it marks what to push and hands notifications on.

use countersign_broker::{Change, Shell};
use countersign_core::request::Request;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What a notification says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The request's title.
    pub title: String,
}

/// The broker's shell. It is there before the window is, and never waits for it.
pub struct TauriShell {
    list: AtomicBool,
    arrivals: AtomicBool,
    agents: AtomicBool,
    wake: Notify,
    asked: UnboundedSender<Heard>,
    heard: Mutex<Option<UnboundedReceiver<Heard>>>,
}

/// What is to be pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dirty {
    /// The open list.
    pub list: bool,
    /// Who wants in.
    pub arrivals: bool,
    /// Who is paired.
    pub agents: bool,
}

impl Default for TauriShell {
    fn default() -> Self {
        let (asked, heard) = unbounded_channel();
        Self {
            list: AtomicBool::default(),
            arrivals: AtomicBool::default(),
            agents: AtomicBool::default(),
            wake: Notify::default(),
            asked,
            heard: Mutex::new(Some(heard)),
        }
    }
}

impl TauriShell {
    /// Waits for something to push.
    pub async fn dirty(&self) -> Dirty {
        loop {
            let dirty = Dirty {
                list: self.list.swap(false, Ordering::SeqCst),
                arrivals: self.arrivals.swap(false, Ordering::SeqCst),
                agents: self.agents.swap(false, Ordering::SeqCst),
            };
            if dirty != Dirty::default() {
                return dirty;
            }
            self.wake.notified().await;
        }
    }

    /// What was asked, for the one that notifies.
    pub fn take_heard(&self) -> Option<UnboundedReceiver<Heard>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Shell for TauriShell {
    fn asked(&self, request: &Request) {
        // When nobody notifies any more the app is ending.
        let _ = self.asked.send(Heard { title: request.ask.title.clone() });
    }

    fn settled(&self, _: &Request) {}

    fn changed(&self, change: Change) {
        match change {
            Change::List => self.list.store(true, Ordering::SeqCst),
            Change::Arrivals => self.arrivals.store(true, Ordering::SeqCst),
            Change::Agents => self.agents.store(true, Ordering::SeqCst),
        }
        self.wake.notify_one();
    }
}
