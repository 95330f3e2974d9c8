//! A session's list of what it is to do, as its agent keeps it: shown as progress, asks nobody.

use crate::limit::{self, TextError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far one item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun; also what an unknown word is taken for, as in the original.
    #[default]
    Pending,
    /// Under way.
    InProgress,
    /// Done.
    Completed,
}

impl TodoStatus {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Completed];

    /// The word stored and sent.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }

    fn of(value: Option<&Value>) -> Self {
        let word = value.and_then(Value::as_str);
        Self::ALL.into_iter().find(|status| Some(status.word()) == word).unwrap_or_default()
    }
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: TodoStatus,
    /// The same while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_form: Option<String>,
}

/// Why a list is refused; the one before stays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodoError {
    /// One of its texts.
    #[error("{0}")]
    Text(#[from] TextError),
    /// Too long a list.
    #[error("`todos` has {found} items; {most} are allowed", most = limit::TODOS)]
    Count {
        /// Items found.
        found: usize,
    },
    /// An item of another shape.
    #[error("`todos` item {nth} takes {{content, status, activeForm?}}, with a text as `content`")]
    Shape {
        /// Counted from 1.
        nth: usize,
    },
}

/// The whole list, checked.
pub fn read(items: &[Value]) -> Result<Vec<Todo>, TodoError> {
    if items.len() > limit::TODOS {
        return Err(TodoError::Count { found: items.len() });
    }
    items.iter().enumerate().map(|(at, item)| one(item, at + 1)).collect()
}

fn one(item: &Value, nth: usize) -> Result<Todo, TodoError> {
    let content = item.get("content").and_then(Value::as_str).ok_or(TodoError::Shape { nth })?;
    limit::check_text("content", content, limit::TODO_CHARS)?;
    let active_form = match item.get("activeForm") {
        None | Some(Value::Null) => None,
        Some(Value::String(form)) if form.trim().is_empty() => None,
        Some(Value::String(form)) => {
            limit::check_text("activeForm", form, limit::TODO_CHARS)?;
            Some(form.clone())
        }
        Some(_) => return Err(TodoError::Shape { nth }),
    };
    Ok(Todo { content: content.to_owned(), status: TodoStatus::of(item.get("status")), active_form })
}

/// How many are done, and how many there are.
pub fn progress(todos: &[Todo]) -> (usize, usize) {
    (todos.iter().filter(|todo| todo.status == TodoStatus::Completed).count(), todos.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_is_taken_whole_and_an_unknown_status_is_pending() {
        let given = [
            json!({"content": "Read", "status": "completed", "activeForm": "Reading"}),
            json!({"content": "Write", "status": "in_progress", "activeForm": " "}),
            json!({"content": "Check", "status": "blocked"}),
            json!({"content": "Send", "status": 3, "activeForm": null}),
        ];
        let read = read(&given).expect("fine");
        let words: Vec<_> = read.iter().map(|todo| (todo.status.word(), todo.active_form.as_deref())).collect();
        assert_eq!(
            words,
            [("completed", Some("Reading")), ("in_progress", None), ("pending", None), ("pending", None)]
        );
        assert_eq!(progress(&read), (1, 4));
        assert_eq!(super::read(&[]), Ok(Vec::new()), "an empty one takes it away");
    }

    #[test]
    fn mistakes_name_the_item_or_the_limit() {
        let said = |items: &[Value]| read(items).map_err(|error| error.to_string());
        let shape = |nth: usize| {
            Err(format!("`todos` item {nth} takes {{content, status, activeForm?}}, with a text as `content`"))
        };
        assert_eq!(said(&[json!({"content": "a"}), json!("b")]), shape(2));
        assert_eq!(said(&[json!({"status": "pending"})]), shape(1));
        assert_eq!(said(&[json!({"content": "a", "activeForm": 1})]), shape(1));
        let long = "x".repeat(limit::TODO_CHARS + 1);
        assert!(said(&[json!({"content": long})]).expect_err("too long").contains("content"));
        assert!(said(&[json!({"content": ""})]).is_err());
        assert!(said(&[json!({"content": "a\0"})]).is_err());
        let many = vec![json!({"content": "a"}); limit::TODOS + 1];
        assert_eq!(said(&many), Err("`todos` has 201 items; 200 are allowed".into()));
    }
}
