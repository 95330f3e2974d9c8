//! The dialog's commands. Only the window with that label may call them; `open_dialog` alone is the main window's.

use super::detail::{self, Answer, RequestView};
use super::plan::{self, PlanView};
use super::{Said, ViewError};
use crate::desk::Desk;
use crate::dialog::{Beside, INERT, Refused, belongs_in_dialog};
use crate::{dialog_window, push, words};
use countersign_broker::{BrokerError, Person, Shown, Verdict};
use countersign_core::answer;
use countersign_core::channel::Channel;
use countersign_core::class::Class;
use countersign_core::digest::Digest;
use countersign_core::id::RequestId;
use countersign_core::markdown::Block;
use countersign_core::mode::Mode;
use countersign_core::plan::remark::{self, GivenRemark};
use countersign_core::question::QuestionType;
use countersign_core::request::Ask;
use countersign_core::safe_text::SafeText;
use countersign_core::who_may_decide::is_no;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use tauri::{AppHandle, State};
use ts_rs::TS;

/// The person, at the dialog.
const DIALOG: Person = Person::at(Channel::Dialog);

/// What the dialog shows.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DialogView {
    /// Comes back with the decision; good for one, and void once the dialog is shown anew.
    pub nonce: String,
    /// The request.
    pub request: RequestView,
    /// The word that a yes takes.
    pub typed_word: Option<String>,
    /// For a choice of what to do: the options that take no word. Each of the others takes itself.
    pub safe_options: Option<Vec<String>>,
    /// For a deployment: the environment that the agent asks for.
    pub environment: Option<SafeText>,
    /// What changed in it, where running it leads, and what came before it; for plans.
    pub plan: Option<PlanView>,
    /// When the agent was paired; none when Countersign itself asks.
    pub paired_at: Option<i64>,
    /// How long a yes is inert after a disturbance, in milliseconds.
    pub inert_millis: u64,
    /// Requests that wait behind this one.
    pub behind: usize,
    /// `system`, `en` or `es`.
    pub language: String,
    /// `system`, `light` or `dark`.
    pub theme: String,
}

fn environment_of(ask: &Ask) -> Option<SafeText> {
    let asked = ask.arguments.get("environment").and_then(Value::as_str);
    asked.filter(|_| is_choice(ask) && ask.tool == "deploy_spec").map(SafeText::line)
}

/// Whether it asks which of several things to do, where no option is a no.
fn is_choice(ask: &Ask) -> bool {
    ask.class == Class::Destructive && ask.questions.iter().any(|question| question.kind == QuestionType::Choice)
}

/// What belongs on screen, with a new nonce; nothing when the dialog may go.
#[tauri::command]
pub async fn dialog_view(app: AppHandle, desk: State<'_, Desk>) -> Said<Option<DialogView>> {
    let shown = view(&desk).map_err(|error| ViewError::new(&desk, &error));
    push::status(&app);
    shown
}

fn view(desk: &Desk) -> Result<Option<DialogView>, BrokerError> {
    let open = desk.broker.open_list(None, u32::MAX)?;
    let Some(id) = desk.dialog.choose(&open) else { return Ok(None) };
    let detail = desk.broker.detail(&id)?;
    let history = plan::history(desk, &detail)?;
    let nonce = desk.dialog.show(id, detail.request.digest, Beside::of(&detail), desk.clock.now().boot);
    let word = |key: &str| desk.setting(key).map(|value| value.unwrap_or_else(|| "system".into()));
    let behind = open.iter().filter(|listed| listed.row.id != detail.request.id && belongs_in_dialog(listed)).count();
    Ok(Some(DialogView {
        nonce,
        typed_word: detail.request.ask.typed_word.clone(),
        safe_options: is_choice(&detail.request.ask).then(|| detail.request.ask.safe_options.clone()),
        environment: environment_of(&detail.request.ask),
        plan: plan::view(&detail, history.as_ref()),
        paired_at: (!detail.agent.id.is_house()).then_some(detail.agent.created_at.0),
        inert_millis: INERT.0,
        behind,
        language: word("language")?,
        theme: word("theme")?,
        request: detail::view(&detail, history),
    }))
}

/// The dangerous answer, with the word where one is taken.
#[tauri::command]
pub async fn dialog_yes(
    app: AppHandle,
    desk: State<'_, Desk>,
    nonce: String,
    digest: String,
    answers: HashMap<String, Answer>,
    comment: Option<String>,
    typed: Option<String>,
    mode: Option<String>,
) -> Said<()> {
    let verdict = yes(into_json(answers), comment, typed, mode).map_err(|error| ViewError::new(&desk, &error))?;
    let now = desk.clock.now().boot;
    // Before the nonce is looked at: as long as it holds, nothing else was shown since.
    let seen = desk.dialog.shown().and_then(|(_, beside)| beside.seen());
    let seen = seen.ok_or_else(|| ViewError::new(&desk, &BrokerError::Stale))?;
    settle(&app, &desk, &digest, Some(seen), verdict, |digest| desk.dialog.yes(&nonce, digest, now)).await
}

