//! The titles of all specs, in memory, for finding those that are nearly the same.
//!
//! A commit that fails may leave a title here that is in no file: whoever asks looks the found one up. Absent: reading a large
//! workspace's titles on the writer's thread, where everybody would wait for it.

use countersign_core::id::{SpecId, WorkspaceId};
use countersign_core::titles::{Near, TitleIndex};
use countersign_store::{Db, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One workspace's titles.
#[derive(Debug)]
enum Shelf {
    /// They are being read; what changes meanwhile.
    Reading(Vec<(SpecId, Option<String>)>),
    /// They are all here.
    Ready(TitleIndex),
}

/// The titles of each workspace that somebody asked about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Titles(Arc<Mutex<HashMap<WorkspaceId, Shelf>>>);

impl Titles {
    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Shelf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a workspace's titles are here.
    pub(crate) fn is_ready(&self, workspace: WorkspaceId) -> bool {
        matches!(self.lock().get(&workspace), Some(Shelf::Ready(_)))
    }

    /// Reads a workspace's titles, unless they are here or somebody else is at it. A hundred thousand take most of a second.
    pub(crate) fn read(&self, db: Db<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
        {
            let mut all = self.lock();
            if all.contains_key(&workspace) {
                return Ok(());
            }
            // From here on it is written down what changes; the titles are read after that, so nothing is missed.
            all.insert(workspace, Shelf::Reading(Vec::new()));
        }
        let read = db.spec_titles(workspace).map(|titles| {
            let mut index = TitleIndex::new();
            titles.iter().for_each(|(id, title)| index.insert(*id, title));
            index
        });
        let mut all = self.lock();
        match (read, all.remove(&workspace)) {
            (Ok(mut index), Some(Shelf::Reading(changes))) => {
                changes.iter().for_each(|(id, title)| change(&mut index, *id, title.as_deref()));
                all.insert(workspace, Shelf::Ready(index));
                Ok(())
            }
            (Ok(_), other) => {
                all.extend(other.map(|shelf| (workspace, shelf)));
                Ok(())
            }
            (Err(error), _) => Err(error),
        }
    }

    /// The specs whose titles are nearly this one, the nearest first. None as long as the titles are being read.
    pub(crate) fn nearest(&self, workspace: WorkspaceId, title: &str, at_most: usize) -> Vec<Near> {
        match self.lock().get(&workspace) {
            Some(Shelf::Ready(index)) => index.nearest(title, at_most),
            Some(Shelf::Reading(_)) | None => Vec::new(),
        }
    }

    /// A spec has this title from now on; none: it is gone.
    pub(crate) fn set(&self, workspace: WorkspaceId, id: SpecId, title: Option<&str>) {
        match self.lock().get_mut(&workspace) {
            Some(Shelf::Ready(index)) => change(index, id, title),
            Some(Shelf::Reading(changes)) => changes.push((id, title.map(str::to_owned))),
            None => {}
        }
    }
}

fn change(index: &mut TitleIndex, id: SpecId, title: Option<&str>) {
    match title {
        Some(title) => index.insert(id, title),
        None => {
            index.remove(id);
        }
    }
}
