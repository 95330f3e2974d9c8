//! The list of what an agent does, item by item: shown to the person beside its requests, asking nobody.

use crate::limit;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tool that sets it.
pub const TOOL: &str = "set_todos";

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "ts", ts(rename = "TodoStatus"))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    Pending,
    /// Going on.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    /// The status of a word as models write it; what nobody knows is pending, as in the seed.
    fn of(word: &str) -> Self {
        match word.trim().to_ascii_lowercase().replace([' ', '-'], "_").as_str() {
            "in_progress" => Self::InProgress,
            "completed" => Self::Completed,
            _ => Self::Pending,
        }
    }
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// The same as it is said while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_form: Option<String>,
    /// How far it is.
    pub status: Status,
}

/// Why a list is refused. The one that was there stays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodoError {
    /// It is no list.
    #[error("`todos` takes a list of objects {{content, status, activeForm?}}; send the whole list")]
    NoList,
    /// Too many of them.
    #[error("`todos` has {found} items; {} are allowed", limit::TODOS)]
    Count {
        /// Items found.
        found: usize,
    },
    /// One that is no item.
    #[error("item {n} of `todos` takes an object {{content, status, activeForm?}} with a text as `content`")]
    NoItem {
        /// Which one, from 1.
        n: usize,
    },
    /// One of its texts.
    #[error("item {n} of `todos`: {error}")]
    Text {
        /// Which one, from 1.
        n: usize,
        /// What is wrong with it.
        error: limit::TextError,
    },
}

/// Reads a whole list as a model sends it.
pub fn read(given: &Value) -> Result<Vec<Todo>, TodoError> {
    let items = given.as_array().ok_or(TodoError::NoList)?;
    if items.len() > limit::TODOS {
        return Err(TodoError::Count { found: items.len() });
    }
    items.iter().enumerate().map(|(at, item)| one(at + 1, item)).collect()
}

fn one(n: usize, item: &Value) -> Result<Todo, TodoError> {
    let line = |field: &str, text: &str| {
        limit::check_text(field, text, limit::TODO_CHARS).map_err(|error| TodoError::Text { n, error })
    };
    let content = item["content"].as_str().ok_or(TodoError::NoItem { n })?;
    line("content", content)?;
    let active = item["activeForm"].as_str().filter(|text| !text.trim().is_empty());
    active.map_or(Ok(()), |text| line("activeForm", text))?;
    Ok(Todo {
        content: content.to_owned(),
        active_form: active.map(str::to_owned),
        status: item["status"].as_str().map_or(Status::Pending, Status::of),
    })
}

/// What the agent is told: how many are kept, and that nobody was asked.
pub fn ending(todos: &[Todo]) -> String {
    if todos.is_empty() {
        return "The list is empty now. Nobody was asked anything.".into();
    }
    let done = todos.iter().filter(|todo| todo.status == Status::Completed).count();
    format!("The person sees this list now: {done} of {} done. Nobody was asked anything; go on.", todos.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_is_read_as_models_write_it() {
        for (given, want) in [
            (
                json!({"content": "Read", "status": "completed", "activeForm": "Reading"}),
                ("Read", Some("Reading"), Status::Completed),
            ),
            (json!({"content": "Read", "status": "in_progress"}), ("Read", None, Status::InProgress)),
            (
                json!({"content": "Read", "status": "In Progress", "activeForm": " "}),
                ("Read", None, Status::InProgress),
            ),
            (json!({"content": "Read", "status": "blocked"}), ("Read", None, Status::Pending)),
            (json!({"content": "Read", "status": 3, "id": "7"}), ("Read", None, Status::Pending)),
            (json!({"content": "Read"}), ("Read", None, Status::Pending)),
        ] {
            let (content, active, status) = want;
            let want = Todo { content: content.into(), active_form: active.map(str::to_owned), status };
            assert_eq!(read(&json!([given])), Ok(vec![want]), "{given}");
        }
        assert_eq!(read(&json!([])), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_list_or_too_much_is_refused_by_name() {
        let said = |given| read(&given).map_err(|error| error.to_string());
        let item = json!({"content": "x", "status": "pending"});
        assert_eq!(said(json!(vec![item.clone(); 200])).map(|list| list.len()), Ok(200));
        for (given, want) in [
            (json!("x"), "`todos` takes a list of objects {content, status, activeForm?}; send the whole list"),
            (json!(vec![item.clone(); 201]), "`todos` has 201 items; 200 are allowed"),
            (
                json!([item, 3]),
                "item 2 of `todos` takes an object {content, status, activeForm?} with a text as `content`",
            ),
            (json!([{"content": " "}]), "item 1 of `todos`: `content` is empty; give 1 to 500 characters"),
            (json!([{"content": "x".repeat(501)}]), "item 1 of `todos`: `content` has 501 characters; 500 are allowed"),
            (
                json!([{"content": "a\u{0}b"}]),
                "item 1 of `todos`: `content` contains a NUL character (U+0000); remove it",
            ),
        ] {
            assert_eq!(said(given.clone()), Err(want.to_owned()), "{given}");
        }
    }
}
