//! What a model reads of the tools: when to use which, and what to do with what comes back. English, as all that models read.

/// What a model is told about the server as a whole.
pub const INSTRUCTIONS: &str = "Countersign is the inbox of the person you work for. When you need their choice, \
their opinion or their permission, ask with these tools, in the person's language, rather than in your reply: a question in \
a reply ends your turn and may not be seen, a question asked here is shown to them at once and its answer comes back to you. \
A result with state \"pending\" is no answer: call wait_for_answer with its request id, don't ask again, and don't go on as if \
it had been answered. A result with `interactiveQuestions` did nothing yet: do what its text says. Silence, an expired or a \
withdrawn request is never consent.";

pub(super) const ASK_HUMAN: &str = "Ask the person a question with 2 to 8 options, and get their choice or their own words. Use it whenever \
you need a decision, a preference or a missing fact from them, instead of asking in your reply; write the question and the options \
in the person's language. Ask one thing at a time, and put what they need to know into `context`. The call waits for the answer; \
if it returns state \"pending\", call wait_for_answer and don't ask again.";
pub(super) const ASK_QUESTIONS: &str = "Ask the person several things that belong together, in one form: choices, texts, yes or no. Use it \
instead of asking in your reply, and instead of several calls of ask_human; write everything in the person's language. The answers come \
back by the ids that you give. The call waits; if it returns state \"pending\", call wait_for_answer and don't ask again.";
pub(super) const APPROVAL: &str = "Ask the person for permission before you do something that others see or that is hard to undo: send, \
publish, pay, overwrite. Say in `summary` what you will do, whole, in their language, rather than asking in your reply. `approved` of the \
result is true only if they said yes: do nothing of it otherwise. One yes is for this one act. The call waits; if it returns state \
\"pending\", call wait_for_answer.";
pub(super) const MANUAL: &str = "Have the person do what only they can: log in, solve a captcha, plug something in. Give them the steps, in their \
language, rather than writing them in your reply. `done` of the result says whether they did it. Never ask for a password here. The call \
waits; if it returns state \"pending\", call wait_for_answer.";
pub(super) const REQUEST_FILE: &str = "Ask the person for a file that you need and don't have. They pick it, and you get the path of a copy in the \
workspace: nothing is ever overwritten, and a file whose content is there already is named instead. Say in their language which file and \
what for, rather than asking in your reply. Up to 50 MiB. The call waits; if it returns state \"pending\", call wait_for_answer.";
pub(super) const RETIRE_SOURCE: &str = "Have a file of the workspace put away because what it says is wrong or another one takes its place. This asks \
the person by itself, so don't ask first, and don't move or delete the file yourself. On a yes it is moved beneath .countersign/retired, \
and nothing is deleted. The call waits; if it returns state \"pending\", call wait_for_answer.";
pub(super) const SET_TODOS: &str = "Show the person what you do, item by item, in their language: send the whole list each time, at the start of \
work with several steps and whenever an item begins (in_progress, one at a time) or is done (completed). It asks nobody and never waits.";
pub(super) const PRESENT_PLAN: &str = "In plan mode, when your plan is ready: show it to the person, whole, as markdown, in their language. They \
run it (plan mode ends and you carry it out at once, in this turn), keep planning (revise it as they say and present it again) or \
cancel. Outside plan mode it is refused: just go ahead. The call waits; if it returns state \"pending\", call wait_for_answer.";
pub(super) const REQUEST_MODE: &str = "Ask to be watched more closely, which you get at once: \"interactive\" (the person is asked before every \
step) or \"plan\" (you read and plan only, until they run your plan). Never a less strict one: that is the person's to choose.";
pub(super) const WAIT: &str = "Wait for the answer to an earlier request, after a result with state \"pending\" or with `interactiveQuestions`. \
Returns the answer as soon as there is one, else \"pending\" again: then call it once more, or go on with what doesn't depend on it.";
pub(super) const GET: &str = "Look at how an earlier request of yours stands, without waiting.";
pub(super) const CANCEL: &str =
    "Take back an earlier request of yours that nobody needs to answer any more. One that is settled stays as it is.";
