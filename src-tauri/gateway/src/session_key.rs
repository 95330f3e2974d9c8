//! How a call says which run of its agent it belongs to. Never by an MCP transport session: those come and go with connections.

use countersign_core::digest::Digest;
use http::HeaderMap;
use serde_json::{Map, Value};

/// The header by which bridges and programs name their session.
pub const HEADER: &str = "countersign-session";

/// The header by which a bridge names its folder: the path's UTF-8 bytes, percent-encoded (RFC 3986, section 2.1).
pub const WORKSPACE_HEADER: &str = "countersign-workspace";

/// The header by which a bridge or a program names its run folder, encoded alike.
pub const RUN_FOLDER_HEADER: &str = "countersign-run-folder";

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

/// The folder in the header; none when it is absent or malformed.
pub(crate) fn workspace_of(headers: &HeaderMap) -> Option<String> {
    folder_in(headers, WORKSPACE_HEADER)
}

/// The run folder in the header.
pub(crate) fn run_folder_of(headers: &HeaderMap) -> Option<String> {
    folder_in(headers, RUN_FOLDER_HEADER)
}

fn folder_in(headers: &HeaderMap, name: &str) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_folder_is_read_from_its_percent_encoding_and_a_malformed_one_is_none() {
        let folder = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(WORKSPACE_HEADER, text.parse().expect("a header value"));
            workspace_of(&headers)
        };
        assert_eq!(folder("/home/a%20b/%C3%B1%25"), Some("/home/a b/ñ%".into()));
        for malformed in ["", "/a%", "/a%2", "/a%zz", "/%ff"] {
            assert_eq!(folder(malformed), None, "{malformed}");
        }
    }

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
