//! Which program is on the other end of a socket, where the system can tell. Only shown to the person, while pairing and in the
//! dialog; nothing is decided by it, and when there is any doubt it is nobody.

use countersign_core::asker::Asker;
use std::net::SocketAddr;
use std::path::Path;

/// A program on this computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Its process id.
    pub pid: u32,
    /// The file that it runs.
    pub path: Option<String>,
    /// The folder in which it runs.
    pub folder: Option<String>,
}

/// Finds it by the socket's two addresses: `local` is our end. Reads a lot of small files: not for the async threads.
#[cfg(target_os = "linux")]
pub fn find(local: SocketAddr, remote: SocketAddr) -> Option<Peer> {
    let inode = inode(local, remote)?;
    let mut holders = procfs::process::all_processes().ok()?.flatten().filter(|process| holds(process, inode));
    let first = described(&holders.next()?);
    // A socket that several programs hold belongs to none of them for sure.
    if holders.any(|other| described(&other).path != first.path) {
        return None;
    }
    // The process may have ended and its number gone to another meanwhile.
    let still = procfs::process::Process::new(i32::try_from(first.pid).ok()?).ok()?;
    (holds(&still, inode) && described(&still).path == first.path).then_some(first)
}

/// Who asks: the program on the other end, or, where that is our own bridge, the one that started the bridge. As slow as [`find`].
pub(crate) fn asker(local: SocketAddr, remote: SocketAddr) -> Option<Asker> {
    let peer = find(local, remote)?;
    let asker = |peer: Peer, bridge| Asker { pid: peer.pid, path: peer.path, folder: peer.folder, bridge };
    if !peer.path.as_deref().is_some_and(|path| is_our_bridge(Path::new(path))) {
        return Some(asker(peer, false));
    }
    // A bridge whose parent is gone says nothing about who asks.
    parent(peer.pid).map(|parent| asker(parent, true))
}

/// Whether a program's file is our own command line: this process's own, or the one beside it.
fn is_our_bridge(path: &Path) -> bool {
    let Ok(own) = std::env::current_exe() else { return false };
    let name = path.file_name().map(|name| name.to_string_lossy().trim_end_matches(" (deleted)").to_owned());
    path.parent() == own.parent() && name.as_deref() == Some("countersign")
}

/// The process that started this one, as the system says; nobody when it ended, or was taken over by the system itself.
#[cfg(target_os = "linux")]
fn parent(pid: u32) -> Option<Peer> {
    let number = || procfs::process::Process::new(i32::try_from(pid).ok()?).ok()?.stat().ok().map(|stat| stat.ppid);
    let first = number().filter(|number| *number > 1)?;
    let found = described(&procfs::process::Process::new(first).ok()?);
    // It may have ended meanwhile, and its number may be another's: then the child has another parent by now.
    (number() == Some(first)).then_some(found)
}

#[cfg(not(target_os = "linux"))]
fn parent(_pid: u32) -> Option<Peer> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn find(_local: SocketAddr, _remote: SocketAddr) -> Option<Peer> {
    None
}

#[cfg(target_os = "linux")]
fn inode(local: SocketAddr, remote: SocketAddr) -> Option<u64> {
    let table = if remote.is_ipv4() { procfs::net::tcp() } else { procfs::net::tcp6() };
    let entry = table.ok()?.into_iter().find(|entry| entry.local_address == remote && entry.remote_address == local)?;
    // Zero is a socket that its program already closed.
    Some(entry.inode).filter(|inode| *inode != 0)
}

#[cfg(target_os = "linux")]
fn holds(process: &procfs::process::Process, inode: u64) -> bool {
    let Ok(open) = process.fd() else { return false };
    open.flatten().any(|fd| matches!(fd.target, procfs::process::FDTarget::Socket(n) if n == inode))
}

#[cfg(target_os = "linux")]
fn described(process: &procfs::process::Process) -> Peer {
    let text = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    Peer { pid: process.pid.unsigned_abs(), path: process.exe().ok().map(text), folder: process.cwd().ok().map(text) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_program_that_asks_by_itself_is_the_asker_and_the_bridge_is_known_by_its_file_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let client = TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
        let (server, remote) = listener.accept().expect("accepted");
        let found = asker(server.local_addr().expect("an address"), remote).expect("found");
        assert_eq!((found.pid, found.bridge), (std::process::id(), false));
        drop(client);
        let beside = std::env::current_exe().expect("a path");
        let folder = beside.parent().expect("a folder");
        assert!(is_our_bridge(&folder.join("countersign")) && is_our_bridge(&folder.join("countersign (deleted)")));
        for other in
            [folder.join("countersign2"), folder.join("x/countersign"), "/usr/bin/node".into(), "countersign".into()]
        {
            assert!(!is_our_bridge(&other), "{other:?}");
        }
    }

    #[test]
    fn a_parent_is_told_by_the_system_and_a_process_that_is_gone_has_none() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("started");
        assert_eq!(parent(child.id()).map(|parent| parent.pid), Some(std::process::id()));
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert_eq!(parent(child.id()), None);
        assert_eq!(parent(1), None);
    }

    #[test]
    fn the_program_on_the_other_end_is_found_and_a_closed_one_is_nobody() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bound");
        let client = TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
        let (server, remote) = listener.accept().expect("accepted");
        let local = server.local_addr().expect("an address");
        let found = find(local, remote).expect("found");
        assert_eq!(found.pid, std::process::id());
        assert_eq!(found.path, std::env::current_exe().ok().map(|path| path.to_string_lossy().into_owned()));
        drop(client);
        assert_eq!(find(local, remote), None);
    }
}
