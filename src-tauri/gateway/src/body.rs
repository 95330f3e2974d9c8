//! Reading a request's body: whole, up to a size, until a deadline. Absent: what is in it, but for JSON that is none.

use crate::reply::Problem;
use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http_body::Body;
use http_body_util::BodyExt;
use serde_json::Value;
use std::time::Duration;

/// How long a body that is refused is still taken in, so that its client gets to read why.
const DRAIN: Duration = Duration::from_millis(200);

/// The whole body, or 413, 408, 400.
pub(crate) async fn read<B>(mut body: B, most: usize, time: Duration) -> Result<Bytes, Problem>
where
    B: Body<Data = Bytes> + Unpin,
{
    let large = || {
        let message = format!("The body is over {most} bytes, the most that is taken here; send less.");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    if body.size_hint().lower() > most as u64 {
        drain(&mut body, most).await;
        return Err(large());
    }
    match tokio::time::timeout(time, collect(&mut body, most)).await {
        Ok(Ok(Some(bytes))) => Ok(bytes),
        Ok(Ok(None)) => {
            drain(&mut body, most).await;
            Err(large())
        }
        Ok(Err(())) => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "bad_body",
            "The body broke off or was malformed; send it again.",
        )),
        Err(_) => {
            let message = format!("The body didn't come within {} seconds; send it again.", time.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message))
        }
    }
}

/// Takes in as much again, for a moment, and keeps none of it. A client that is still sending would see a reset instead of the answer.
async fn drain<B: Body<Data = Bytes> + Unpin>(body: &mut B, most: usize) {
    let mut left = most;
    let draining = async {
        while let Some(Ok(frame)) = body.frame().await {
            left = left.saturating_sub(frame.into_data().map_or(0, |data| data.len()));
            if left == 0 {
                return;
            }
        }
    };
    // Whether it ran out of time or of body, the answer is the same.
    let _ = tokio::time::timeout(DRAIN, draining).await;
}

async fn collect<B: Body<Data = Bytes> + Unpin>(body: &mut B, most: usize) -> Result<Option<Bytes>, ()> {
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(|_| ())?.into_data() {
            if data.len() > most - whole.len() {
                return Ok(None);
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(Some(whole.freeze()))
}

/// The body as a JSON object; an empty one is an empty object.
pub(crate) fn object(bytes: &[u8]) -> Result<serde_json::Map<String, Value>, Problem> {
    let bad = |message: String| Problem::new(StatusCode::BAD_REQUEST, "bad_json", message);
    if bytes.trim_ascii().is_empty() {
        return Ok(serde_json::Map::new());
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(bad("The body must be a JSON object.".into())),
        Err(error) => Err(bad(format!("The body is not JSON: {error}."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body::Frame;
    use http_body_util::StreamBody;
    use std::convert::Infallible;

    fn chunks(n: usize, size: usize) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let frame = move |_| Ok(Frame::data(Bytes::from(vec![b' '; size])));
        StreamBody::new(futures_util::stream::iter((0..n).map(frame)))
    }

    async fn status<B: Body<Data = Bytes> + Unpin>(body: B) -> u16 {
        read(body, 64 << 10, Duration::from_secs(5)).await.map_or_else(|problem| problem.status.as_u16(), |_| 200)
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_is_taken_up_to_its_limit_and_until_its_deadline() {
        assert_eq!(status(chunks(64, 1 << 10)).await, 200);
        assert_eq!(status(chunks(usize::MAX, 1 << 10)).await, 413, "endless");
        assert_eq!(
            status(http_body_util::Full::new(Bytes::from(vec![0; (64 << 10) + 1]))).await,
            413,
            "said beforehand"
        );
        let never = StreamBody::new(futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>());
        assert_eq!(status(never).await, 408);
    }

    #[test]
    fn deep_or_broken_json_is_a_bad_request() {
        let deep = "[".repeat(100_000);
        for text in ["[]", "3", "{", "{\"a\":", "\u{feff}{}", &deep, "{} {}"] {
            assert_eq!(object(text.as_bytes()).map_err(|p| p.status.as_u16()), Err(400), "{text:.10}");
        }
        assert_eq!(object(b" "), Ok(serde_json::Map::new()));
    }
}
