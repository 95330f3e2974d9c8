//! One connection to the port, kept alive and made anew as needed.

use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use std::time::Duration;

/// The body of a stream that was opened with [`Port::open`].
pub type Body = hyper::body::Incoming;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// A call that did not come to an answer. Never a decision.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// Nothing listens there, or it went away in the middle.
    #[error("Countersign isn't running at {url}: {why}")]
    Gone {
        /// Where it was looked for.
        url: String,
        /// What the system says.
        why: String,
    },
    /// It refused.
    #[error("{message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// One word.
        code: String,
        /// What to do.
        message: String,
    },
    /// It said something that is no answer of Countersign's.
    #[error("what answers at {url} is not Countersign: {why}")]
    Foreign {
        /// Where.
        url: String,
        /// Why.
        why: String,
    },
}

/// The port, as one program sees it.
#[derive(Debug, Clone)]
pub struct Port {
    client: Client<HttpConnector, Full<Bytes>>,
    url: String,
    headers: Vec<(&'static str, String)>,
}

impl Port {
    /// The port at this address, such as `http://127.0.0.1:4780`.
    pub fn at(url: &str) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_connect_timeout(Some(CONNECT));
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).pool_idle_timeout(Duration::from_secs(20)).build(connector);
        Self { client, url: url.trim_end_matches('/').to_owned(), headers: Vec::new() }
    }

    /// Speaks as the agent with this token.
    pub fn with_token(self, token: &str) -> Self {
        self.with_header(header::AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// Speaks in this session.
    pub fn with_session(self, session: &str) -> Self {
        self.with_header("countersign-session", session.to_owned())
    }

    /// Works in this folder, where a call says no other; sent as the UTF-8 bytes of the path, percent-encoded.
    pub fn with_workspace(self, folder: &str) -> Self {
        self.with_header("countersign-workspace", percent(folder))
    }

    /// Has what is asked answered in this run folder too, by a file.
    pub fn with_run_folder(self, folder: &str) -> Self {
        self.with_header("countersign-run-folder", percent(folder))
    }

    fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// `GET`, for JSON.
    pub async fn get(&self, path: &str) -> Result<Value, PortError> {
        self.json(Method::GET, path, None).await
    }

    /// `POST` of JSON, for JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, PortError> {
        self.json(Method::POST, path, Some(body)).await
    }

    /// Calls a tool: `{structuredContent, text, isError}`.
    pub async fn call(&self, tool: &str, arguments: &Value) -> Result<Value, PortError> {
        self.post(&format!("/v1/tools/{tool}"), arguments).await
    }

    /// `GET`, for a stream that stays open.
    pub async fn open(&self, path: &str) -> Result<Body, PortError> {
        let response = self.send(Method::GET, path, None).await?;
        let status = response.status();
        if status.is_success() {
            Ok(response.into_body())
        } else {
            Err(self.refusal(status, response.into_body()).await)
        }
    }

    async fn json(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, PortError> {
        let response = self.send(method, path, body).await?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refusal(status, response.into_body()).await);
        }
        let bytes = response.into_body().collect().await.map_err(|error| self.gone(&error))?.to_bytes();
        serde_json::from_slice(&bytes).map_err(|error| self.foreign(&error))
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<http::Response<Body>, PortError> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.url));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let bytes = body.map_or_else(Bytes::new, |body| {
            Bytes::from(serde_json::to_vec(body).expect("BUG: JSON values can be written"))
        });
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let request = request.body(Full::new(bytes)).map_err(|error| self.foreign(&error))?;
        self.client.request(request).await.map_err(|error| self.gone(&error))
    }

    async fn refusal(&self, status: StatusCode, body: Body) -> PortError {
        let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let word = |key: &str| said[key].as_str().map(str::to_owned);
        PortError::Refused {
            status: status.as_u16(),
            code: word("code").unwrap_or_else(|| "refused".into()),
            message: word("message").unwrap_or_else(|| format!("refused with HTTP status {status}")),
        }
    }

    fn gone(&self, error: &dyn std::error::Error) -> PortError {
        let why = error.source().map_or_else(|| error.to_string(), |source| source.to_string());
        PortError::Gone { url: self.url.clone(), why }
    }

    fn foreign(&self, error: &dyn std::error::Error) -> PortError {
        PortError::Foreign { url: self.url.clone(), why: error.to_string() }
    }
}

/// RFC 3986, section 2.1, over everything but what a path is mostly made of.
fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_travel_as_percent_encoded_utf_8() {
        assert_eq!(percent("/home/a b/ñ%"), "/home/a%20b/%C3%B1%25");
    }

    #[tokio::test]
    async fn where_nothing_listens_it_is_said_so() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port");
        let error = Port::at(&format!("http://{free}")).get("/v1/health").await.expect_err("nothing there");
        assert!(matches!(error, PortError::Gone { .. }), "{error}");
    }
}
