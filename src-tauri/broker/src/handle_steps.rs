//! The handle's part for steps and rules: what hosts and the person ask for, read away from the writer's thread.

use crate::agents::{self, Caller};
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::{Message, Reply};
use crate::person::Person;
use crate::rules::{self, NewRule};
use crate::steps::{self, Gate, Prepared};
use crate::stops;
use crate::writer::{Effect, Place, Tell, run};
use countersign_core::id::SessionId;
use countersign_core::limit;
use countersign_core::request::Request;
use countersign_core::rule::{Effect as Does, Rule, Who, matches};
use countersign_core::step::{self, Asked, Call, Step, lexical};
use countersign_store::{RuleRow, Session, Tx};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// What can happen to steps and rules.
pub(crate) enum StepMessage {
    /// A step comes to the gate.
    Gate { caller: Caller, prepared: Box<Prepared>, reply: Reply<Gate> },
    /// The person makes a rule.
    Make { person: Person, rule: Box<NewRule>, reply: Reply<Rule> },
    /// The person removes one.
    Remove { person: Person, id: i64, reply: Reply<()> },
    /// The person stops a session, or releases it.
    Stop { person: Person, session: SessionId, stop: bool, reply: Reply<Session> },
}

/// Does one of them, in its part of the transaction.
pub(crate) fn handle(tx: &Tx<'_>, at: &Place, effects: &mut Vec<Effect>, message: StepMessage) -> Tell {
    match message {
        StepMessage::Gate { caller, prepared, reply } => {
            run(tx, at, effects, reply, |w| steps::gate(w, &caller, &prepared))
        }
        StepMessage::Make { person, rule, reply } => run(tx, at, effects, reply, |w| rules::make(w, person, *rule)),
        StepMessage::Remove { person, id, reply } => run(tx, at, effects, reply, |w| rules::remove(w, person, id)),
        StepMessage::Stop { person, session, stop, reply } => {
            run(tx, at, effects, reply, |w| stops::set(w, &session, stop, person))
        }
    }
}

/// A step as its host brings it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStep {
    /// The tool's name.
    pub tool: String,
    /// What it would be called with.
    pub input: Map<String, Value>,
    /// What the host calls this use of it.
    pub tool_use: Option<String>,
    /// Whether the host takes an input that the person edited.
    pub edits: bool,
    /// The folder in which it would be; the workspace when absent.
    pub folder: Option<String>,
}

/// What a rule would have done.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// Why it can't be made.
    pub refused: Option<String>,
    /// The steps that it is about, newest first.
    pub matched: Vec<Request>,
    /// How many were looked at.
    pub of: usize,
}

impl Broker {
    /// A step comes to the gate: what the mode and the rules say, or the card that asks. Never waits for a person.
    pub async fn step(&self, caller: &Caller, new: NewStep) -> Result<Gate, BrokerError> {
        let (workspace, own) = (caller.workspace_path.clone(), self.inner.book.own().to_vec());
        // It reads links, and whole command lines.
        let prepared = tokio::task::spawn_blocking(move || prepare(new, &workspace, &own)).await;
        let prepared = Box::new(prepared.map_err(|_| BrokerError::Stopped)??);
        self.send(|reply| Message::Step(StepMessage::Gate { caller: caller.clone(), prepared, reply })).await
    }

    /// The person makes a rule.
    pub async fn make_rule(&self, person: Person, rule: NewRule) -> Result<Rule, BrokerError> {
        self.send(|reply| Message::Step(StepMessage::Make { person, rule: Box::new(rule), reply })).await
    }

    /// The person removes a rule.
    pub async fn remove_rule(&self, person: Person, id: i64) -> Result<(), BrokerError> {
        self.send(|reply| Message::Step(StepMessage::Remove { person, id, reply })).await
    }

    /// The person stops a session: nothing of it passes until they release it.
    pub async fn stop_session(&self, person: Person, session: &SessionId, stop: bool) -> Result<Session, BrokerError> {
        let session = session.clone();
        self.send(|reply| Message::Step(StepMessage::Stop { person, session, stop, reply })).await
    }

    /// The rules that hold now, the newest first, with what each of them did.
    pub fn rules(&self) -> Result<Vec<RuleRow>, BrokerError> {
        let at = self.inner.clock.now().wall;
        self.read(|db| Ok(db.rule_rows(at)?))
    }