pub(super) const CREATE_SPEC: &str = "Create a spec (a document with acceptance criteria) in the workspace, as a draft. Write each \
criterion so that anybody can tell whether it holds: what is seen, and the number or the name that it is measured by. If the title \
is nearly that of an existing spec, the person is asked first: the result then has `interactiveQuestions`.";
pub(super) const GET_SPEC: &str =
    "Read a spec whole, by its id or by words of its title. Read it before you build against it or change it.";
pub(super) const LIST_SPECS: &str = "List the specs of the workspace, the oldest first: id, title, status, revision, lock, and how many of \
its criteria are met. With `next` there are more.";
pub(super) const SEARCH_SPECS: &str =
    "Find specs of the workspace by words of their title, body or criteria. Use it before you create one.";
pub(super) const UPDATE_SPEC: &str = "Change a spec's title, body or criteria; what you leave out stays. Give `base_revision` so that you don't \
overwrite what changed since you read it. Changing an approved spec takes it back to review. If the spec is locked, or the change \
drops or rewords unmet criteria of an approved one, the person is asked first: the result then has `interactiveQuestions`.";
pub(super) const UPDATE_STATUS: &str = "Move a spec on or back: draft, review, approved, implementing, done, archived. If it is to be approved \
and none of its criteria passes check_readiness, or to be done with unmet criteria, the person is asked first: the result then has \
`interactiveQuestions`.";
pub(super) const CHECK_READINESS: &str = "Check whether each criterion of a spec is fit to build against, and if not, which rule it breaks and how \
to mend it. Use it before you ask for approval, and reword what fails.";
pub(super) const VALIDATE: &str = "Say which criteria of a spec are met, by their evidence and by the last runs of their checks, and start its \
checks if it names any. Use it before you move a spec to done.";
pub(super) const RECORD_EVIDENCE: &str = "Record whether a criterion is met, and what shows it: a test that ran, what you saw. Say what is so: the \
person sees it as your word.";
pub(super) const LOCK_SPEC: &str = "Lock a spec, so that its content isn't changed without the person. If it is still a draft, the person is asked \
first: the result then has `interactiveQuestions`.";
pub(super) const UNLOCK_SPEC: &str = "Take the lock of a spec away. The person always decides this in Countersign itself: the first call returns \
`interactiveQuestions` and a request; wait for it with wait_for_answer, then call this again with the same arguments.";
pub(super) const DEPLOY_SPEC: &str = "Deploy a spec to one of the workspace's environments, with the command that its countersign.toml has for \
it. An unprotected environment starts at once: the result has outcome \"started\" and a run_id for get_run. For a protected one (production) the \
person chooses where to in Countersign itself: the result has `interactiveQuestions`; wait with wait_for_answer, then call this again with the \
same arguments. It may go elsewhere than you asked: `environment` of the result says where. Outcome \"untrusted\" means that the person has to \
trust the commands first.";
pub(super) const GET_RUN: &str = "See how a deployment or a check goes: its state (queued, running, passed, failed, timed_out, cancelled, \
interrupted), its exit code and the end of its output. `wait_seconds` waits for its end.";
pub(super) const CANCEL_RUN: &str = "End a deployment or a check that goes on, with every process that it started. How far it came by then is not undone.";
pub(super) const DELETE_SPEC: &str = "Delete a spec for good. The person always decides this in Countersign itself: the first call returns \
`interactiveQuestions` and a request; wait for it with wait_for_answer, then call this again with the same arguments.";
pub(super) const IMPORT_SPECS: &str = "Bring specs in from markdown or JSON files of the workspace. Without `apply` it only says what would become \
of each. What comes in is a draft; an id is kept only if it was never used here. If a locked spec would be overwritten, or criteria of an \
approved one dropped, the person is asked first: the result then has `interactiveQuestions`.";
pub(super) const EXPORT_SPECS: &str =
    "Write specs out as markdown with front matter, or as JSON: into a folder of the workspace, or back to you.";
