//! What terminals that watch are told: that something is not what it was. Stands between the broker and the desktop's shell, so
//! that a terminal hears of a change without asking again and again.

use countersign_broker::{Change, Shell};
use countersign_core::request::Request;
use std::sync::Arc;
use tokio::sync::watch;

/// A shell that passes everything on, and counts what a terminal would show.
pub(crate) struct News {
    desktop: Arc<dyn Shell>,
    count: watch::Sender<u64>,
}

impl News {
    /// In front of this shell; with it, where the count is heard.
    pub(crate) fn before(desktop: Arc<dyn Shell>) -> (Self, watch::Receiver<u64>) {
        let (count, heard) = watch::channel(0);
        (Self { desktop, count }, heard)
    }

    fn tell(&self) {
        self.count.send_modify(|count| *count = count.wrapping_add(1));
    }
}

impl Shell for News {
    fn asked(&self, request: &Request) {
        self.desktop.asked(request);
        self.tell();
    }

    fn settled(&self, request: &Request) {
        self.desktop.settled(request);
        self.tell();
    }

    fn changed(&self, change: Change) {
        self.desktop.changed(change);
        match change {
            Change::List | Change::Agents => self.tell(),
            Change::Arrivals | Change::Specs | Change::Runs | Change::Rules => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_broker::{RecordingShell, Told};

    #[test]
    fn the_desktop_hears_everything_and_a_terminal_what_it_would_show() {
        let desktop = RecordingShell::default();
        let (news, mut heard) = News::before(Arc::new(desktop.clone()));
        for (change, told) in [
            (Change::List, true),
            (Change::Agents, true),
            (Change::Arrivals, false),
            (Change::Specs, false),
            (Change::Runs, false),
            (Change::Rules, false),
        ] {
            news.changed(change);
            assert_eq!(heard.has_changed().ok(), Some(told), "{change:?}");
            heard.mark_unchanged();
            assert_eq!(desktop.take(), [Told::Changed(change)]);
        }
    }
}
