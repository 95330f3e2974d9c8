//! Where a file that the person asked for is written: their downloads folder. Nothing there is ever overwritten.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Names that are tried for one file.
const TRIES: u32 = 1_000;

/// Writes a new file into the downloads folder, else the person's own; its path.
pub fn save(stem: &str, ending: &str, text: &str) -> io::Result<PathBuf> {
    let own = || dirs::home_dir().map(|home| home.join("Downloads")).filter(|folder| folder.is_dir());
    let folder = dirs::download_dir().filter(|folder| folder.is_dir()).or_else(own).or_else(dirs::home_dir);
    let folder = folder.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no downloads folder"))?;
    write(&folder, stem, ending, text)
}

fn write(folder: &Path, stem: &str, ending: &str, text: &str) -> io::Result<PathBuf> {
    for number in 1..=TRIES {
        let name = if number == 1 { format!("{stem}.{ending}") } else { format!("{stem} ({number}).{ending}") };
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("there are {TRIES} files named {stem} already")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_already_stays_and_the_next_one_is_numbered() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |text: &str| write(folder.path(), "SPEC-001", "md", text).expect("written");
        let names: Vec<_> =
            ["a", "b", "c"].map(write).iter().map(|path| path.file_name().map(ToOwned::to_owned)).collect();
        assert_eq!(names, ["SPEC-001.md", "SPEC-001 (2).md", "SPEC-001 (3).md"].map(|name| Some(name.into())));
        assert_eq!(std::fs::read_to_string(folder.path().join("SPEC-001.md")).expect("a text"), "a");
    }
}
