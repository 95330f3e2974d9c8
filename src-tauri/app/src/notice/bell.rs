//! What the one that notifies is told, from anywhere and without waiting; and how well that goes.

use countersign_core::id::RequestId;
use countersign_core::notices::{New, Number};
use serde::Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use ts_rs::TS;

/// How well notifications arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Service {
    /// Nothing was sent yet.
    #[default]
    Unknown,
    /// The last one was taken.
    Works,
    /// Nobody shows notifications on this desktop.
    Missing,
    /// Somebody does, and refused the last one.
    Refused,
    /// Somebody does, and gave no answer.
    Silent,
}

impl Service {
    /// Whether the person has to be told in another way.
    pub fn fails(self) -> bool {
        match self {
            Self::Missing | Self::Refused | Self::Silent => true,
            Self::Unknown | Self::Works => false,
        }
    }
}

/// One thing that happened.
#[derive(Debug)]
pub enum Heard {
    /// A request newly needs a person.
    Asked(New),
    /// A request ended.
    Settled(RequestId),
    /// A setting that has to do with notifications is another one.
    Settings,
    /// A notification was clicked, or somebody says so.
    Clicked(Number),
    /// A notification was put away.
    Closed(Number),
    /// A notification did not come to be.
    Failed(Number),
    /// Whoever shows notifications gave an answer to this one.
    Taken(Number),
    /// It gave none for too long.
    Silent(Number),
    /// It gave one after all.
    Late,
    /// Whoever shows notifications came, or went.
    Service(bool),
    /// The person wants to see one.
    Test(oneshot::Sender<()>),
}

/// Where it is told.
pub struct Bell {
    told: UnboundedSender<Heard>,
    heard: Mutex<Option<UnboundedReceiver<Heard>>>,
    service: Mutex<Service>,
}

impl Default for Bell {
    fn default() -> Self {
        let (told, heard) = unbounded_channel();
        Self { told, heard: Mutex::new(Some(heard)), service: Mutex::default() }
    }
}

impl Bell {
    /// Something happened.
    pub fn tell(&self, heard: Heard) {
        // When nobody notifies any more the app is ending.
        let _ = self.told.send(heard);
    }

    /// All that was told, for the one that notifies.
    pub fn take_heard(&self) -> Option<UnboundedReceiver<Heard>> {
        lock(&self.heard).take()
    }

    /// How well it goes.
    pub fn service(&self) -> Service {
        *lock(&self.service)
    }

    /// How well it goes from now on; whether that is news.
    pub fn set_service(&self, service: Service) -> bool {
        std::mem::replace(&mut *lock(&self.service), service) != service
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
