//! Reading a tool's arguments by name. A model gets its mistakes back as a sentence that names the field and the way out.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Characters of a mistake that are said back.
const SAID: usize = 300;

/// What is wrong with an argument.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArgumentError {
    /// One that the tool doesn't have.
    #[error("`{tool}` has no argument `{field}`; leave it out. It takes: {known}.")]
    Unknown { tool: &'static str, field: String, known: String },
    /// One that must be there.
    #[error("`{field}` is missing; it takes {takes}.")]
    Missing { field: &'static str, takes: &'static str },
    /// One of the wrong shape.
    #[error("`{field}` takes {takes}; {found}.")]
    Wrong { field: &'static str, takes: &'static str, found: String },
}

/// A tool's arguments. `null` is the same as absent; `_meta` is not looked at.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Takes what came for a tool that knows these fields.
    pub(crate) fn new(
        tool: &'static str,
        known: &[String],
        mut given: Map<String, Value>,
    ) -> Result<Self, ArgumentError> {
        given.remove("_meta");
        given.retain(|_, value| !value.is_null());
        if let Some(field) = given.keys().find(|field| !known.contains(field)) {
            let field = field.chars().take(100).collect();
            return Err(ArgumentError::Unknown { tool, field, known: known.join(", ") });
        }
        Ok(Self(given))
    }

    pub(crate) fn raw(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    pub(crate) fn parsed<T: DeserializeOwned>(
        &self,
        field: &'static str,
        takes: &'static str,
    ) -> Result<Option<T>, ArgumentError> {
        let Some(value) = self.0.get(field) else { return Ok(None) };
        // An unknown word is part of the error, however long it is.
        let said = |error: serde_json::Error| error.to_string().chars().take(SAID).collect();
        let wrong = |error: serde_json::Error| ArgumentError::Wrong { field, takes, found: said(error) };
        serde_json::from_value(value.clone()).map(Some).map_err(wrong)
    }

    pub(crate) fn needed<T: DeserializeOwned>(
        &self,
        field: &'static str,
        takes: &'static str,
    ) -> Result<T, ArgumentError> {
        self.parsed(field, takes)?.ok_or(ArgumentError::Missing { field, takes })
    }

    pub(crate) fn text(&self, field: &'static str) -> Result<String, ArgumentError> {
        self.needed(field, "a text")
    }

    /// What makes two calls the same: everything but how long they wait, where they are and what they relay.
    pub(crate) fn key(&self) -> Value {
        let mut key = self.0.clone();
        for field in ["answers", "hold_seconds", "workspace"] {
            key.remove(field);
        }
        Value::Object(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(given: Value) -> Result<Arguments, ArgumentError> {
        let known = ["question", "options", "hold_seconds", "workspace"].map(str::to_owned);
        Arguments::new("ask_human", &known, given.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn mistakes_name_the_field_and_the_way_out() {
        let said = |result: Result<String, ArgumentError>| result.map_err(|error| error.to_string());
        assert_eq!(
            arguments(json!({"text": "?"})).map(|_| ()).map_err(|error| error.to_string()),
            Err("`ask_human` has no argument `text`; leave it out. It takes: question, options, hold_seconds, workspace.".into())
        );
        let given = arguments(json!({"question": 3, "options": null})).expect("known fields");
        assert_eq!(
            said(given.text("question")),
            Err("`question` takes a text; invalid type: integer `3`, expected a string.".into())
        );
        assert_eq!(said(given.text("options")), Err("`options` is missing; it takes a text.".into()));
    }

    #[test]
    fn the_key_is_what_is_asked_and_not_how_long_or_where() {
        let one = arguments(
            json!({"question": "?", "hold_seconds": 1, "workspace": "/a", "_meta": {"x": 1}, "options": null}),
        );
        assert_eq!(one.map(|arguments| arguments.key()), Ok(json!({"question": "?"})));
    }
}
