//! `GET /v1/session`: a stream that says nothing and never ends. While it is open its session is there; the bridge's ends with it.

use crate::front::problem;
use crate::reply::{Body, Problem};
use crate::session_key;
use bytes::Bytes;
use countersign_broker::{Agent, Broker, Caller};
use http::Response;
use http::header::{self, HeaderValue};
use http::request::Parts;
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use std::convert::Infallible;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

/// Opens the stream: the headers at once, then a comment now and then.
pub(crate) async fn stream(
    broker: &Broker,
    agent: &Agent,
    parts: &Parts,
    heartbeat: Duration,
    stop: &CancellationToken,
) -> Result<Response<Body>, Problem> {
    let key = session_key::of(&parts.headers, None);
    let caller = broker.enter(agent, key.as_deref(), None).await.map_err(problem)?;
    // Made first: if the client leaves in the middle, the end is noted after the beginning.
    let here = Here { broker: broker.clone(), caller, runtime: Handle::current() };
    broker.present(&here.caller, true).await.map_err(problem)?;
    let mut ticks = interval_at(Instant::now(), heartbeat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let frames = futures_util::stream::unfold((ticks, here, stop.clone()), |(mut ticks, here, stop)| async move {
        tokio::select! {
            _ = ticks.tick() => Some((Ok::<_, Infallible>(Frame::data(Bytes::from_static(b": here\n\n"))), (ticks, here, stop))),
            () = stop.cancelled() => None,
        }
    });
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    Ok(response)
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
