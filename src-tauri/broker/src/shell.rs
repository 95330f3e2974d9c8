//! What the broker tells the desktop. Only after it is on disk, from the writer's thread: be quick.

use countersign_core::request::Request;
use std::sync::{Arc, Mutex, PoisonError};

/// Which list is not what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// What is open, or who waits for it.
    List,
    /// Who wants to pair, or to act for the person.
    Arrivals,
    /// Who is paired, or its sessions.
    Agents,
    /// Specs, or the rules of a workspace.
    Specs,
    /// Runs, what they print, or what is trusted.
    Runs,
    /// The rules for steps.
    Rules,
}

/// The desktop, or what stands in for it.
pub trait Shell: Send + Sync + 'static {
    /// A new request waits.
    fn asked(&self, request: &Request);
    /// A request ended, by whatever.
    fn settled(&self, request: &Request);
    /// A list is not what it was; whoever shows it fetches it whole.
    fn changed(&self, change: Change);
}

/// A shell that writes down what it is told, for tests. `()` is the shell that shows nothing.
#[derive(Debug, Clone, Default)]
pub struct RecordingShell(Arc<Mutex<Vec<Told>>>);

/// One thing that a [`RecordingShell`] was told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// [`Shell::asked`]
    Asked(Box<Request>),
    /// [`Shell::settled`]
    Settled(Box<Request>),
    /// [`Shell::changed`]
    Changed(Change),
}

impl RecordingShell {
    /// Takes what was told since the last time.
    pub fn take(&self) -> Vec<Told> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, told: Told) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(told);
    }
}

impl Shell for RecordingShell {
    fn asked(&self, request: &Request) {
        self.push(Told::Asked(Box::new(request.clone())));
    }

    fn settled(&self, request: &Request) {
        self.push(Told::Settled(Box::new(request.clone())));
    }

    fn changed(&self, change: Change) {
        self.push(Told::Changed(change));
    }
}

impl Shell for () {
    fn asked(&self, _: &Request) {}
    fn settled(&self, _: &Request) {}
    fn changed(&self, _: Change) {}
}
