//! Which paths an argument vector may name.

use super::Commands;
use std::collections::HashSet;

pub(super) fn candidates(commands: &Commands) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for command in commands.all() {
        for piece in command.run.iter().flat_map(|element| pieces(element)) {
            for path in places(&command.dir, piece) {
                if seen.insert(path.clone()) {
                    found.push(path);
                }
            }
        }
    }
    found
}

/// What of an element may be a path: all of it, and what stands behind its first and its last `=`.
pub(crate) fn pieces(element: &str) -> impl Iterator<Item = &str> {
    let first = element.split_once('=').map(|(_, value)| value);
    let last = element.rsplit_once('=').map(|(_, value)| value).filter(|last| first != Some(*last));
    [Some(element), first, last].into_iter().flatten().filter(|piece| !piece.is_empty())
}

/// Where it may be: as it is when it is absolute, else in the command's folder and in the workspace's.
pub(crate) fn places(dir: &str, piece: &str) -> Vec<String> {
    if is_absolute(piece) {
        return vec![piece.to_owned()];
    }
    let mut places = Vec::new();
    for parts in [dir.split('/').chain(piece.split('/')).collect::<Vec<_>>(), piece.split('/').collect()] {
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty() && *part != ".").collect();
        // Behind a link `..` leads elsewhere, so that both ways of reading it are given.
        let climbs = parts.contains(&"..");
        places.push(parts.join("/"));
        places.extend(climbs.then(|| flat(&parts)).flatten());
    }
    places.retain(|path| !path.is_empty());
    places
}

/// Without `..`, if that stays inside.
fn flat(parts: &[&str]) -> Option<String> {
    let mut flat: Vec<&str> = Vec::new();
    for part in parts {
        if *part == ".." {
            flat.pop()?;
        } else {
            flat.push(part);
        }
    }
    Some(flat.join("/"))
}

/// Absolute on any system: `/x`, `\x`, `C:\x`.
pub(crate) fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(..2).is_some_and(|start| start[0].is_ascii_alphabetic() && start[1] == b':');
    drive || path.starts_with(['/', '\\'])
}
