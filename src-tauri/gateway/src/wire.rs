//! One connection's socket, watched: how far the client is, until when it may take its time, and what of a response is written out.
//!
//! hyper's own header timeout also counts the rest between two requests, which would close clients' pooled connections after
//! five seconds. So the deadlines are here. Absent: timers; the listener's task asks [`Wire::deadline`].

use crate::limits::Limits;
use countersign_broker::Telling;
use countersign_core::id::RequestId;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// What a response carried that counts once it was written.
#[derive(Debug)]
pub(crate) enum Written {
    /// A request's ending.
    Ending(RequestId),
    /// A note to the agent about its mode.
    Note(Telling),
}

/// What is done with it then.
pub(crate) type OnWritten = Arc<dyn Fn(Written) + Send + Sync>;

/// The state of one connection.
pub(crate) struct Wire {
    state: Mutex<State>,
    on_written: OnWritten,
}

struct State {
    phase: Phase,
    unread_since: Option<Instant>,
    trusted: bool,
    heard: bool,
    carried: Vec<Written>,
}

#[derive(Clone, Copy)]
enum Phase {
    /// A request's head is awaited, since then.
    Head(Instant),
    /// A request is being served.
    Busy,
    /// Nothing is going on, since then.
    Rest(Instant),
}

impl Wire {
    pub(crate) fn new(on_written: OnWritten) -> Self {
        let phase = Phase::Head(Instant::now());
        let state = State { phase, unread_since: None, trusted: false, heard: false, carried: Vec::new() };
        Self { state: Mutex::new(state), on_written }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When this connection is closed if nothing changes.
    pub(crate) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let state = self.state();
        let phase = match state.phase {
            Phase::Head(since) => Some(since + limits.head),
            Phase::Rest(since) => Some(since + if state.trusted { limits.idle } else { limits.head }),
            Phase::Busy => None,
        };
        let unread = state.unread_since.map(|since| since + limits.unread);
        phase.into_iter().chain(unread).min()
    }

    /// A head came whole.
    pub(crate) fn serving(&self) {
        let mut state = self.state();
        state.phase = Phase::Busy;
        state.heard = true;
    }

    /// A response's body is gone, to the wire or with it.
    pub(crate) fn resting(&self) {
        self.state().phase = Phase::Rest(Instant::now());
    }

    /// A valid token came. Tells whether it is the first.
    pub(crate) fn trust(&self) -> bool {
        !std::mem::replace(&mut self.state().trusted, true)
    }

    /// Whether no whole request ever came.
    pub(crate) fn is_silent(&self) -> bool {
        !self.state().heard
    }

    /// The response that carries this was handed over whole; it counts once the bytes are out.
    pub(crate) fn carried(&self, what: Written) {
        self.state().carried.push(what);
    }

    fn on_read(&self, bytes: usize) {
        let mut state = self.state();
        if bytes > 0 && matches!(state.phase, Phase::Rest(_)) {
            state.phase = Phase::Head(Instant::now());
        }
    }

    fn on_write(&self, pending: bool) {
        let mut state = self.state();
        state.unread_since = if pending { state.unread_since.or_else(|| Some(Instant::now())) } else { None };
    }

    fn on_flushed(&self) {
        let carried = std::mem::take(&mut self.state().carried);
        for what in carried {
            (self.on_written)(what);
        }
    }
}

/// A socket that tells its [`Wire`] what happens. hyper flushes it only after everything buffered was written to it.
pub(crate) struct Line<S> {
    socket: S,
    wire: Arc<Wire>,
}

impl<S> Line<S> {
    pub(crate) fn new(socket: S, wire: Arc<Wire>) -> Self {
        Self { socket, wire }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Line<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.socket).poll_read(cx, buf);
        self.wire.on_read(buf.filled().len() - before);
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Line<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.wire.on_write(polled.is_pending());
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.socket).poll_write_vectored(cx, bufs);
        self.wire.on_write(polled.is_pending());
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.socket).poll_flush(cx);
        if matches!(polled, Poll::Ready(Ok(()))) {
            self.wire.on_flushed();
        }
        polled
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    fn wire() -> Arc<Wire> {
        Arc::new(Wire::new(Arc::new(|_| {})))
    }

    #[tokio::test(start_paused = true)]
    async fn a_pooled_connection_may_rest_and_a_head_once_begun_may_not() {
        let limits = Limits::default();
        let wire = wire();
        let left = || wire.deadline(&limits).map(|at| at - Instant::now());
        let (mut client, server) = tokio::io::duplex(64);
        let mut line = Line::new(server, Arc::clone(&wire));
        assert_eq!(left(), Some(Duration::from_secs(5)), "a new connection must speak");
        wire.serving();
        assert_eq!(left(), None, "a held call has no deadline");
        wire.resting();
        assert_eq!(left(), Some(Duration::from_secs(5)), "a stranger doesn't get to rest");
        assert!(wire.trust());
        assert!(!wire.trust());
        assert_eq!(left(), Some(Duration::from_secs(120)));
        tokio::time::advance(Duration::from_secs(100)).await;
        client.write_all(b"G").await.expect("written");
        line.read_u8().await.expect("read");
        assert_eq!(left(), Some(Duration::from_secs(5)), "counted from the head's first byte");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_gets_a_deadline_and_loses_it_when_it_reads() {
        let limits = Limits::default();
        let wire = wire();
        wire.serving();
        let (mut client, server) = tokio::io::duplex(4);
        let mut line = Line::new(server, Arc::clone(&wire));
        assert!(futures_util::poll!(std::pin::pin!(line.write_all(b"12345678"))).is_pending());
        assert_eq!(wire.deadline(&limits), Some(Instant::now() + limits.unread));
        client.read_u32().await.expect("read");
        line.write_all(b"5678").await.expect("written");
        assert_eq!(wire.deadline(&limits), None);
    }
}
