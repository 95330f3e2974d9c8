//! The person's socket: a Unix socket in the data folder that only the same user can open. Never the agents' port.

use crate::command::{Command, Reply};
use crate::desk::{Desk, Terminal};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

/// Bytes of one line at the most: an answer of 1 MiB, escaped.
const LINE_BYTES: u64 = 8 << 20;

/// Listens, after removing what a crashed process left there. The data folder's lock makes sure that nobody else does.
pub(crate) fn bind(path: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(listener)
}

/// Serves terminals until `shutdown`.
pub(crate) async fn serve(listener: UnixListener, desk: Arc<Desk>, shutdown: CancellationToken) {
    loop {
        let stream = tokio::select! {
            () = shutdown.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a terminal could not connect");
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        if stream.peer_cred().map(|peer| peer.uid()).ok() != Some(rustix::process::getuid().as_raw()) {
            tracing::warn!("another user opened the person's socket; closed");
            continue;
        }
        let (desk, shutdown) = (desk.clone(), shutdown.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = shutdown.cancelled() => {}
                result = converse(stream, desk) => {
                    if let Err(error) = result {
                        tracing::debug!(%error, "a terminal went away");
                    }
                }
            }
        });
    }
}

/// Asks the process that has the data folder to show its window. False: it has none, or can't be reached.
pub async fn raise(home: &crate::Home) -> bool {
    let Some(endpoint) = crate::Endpoint::read(home) else { return false };
    let Ok(mut stream) = UnixStream::connect(&endpoint.socket).await else { return false };
    let Ok(line) = serde_json::to_string(&Command::Raise) else { return false };
    if stream.write_all(format!("{line}\n").as_bytes()).await.is_err() {
        return false;
    }
    let mut answer = String::new();
    let read = BufReader::new(stream).read_line(&mut answer).await;
    let raised = |reply: Reply| matches!(reply, Reply::Ok(said) if said["raised"] == true);
    read.is_ok() && serde_json::from_str(&answer).is_ok_and(raised)
}

async fn converse(stream: UnixStream, desk: Arc<Desk>) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read);
    let mut terminal = Terminal::new(desk);
    loop {
        let mut line = Vec::new();
        let count = (&mut lines).take(LINE_BYTES).read_until(b'\n', &mut line).await?;
        if count == 0 {
            return Ok(());
        }
        let reply = match serde_json::from_slice::<Command>(&line) {
            Ok(command) => {
                let say = async |reply: Reply| {
                    // A terminal that is gone is noticed at the next line.
                    let _ = send(&mut write, &reply).await;
                };
                terminal.serve(command, say).await
            }
            Err(error) => Reply::Error { code: "wrong_use".into(), message: format!("not a command: {error}") },
        };
        send(&mut write, &reply).await?;
    }
}

async fn send(write: &mut (impl tokio::io::AsyncWrite + Unpin), reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply).expect("BUG: a reply is plain JSON");
    line.push(b'\n');
    write.write_all(&line).await
}
