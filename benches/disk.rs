//! The limit that every durable figure is held against: 4 KiB written over themselves, and `fdatasync`.

use crate::clock;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Duration;

/// So many overwrites, one after the other, in a file of this folder.
pub fn overwrites(folder: &Path, count: usize) -> anyhow::Result<Vec<Duration>> {
    let path = folder.join("raw");
    let file = File::create(&path)?;
    let mut block = [7_u8; 4_096];
    file.write_all_at(&block, 0)?;
    file.sync_all()?;
    let mut samples = Vec::with_capacity(count);
    for n in 0..count {
        block[0] = n as u8;
        let start = clock::now();
        file.write_all_at(&block, 0)?;
        file.sync_data()?;
        samples.push(start.elapsed());
    }
    std::fs::remove_file(path)?;
    Ok(samples)
}
