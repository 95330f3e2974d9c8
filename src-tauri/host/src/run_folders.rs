//! Answer files: what lies in the run folders of pending requests is looked at when something there changes, and now and then.
//! What may be obeyed goes through the one `decide`, as a decision by file; what may not gets a note or is set aside.

mod watched;

use countersign_broker::{Broker, BrokerError};
use countersign_core::id::RequestId;
use countersign_core::request::{Request, State};
use countersign_core::time::Millis;
use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use watched::Watched;

/// How often the folders are looked at where the system tells of no change: the original's second.
const SLOW: Duration = Duration::from_secs(1);
/// The shortest time between two looks: a storm is looked at once.
const PAUSE: Duration = Duration::from_millis(20);
/// Requests that ended lately, whose folders may still say that they wait after a crash.
const LATELY: u32 = 200;

/// Looks until the shutdown. `news` counts what changed in the list of what is open.
pub(crate) async fn serve(broker: Broker, mut news: watch::Receiver<u64>, shutdown: CancellationToken) {
    let stirred = Arc::new(Notify::new());
    let mut desk = Desk { broker, folders: BTreeMap::new(), files: watcher(stirred.clone()), begun: Instant::now() };
    desk.forget_what_ended();
    loop {
        let next = desk.look().await;
        let nothing = desk.folders.is_empty();
        tokio::time::sleep(PAUSE).await;
        tokio::select! {
            () = shutdown.cancelled() => return,
            changed = news.changed() => if changed.is_err() { return },
            () = stirred.notified() => {}
            () = tokio::time::sleep(next.unwrap_or(SLOW)), if !nothing => {}
        }
    }
}

fn watcher(stirred: Arc<Notify>) -> Option<RecommendedWatcher> {
    let heard = move |event: notify::Result<notify::Event>| match event.map(|event| event.kind) {
        // Our own reading is no news.
        Ok(EventKind::Access(AccessKind::Close(AccessMode::Write))) => stirred.notify_one(),
        Ok(EventKind::Access(_)) => {}
        Ok(_) | Err(_) => stirred.notify_one(),
    };
    let made = notify::recommended_watcher(heard);
    made.inspect_err(|error| tracing::warn!(%error, "run folders are looked at once a second only")).ok()
}

struct Desk {
    broker: Broker,
    folders: BTreeMap<String, Watched>,
    files: Option<RecommendedWatcher>,
    begun: Instant,
}

impl Desk {
    /// Looks at all folders; says when to look again at the latest, if sooner than usual.
    async fn look(&mut self) -> Option<Duration> {
        let pending = match self.pending() {
            Ok(pending) => pending,
            Err(error) => {
                tracing::warn!(%error, "what waits in run folders could not be read");
                return None;
            }
        };
        let gone: Vec<String> = self.folders.keys().filter(|folder| !pending.contains_key(*folder)).cloned().collect();
        for folder in gone {
            self.unwatch(&folder);
            if let Some(watched) = self.folders.remove(&folder) {
                watched.leave();
            }
        }
        let mut next: Option<Duration> = None;
        for (folder, requests) in pending {
            if !self.folders.contains_key(&folder) {
                self.folders.insert(folder.clone(), Watched::new(&folder));
            }
            self.watch(&folder);
            let now = Millis(u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX));
            let Some(watched) = self.folders.get_mut(&folder) else { continue };
            let wait = watched.look(&self.broker, &requests, now).await;
            next = next.into_iter().chain(wait).min();
            self.watch(&folder);
        }
        next
    }

    /// What waits, by run folder.
    fn pending(&self) -> Result<BTreeMap<String, Vec<Arc<Request>>>, BrokerError> {
        let rows = self.broker.read(|db| Ok(db.pending_run_folders()?))?;
        let mut folders: BTreeMap<String, Vec<Arc<Request>>> = BTreeMap::new();
        for (folder, id) in rows {
            let known = self.folders.get(&folder).and_then(|watched| watched.request(&id));
            let request = match known {
                Some(request) => Some(request),
                None => self.request(&id)?,
            };
            folders.entry(folder).or_default().extend(request);
        }
        Ok(folders)
    }

    fn request(&self, id: &RequestId) -> Result<Option<Arc<Request>>, BrokerError> {
        let found = self.broker.read(|db| Ok(db.request(id)?))?;
        Ok(found.filter(|request| request.state == State::Pending).map(Arc::new))
    }

    /// Has the system tell of changes there. Where it can't, the slow look does.
    fn watch(&mut self, folder: &str) {
        let (Some(files), Some(watched)) = (&mut self.files, self.folders.get_mut(folder)) else { return };
        for path in watched.unheard() {
            match files.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => watched.heard(path),
                Err(error) => tracing::debug!(%error, "a run folder is looked at once a second only"),
            }
        }
    }

    fn unwatch(&mut self, folder: &str) {
        let (Some(files), Some(watched)) = (&mut self.files, self.folders.get_mut(folder)) else { return };
        for path in watched.unhear() {
            // It is gone already.
            let _ = files.unwatch(&path);
        }
    }

    /// A crash between a decision and its telling leaves a folder that says that something waits.
    fn forget_what_ended(&self) {
        let folders = self.broker.read(|db| Ok(db.ended_run_folders(LATELY)?)).unwrap_or_default();
        for folder in folders {
            if let Ok(opened) = countersign_run_folder::Opened::at(Path::new(&folder)) {
                opened.remove_pending();
            }
        }
    }
}
