//! Whether an ending reached its agent. A handler notes on the call's slip whose ending its result carries; only when the response
//! was handed over whole, and its bytes were written to the socket without an error, is it counted as collected.
//!
//! The slip also tells a handler that its client is gone, in every protocol version. That ends the wait, nothing else.

use crate::wire::{Wire, Written};
use bytes::Bytes;
use countersign_broker::Telling;
use countersign_core::id::RequestId;
use http_body::{Body, Frame, SizeHint};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use tokio_util::sync::CancellationToken;

/// What goes with one call, from its first byte to the last byte of its response.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slip(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    ending: Mutex<Option<RequestId>>,
    note: Mutex<Option<Telling>>,
    gone: CancellationToken,
    ends: Option<(SocketAddr, SocketAddr)>,
    lease: OnceLock<CancellationToken>,
}

impl Slip {
    /// Of a call that came over a socket with these two addresses, ours first.
    pub(crate) fn over(local: SocketAddr, remote: SocketAddr) -> Self {
        Self(Arc::new(Inner { ends: Some((local, remote)), ..Inner::default() }))
    }

    /// The socket's two addresses, ours first.
    pub(crate) fn ends(&self) -> Option<(SocketAddr, SocketAddr)> {
        self.0.ends
    }

    /// The call holds for as long as its token does.
    pub(crate) fn lasts(&self, lease: CancellationToken) {
        // A call is let in once.
        let _ = self.0.lease.set(lease);
    }

    /// Cancelled when the call's token was revoked or replaced.
    pub(crate) fn lease(&self) -> CancellationToken {
        self.0.lease.get_or_init(CancellationToken::new).clone()
    }

    /// The response will carry the ending of this settled request.
    pub(crate) fn carries(&self, id: RequestId) {
        *self.0.ending.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
    }

    /// The response will carry this note. One that it does not carry after all is dropped, and goes with another.
    pub(crate) fn tells(&self, note: Telling) {
        *self.0.note.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }

    /// The note that the response was to carry.
    pub(crate) fn take_note(&self) -> Option<Telling> {
        self.0.note.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Cancelled when the response is over, or the client is.
    pub(crate) fn gone(&self) -> &CancellationToken {
        &self.0.gone
    }

    fn take(&self) -> Option<RequestId> {
        self.0.ending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Held from the head of a request to the end of its response.
pub(crate) struct Serving {
    slip: Slip,
    wire: Arc<Wire>,
}

impl Serving {
    pub(crate) fn new(slip: Slip, wire: Arc<Wire>) -> Self {
        wire.serving();
        Self { slip, wire }
    }

    fn whole(&self) {
        if let Some(id) = self.slip.take() {
            self.wire.carried(Written::Ending(id));
        }
        if let Some(note) = self.slip.take_note() {
            self.wire.carried(Written::Note(note));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.slip.gone().cancel();
        drop(self.slip.take_note());
        self.wire.resting();
    }
}

/// A response's body that reports when it was handed over whole. Dropped before that, it reports nothing.
pub(crate) struct Delivered<B> {
    body: B,
    serving: Serving,
}

impl<B> Delivered<B> {
    pub(crate) fn new(body: B, serving: Serving) -> Self {
        Self { body, serving }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Delivered<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Ready(None) => self.serving.whole(),
            // hyper doesn't ask again after the last frame of a body whose length is known.
            Poll::Ready(Some(Ok(_))) if self.body.is_end_stream() => self.serving.whole(),
            Poll::Ready(Some(_)) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Line;
    use http_body_util::{BodyExt, Full, StreamBody};
    use std::convert::Infallible;
    use tokio::io::AsyncWriteExt;

    struct Case {
        wire: Arc<Wire>,
        slip: Slip,
        written: Arc<Mutex<Vec<RequestId>>>,
    }

    fn case() -> Case {
        let written = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&written);
        let wire = Arc::new(Wire::new(Arc::new(move |written| match written {
            Written::Ending(id) => seen.lock().expect("not poisoned").push(id),
            Written::Note(_) => {}
        })));
        Case { wire, slip: Slip::default(), written }
    }

    impl Case {
        fn body<B: Body<Data = Bytes> + Unpin>(&self, body: B) -> Delivered<B> {
            Delivered::new(body, Serving::new(self.slip.clone(), Arc::clone(&self.wire)))
        }

        async fn flush(&self) {
            Line::new(tokio::io::sink(), Arc::clone(&self.wire)).flush().await.expect("flushed");
        }

        fn count(&self) -> usize {
            self.written.lock().expect("not poisoned").len()
        }
    }

    #[tokio::test]
    async fn an_ending_counts_once_its_body_was_taken_whole_and_flushed() {
        let case = case();
        let mut body = case.body(Full::new(Bytes::from_static(b"{}")));
        case.slip.carries(RequestId("r".into()));
        body.frame().await.expect("a frame").expect("no error");
        assert_eq!(case.count(), 0, "not before the bytes are out");
        case.flush().await;
        assert_eq!(case.count(), 1);
        case.flush().await;
        assert_eq!(case.count(), 1, "once");
    }

    #[tokio::test]
    async fn a_stream_counts_at_its_end_only() {
        let case = case();
        let frames = ["a", "b"].map(|text| Ok::<_, Infallible>(Frame::data(Bytes::from_static(text.as_bytes()))));
        let mut body = case.body(StreamBody::new(futures_util::stream::iter(frames)));
        case.slip.carries(RequestId("r".into()));
        for _ in 0..2 {
            body.frame().await.expect("a frame").expect("no error");
            case.flush().await;
        }
        assert_eq!(case.count(), 0);
        assert!(body.frame().await.is_none());
        case.flush().await;
        assert_eq!(case.count(), 1);
    }

    #[tokio::test]
    async fn a_response_that_is_dropped_before_its_end_counts_for_nothing_and_tells_the_handler() {
        let case = case();
        let body = case.body(Full::new(Bytes::from_static(b"{}")));
        case.slip.carries(RequestId("r".into()));
        assert!(!case.slip.gone().is_cancelled());
        drop(body);
        assert!(case.slip.gone().is_cancelled());
        case.flush().await;
        assert_eq!(case.count(), 0);
    }
}
