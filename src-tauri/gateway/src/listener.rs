//! Accepting connections and driving each over hyper, with deadlines and caps. `axum::serve` closes no slow client; this does.
//!
//! Absent: binding (the host does), and what is answered (`front`).

use crate::front::Front;
use crate::guest::Guest;
use crate::limits::Limits;
use crate::reply;
use crate::strangers::Strangers;
use crate::wire::{Line, OnWritten, Wire};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Bytes that hyper buffers of one connection at most, each way; a longer head gets 431.
const BUFFER_BYTES: usize = 16 << 10;
/// How long to leave `accept` alone after it failed for want of something.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How many refused connections are seen off politely at once, and for how long.
const FAREWELLS: usize = 64;
const FAREWELL: Duration = Duration::from_millis(500);

/// What all listeners of one port share.
pub(crate) struct Hall {
    pub(crate) front: Arc<Front>,
    pub(crate) limits: Limits,
    /// No new connections; open ones end when their response is out.
    pub(crate) stop: CancellationToken,
    /// Whatever is left is dropped.
    pub(crate) kill: CancellationToken,
    pub(crate) tasks: TaskTracker,
    strangers: Arc<Strangers>,
    farewells: Arc<Semaphore>,
    on_written: OnWritten,
}

impl Hall {
    pub(crate) fn new(front: Arc<Front>, limits: Limits, stop: CancellationToken, on_written: OnWritten) -> Self {
        Self {
            front,
            limits,
            stop,
            kill: CancellationToken::new(),
            tasks: TaskTracker::new(),
            strangers: Arc::default(),
            farewells: Arc::new(Semaphore::new(FAREWELLS)),
            on_written,
        }
    }
}

/// Accepts until `stop`.
pub(crate) async fn accept(listener: TcpListener, hall: Arc<Hall>) {
    loop {
        let accepted = tokio::select! {
            () = hall.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                if let Err(error) = receive(stream, &hall) {
                    tracing::debug!(%error, "a connection was gone before it could be served");
                }
            }
            Err(error) if is_the_clients(&error) => tracing::debug!(%error, "a connection broke off"),
            Err(error) => {
                // Out of file descriptors or memory: the backlog keeps the clients, a busy loop would keep the processor.
                hall.strangers.make_room(hall.limits.stranger_grace);
                tracing::warn!(%error, "can't accept connections for the moment");
                tokio::select! {
                    () = hall.stop.cancelled() => return,
                    () = tokio::time::sleep(ACCEPT_PAUSE) => {}
                }
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

fn receive(stream: TcpStream, hall: &Arc<Hall>) -> io::Result<()> {
    let (local, remote) = (stream.local_addr()?, stream.peer_addr()?);
    stream.set_nodelay(true)?;
    let wire = Arc::new(Wire::new(Arc::clone(&hall.on_written)));
    let out = hall.kill.child_token();
    let limits = &hall.limits;
    match hall.strangers.enter(&wire, &out, limits.strangers, limits.stranger_grace) {
        Some(place) => {
            let guest = Arc::new(Guest::new(local, remote, wire, place));
            hall.tasks.spawn(serve(stream, guest, out, Arc::clone(hall)));
        }
        None => refuse(stream, hall),
    }
    Ok(())
}

/// 503 at once. Reads what the client was about to send, else the kernel's reset could overtake the answer.
fn refuse(mut stream: TcpStream, hall: &Hall) {
    let Ok(permit) = Arc::clone(&hall.farewells).try_acquire_owned() else {
        if let Err(error) = stream.try_write(reply::FULL) {
            tracing::debug!(%error, "a refused connection didn't wait for the answer");
        }
        return;
    };
    hall.tasks.spawn(async move {
        let farewell = async {
            stream.write_all(reply::FULL).await?;
            stream.shutdown().await?;
            let mut rest = [0; 512];
            while stream.read(&mut rest).await? > 0 {}
            io::Result::Ok(())
        };
        if let Ok(Err(error)) = timeout(FAREWELL, farewell).await {
            tracing::debug!(%error, "a refused connection didn't wait for the answer");
        }
        drop(permit);
    });
}

async fn serve(stream: TcpStream, guest: Arc<Guest>, out: CancellationToken, hall: Arc<Hall>) {
    let wire = Arc::clone(&guest.wire);
    let io = TokioIo::new(Line::new(stream, Arc::clone(&wire)));
    let service = service_fn(|request| Arc::clone(&hall.front).answer(request, Arc::clone(&guest)));
    let connection = http1::Builder::new()
        .max_buf_size(BUFFER_BYTES)
        .max_headers(hall.limits.headers)
        .header_read_timeout(None)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    let mut late = pin!(sleep_until(Instant::now() + hall.limits.head));
    let mut out = pin!(out.cancelled());
    let mut stop = pin!(hall.stop.cancelled());
    let mut stopping = false;
    poll_fn(|cx| {
        if out.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        if !stopping && stop.as_mut().poll(cx).is_ready() {
            stopping = true;
            connection.as_mut().graceful_shutdown();
        }
        if let Poll::Ready(ended) = connection.as_mut().poll(cx) {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended in the middle");
            }
            return Poll::Ready(());
        }
        // Whatever moves the deadline happens while the connection is polled, so it is read after that.
        let Some(at) = wire.deadline(&hall.limits) else { return Poll::Pending };
        if late.deadline() != at {
            late.as_mut().reset(at);
        }
        late.as_mut().poll(cx)
    })
    .await;
}
