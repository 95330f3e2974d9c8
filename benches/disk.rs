//! The limit that every durable figure is held against: 4 KiB written over themselves, and `fdatasync`. And what a commit of ours
//! writes at the least, for on a disk whose flush is quick the pages cost more than the flush.

use crate::clock;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;

/// Bytes of a page, here and in SQLite.
const PAGE: usize = 4_096;
/// Pages that an ask writes to SQLite's log: the row, its entry in the log, and their indexes (counted with `strace`).
pub const OF_AN_ASK: usize = 9;

/// So many overwrites of so many pages, with so much rest before each, in a file of this folder. After a rest the processor has to
/// wake up first, as it does when a person presses a key.
pub fn overwrites(folder: &Path, pages: usize, count: usize, rest: Duration) -> anyhow::Result<Vec<Duration>> {
    let path = folder.join("raw");
    let file = File::create(&path)?;
    let mut block = vec![7_u8; PAGE];
    file.write_all_at(&vec![7; PAGE * pages], 0)?;
    file.sync_all()?;
    let mut samples = Vec::with_capacity(count);
    for n in 0..count {
        block[0] = n as u8;
        if !rest.is_zero() {
            std::thread::sleep(rest);
        }
        let start = clock::now();
        for page in 0..pages {
            file.write_all_at(&block, (page * PAGE) as u64)?;
        }
        file.sync_data()?;
        samples.push(start.elapsed());
    }
    std::fs::remove_file(path)?;
    Ok(samples)
}
