//! What a crash cut off between a file's work and its decision: undone at the next start, before anybody can decide anew.

use super::{bring, put_away};
use crate::beneath::Beneath;
use crate::error::BrokerError;
use countersign_store::{BegunWork, FileWork, Store};
use std::io;
use std::path::Path;

/// Undoes all that was begun and not kept.
pub(crate) fn mend(store: &mut Store) -> Result<(), BrokerError> {
    let begun = store.read(|db| db.file_works())?;
    if begun.is_empty() {
        return Ok(());
    }
    for one in &begun {
        if let Err(error) = undo(one) {
            // Nothing is lost by it: the copy, or the file that was put away, stays where it is.
            tracing::warn!(%error, request = %one.request, "what a crash cut off could not be undone in the workspace");
        }
    }
    store.write(|tx| begun.iter().try_for_each(|one| tx.end_file_work(&one.request)))?;
    Ok(())
}

fn undo(begun: &BegunWork) -> io::Result<()> {
    let root = Beneath::open(Path::new(&begun.root))?;
    match begun.work {
        FileWork::Copy { .. } => bring::undo(&root, &begun.work),
        FileWork::Move { .. } => put_away::undo(&root, &begun.work),
    }
}
