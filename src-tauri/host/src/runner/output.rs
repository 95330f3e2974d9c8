//! Reading what a run prints: both streams through one pipe, so that their order is that of arrival.

use super::Event;
use countersign_broker::Teller;
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{PipeReader, PipeWriter, Read as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// What is read at once.
const CHUNK: usize = 64 << 10;

/// A thread that reads.
pub(super) struct Reading {
    shared: Arc<State>,
    told: Arc<Teller>,
    thread: Option<JoinHandle<()>>,
    /// Dropped to end the reading while somebody still holds the pipe.
    stop: Option<PipeWriter>,
}

#[derive(Default)]
struct State {
    /// Printed since it was last shown.
    unseen: AtomicBool,
    /// Printed since it was last kept.
    unkept: AtomicBool,
    /// Nobody is there any more to whom it could be told.
    alone: AtomicBool,
}

impl Reading {
    pub(super) fn start(output: PipeReader, told: Arc<Teller>, hears: Sender<Event>) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("its output can't be read: {error}");
        let (wake, stop) = std::io::pipe().map_err(failed)?;
        let shared = Arc::<State>::default();
        let (state, teller) = (shared.clone(), told.clone());
        let read = move || {
            read_all(output, &wake, &teller, &state);
            // A run that is over hears nothing more.
            let _ = hears.send(Event::Closed);
        };
        let thread = std::thread::Builder::new().name("run output".into()).spawn(read).map_err(failed)?;
        Ok(Self { shared, told, thread: Some(thread), stop: Some(stop) })
    }

    /// Whether there is something that was not shown or not kept; it counts as shown from now on.
    pub(super) fn has_more(&self) -> bool {
        let unseen = self.shared.unseen.swap(false, Ordering::AcqRel);
        unseen || self.shared.unkept.load(Ordering::Acquire)
    }

    /// Keeps what was printed so far.
    pub(super) fn keep(&self) {
        if self.shared.unkept.swap(false, Ordering::AcqRel) {
            self.told.keep();
        }
    }

    /// Whether nobody is there any more who wants to know.
    pub(super) fn is_alone(&self) -> bool {
        self.shared.alone.load(Ordering::Acquire)
    }

    /// Ends the reading, whoever still holds the pipe; all that was in it by now is read.
    pub(super) fn end(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has ended too.
            let _ = thread.join();
        }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.end();
    }
}

fn read_all(mut output: PipeReader, wake: &PipeReader, told: &Teller, state: &State) {
    let mut chunk = vec![0; CHUNK];
    // What a pipe holds at the most: so much is read once it is to end, and no more, for somebody may go on printing.
    let mut last_words = 1_usize << 20;
    loop {
        let mut ends = [PollFd::new(&output, PollFlags::IN), PollFd::new(wake, PollFlags::IN)];
        match poll(&mut ends, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        let (readable, ending) = (!ends[0].revents().is_empty(), !ends[1].revents().is_empty());
        if !readable || (ending && last_words == 0) {
            return;
        }
        match output.read(&mut chunk) {
            Ok(0) => return,
            Ok(n) => {
                if ending {
                    last_words = last_words.saturating_sub(n);
                }
                if !told.printed(&chunk[..n]) {
                    state.alone.store(true, Ordering::Release);
                }
                state.unseen.store(true, Ordering::Release);
                state.unkept.store(true, Ordering::Release);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
