//! The answer file as one of the three, while the app is away; while it is there the app watches the file, and this does nothing.

use crate::inbox::Standing;
use countersign_core::reply::{self, Replies, ReplyError};
use countersign_core::request::Ask;
use countersign_core::time::{Millis, Timestamp};
use countersign_run_folder::{Look, Name, Opened, Quiet, Reason, Sight, program_document};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};
use tokio::sync::{Mutex as Turn, watch};
use tokio::time::{Instant, sleep};

/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// In each folder one question at a time has the nameless file.
static TURNS: LazyLock<Mutex<HashMap<PathBuf, Weak<Turn<()>>>>> = LazyLock::new(Mutex::default);

fn turn(folder: &Path) -> Arc<Turn<()>> {
    let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    turns.retain(|_, turn| turn.strong_count() > 0);
    let kept = turns.get(folder).and_then(Weak::upgrade);
    kept.unwrap_or_else(|| {
        let turn = Arc::new(Turn::new(()));
        turns.insert(folder.to_owned(), Arc::downgrade(&turn));
        turn
    })
}

/// This moment, to be compared with the times of files.
#[expect(clippy::disallowed_methods, reason = "a program has no broker's clock, and nothing here waits by it")]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Waits for an answer in the file, whenever the app is away. Never ends without one.
pub(crate) async fn wait(
    folder: &Path,
    ask: &Ask,
    asked: Timestamp,
    mut standing: watch::Receiver<Standing>,
) -> Replies {
    let place = turn(folder);
    let mut turn = None;
    let mut watching =
        Watching { folder: folder.to_owned(), quiet: Quiet::default(), refused: None, told: false, stale: false };
    let begun = Instant::now();
    let mut since = asked;
    loop {
        // The app may have been there between two looks, and have written its own document.
        let stale = standing.has_changed().unwrap_or(false);
        let away = matches!(&*standing.borrow_and_update(), Standing::Away(_) | Standing::Out(_));
        if !away {
            if std::mem::take(&mut watching.told) {
                // The app says what waits, from here on.
                leave(folder, ask);
            }
            turn = None;
            if standing.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            continue;
        }
        if turn.is_none() {
            turn = match place.try_lock() {
                Ok(mine) => Some(mine),
                Err(_) => {
                    let mine = place.lock().await;
                    // What was written while another question had the file was for that one.
                    since = now();
                    Some(mine)
                }
            };
            continue;
        }
        watching.stale |= stale;
        let now = Millis(u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX));
        if let Some(replies) = watching.look(ask, since, now, &standing) {
            return replies;
        }
        sleep(LOOK).await;
    }
}

struct Watching {
    folder: PathBuf,
    quiet: Quiet,
    refused: Option<Sight>,
    told: bool,
    stale: bool,
}

impl Watching {
    fn look(
        &mut self,
        ask: &Ask,
        asked: Timestamp,
        now: Millis,
        standing: &watch::Receiver<Standing>,
    ) -> Option<Replies> {
        let opened = Opened::at(&self.folder).ok()?;
        let name = Name::Legacy;
        let found = match opened.sight(&name) {
            None => {
                if self.refused.take().is_some() {
                    opened.forget_note(&name);
                }
                self.quiet.forget(&name);
                None
            }
            Some(sight) => self.judge(&opened, ask, asked, now, sight, standing),
        };
        if found.is_none() && (!self.told || std::mem::take(&mut self.stale)) {
            // Where it can't be written the file is watched all the same.
            self.told = opened.write_pending(&program_document(ask)).is_ok();
        }
        found
    }

    fn judge(
        &mut self,
        opened: &Opened,
        ask: &Ask,
        asked: Timestamp,
        now: Millis,
        sight: Sight,
        standing: &watch::Receiver<Standing>,
    ) -> Option<Replies> {
        let name = Name::Legacy;
        let left = self.quiet.left(&name, &sight, now);
        if self.refused.as_ref() == Some(&sight) {
            return None;
        }
        let look = opened.read(&name, asked);
        if left > Millis(0) && look != Look::Old {
            return None;
        }
        let (reason, aside) = match look {
            Look::Nothing | Look::Changing => return None,
            Look::Old => (Reason::Old, true),
            Look::Unfit(unfit) => (Reason::Unfit(unfit), false),
            Look::Text(_) if opened.sight(&name).as_ref() != Some(&sight) => return None,
            Look::Text(text) => match reply::read_all(&ask.questions, &text) {
                Ok(replies) => {
                    take(opened, &name, &sight, standing);
                    return Some(replies);
                }
                Err(ReplyError::Blank) => return None,
                Err(error) => (Reason::Refused { why: error.to_string(), questions: ask.questions.clone() }, false),
            },
        };
        let moved = aside.then(|| opened.set_aside(&name).ok()).flatten();
        // A note that can't be written is missed, and nothing is decided either way.
        let _ = opened.note(&name, &reason.text(moved.as_deref()));
        self.refused = moved.is_none().then_some(sight);
        None
    }
}

/// An answer that the app does not know yet is left for it under the request's id; else the file has done its work.
fn take(opened: &Opened, name: &Name, sight: &Sight, standing: &watch::Receiver<Standing>) {
    let known = match &*standing.borrow() {
        Standing::Away(id) => id.clone(),
        Standing::Asking | Standing::Waiting(_) | Standing::Out(_) | Standing::Ended(_) => None,
    };
    let left = known.is_some_and(|id| opened.name_after(&id).unwrap_or(false));
    if !left {
        opened.remove(name, sight);
    }
    opened.forget_note(name);
}

/// Takes the document of this question away, if it is still the one that stands there.
pub(crate) fn leave(folder: &Path, ask: &Ask) {
    if let Ok(opened) = Opened::at(folder) {
        opened.remove_pending_like(&program_document(ask));
    }
}
