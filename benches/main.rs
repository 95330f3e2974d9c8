//! The benches: figures of the real thing as ratios to a limit or a peer measured in the same run (`README.md` has the last ones).
//! They print a table, write nothing that stays, and fail for no number.
//!
//!     make bench                                       everything
//!     target/release/countersign-bench asking parked   some of it

mod asker;
mod asking;
mod bridge;
mod clock;
mod disk;
mod echo;
mod house;
mod inbox;
mod line;
mod parked;
mod plans;
mod process;
mod served;
mod specs;
mod spread;
mod steps;
mod table;
mod together;
mod window;

use std::path::Path;
use tokio::runtime::Runtime;

const ALL: [&str; 9] = ["asking", "together", "parked", "bridge", "window", "inbox", "specs", "plans", "steps"];

fn main() -> anyhow::Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = given.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["engine", folder, agents] => return served::engine(folder, agents),
        ["echo"] => return served::echo(),
        _ => {}
    }
    // One thread: the client must not take more of the machine than an agent would.
    let client = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Beside the program, on a disk, where the system's temporary folder may be in memory.
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(beside_us()?)?;
    if words == ["window-here"] {
        return window::here(&client, folder.path());
    }
    if let Some(unknown) = words.iter().find(|word| !ALL.contains(word)) {
        anyhow::bail!("{unknown:?} is no measurement; there are {}", ALL.join(", "));
    }
    table::begin();
    for part in ALL.into_iter().filter(|part| words.is_empty() || words.contains(part)) {
        measure(part, &client, folder.path())?;
    }
    Ok(())
}

fn beside_us() -> anyhow::Result<std::path::PathBuf> {
    let us = std::env::current_exe()?;
    Ok(us.parent().map(Path::to_owned).unwrap_or_default())
}

fn measure(part: &str, client: &Runtime, folder: &Path) -> anyhow::Result<()> {
    match part {
        "asking" => asking::run(client, folder),
        "together" => together::run(client, folder),
        "parked" => parked::run(client, folder),
        "bridge" => bridge::run(client, folder),
        "window" => window::run(folder),
        "specs" => specs::run(folder),
        "plans" => plans::run(),
        "steps" => steps::run(client, folder),
        _ => inbox::run(folder),
    }
}