/// A yes; to a plan perhaps with the mode to go on in.
fn yes(
    answers: Map<String, Value>,
    comment: Option<String>,
    typed: Option<String>,
    mode: Option<String>,
) -> Result<Verdict, BrokerError> {
    let Some(word) = mode else { return Ok(Verdict::Answer { answers, comment, typed }) };
    let mode = Mode::from_word(&word).ok_or_else(|| BrokerError::Invalid(format!("there is no mode {word:?}")))?;
    Ok(Verdict::Plan { answers, comment, remarks: Vec::new(), mode: Some(mode) })
}

/// A safe answer: a no takes no word and no second.
#[tauri::command]
pub async fn dialog_no(
    app: AppHandle,
    desk: State<'_, Desk>,
    nonce: String,
    digest: String,
    answers: HashMap<String, Answer>,
    comment: Option<String>,
    remarks: Option<Vec<GivenRemark>>,
) -> Said<()> {
    let answers = into_json(answers);
    let (id, _) = desk.dialog.shown().ok_or_else(|| ViewError::new(&desk, &BrokerError::Stale))?;
    let shown = desk.broker.detail(&id).map_err(|error| ViewError::new(&desk, &error))?;
    let verdict = no(&shown.request.ask, answers, comment, remarks.unwrap_or_default())
        .map_err(|error| ViewError::new(&desk, &error))?;
    settle(&app, &desk, &digest, None, verdict, |digest| desk.dialog.no(&nonce, digest)).await
}

/// A no in the request's own shape: where it has none among its answers, the person chose not to answer.
fn no(
    ask: &Ask,
    answers: Map<String, Value>,
    comment: Option<String>,
    remarks: Vec<GivenRemark>,
) -> Result<Verdict, BrokerError> {
    if is_choice(ask) && answers.is_empty() {
        return Ok(Verdict::Decline { comment });
    }
    check_no(ask, &answers)?;
    if !remarks.is_empty() {
        // Looked at before the nonce is used up: the person mends them and says it again.
        remark::check(ask.context.as_deref().unwrap_or_default(), &remarks)
            .map_err(|error| BrokerError::Invalid(error.to_string()))?;
        return Ok(Verdict::Plan { answers, comment, remarks, mode: None });
    }
    Ok(Verdict::Answer { answers, comment, typed: None })
}

/// A page that called a yes safe would go around the second: what counts is what the answers are once they are checked.
fn check_no(ask: &Ask, answers: &Map<String, Value>) -> Result<(), BrokerError> {
    let checked = answer::check(&ask.questions, answers).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    if is_no(ask.class, &checked) {
        return Ok(());
    }
    Err(BrokerError::Invalid("that is a yes, and no safe answer; nothing was decided".into()))
}

async fn settle(
    app: &AppHandle,
    desk: &Desk,
    digest: &str,
    seen: Option<Shown>,
    verdict: Verdict,
    take: impl FnOnce(&Digest) -> Result<RequestId, Refused>,
) -> Said<()> {
    let digest = Digest::parse(digest).ok_or_else(|| ViewError::new(desk, &BrokerError::Stale))?;
    let id = take(&digest).map_err(|refused| match refused {
        Refused::Stale => ViewError::new(desk, &BrokerError::Stale),
        Refused::TooSoon => ViewError { code: "too_soon".into(), message: words::too_soon(words::of(desk)) },
    })?;
    let decided = match seen {
        Some(seen) => desk.broker.decide_as_shown(DIALOG, &id, digest, seen, verdict).await,
        None => desk.broker.decide(DIALOG, &id, Some(digest), verdict).await,
    };
    if decided.is_ok() {
        desk.dialog.close();
    }
    dialog_window::follow(app);
    decided.map(|_| ()).map_err(|error| ViewError::new(desk, &error))
}

/// A plan that came before, whole.
#[tauri::command]
pub async fn dialog_plan(desk: State<'_, Desk>, id: String) -> Said<Vec<Block>> {
    plan::whole(&desk, &RequestId(id)).map_err(|error| ViewError::new(&desk, &error))
}

/// Later: it stays pending.
#[tauri::command]
pub async fn dialog_later(app: AppHandle, desk: State<'_, Desk>) -> Said<()> {
    desk.dialog.put_off();
    dialog_window::follow(&app);
    Ok(())
}

/// The page ignored a key or a click: a yes is inert for another second.
#[tauri::command]
pub async fn dialog_ignored(desk: State<'_, Desk>) -> Said<()> {
    desk.dialog.disturbed(desk.clock.now().boot);
    Ok(())
}

