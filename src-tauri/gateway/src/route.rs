//! Which path leads where, and by which method. Absent: what happens there (`front`), and any route that decides something.

use crate::reply::Problem;
use http::header::{self, HeaderValue};
use http::{Method, StatusCode};

/// A route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route<'a> {
    /// `GET /v1/health`
    Health,
    /// `POST /v1/pair`
    BeginPairing,
    /// `GET /v1/pair/{id}`
    AwaitPairing(&'a str),
    /// `GET /v1/tools`
    Tools,
    /// `POST /v1/tools/{name}`
    Tool(&'a str),
    /// `POST /v1/steps`
    Steps,
    /// `POST /v1/requests`
    Requests,
    /// `GET /v1/requests/{id}`
    Request(&'a str),
    /// `POST /v1/requests/{id}/cancel`
    Withdraw(&'a str),
    /// `GET /v1/session`
    Session,
    /// `POST`, `GET`, `DELETE` of `/mcp`
    Mcp,
}

impl Route<'_> {
    /// Whether a program needs no token for it.
    pub(crate) const fn is_open(self) -> bool {
        match self {
            Self::Health | Self::BeginPairing | Self::AwaitPairing(_) => true,
            Self::Tools
            | Self::Tool(_)
            | Self::Steps
            | Self::Requests
            | Self::Request(_)
            | Self::Withdraw(_)
            | Self::Session
            | Self::Mcp => false,
        }
    }
}

/// Finds the route, or says why there is none. A preflight is a method that no route has.
pub(crate) fn find<'a>(method: &Method, path: &'a str) -> Result<Route<'a>, Problem> {
    let (route, methods): (Route<'a>, &'static str) = match path {
        "/v1/health" => (Route::Health, "GET"),
        "/v1/pair" => (Route::BeginPairing, "POST"),
        "/v1/tools" => (Route::Tools, "GET"),
        "/v1/steps" => (Route::Steps, "POST"),
        "/v1/requests" => (Route::Requests, "POST"),
        "/v1/session" => (Route::Session, "GET"),
        "/mcp" => (Route::Mcp, "POST, GET, DELETE"),
        _ => match one_segment(path, "/v1/pair/").map(|id| (Route::AwaitPairing(id), "GET")) {
            Some(found) => found,
            None => match one_segment(path, "/v1/tools/") {
                Some(name) => (Route::Tool(name), "POST"),
                None => request(path).ok_or_else(unknown)?,
            },
        },
    };
    if methods.split(", ").any(|allowed| allowed == method.as_str()) {
        return Ok(route);
    }
    let message = format!("This path takes {methods} only.");
    Err(Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
        .with(header::ALLOW, HeaderValue::from_static(methods)))
}

fn request(path: &str) -> Option<(Route<'_>, &'static str)> {
    let withdrawn = path.strip_suffix("/cancel").and_then(|path| one_segment(path, "/v1/requests/"));
    let one = || one_segment(path, "/v1/requests/").map(|id| (Route::Request(id), "GET"));
    withdrawn.map(|id| (Route::Withdraw(id), "POST")).or_else(one)
}

fn one_segment<'a>(path: &'a str, prefix: &str) -> Option<&'a str> {
    path.strip_prefix(prefix).filter(|rest| !rest.is_empty() && !rest.contains('/'))
}

fn unknown() -> Problem {
    let message = "There is nothing at this path. MCP is at /mcp, the HTTP API at /v1/tools, pairing at /v1/pair.";
    Problem::new(StatusCode::NOT_FOUND, "not_found", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &str, path: &str) -> u16 {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        find(&method, path).map_or_else(|problem| problem.status.as_u16(), |_| 200)
    }

    #[test]
    fn each_path_takes_its_own_methods_and_no_preflight() {
        for (path, methods) in [
            ("/v1/health", "GET"),
            ("/v1/pair", "POST"),
            ("/v1/pair/x", "GET"),
            ("/v1/tools", "GET"),
            ("/v1/tools/ask_human", "POST"),
            ("/v1/steps", "POST"),
            ("/v1/requests", "POST"),
            ("/v1/requests/x", "GET"),
            ("/v1/requests/x/cancel", "POST"),
            ("/v1/session", "GET"),
            ("/mcp", "GET POST DELETE"),
        ] {
            for method in ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get"] {
                let want = if methods.split(' ').any(|m| m == method) { 200 } else { 405 };
                assert_eq!(status(method, path), want, "{method} {path}");
            }
        }
    }

    #[test]
    fn what_is_not_listed_is_not_found_whatever_the_method() {
        for path in [
            "/",
            "/v1",
            "/v1/",
            "/v1/decide",
            "/v1/steps/",
            "/v1/steps/x",
            "/v1/rules",
            "/v1/requests/x/answer",
            "/v1/requests/",
            "/v1/requests//cancel",
            "/v1/requests/x/y/cancel",
            "/v1/tools/",
            "/v1/tools/a/b",
            "/v1/pair/",
            "/mcp/",
            "/MCP",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-authorization-server/mcp",
            "/v1/health/",
            "*",
            "",
        ] {
            for method in ["GET", "POST", "OPTIONS"] {
                assert_eq!(status(method, path), 404, "{method} {path}");
            }
        }
    }

    #[test]
    fn only_health_and_pairing_are_open() {
        let requests = [Route::Steps, Route::Requests, Route::Request("x"), Route::Withdraw("x")];
        for route in [Route::Tools, Route::Tool("x"), Route::Session, Route::Mcp].into_iter().chain(requests) {
            assert!(!route.is_open());
        }
        for route in [Route::Health, Route::BeginPairing, Route::AwaitPairing("x")] {
            assert!(route.is_open());
        }
    }
}
