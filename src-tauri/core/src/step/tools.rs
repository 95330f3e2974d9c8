//! The tools of the hosts that are known, each with what it does and where its input says to what.
//!
//! Names are compared as they are. One that is not here is unknown, whatever it sounds like.

use super::StepKind;

/// Where a tool's input says what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nowhere.
    None,
    /// In these fields are paths. `needed`: without one of them nothing is known.
    Paths { fields: &'static [&'static str], needed: bool },
    /// In these fields are commands for a shell: a text, or a list of arguments.
    Shell(&'static [&'static str]),
    /// In these fields is a patch, which names its files.
    Patch(&'static [&'static str]),
}

/// A tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) kind: StepKind,
    pub(super) looks_up: bool,
    pub(super) shape: Shape,
}

/// Countersign's own tools.
pub const OWN_TOOLS: &[&str] = &[
    "ask_human",
    "ask_questions",
    "ask_for_choice",
    "ask_for_text",
    "ask_for_decision",
    "ask_for_manual_intervention",
    "present_plan",
    "request_human_approval",
    "request_manual_intervention",
    "request_file",
    "retire_source",
    "set_todos",
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
    "export_specs",
];

/// What hosts put before the name of a tool of ours.
const OWN_PREFIXES: &[&str] = &[
    "mcp__countersign__",
    "mcp_countersign_",
    "countersign__",
    "countersign_",
    "countersign-",
    "countersign.",
    "countersign/",
    "MCP:countersign:",
    "MCP:",
];

const READ_FIELDS: &[&str] = &[
    "file_path",
    "filePath",
    "absolute_path",
    "path",
    "paths",
    "notebook_path",
    "target_file",
    "dir_path",
    "directory",
    "target_directory",
    "relative_workspace_path",
    "include",
    "files",
    "uri",
];
const WRITE_FIELDS: &[&str] = &[
    "file_path",
    "filePath",
    "absolute_path",
    "path",
    "notebook_path",
    "notebookPath",
    "target_file",
    "target_notebook",
    "filename",
];
const SEARCH_FIELDS: &[&str] = &[
    "path",
    "paths",
    "dir_path",
    "directory",
    "target_directory",
    "target_directories",
    "folder",
    "include",
    "include_pattern",
    "includePattern",
    "glob",
];
/// Their `pattern` is one of paths.
const GLOB_FIELDS: &[&str] = &[
    "path",
    "paths",
    "dir_path",
    "directory",
    "target_directory",
    "folder",
    "pattern",
    "glob_pattern",
    "glob",
    "query",
    "include",
];
const COMMAND_FIELDS: &[&str] = &["command", "cmd", "script", "commands"];

