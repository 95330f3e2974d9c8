//! The desktop as the broker knows it: told what happened, it marks what to push and hands notifications on.

use crate::notice::{Bell, Heard};
use countersign_broker::{Change, Shell};
use countersign_core::notices::New;
use countersign_core::request::Request;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// The broker's shell. It is there before the window is, and never waits for it.
#[derive(Default)]
pub struct TauriShell {
    list: AtomicBool,
    arrivals: AtomicBool,
    agents: AtomicBool,
    specs: AtomicBool,
    runs: AtomicBool,
    wake: Notify,
    bell: Arc<Bell>,
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
    /// Specs, or the rules of a workspace.
    pub specs: bool,
    /// Runs of trusted commands, or what is trusted.
    pub runs: bool,
}

impl TauriShell {
    /// Waits for something to push.
    pub async fn dirty(&self) -> Dirty {
        loop {
            let dirty = Dirty {
                list: self.list.swap(false, Ordering::SeqCst),
                arrivals: self.arrivals.swap(false, Ordering::SeqCst),
                agents: self.agents.swap(false, Ordering::SeqCst),
                specs: self.specs.swap(false, Ordering::SeqCst),
                runs: self.runs.swap(false, Ordering::SeqCst),
            };
            if dirty != Dirty::default() {
                return dirty;
            }
            self.wake.notified().await;
        }
    }

    /// Where the one that notifies is told.
    pub fn bell(&self) -> Arc<Bell> {
        self.bell.clone()
    }
}

impl Shell for TauriShell {
    fn asked(&self, request: &Request) {
        self.bell.tell(Heard::Asked(New {
            request: request.id.clone(),
            agent: request.agent.clone(),
            class: request.ask.class,
            title: request.ask.title.clone(),
        }));
    }

    fn settled(&self, request: &Request) {
        self.bell.tell(Heard::Settled(request.id.clone()));
    }

    fn changed(&self, change: Change) {
        match change {
            Change::List => self.list.store(true, Ordering::SeqCst),
            Change::Arrivals => self.arrivals.store(true, Ordering::SeqCst),
            Change::Agents => self.agents.store(true, Ordering::SeqCst),
            Change::Specs => self.specs.store(true, Ordering::SeqCst),
            Change::Runs => self.runs.store(true, Ordering::SeqCst),
            // Settings reads them when it is opened.
            Change::Rules => return,
        }
        self.wake.notify_one();
    }
}
