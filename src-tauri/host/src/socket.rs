//! The person's socket: a Unix socket in the data folder that only the same user can open. Never the agents' port.

use crate::command::{Command, Reply};
use crate::desk::{Desk, Terminal, watch};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Terminals that are connected at once, at the most.
const TERMINALS: usize = 64;

/// Bytes of one line at the most: an answer of 1 MiB, escaped.
const LINE_BYTES: u64 = 8 << 20;

/// The shortest time between two lines of what is there: a storm is told once.
const PAUSE: Duration = Duration::from_millis(50);

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
    let places = Arc::new(Semaphore::new(TERMINALS));
    loop {
        let stream = tokio::select! {
            () = shutdown.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a terminal could not connect");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let peer = stream.peer_cred().ok();
        if peer.map(|peer| peer.uid()) != Some(rustix::process::getuid().as_raw()) {
            tracing::warn!("another user opened the person's socket; closed");
            continue;
        }
        let Ok(place) = places.clone().try_acquire_owned() else {
            tracing::warn!("too many terminals are connected; one was sent away");
            continue;
        };
        let pid = peer.and_then(|peer| peer.pid()).and_then(|pid| u32::try_from(pid).ok());
        let (desk, shutdown) = (desk.clone(), shutdown.clone());
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                () = shutdown.cancelled() => {}
                result = converse(stream, desk, pid) => {
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

async fn converse(stream: UnixStream, desk: Arc<Desk>, pid: Option<u32>) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read);
    let mut terminal = Terminal::new(desk.clone(), pid);
    loop {
        let mut line = Vec::new();
        let count = (&mut lines).take(LINE_BYTES).read_until(b'\n', &mut line).await?;
        if count == 0 {
            return Ok(());
        }
        let reply = match serde_json::from_slice::<Command>(&line) {
            Ok(Command::Watch) => {
                return tokio::select! {
                    watched = tell(&mut write, &desk) => watched,
                    () = silence(&mut lines) => Ok(()),
                };
            }
            Ok(command) => {
                let say = async |reply: Reply| {
                    // A terminal that is gone is noticed at the next line.
                    let _ = send(&mut write, &reply).await;
                };
                tokio::select! {
                    reply = terminal.serve(command, say) => reply,
                    // Whoever hangs up in the middle has nobody to tell.
                    () = hung_up(&mut lines) => return Ok(()),
                }
            }
            Err(error) => Reply::Error { code: "wrong_use".into(), message: format!("not a command: {error}") },
        };
        send(&mut write, &reply).await?;
    }
}

/// Says what is there, and again when it changed, for as long as the terminal hears it.
async fn tell(write: &mut OwnedWriteHalf, desk: &Desk) -> io::Result<()> {
    let mut news = desk.news.clone();
    loop {
        news.mark_unchanged();
        send(write, &watch::now(desk)).await?;
        tokio::time::sleep(PAUSE).await;
        if news.changed().await.is_err() {
            return Ok(());
        }
    }
}

/// Ends when the other side has closed; what it says meanwhile waits for its turn.
async fn hung_up(lines: &mut BufReader<OwnedReadHalf>) {
    match lines.fill_buf().await {
        Ok(more) if !more.is_empty() => std::future::pending().await,
        Ok(_) | Err(_) => {}
    }
}

/// Ends when the other side has closed; what it says until then is not heard.
async fn silence(lines: &mut BufReader<OwnedReadHalf>) {
    while let Ok(said) = lines.fill_buf().await.map(<[u8]>::len)
        && said > 0
    {
        lines.consume(said);
    }
}

async fn send(write: &mut (impl tokio::io::AsyncWrite + Unpin), reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply).expect("BUG: a reply is plain JSON");
    line.push(b'\n');
    write.write_all(&line).await
}