    /// What a rule would have matched among the newest steps, and whether it can be made.
    pub fn try_rule(&self, new: &NewRule) -> Result<Tried, BrokerError> {
        let refused = new.scope.check(new.effect, self.inner.book.own()).err().map(|error| error.to_string());
        let mut rule = Rule {
            id: 0,
            effect: new.effect,
            scope: new.scope.clone(),
            expires_at: None,
            made_by: String::new(),
            made_at: self.inner.clock.now().wall,
            request: None,
        };
        if refused.is_some() && rule.effect == Does::Allow {
            // What it would cover is worth seeing all the more.
            rule.effect = Does::Deny;
        }
        self.read(|db| {
            let steps = db.newest_steps(limit::RULE_TRIED)?;
            let of = steps.len();
            let mut folders = BTreeMap::new();
            let mut matched = Vec::new();
            for request in steps {
                let folder = match folders.get(&request.workspace.0) {
                    Some(folder) => String::clone(folder),
                    None => db.workspace_path(request.workspace)?,
                };
                folders.insert(request.workspace.0, folder.clone());
                let Some(step) = step::of_request(&request).map(|asked| asked.step(&folder, self.inner.book.own()))
                else {
                    continue;
                };
                let who = Who {
                    agent: &request.agent,
                    session: &request.session,
                    workspace: request.workspace,
                    at: rule.made_at,
                };
                if matches(&rule, &step, who).is_some() {
                    matched.push(request);
                }
            }
            Ok(Tried { refused, matched, of })
        })
    }

    /// The step of a request, read again as it was; none for other kinds.
    pub fn step_of(&self, request: &Request, workspace: &str) -> Option<(Asked, Step)> {
        let asked = step::of_request(request)?;
        let step = asked.step(workspace, self.inner.book.own());
        Some((asked, step))
    }
}

/// Reads a step: its words, and where the paths in it lead now.
fn prepare(new: NewStep, workspace: &str, own: &[String]) -> Result<Prepared, BrokerError> {
    step::check(&new.tool, &new.input).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    if let Some(tool_use) = &new.tool_use {
        limit::check_line("tool_use_id", tool_use, limit::TOOL_USE_CHARS)
            .map_err(|error| BrokerError::Invalid(error.to_string()))?;
    }
    let folder = match new.folder.as_deref().map(str::trim).filter(|folder| !folder.is_empty()) {
        Some(folder) => agents::resolved(agents::spelled(folder)?),
        None => workspace.to_owned(),
    };
    let links = RefCell::new(BTreeMap::new());
    let resolve = |path: &str| {
        let (real, plain) = (leads_to(path), lexical(path));
        if real != plain {
            links.borrow_mut().insert(path.to_owned(), real.clone());
        }
        real
    };
    let call = Call { tool: new.tool, input: new.input, folder };
    let step = Step::read(call.clone(), step::Place { workspace, own, resolve: &resolve });
    let asked = Asked { call, edits: new.edits, links: links.into_inner() };
    Ok(Prepared { key: asked.key(), step, asked, tool_use: new.tool_use })
}

/// Where a path leads, with links followed as far as there is something.
fn leads_to(path: &str) -> String {
    if !path.starts_with('/') || path.contains('\0') {
        return lexical(path);
    }
    let mut rest: Vec<&str> = Vec::new();
    let mut there = Path::new(path);
    loop {
        if let Ok(real) = std::fs::canonicalize(there) {
            let whole = rest.iter().rev().fold(real, |folder, part| folder.join(part));
            return whole.to_str().map_or_else(|| lexical(path), lexical);
        }
        let (Some(name), Some(above)) = (there.components().next_back(), there.parent()) else { return lexical(path) };
        rest.push(name.as_os_str().to_str().unwrap_or_default());
        there = above;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_where_its_links_lead_as_far_as_there_is_something() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("there");
        std::fs::create_dir_all(root.join("a/b")).expect("made");
        std::os::unix::fs::symlink(root.join("a/b"), root.join("link")).expect("linked");
        std::os::unix::fs::symlink("/etc", root.join("out")).expect("linked");
        let at = |path: &str| leads_to(root.join(path).to_str().expect("UTF-8"));
        let here = |path: &str| root.join(path).to_str().expect("UTF-8").to_owned();
        assert_eq!(at("a/x/y"), here("a/x/y"));
        assert_eq!(at("link/new/file"), here("a/b/new/file"));
        assert_eq!(at("link/../z"), here("a/z"), "above where it leads, not above where it stands");
        assert_eq!(at("out/passwd"), "/etc/passwd");
        assert_eq!(at("out/none/x"), "/etc/none/x");
        assert_eq!(leads_to("~/x"), "~/x");
    }
}
