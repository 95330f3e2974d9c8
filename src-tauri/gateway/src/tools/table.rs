//! The table of tools. Names, words and schemas are the same whichever way a tool is called.

use super::call::Call;
use super::outcome::{Failure, Outcome};
use super::rows;
use super::schema;
use countersign_core::mode::{Deed, Mode, Unfit};
use countersign_core::scope::{Scope, Scopes};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) input: Arc<Map<String, Value>>,
    pub(crate) output: Arc<Map<String, Value>>,
    /// Its arguments' names.
    pub(crate) fields: Vec<String>,
    /// What an agent must be allowed for it to be listed and run; none for what every paired agent may.
    pub(crate) scope: Option<Scope>,
    /// About the agent's own requests, which are the same in every folder: it works also where the agent may not.
    pub(crate) anywhere: bool,
    /// Counted against the agent's rate.
    pub(crate) creates: bool,
    /// Holds the call while a person thinks.
    pub(crate) holds: bool,
    /// What it asks has its own dialog, which shows the program that asks.
    pub(crate) dialog: bool,
    /// What a mode can stand in the way of: where it does, the tool is neither listed nor run.
    pub(crate) deed: Option<Deed>,
    pub(super) handler: Handler,
}

/// What a tool does to the world, for clients that ask before they call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// Adds something.
    Adds,
    /// Takes something away that can be had again, or asks by itself before it destroys.
    Removes,
}

impl Effect {
    pub(crate) const fn reads_only(self) -> bool {
        match self {
            Self::Reads => true,
            Self::Adds | Self::Removes => false,
        }
    }

    pub(crate) const fn destroys(self) -> bool {
        match self {
            Self::Reads | Self::Adds => false,
            Self::Removes => true,
        }
    }
}

pub(super) type Handler = fn(Call) -> Pin<Box<dyn Future<Output = Result<Outcome, Failure>> + Send>>;

impl Tool {
    pub(super) fn new<In: JsonSchema, Out: JsonSchema>(
        name: &'static str,
        title: &'static str,
        effect: Effect,
        scope: Option<Scope>,
        handler: Handler,
        description: &'static str,
    ) -> Self {
        let input = schema::of::<In>();
        let fields = schema::names(&input);
        let output = Arc::new(schema::with_note(schema::of::<Out>()));
        let (anywhere, creates, holds, dialog, deed) = (false, false, false, false, None);
        Self {
            name,
            title,
            description,
            effect,
            input: Arc::new(input),
            output,
            fields,
            scope,
            anywhere,
            creates,
            holds,
            dialog,
            deed,
            handler,
        }
    }

    pub(super) fn anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }

    pub(super) fn creating(mut self) -> Self {
        self.creates = true;
        self
    }

    pub(super) fn holding(mut self) -> Self {
        self.holds = true;
        self
    }

    pub(super) fn with_dialog(mut self) -> Self {
        self.dialog = true;
        self
    }

    pub(super) fn doing(mut self, deed: Deed) -> Self {
        self.deed = Some(deed);
        self
    }

    /// Refused where the session's mode does not have it.
    pub(crate) fn check_mode(&self, mode: Mode) -> Result<(), Unfit> {
        self.deed.map_or(Ok(()), |deed| deed.check(self.name, mode))
    }

    /// As `GET /v1/tools` has it; the same words as in MCP's `tools/list`.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": *self.input,
            "outputSchema": *self.output,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.effect.reads_only(),
                "destructiveHint": self.effect.destroys(),
                "idempotentHint": self.effect.reads_only(),
                "openWorldHint": false,
            },
        })
    }
}

/// All tools.
pub(crate) fn table() -> &'static [Tool] {
    static TABLE: LazyLock<Vec<Tool>> = LazyLock::new(rows::rows);
    &TABLE
}

/// Those that a session in this mode of an agent with these scopes sees.
pub(crate) fn listed(mode: Mode, scopes: Scopes) -> impl Iterator<Item = &'static Tool> {
    table().iter().filter(move |tool| tool.check_mode(mode).is_ok() && scopes.check(tool.scope).is_ok())
}

