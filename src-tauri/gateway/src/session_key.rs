//! How a call says which run of its agent it belongs to. Never by an MCP transport session: those come and go with connections.

use countersign_core::digest::Digest;
use http::HeaderMap;
use serde_json::{Map, Value};

/// The header by which bridges and programs name their session.
pub const HEADER: &str = "countersign-session";

const META_KEYS: [&str; 3] = ["countersign/session", "sessionId", "session_id"];
const LONGEST: usize = 200;

/// The header, else a session id in `_meta`, else none: the broker then has one per agent and workspace.
pub(crate) fn of(headers: &HeaderMap, meta: Option<&Map<String, Value>>) -> Option<String> {
    let header = headers.get(HEADER).and_then(|value| value.to_str().ok());
    let in_meta = || META_KEYS.iter().find_map(|key| meta?.get(*key)?.as_str());
    let key =
        header.filter(|text| !text.trim().is_empty()).or_else(|| in_meta().filter(|text| !text.trim().is_empty()))?;
    let key = key.trim();
    let fits = key.chars().count() <= LONGEST && !key.chars().any(char::is_control);
    // An odd key still is the same key each time.
    Some(if fits { key.to_owned() } else { Digest::of_bytes(key.as_bytes()).to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(header: Option<&str>, meta: Value) -> Option<String> {
        let mut headers = HeaderMap::new();
        if let Some(header) = header {
            headers.insert(HEADER, header.parse().expect("a header value"));
        }
        of(&headers, meta.as_object())
    }

    #[test]
    fn the_header_wins_then_the_keys_of_meta_in_order() {
        let meta = json!({"session_id": "c", "sessionId": "b", "countersign/session": "a"});
        assert_eq!(key(Some("h"), meta.clone()), Some("h".into()));
        assert_eq!(key(None, meta), Some("a".into()));
        assert_eq!(key(None, json!({"session_id": "c", "sessionId": "b"})), Some("b".into()));
        assert_eq!(key(Some(" "), json!({"session_id": "c"})), Some("c".into()));
        assert_eq!(key(None, json!({"sessionId": 3, "session_id": ""})), None);
        assert_eq!(key(None, Value::Null), None);
    }

    #[test]
    fn an_overlong_key_stays_a_key() {
        let long = "x".repeat(5_000);
        let (one, two) = (key(Some(&long), Value::Null), key(Some(&long), Value::Null));
        assert_eq!(one, two);
        assert_eq!(one.map(|key| key.starts_with("sha256:")), Some(true));
    }
}