/// The person opens a request's dialog from the inbox.
#[tauri::command]
pub async fn open_dialog(app: AppHandle, desk: State<'_, Desk>, id: String) -> Said<()> {
    desk.dialog.want(RequestId(id));
    dialog_window::follow_person(&app);
    Ok(())
}

fn into_json(answers: HashMap<String, Answer>) -> Map<String, Value> {
    answers.into_iter().map(|(id, answer)| (id, answer.into_json())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::question::{Choice, Question};
    use countersign_core::request::OnExpiry;
    use serde_json::json;

    fn ask(class: Class, question: Question) -> Ask {
        Ask {
            tool: String::new(),
            class,
            title: String::new(),
            context: None,
            questions: vec![question],
            arguments: Value::Null,
            expires_in: None,
            on_expiry: OnExpiry::Expire,
            subject: None,
            typed_word: None,
            safe_options: Vec::new(),
            gate: false,
        }
    }

    #[test]
    fn a_no_is_one_however_it_is_spelled_and_a_yes_never_is() {
        let plan = ask(Class::Plan, countersign_core::plan::question());
        let delete = ask(Class::Destructive, Question::confirm("confirm-delete", "Delete?".into()));
        let said = |ask: &Ask, answer: Value| {
            let answers = into_json(serde_json::from_value(answer).expect("as a page sends it"));
            check_no(ask, &answers).is_ok()
        };
        for label in ["Keep planning", "Cancel"] {
            assert!(said(&plan, json!({"plan": label})), "{label}");
            assert!(said(&plan, json!({"plan": {"chosen": [label], "other": ""}})), "{label}");
        }
        for yes in [
            json!({"plan": "Run it"}),
            json!({"plan": ["Run it"]}),
            json!({"plan": {"chosen": ["Run it"], "other": ""}}),
            json!({"plan": {"chosen": ["Run it"], "other": " "}}),
            json!({"plan": {"chosen": ["Run it", "Cancel"], "other": ""}}),
            json!({"plan": {"chosen": [], "other": "Run it"}}),
            json!({"plan": true}),
            json!({"else": "Cancel"}),
            json!({}),
        ] {
            assert!(!said(&plan, yes.clone()), "{yes}");
        }
        let env = Question::choice("env", "Where?".into(), vec![Choice::plain("live"), Choice::plain("staging")], None);
        let deploy = Ask { safe_options: vec!["staging".into()], ..ask(Class::Destructive, env) };
        let declines = |ask: &Ask, answers: Value| {
            let answers = into_json(serde_json::from_value(answers).expect("as a page sends it"));
            no(ask, answers, None, Vec::new()).map(|verdict| matches!(verdict, Verdict::Decline { .. })).ok()
        };
        assert_eq!(declines(&deploy, json!({})), Some(true), "a choice of what to do has no other no");
        for option in ["live", "staging"] {
            assert_eq!(declines(&deploy, json!({"env": option})), None, "{option} does something");
        }
        assert_eq!(declines(&delete, json!({})), None);
        assert_eq!(declines(&delete, json!({"confirm-delete": false})), Some(false));
        assert!(said(&delete, json!({"confirm-delete": false})));
        for yes in [
            json!({"confirm-delete": true}),
            json!({"confirm-delete": "no"}),
            json!({"confirm-delete": {"chosen": [], "other": "no"}}),
            json!({}),
        ] {
            assert!(!said(&delete, yes.clone()), "{yes}");
        }
    }

    #[test]
    fn remarks_go_with_a_no_to_a_plan_and_are_about_lines_that_there_are() {
        let plan =
            Ask { context: Some("# One\n\n1. Read".into()), ..ask(Class::Plan, countersign_core::plan::question()) };
        let said = |label: &str, line: u32| {
            let answers = json!({"plan": label}).as_object().expect("an object").clone();
            no(&plan, answers, None, vec![GivenRemark { line, text: "No".into() }])
        };
        for label in ["Keep planning", "Cancel"] {
            assert!(matches!(said(label, 3), Ok(Verdict::Plan { remarks, mode: None, .. }) if remarks.len() == 1));
        }
        assert!(said("Keep planning", 4).is_err(), "no such line");
        assert!(said("Run it", 3).is_err(), "a yes");
    }

    #[test]
    fn a_yes_may_pick_a_mode_and_takes_its_word_otherwise() {
        let of = |typed: Option<&str>, mode: Option<&str>| {
            yes(Map::new(), None, typed.map(str::to_owned), mode.map(str::to_owned))
        };
        assert!(matches!(of(Some("SPEC-001"), None), Ok(Verdict::Answer { typed: Some(_), .. })));
        assert!(matches!(of(None, Some("guided")), Ok(Verdict::Plan { mode: Some(Mode::Guided), .. })));
        assert!(of(None, Some("fast")).is_err());
    }
}
