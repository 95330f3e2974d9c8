//! What the port answers with: JSON, or an event stream; an error is `{code, message}` with a text that says what to do. Absent:
//! HTML, cookies, any CORS header.

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use std::convert::Infallible;

/// The body of every response.
pub(crate) type Body = UnsyncBoxBody<Bytes, Infallible>;

/// A refusal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), headers: Vec::new() }
    }

    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Too much, for now.
    pub(crate) fn too_many(message: impl Into<String>, retry_after_seconds: u64) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message).with(header::RETRY_AFTER, retry_after_seconds)
    }

    pub(crate) fn response(self) -> Response<Body> {
        let mut response = value(self.status, &json!({"code": self.code, "message": self.message}));
        response.headers_mut().extend(self.headers);
        response
    }
}

/// A JSON value.
pub(crate) fn value(status: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(whole(Bytes::from(value.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A body that is all there.
pub(crate) fn whole(bytes: Bytes) -> Body {
    Full::new(bytes).boxed_unsync()
}

/// What every response carries, whoever made it.
pub(crate) fn finish(headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// The raw answer to a connection for which there is no place. Nothing was read of it.
pub(crate) const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 97\r\nRetry-After: 1\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{\"code\":\"full\",\"message\":\"Too many connections are open here; close some, or retry in a second.\"}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raw_refusal_is_a_well_formed_response() {
        let text = std::str::from_utf8(FULL).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{} {head}", body.len());
        assert!(serde_json::from_str::<Value>(body).is_ok());
    }
}