const READS: &[&str] = &[
    // Claude Code
    "Read",
    "NotebookRead",
    "LS",
    "LSP",
    // Codex
    "read_file",
    "list_dir",
    "view_image",
    // Gemini CLI
    "read_many_files",
    "list_directory",
    // Cursor
    "read_lints",
    "fetch_rules",
    "read_notebook",
    // opencode, Copilot CLI, Copilot in VS Code
    "read",
    "list",
    "lsp",
    "view",
    "show_file",
    "get_errors",
    "copilot_readFile",
    "copilot_listDirectory",
];
const SEARCHES: &[&str] = &[
    "Grep",
    "grep",
    "grep_search",
    "search_file_content",
    "grep_files",
    "codebase_search",
    "semantic_search",
    "rg",
    "SemanticSearch",
];
const GLOBS: &[&str] = &["Glob", "glob", "glob_file_search", "file_search"];
/// Nothing but the agent's own affairs: what it started, what it knows of itself. What a helper of its does is a step each.
const INWARD: &[&str] = &[
    "Task",
    "Agent",
    "Skill",
    "BashOutput",
    "TaskOutput",
    "ToolSearch",
    "task",
    "skill",
    "spawn_agent",
    "wait_agent",
    "activate_skill",
    "get_internal_docs",
    "report_intent",
    "read_bash",
    "list_bash",
    "think",
    "runSubagent",
    "ListMcpResourcesTool",
    "todoread",
    "get_goal",
    "tool_search",
];
const WRITES: &[&str] = &[
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "write_file",
    "replace",
    "write",
    "edit",
    "multiedit",
    "create",
    "edit_file",
    "search_replace",
    "create_file",
    "replace_string_in_file",
    "multi_replace_string_in_file",
    "insert_edit_into_file",
    "edit_notebook",
    "edit_notebook_file",
    "create_directory",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "StrReplace",
    "EditNotebook",
];
const PATCHES: &[&str] = &["apply_patch", "patch"];
const DELETES: &[&str] = &["Delete", "delete_file", "delete"];
const SHELLS: &[&str] = &[
    "Bash",
    "bash",
    "shell",
    "Shell",
    "shell_command",
    "exec_command",
    "local_shell",
    "container.exec",
    "run_shell_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "run_in_terminal",
    "execute_command",
    "Monitor",
];
/// Programs of another kind, or keys for one that runs: nothing of them is read.
const EXECUTES: &[&str] = &[
    "PowerShell",
    "powershell",
    "write_stdin",
    "write_bash",
    "KillShell",
    "KillBash",
    "TaskStop",
    "stop_bash",
    "stop_powershell",
    "write_powershell",
    "run_task",
    "run_tests",
    "runTests",
    "create_and_run_task",
    "run_notebook_cell",
    "code_interpreter",
];
const LOOKS_UP: &[&str] = &[
    "WebFetch",
    "WebSearch",
    "web_fetch",
    "web_search",
    "google_web_search",
    "webfetch",
    "websearch",
    "codesearch",
    "fetch_webpage",
    "fetch",
    "web.run",
];
const ASKS: &[&str] = &[
    "AskUserQuestion",
    "ask_user",
    "ask_user_question",
    "request_user_input",
    "question",
    "AskQuestion",
    "ask_followup_question",
];
const TODOS: &[&str] = &[
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "write_todos",
    "update_plan",
    "todowrite",
    "todo_write",
    "manage_todo_list",
    "update_todo",
    "todo",
];

/// What is known of a tool.
pub(super) fn find(name: &str) -> Row {
    let row = |kind, shape| Row { kind, looks_up: false, shape };
    let is = |names: &[&str]| names.contains(&name);
    if is_own(name) {
        return row(StepKind::Own, Shape::None);
    }
    if is(READS) {
        return row(StepKind::Reads, Shape::Paths { fields: READ_FIELDS, needed: false });
    }
    if is(SEARCHES) {
        return row(StepKind::Reads, Shape::Paths { fields: SEARCH_FIELDS, needed: false });
    }
    if is(GLOBS) {
        return row(StepKind::Reads, Shape::Paths { fields: GLOB_FIELDS, needed: false });
    }
    if is(INWARD) {
        return row(StepKind::Reads, Shape::None);
    }
    if is(WRITES) {
        return row(StepKind::Writes, Shape::Paths { fields: WRITE_FIELDS, needed: true });
    }
    if is(PATCHES) {
        return row(StepKind::Writes, Shape::Patch(&["input", "patch", "patchText", "command", "patch_text"]));
    }
    if is(DELETES) {
        return row(StepKind::Destroys, Shape::Paths { fields: WRITE_FIELDS, needed: false });
    }
    if is(SHELLS) {
        return row(StepKind::Executes, Shape::Shell(COMMAND_FIELDS));
    }
    if is(EXECUTES) {
        return row(StepKind::Executes, Shape::None);
    }
    if is(LOOKS_UP) {
        return Row { looks_up: true, ..row(StepKind::Network, Shape::None) };
    }
    if is(ASKS) {
        return row(StepKind::Asks, Shape::None);
    }
    if is(TODOS) {
        return row(StepKind::Todos, Shape::None);
    }
    row(StepKind::Unknown, Shape::None)
}

/// Whether it is a tool of ours, bare or as a host names tools of a server that is called as we are.
fn is_own(name: &str) -> bool {
    let bare = OWN_PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    OWN_TOOLS.contains(&bare)
}

/// Whether a tool runs commands that are read as a shell does.
pub fn runs_commands(name: &str) -> bool {
    SHELLS.contains(&name) || EXECUTES.contains(&name)
}
