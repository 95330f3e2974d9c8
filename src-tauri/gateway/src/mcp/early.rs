//! Headers for a call that is held. rmcp sends nothing until its handler does, and clients give up on silence after 60 s; so after
//! a moment the response begins, as an event stream that says `: waiting` until the real one is there.

use crate::reply::Body;
use bytes::Bytes;
use http::Response;
use http::header::{self, HeaderName, HeaderValue};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

type Inner = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

/// The response of `inner` if it comes within `after`, else a stream that begins without it.
pub(crate) async fn headers<F>(inner: F, after: Duration, every: Duration) -> Response<Body>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let mut inner: Inner = Box::pin(inner);
    if let Ok(response) = timeout(after, &mut inner).await {
        return response;
    }
    let mut ticks = interval_at(Instant::now(), every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let frames = futures_util::stream::unfold(Stage::Waiting(inner, ticks), next);
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

enum Stage {
    Waiting(Inner, Interval),
    Forwarding(Body),
    Over,
}

async fn next(stage: Stage) -> Option<(Result<Frame<Bytes>, Infallible>, Stage)> {
    let body = match stage {
        Stage::Waiting(mut inner, mut ticks) => {
            let response = tokio::select! {
                biased;
                response = &mut inner => response,
                _ = ticks.tick() => return Some((Ok(Frame::data(Bytes::from_static(b": waiting\n\n"))), Stage::Waiting(inner, ticks))),
            };
            let kind = response.headers().get(header::CONTENT_TYPE).cloned();
            let begins = |prefix: &[u8]| kind.as_ref().is_some_and(|kind| kind.as_bytes().starts_with(prefix));
            if begins(b"text/event-stream") {
                response.into_body()
            } else if begins(b"application/json") {
                return Some((Ok(Frame::data(event(response.into_body()).await)), Stage::Over));
            } else {
                return None;
            }
        }
        Stage::Forwarding(body) => body,
        Stage::Over => return None,
    };
    forward(body).await
}

async fn forward(mut body: Body) -> Option<(Result<Frame<Bytes>, Infallible>, Stage)> {
    let frame = body.frame().await?;
    Some((frame, Stage::Forwarding(body)))
}

/// A JSON body as one message event.
async fn event(body: Body) -> Bytes {
    let bytes = match body.collect().await {
        Ok(whole) => whole.to_bytes(),
        Err(never) => match never {},
    };
    let mut event = b"event: message\n".to_vec();
    for line in bytes.split(|byte| *byte == b'\n') {
        event.extend_from_slice(b"data: ");
        event.extend_from_slice(line);
        event.push(b'\n');
    }
    event.push(b'\n');
    event.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply;
    use http::StatusCode;
    use serde_json::json;

    const AFTER: Duration = Duration::from_secs(2);
    const EVERY: Duration = Duration::from_secs(15);

    async fn json_after(seconds: u64) -> Response<Body> {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        reply::value(StatusCode::OK, &json!({"id": 1}))
    }

    async fn kind_and_text(response: Response<Body>) -> (String, String) {
        let kind = response.headers()[header::CONTENT_TYPE].to_str().expect("text").to_owned();
        let bytes = response.into_body().collect().await.expect("whole").to_bytes();
        (kind, String::from_utf8(bytes.to_vec()).expect("text"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_quick_response_passes_as_it_is() {
        let (kind, text) = kind_and_text(headers(json_after(1), AFTER, EVERY).await).await;
        assert_eq!((kind.as_str(), text.as_str()), ("application/json", r#"{"id":1}"#));
    }

    #[tokio::test(start_paused = true)]
    async fn a_held_one_gets_headers_after_a_moment_and_a_comment_now_and_then() {
        let start = Instant::now();
        let response = headers(json_after(40), AFTER, EVERY).await;
        assert_eq!(start.elapsed(), AFTER);
        let (kind, text) = kind_and_text(response).await;
        assert_eq!(kind, "text/event-stream");
        assert_eq!(text, ": waiting\n\n: waiting\n\n: waiting\n\nevent: message\ndata: {\"id\":1}\n\n");
        assert_eq!(start.elapsed(), Duration::from_secs(40));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_comes_late_is_forwarded() {
        let late = async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            let mut response = Response::new(reply::whole(Bytes::from_static(b"data: x\n\n")));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
            response
        };
        let (_, text) = kind_and_text(headers(late, AFTER, EVERY).await).await;
        assert_eq!(text, ": waiting\n\ndata: x\n\n");
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_the_response_drops_the_call() {
        let (alive, dropped) = tokio::sync::oneshot::channel::<()>();
        let call = async move {
            let _alive = alive;
            std::future::pending::<Response<Body>>().await
        };
        drop(headers(call, AFTER, EVERY).await);
        assert!(dropped.await.is_err());
    }
}
