//! One look at a folder at a time: many calls of one agent wait for each other, and not every thread for its files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::OwnedMutexGuard;

/// The folders that are looked at.
#[derive(Default)]
pub(crate) struct Looks(Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>);

impl Looks {
    /// Waits until nobody else looks at this folder. Others wait until what comes back is dropped.
    pub(crate) async fn turn(&self, folder: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut folders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            folders.retain(|_, turn| turn.strong_count() > 0);
            let turn = folders.get(folder).and_then(Weak::upgrade).unwrap_or_default();
            folders.insert(folder.to_owned(), Arc::downgrade(&turn));
            turn
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Waker};

    #[test]
    fn one_looks_at_a_folder_and_the_next_waits_while_other_folders_are_free() {
        let looks = Looks::default();
        let context = &mut Context::from_waker(Waker::noop());
        let first = pin!(looks.turn("/a")).poll(context);
        assert!(first.is_ready());
        let mut second = pin!(looks.turn("/a"));
        assert!(second.as_mut().poll(context).is_pending());
        assert!(pin!(looks.turn("/b")).poll(context).is_ready());
        drop(first);
        assert!(second.as_mut().poll(context).is_ready());
        assert_eq!(looks.0.lock().expect("no panic").len(), 2, "those that nobody looks at go with the next");
    }
}
