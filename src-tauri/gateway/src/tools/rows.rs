//! The tools, a row each, in the order in which they are listed.

use super::asking::{self, AskHuman, ByRequest, Ending, WaitForAnswer};
use super::files::{self, ExportResult, ExportSpecs, ImportResult, ImportSpecs};
use super::plans::{self, ModeNow, PresentPlan, RequestMode};
use super::questions::{self, AskQuestions, RequestApproval, RequestManual, SetTodos, TodosNow};
use super::runs::{self, CancelRun, DeployResult, DeploySpec, GetRun, RunResult};
use super::sources::{self, RequestFile, RetireSource};
use super::specs::{
    self, BySpec, CreateSpec, ListSpecs, Readiness, RecordEvidence, SearchSpecs, SpecList, SpecResult, UpdateSpec,
    UpdateStatus, ValidateResult,
};
use super::table::{Effect, Tool};
use super::words;
use countersign_core::mode::Deed;
use countersign_core::scope::Scope;

/// A row: what it takes and gives, its name and title, what it does to the world, what it takes to be allowed, its words, and
/// who does it.
macro_rules! tool {
    ($name:literal, $title:literal, $effect:ident, $scope:expr, $input:ty => $output:ty, $words:ident, $handler:path) => {
        Tool::new::<$input, $output>(
            $name,
            $title,
            Effect::$effect,
            $scope,
            |call| Box::pin($handler(call)),
            words::$words,
        )
    };
}

/// All rows.
pub(super) fn rows() -> Vec<Tool> {
    let (ask, writes) = (Some(Scope::Ask), Some(Scope::Specs));
    vec![
        tool!("ask_human", "Ask the person", Adds, ask, AskHuman => Ending, ASK_HUMAN, asking::ask_human)
            .creating()
            .holding()
            .doing(Deed::Asks),
        tool!("ask_questions", "Ask the person several things", Adds, ask, AskQuestions => Ending, ASK_QUESTIONS, questions::ask_questions)
            .creating()
            .holding()
            .doing(Deed::Asks),
        tool!("request_human_approval", "Ask for an approval", Adds, ask, RequestApproval => Ending, APPROVAL, questions::request_approval)
            .creating()
            .holding()
            .doing(Deed::Asks),
        tool!("request_manual_intervention", "Have the person do something", Adds, ask, RequestManual => Ending, MANUAL, questions::request_manual)
            .creating()
            .holding()
            .doing(Deed::Asks),
        tool!("request_file", "Ask for a file", Adds, ask, RequestFile => Ending, REQUEST_FILE, sources::request_file)
            .creating()
            .holding()
            .doing(Deed::Takes),
        tool!("retire_source", "Put a file away", Removes, ask, RetireSource => Ending, RETIRE_SOURCE, sources::retire_source)
            .creating()
            .holding()
            .doing(Deed::Takes),
        tool!("set_todos", "Show what you do", Adds, None, SetTodos => TodosNow, SET_TODOS, questions::set_todos).creating(),
        tool!("present_plan", "Present a plan", Adds, ask, PresentPlan => Ending, PRESENT_PLAN, plans::present_plan)
            .with_dialog()
            .creating()
            .holding()
            .doing(Deed::Asks),
        tool!("request_mode", "Ask for a stricter mode", Adds, None, RequestMode => ModeNow, REQUEST_MODE, plans::request_mode)
            .doing(Deed::Asks),
        tool!("wait_for_answer", "Wait for the answer", Reads, None, WaitForAnswer => Ending, WAIT, asking::wait_for_answer)
            .anywhere()
            .holding(),
        tool!("get_request", "Look at a request", Reads, None, ByRequest => Ending, GET, asking::get_request).anywhere(),
        tool!("cancel_request", "Take a request back", Adds, None, ByRequest => Ending, CANCEL, asking::cancel_request)
            .anywhere(),
        tool!("create_spec", "Create a spec", Adds, writes, CreateSpec => SpecResult, CREATE_SPEC, specs::create_spec)
            .creating()
            .doing(Deed::Writes),
        tool!("get_spec", "Read a spec", Reads, None, BySpec => SpecResult, GET_SPEC, specs::get_spec),
        tool!("list_specs", "List the specs", Reads, None, ListSpecs => SpecList, LIST_SPECS, specs::list_specs),
        tool!("search_specs", "Search the specs", Reads, None, SearchSpecs => SpecList, SEARCH_SPECS, specs::search_specs),
        tool!("update_spec", "Change a spec", Removes, writes, UpdateSpec => SpecResult, UPDATE_SPEC, specs::update_spec)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("update_status", "Move a spec on", Adds, writes, UpdateStatus => SpecResult, UPDATE_STATUS, specs::update_status)
            .creating()
            .doing(Deed::Writes),
        tool!("check_readiness", "Check the criteria", Reads, None, BySpec => Readiness, CHECK_READINESS, specs::check_readiness),
        tool!("validate", "Validate a spec", Adds, writes, BySpec => ValidateResult, VALIDATE, specs::validate)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("record_evidence", "Record evidence", Adds, writes, RecordEvidence => SpecResult, RECORD_EVIDENCE, specs::record_evidence)
            .creating()
            .doing(Deed::Writes),
        tool!("lock_spec", "Lock a spec", Adds, writes, BySpec => SpecResult, LOCK_SPEC, specs::lock_spec)
            .creating()
            .doing(Deed::Writes),
        tool!("unlock_spec", "Unlock a spec", Removes, writes, BySpec => SpecResult, UNLOCK_SPEC, specs::unlock_spec)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("deploy_spec", "Deploy a spec", Removes, writes, DeploySpec => DeployResult, DEPLOY_SPEC, runs::deploy_spec)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("get_run", "Look at a run", Reads, None, GetRun => RunResult, GET_RUN, runs::get_run).holding(),
        // Ending something is never in a mode's way.
        tool!("cancel_run", "End a run", Removes, writes, CancelRun => RunResult, CANCEL_RUN, runs::cancel_run),
        tool!("delete_spec", "Delete a spec", Removes, writes, BySpec => SpecResult, DELETE_SPEC, specs::delete_spec)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("import_specs", "Bring specs in", Removes, writes, ImportSpecs => ImportResult, IMPORT_SPECS, files::import_specs)
            .with_dialog()
            .creating()
            .doing(Deed::Writes),
        tool!("export_specs", "Write specs out", Adds, writes, ExportSpecs => ExportResult, EXPORT_SPECS, files::export_specs)
            .creating()
            .doing(Deed::Writes),
    ]
}
