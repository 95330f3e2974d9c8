//! Who is let in at all: the `Host` must be a loopback name with our own port, an `Origin` our own. Absent: tokens (`front`).
//!
//! Names are compared byte by byte. Everything that a browser or a rebound name could send instead is somebody else's.

use crate::reply::Problem;
use http::header::{self, HeaderName};
use http::request::Parts;
use http::{HeaderMap, StatusCode};

const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Checks `Host`, then `Origin`.
pub(crate) fn check(parts: &Parts, port: u16) -> Result<(), Problem> {
    let bad = |message: &str| Problem::new(StatusCode::BAD_REQUEST, "bad_host", message);
    let host = match only(&parts.headers, header::HOST) {
        Some(Some(host)) => host,
        Some(None) => return Err(bad("Send exactly one `Host` header, in ASCII.")),
        None => return Err(bad("Send a `Host` header, such as `127.0.0.1` and the port.")),
    };
    if parts.uri.authority().is_some_and(|authority| authority.as_str() != host) {
        return Err(bad("The request's address and its `Host` header differ; send the path alone."));
    }
    if !names(port).any(|name| name == host) {
        let message =
            format!("This port answers to 127.0.0.1:{port}, localhost:{port} and [::1]:{port} only; use one of them.");
        return Err(Problem::new(StatusCode::FORBIDDEN, "foreign_host", message));
    }
    match only(&parts.headers, header::ORIGIN) {
        None => Ok(()),
        Some(Some(origin)) if names(port).any(|name| origin.strip_prefix("http://") == Some(&name)) => Ok(()),
        Some(_) => {
            let message = "Web pages can't use this port. A program must not send an `Origin` header.";
            Err(Problem::new(StatusCode::FORBIDDEN, "foreign_origin", message))
        }
    }
}

/// Our own origins, for rmcp's check, which comes after ours.
pub(crate) fn origins(port: u16) -> impl Iterator<Item = String> {
    NAMES.into_iter().map(move |name| format!("http://{name}:{port}"))
}

fn names(port: u16) -> impl Iterator<Item = String> {
    NAMES.into_iter().map(move |name| format!("{name}:{port}"))
}

/// `None` when absent, `Some(None)` when doubled or no text.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<Option<&str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    Some(first.to_str().ok().filter(|_| values.next().is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    fn status(uri: &str, headers: &[(&str, &[u8])]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        check(&parts, 4780).map_or_else(|problem| problem.status.as_u16(), |()| 200)
    }

    #[test]
    fn only_loopback_names_with_our_own_port_are_our_host() {
        for (host, want) in [
            ("127.0.0.1:4780", 200),
            ("localhost:4780", 200),
            ("[::1]:4780", 200),
            ("127.0.0.1", 403),
            ("127.0.0.1:4781", 403),
            ("localhost:9999", 403),
            ("localhost", 403),
            ("LOCALHOST:4780", 403),
            ("localhost.:4780", 403),
            ("evil.com", 403),
            ("evil.com:4780", 403),
            ("localhost.evil.com:4780", 403),
            ("127.0.0.1.nip.io:4780", 403),
            ("evil@127.0.0.1:4780", 403),
            ("::1:4780", 403),
            ("[0:0:0:0:0:0:0:1]:4780", 403),
            ("[::ffff:127.0.0.1]:4780", 403),
            ("0.0.0.0:4780", 403),
            ("2130706433:4780", 403),
            ("127.1:4780", 403),
            ("127.0.0.1:04780", 403),
            ("", 403),
        ] {
            assert_eq!(status("/v1/health", &[("host", host.as_bytes())]), want, "{host:?}");
        }
    }

    #[test]
    fn a_missing_doubled_or_contradicted_host_is_a_bad_request() {
        let ours: (&str, &[u8]) = ("host", b"127.0.0.1:4780");
        assert_eq!(status("/", &[]), 400);
        assert_eq!(status("/", &[ours, ours]), 400);
        assert_eq!(status("/", &[("host", b"\xff")]), 400);
        assert_eq!(status("http://evil.com/", &[ours]), 400);
        assert_eq!(status("http://localhost:4780/", &[ours]), 400);
        assert_eq!(status("http://127.0.0.1:4780/", &[ours]), 200);
    }

    #[test]
    fn every_origin_but_our_own_is_refused() {
        for (origin, want) in [
            ("http://127.0.0.1:4780", 200),
            ("http://localhost:4780", 200),
            ("http://[::1]:4780", 200),
            ("https://127.0.0.1:4780", 403),
            ("http://127.0.0.1:4781", 403),
            ("http://127.0.0.1", 403),
            ("http://localhost:4780/", 403),
            ("http://localhost:4780.evil.com", 403),
            ("https://evil.com", 403),
            ("null", 403),
            ("", 403),
            ("file://", 403),
            ("chrome-extension://abcdefghijklmnop", 403),
            ("tauri://localhost", 403),
        ] {
            let headers: [(&str, &[u8]); 2] = [("host", b"localhost:4780"), ("origin", origin.as_bytes())];
            assert_eq!(status("/mcp", &headers), want, "{origin:?}");
        }
        let twice: [(&str, &[u8]); 3] =
            [("host", b"localhost:4780"), ("origin", b"http://localhost:4780"), ("origin", b"https://evil.com")];
        assert_eq!(status("/mcp", &twice), 403);
    }
}