/// The tool of that name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    table().iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_product_and_fit_every_client() {
        let names: Vec<_> = table().iter().map(|tool| tool.name).collect();
        assert_eq!(
            names,
            [
                "ask_human",
                "ask_questions",
                "request_human_approval",
                "request_manual_intervention",
                "request_file",
                "retire_source",
                "set_todos",
                "present_plan",
                "request_mode",
                "wait_for_answer",
                "get_request",
                "cancel_request",
                "create_spec",
                "get_spec",
                "list_specs",
                "search_specs",
                "update_spec",
                "update_status",
                "check_readiness",
                "validate",
                "record_evidence",
                "lock_spec",
                "unlock_spec",
                "deploy_spec",
                "get_run",
                "cancel_run",
                "delete_spec",
                "import_specs",
                "export_specs"
            ]
        );
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
    }

    #[test]
    fn schemas_are_plain_objects_and_every_argument_is_explained() {
        for tool in table() {
            for schema in [&tool.input, &tool.output] {
                assert_eq!(schema["type"], "object", "{}", tool.name);
                assert_clean(tool.name, &Value::Object(schema.as_ref().clone()));
            }
            for (name, property) in tool.input["properties"].as_object().expect("properties") {
                assert!(property["description"].is_string(), "{}.{name}", tool.name);
            }
            assert!(tool.fields.contains(&"workspace".to_owned()), "{}", tool.name);
        }
    }

    fn assert_clean(tool: &str, schema: &Value) {
        match schema {
            Value::Object(object) => {
                for (key, value) in object {
                    assert!(!matches!(key.as_str(), "$schema" | "$ref" | "$defs" | "format"), "{tool}: {schema}");
                    if key == "type" {
                        assert!(!value.is_array() && value != "null", "{tool}: {schema}");
                    }
                    match (key.as_str(), value) {
                        // Names of arguments, which may be any words.
                        ("properties", Value::Object(named)) => {
                            named.values().for_each(|value| assert_clean(tool, value))
                        }
                        (_, value) => assert_clean(tool, value),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| assert_clean(tool, item)),
            Value::Null => panic!("{tool}: a null in {schema}"),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn limits_are_numbers_in_the_schema() {
        for (tool, field) in [
            ("ask_human", "hold_seconds"),
            ("ask_human", "expires_in_seconds"),
            ("wait_for_answer", "timeout_seconds"),
            ("get_run", "wait_seconds"),
        ] {
            assert_eq!(find(tool).expect("there").input["properties"][field]["type"], "number", "{tool}.{field}");
        }
    }

    #[test]
    fn every_tool_takes_one_scope_or_none_on_purpose_and_is_listed_with_it_alone() {
        let takes = |tool: &Tool| tool.scope.map_or("none", Scope::word);
        let said: Vec<_> = table().iter().map(|tool| format!("{}: {}", tool.name, takes(tool))).collect();
        assert_eq!(
            said,
            [
                "ask_human: ask",
                "ask_questions: ask",
                "request_human_approval: ask",
                "request_manual_intervention: ask",
                "request_file: ask",
                "retire_source: ask",
                // It asks nobody, and only says what the agent does.
                "set_todos: none",
                "present_plan: ask",
                // It asks nobody: it has the agent watched more closely, which is anybody's to want.
                "request_mode: none",
                // Of its own requests, whatever it may do now.
                "wait_for_answer: none",
                "get_request: none",
                "cancel_request: none",
                "create_spec: specs",
                // Reading is no scope's.
                "get_spec: none",
                "list_specs: none",
                "search_specs: none",
                "update_spec: specs",
                "update_status: specs",
                "check_readiness: none",
                "validate: specs",
                "record_evidence: specs",
                "lock_spec: specs",
                "unlock_spec: specs",
                "deploy_spec: specs",
                "get_run: none",
                "cancel_run: specs",
                "delete_spec: specs",
                "import_specs: specs",
                "export_specs: specs",
            ]
        );
        for tool in table() {
            let with = tool.scope.map_or(Scopes::NONE, |scope| Scopes::NONE.with(scope));
            assert!(listed(Mode::Guided, with).any(|one| one.name == tool.name), "{}", tool.name);
            assert_eq!(listed(Mode::Guided, Scopes::NONE).any(|one| one.name == tool.name), tool.scope.is_none());
            if !tool.effect.reads_only() && tool.scope.is_none() {
                assert!(
                    ["request_mode", "set_todos", "cancel_request"].contains(&tool.name),
                    "{} writes without a scope",
                    tool.name
                );
            }
        }
        let anywhere: Vec<_> = table().iter().filter(|tool| tool.anywhere).map(|tool| tool.name).collect();
        assert_eq!(anywhere, ["wait_for_answer", "get_request", "cancel_request"]);
    }

    #[test]
    fn what_can_ask_is_not_listed_where_nobody_is_asked_and_what_writes_not_in_plan_mode() {
        let names = |mode| listed(mode, Scopes::ALL).map(|tool| tool.name).collect::<Vec<_>>();
        for asks in [
            "ask_human",
            "ask_questions",
            "request_human_approval",
            "request_manual_intervention",
            "request_file",
            "retire_source",
            "present_plan",
            "request_mode",
        ] {
            assert!(!names(Mode::Autonomous).contains(&asks), "{asks}");
        }
        for asks_nobody in ["wait_for_answer", "set_todos"] {
            assert!(names(Mode::Autonomous).contains(&asks_nobody), "{asks_nobody}");
        }
        assert_eq!(
            names(Mode::Plan),
            [
                "ask_human",
                "ask_questions",
                "request_human_approval",
                "request_manual_intervention",
                "set_todos",
                "present_plan",
                "request_mode",
                "wait_for_answer",
                "get_request",
                "cancel_request",
                "get_spec",
                "list_specs",
                "search_specs",
                "check_readiness",
                "get_run",
                "cancel_run"
            ]
        );
        assert_eq!(names(Mode::Guided).len(), table().len());
    }
}
