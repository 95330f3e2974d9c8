//! `GET /v1/session`: a stream that never ends by itself. While it is open its session is there; the bridge's ends with it. It says
//! when the session's mode or its agent's scopes changed, and with them the tools that it has; else nothing.

use crate::front::problem;
use crate::reply::{Body, Problem};
use crate::session_key;
use crate::visitor::Visitor;
use bytes::Bytes;
use countersign_broker::{Broker, Caller, Notice};
use http::Response;
use http::header::{self, HeaderValue};
use http::request::Parts;
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use std::convert::Infallible;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

/// Nothing happened.
const HERE: &[u8] = b": here\n\n";
/// The session's tools are others now.
const TOOLS: &[u8] = b"event: tools\ndata: {}\n\n";

/// Opens the stream: the headers at once, then a comment now and then.
pub(crate) async fn stream(
    broker: &Broker,
    visitor: &Visitor,
    parts: &Parts,
    heartbeat: Duration,
    [stop, lease]: [CancellationToken; 2],
) -> Result<Response<Body>, Problem> {
    let key = session_key::of(&parts.headers, None);
    let caller = visitor.enter(broker, key.as_deref(), None).await.map_err(problem)?;
    // Made first: if the client leaves in the middle, the end is noted after the beginning.
    let here = Here { broker: broker.clone(), caller, runtime: Handle::current() };
    broker.present(&here.caller, true).await.map_err(problem)?;
    let mut ticks = interval_at(Instant::now(), heartbeat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let notices = broker.notices();
    let line = Line { ticks, notices, here, stop, lease };
    let frames = futures_util::stream::unfold(line, |mut line| async move {
        let said = line.next().await?;
        Some((Ok::<_, Infallible>(Frame::data(Bytes::from_static(said))), line))
    });
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// An open stream.
struct Line {
    ticks: Interval,
    notices: Receiver<Notice>,
    here: Here,
    stop: CancellationToken,
    lease: CancellationToken,
}

impl Line {
    /// What it says next; nothing more when it is over.
    async fn next(&mut self) -> Option<&'static [u8]> {
        loop {
            tokio::select! {
                _ = self.ticks.tick() => return Some(HERE),
                () = self.stop.cancelled() => return None,
                () = self.lease.cancelled() => return None,
                notice = self.notices.recv() => match notice {
                    Ok(Notice::Mode(session)) if session == self.here.caller.session => return Some(TOOLS),
                    Ok(Notice::Scopes(agent)) if agent == self.here.caller.agent => return Some(TOOLS),
                    Ok(Notice::Mode(_) | Notice::Scopes(_)) => {}
                    Err(RecvError::Lagged(_)) => return Some(TOOLS),
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }
}

/// Says that the session is gone when the stream is.
struct Here {
    broker: Broker,
    caller: Caller,
    runtime: Handle,
}

impl Drop for Here {
    fn drop(&mut self) {
        let (broker, caller) = (self.broker.clone(), self.caller.clone());
        self.runtime.spawn(async move {
            if let Err(error) = broker.present(&caller, false).await {
                tracing::debug!(%error, "a session's end could not be noted");
            }
        });
    }
}
