//! Which program is on the other end of a socket, where the system can tell. Only shown to the person while pairing; nothing is
//! decided by it, and when there is any doubt it is nobody.

use std::net::SocketAddr;

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
