//! What `countersign inbox show` says of a request besides its question: the file that it is about, and what its session does.

use crate::out::out;
use countersign_core::safe_text::SafeText;
use serde_json::Value;

fn line(value: &Value) -> String {
    SafeText::line(value.as_str().unwrap_or_default()).plain()
}

/// A file that is asked for, or put away, and what became of it.
pub fn file(item: &Value) {
    let wanted = &item["file"];
    if wanted.is_object() {
        for (field, what) in [("destination", "Goes to"), ("replaces", "Takes the place of")] {
            if wanted[field].is_string() {
                out!("{what}: {}", line(&wanted[field]));
            }
        }
        if item["state"] == "pending" {
            let most = wanted["limit_bytes"].as_u64().unwrap_or_default() >> 20;
            out!("Answer with --file PATH; up to {most} MiB, and nothing is overwritten");
        }
    }
    let retire = &item["retire"];
    if retire.is_object() {
        out!("File: {} ({} bytes, SHA-256 {})", line(&retire["source"]), retire["bytes"], line(&retire["sha256"]));
    }
    let now = &item["decision"]["file"];
    if now.is_object() {
        let copied = if now["already_there"] == true { " (it was there already)" } else { "" };
        out!("In the workspace as: {}{copied}", line(&now["path"]));
    }
}

/// What the session says that it does.
pub fn todos(item: &Value) {
    let todos = item["todos"].as_array().map(Vec::as_slice).unwrap_or_default();
    if todos.is_empty() {
        return;
    }
    out!("The agent's list:");
    for todo in todos {
        let (sign, text) = match todo["status"].as_str() {
            Some("completed") => ("☑", &todo["content"]),
            Some("in_progress") if todo["activeForm"].is_string() => ("◼", &todo["activeForm"]),
            Some("in_progress") => ("◼", &todo["content"]),
            _ => ("☐", &todo["content"]),
        };
        out!("  {sign} {}", line(text));
    }
}
