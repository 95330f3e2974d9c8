//! Doing it: the rules that hold whoever does something to a spec, and the log entry of each.

use super::{Acted, Outcome};
use crate::agents::Caller;
use crate::decide::{self, TEST_HOME};
use crate::error::BrokerError;
use crate::person::Person;
use crate::random;
use crate::runs::{self, Checks, Starter};
use crate::shell::Change;
use crate::trusts::Folder;
use crate::writer::{Effect, Work};
use countersign_core::channel::Channel;
use countersign_core::gate;
use countersign_core::id::{RequestId, SpecId, WorkspaceId};
use countersign_core::request::{State, Subject};
use countersign_core::spec::{By, CriterionState, Evidence, Spec, Status};
use countersign_core::spec_act::SpecAct;
use countersign_core::spec_edit::Edited;
use countersign_core::workspace::{EvidenceRule, WorkspaceRules};
use countersign_store::Workspace;
use serde_json::{Value, json};

/// Who does it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Author<'a> {
    /// An agent, whose gates are open.
    Agent(&'a Caller),
    /// The person.
    Person(Person),
}

/// What an act comes to, as far as that shows before it is done.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The content after it.
    pub(crate) edited: Option<Edited>,
    /// What the workspace's folder has of commands, where the act may start some.
    pub(crate) folder: Option<Box<Folder>>,
    /// The requests whose decisions let it through, for the log.
    pub(crate) let_by: Vec<RequestId>,
}

/// Refuses what can't be done at all, before anybody is asked about it.
pub(crate) fn plan(work: &Work<'_>, workspace: WorkspaceId, spec: &Spec, act: &SpecAct) -> Result<Plan, BrokerError> {
    let invalid = |error: countersign_core::spec::SpecError| BrokerError::Invalid(error.to_string());
    match act {
        SpecAct::Edit(edit) => {
            let next = work.tx.next_criterion(workspace, spec.row.id)?;
            Ok(Plan { edited: Some(edit.apply(spec, next).map_err(invalid)?), ..Plan::default() })
        }
        SpecAct::Move(to) => {
            spec.row.status.check_move(*to).map_err(invalid)?;
            Ok(Plan::default())
        }
        SpecAct::Evidence { criterion, .. } | SpecAct::Waive { criterion, .. } => {
            spec.criterion(criterion).map_err(invalid)?;
            Ok(Plan::default())
        }
        SpecAct::Lock | SpecAct::Unlock | SpecAct::Validate | SpecAct::Delete => Ok(Plan::default()),
    }
}

/// The person does it at a surface where they do things themselves, with a proof that they typed.
pub(crate) fn check_person(work: &Work<'_>, person: Person) -> Result<(), BrokerError> {
    check_channel(person)?;
    if person.unattended && work.tx.setting(TEST_HOME)?.is_none() {
        return Err(BrokerError::NotAllowed(
            "a proof from a file does not do this; type the passphrase on the terminal instead".into(),
        ));
    }
    Ok(())
}

/// A surface where the person does things themselves.
pub(crate) fn check_channel(person: Person) -> Result<(), BrokerError> {
    match person.channel {
        Channel::Window | Channel::Dialog | Channel::Terminal | Channel::Serve => Ok(()),
        Channel::Notification
        | Channel::File
        | Channel::Relayed
        | Channel::Rule
        | Channel::Autonomous
        | Channel::Expiry
        | Channel::Program
        | Channel::Mode => {
            let said = format!("specs can't be changed through the {} channel", person.channel.word());
            Err(BrokerError::NotAllowed(said))
        }
    }
}

/// Does it. For an agent the gates are open.
pub(crate) fn act(
    work: &mut Work<'_>,
    author: Author<'_>,
    workspace: WorkspaceId,
    spec: &Spec,
    act: &SpecAct,
    plan: Plan,
) -> Result<Acted, BrokerError> {
    let mut deed = Deed {
        rules: work.tx.workspace(workspace)?.rules,
        work,
        author,
        workspace,
        spec,
        notes: Vec::new(),
        checks: None,
        let_by: plan.let_by,
    };
    let outcome = match act {
        SpecAct::Edit(_) => deed.edit(plan.edited)?,
        SpecAct::Move(to) => deed.move_to(*to)?,
        SpecAct::Lock => deed.lock(true)?,
        SpecAct::Unlock => deed.lock(false)?,
        SpecAct::Evidence { criterion, met, text } => deed.evidence(criterion, *met, text)?,
        SpecAct::Waive { criterion, reason } => deed.waive(criterion, reason.as_deref())?,
        SpecAct::Validate => deed.validate(plan.folder.as_deref())?,
        SpecAct::Delete => deed.delete()?,
    };
    let (notes, checks) = (deed.notes, deed.checks);
    let spec_after = work.tx.spec(workspace, spec.row.id)?.map(Box::new);
    overtake(work, workspace, spec.row.id, spec_after.as_deref())?;
    work.effect(Effect::Changed(Change::Specs));
    Ok(Acted { id: spec.row.id, spec: spec_after, outcome, notes, checks })
}

/// What was asked about the spec as it was before is no question any more: an answer would count for nothing.
pub(crate) fn overtake(
    work: &mut Work<'_>,
    workspace: WorkspaceId,
    id: SpecId,
    now: Option<&Spec>,
) -> Result<(), BrokerError> {
    for asked in work.tx.pending_about(workspace, id)? {
        let Some(request) = work.tx.request(&asked)? else { continue };
        let stands = now.is_some_and(|now| {
            let stood = |was: &Subject| was.criteria.is_none_or(|was| was == now.standing());
            let subject = request.ask.subject.as_ref().is_some_and(|was| was.is_of(&now.row.subject()) && stood(was));
            let locked = match request.ask.questions.first().map(|question| question.id.as_str()) {
                Some("confirm-overwrite-locked") => now.row.locked,
                Some("confirm-lock-draft") => !now.row.locked,
                _ => true,
            };
            subject && locked
        });
        if !stands {
            decide::settle(work, &request, State::Superseded, None)?;
        }
    }
    Ok(())
}

/// What was brought in is a draft, whatever the spec was before.
pub(crate) fn to_draft(
    work: &mut Work<'_>,
    author: Author<'_>,
    workspace: WorkspaceId,
    spec: &Spec,
) -> Result<(), BrokerError> {
    let rules = work.tx.workspace(workspace)?.rules;
    Deed { rules, work, author, workspace, spec, notes: Vec::new(), checks: None, let_by: Vec::new() }
        .set_status(spec.row.status, Status::Draft)
}

/// The person does it, as their own act: no gate asks them for what they just said.
pub(crate) fn act_for_person(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    id: SpecId,
    done: &SpecAct,
) -> Result<Acted, BrokerError> {
    check_person(work, person)?;
    done.check().map_err(|error| BrokerError::Invalid(error.to_string()))?;
    let missing = || BrokerError::NotFound(format!("there is no {id} in this workspace"));
    let spec = work.tx.spec(workspace, id)?.ok_or_else(missing)?;
    let plan = plan(work, workspace, &spec, done)?;
    act(work, Author::Person(person), workspace, &spec, done, plan)
}

/// The workspace of a folder, made if nobody has worked there yet.
pub(crate) fn open_workspace(work: &mut Work<'_>, person: Person, path: &str) -> Result<Workspace, BrokerError> {
    check_channel(person)?;
    let path = crate::agents::spelled(path)?;
    match work.tx.workspace_at(&path)? {
        Some(workspace) => Ok(workspace),
        None => Ok(work.tx.insert_workspace(&path, work.at())?),
    }
}

/// The person rules for a workspace.
pub(crate) fn set_rules(
    work: &mut Work<'_>,
    person: Person,
    workspace: WorkspaceId,
    rules: WorkspaceRules,
) -> Result<(), BrokerError> {
    check_person(work, person)?;
    let before = work.tx.workspace(workspace)?;
    work.tx.set_workspace_rules(workspace, rules)?;
    if rules.evidence == EvidenceRule::Checked && before.rules.evidence != EvidenceRule::Checked {
        work.tx.discount_agents_word(workspace)?;
    }
    let body =
        json!({"workspace": before.path, "channel": person.channel.word(), "before": before.rules, "rules": rules});
    work.tx.log(work.at(), "workspace.rules", &before.path, &body, random::salt())?;
    work.effect(Effect::Changed(Change::Specs));
    Ok(())
}

struct Deed<'d, 't> {
    work: &'d mut Work<'t>,
    author: Author<'d>,
    workspace: WorkspaceId,
    spec: &'d Spec,
    rules: WorkspaceRules,
    notes: Vec<String>,
    checks: Option<Checks>,
    let_by: Vec<RequestId>,
}

impl Deed<'_, '_> {
    fn edit(&mut self, edited: Option<Edited>) -> Result<Outcome, BrokerError> {
        let Some(edited) = edited.filter(|edited| edited.changed) else { return Ok(Outcome::Unchanged) };
        let (id, at) = (self.spec.row.id, self.work.at());
        let by = match self.author {
            Author::Agent(caller) => Some(&caller.agent),
            Author::Person(_) => None,
        };
        self.work.tx.change_spec(self.workspace, id, &edited, by, at)?;
        self.work.titles.set(self.workspace, id, Some(&edited.title));
        self.log("spec.changed", json!({"revision": self.spec.row.revision + 1, "title": edited.title}))?;
        if self.spec.row.status == Status::Approved {
            self.set_status(Status::Approved, Status::Review)?;
            self.notes.push("Its content was approved and changed, so it went back to review".into());
        }
        Ok(Outcome::Updated)
    }

    fn move_to(&mut self, to: Status) -> Result<Outcome, BrokerError> {
        self.set_status(self.spec.row.status, to)?;
        Ok(Outcome::Updated)
    }

    fn set_status(&mut self, from: Status, to: Status) -> Result<(), BrokerError> {
        self.work.tx.set_spec_status(self.workspace, self.spec.row.id, to, self.work.at())?;
        self.log("spec.moved", json!({"from": from, "to": to}))
    }

    fn lock(&mut self, locked: bool) -> Result<Outcome, BrokerError> {
        if self.spec.row.locked == locked {
            return Ok(Outcome::Unchanged);
        }
        self.work.tx.set_spec_locked(self.workspace, self.spec.row.id, locked, self.work.at())?;
        let (kind, outcome) =
            if locked { ("spec.locked", Outcome::Locked) } else { ("spec.unlocked", Outcome::Unlocked) };
        self.log(kind, json!({}))?;
        Ok(outcome)
    }

    fn evidence(&mut self, criterion: &str, met: bool, text: &str) -> Result<Outcome, BrokerError> {
        let criterion = self.spec.criterion(criterion).map_err(|error| BrokerError::Invalid(error.to_string()))?;
        let by = self.by()?;
        let from_agent = matches!(self.author, Author::Agent(_));
        if from_agent && criterion.state == CriterionState::Waived {
            return Err(BrokerError::Invalid(format!(
                "{} was waived by the person: it counts as met and takes no evidence",
                criterion.id
            )));
        }
        let counts = !(from_agent && self.rules.evidence == EvidenceRule::Checked);
        let state = match &criterion.check {
            Some(check) => {
                self.notes.push(format!("{} goes by its check `{check}`; call validate to run it", criterion.id));
                criterion.state
            }
            None if !counts => {
                self.notes.push(format!(
                    "This workspace counts a check's or the person's word only: yours is kept beside {}, which the person has to confirm",
                    criterion.id
                ));
                criterion.state
            }
            None if met => CriterionState::Met,
            None => CriterionState::Unmet,
        };
        // What was said by somebody whose word counts is not covered by a word that doesn't.
        let kept = criterion.evidence.as_ref().filter(|kept| !counts && !matches!(kept.by, By::Agent { .. }));
        let evidence = kept.cloned().unwrap_or(Evidence { text: text.to_owned(), met, by, at: self.work.at() });
        self.work.tx.set_criterion(self.workspace, self.spec.row.id, &criterion.id, state, Some(&evidence))?;
        self.log("spec.evidence", json!({"criterion": criterion.id, "met": met, "evidence": text}))?;
        // What doesn't count moves nothing.
        if counts {
            self.go_on(Status::Approved, Status::Implementing)?;
        }
        Ok(Outcome::Recorded)
    }

    fn waive(&mut self, criterion: &str, reason: Option<&str>) -> Result<Outcome, BrokerError> {
        let criterion = self.spec.criterion(criterion).map_err(|error| BrokerError::Invalid(error.to_string()))?;
        let Author::Person(_) = self.author else {
            return Err(BrokerError::NotAllowed("only the person waives a criterion".into()));
        };
        let by = self.by()?;
        let (state, evidence) = match reason {
            Some(reason) => {
                let evidence = Evidence { text: reason.to_owned(), met: false, by, at: self.work.at() };
                (CriterionState::Waived, Some(evidence))
            }
            None if criterion.state != CriterionState::Waived => return Ok(Outcome::Unchanged),
            None => (CriterionState::Unmet, None),
        };
        self.work.tx.set_criterion(self.workspace, self.spec.row.id, &criterion.id, state, evidence.as_ref())?;
        self.log("spec.waived", json!({"criterion": criterion.id, "reason": reason}))?;
        Ok(Outcome::Recorded)
    }

    /// Says how it stands now, and starts its checks: the next validation knows how they went.
    fn validate(&mut self, folder: Option<&Folder>) -> Result<Outcome, BrokerError> {
        let names: Vec<String> = self.spec.criteria.iter().filter_map(|criterion| criterion.check.clone()).collect();
        if let Some(folder) = folder.filter(|_| !names.is_empty()) {
            let starter = match self.author {
                Author::Agent(caller) => Starter::Agent(caller),
                Author::Person(person) => Starter::Person(person),
            };
            let checks = runs::start_checks(self.work, starter, self.workspace, &self.spec.row, &names, folder)?;
            self.checks = Some(checks);
        }
        if self.spec.is_met() {
            self.go_on(Status::Implementing, Status::Done)?;
        }
        Ok(Outcome::Validated)
    }

    fn delete(&mut self) -> Result<Outcome, BrokerError> {
        self.work.tx.delete_spec(self.workspace, self.spec.row.id)?;
        self.work.titles.set(self.workspace, self.spec.row.id, None);
        self.log("spec.deleted", json!({"revision": self.spec.row.revision, "title": self.spec.row.title}))?;
        Ok(Outcome::Deleted)
    }

    /// Moves on by itself, where the workspace wants that, through the same gates: one that is shut leaves it where it is.
    fn go_on(&mut self, from: Status, to: Status) -> Result<(), BrokerError> {
        if !self.rules.auto_transitions || self.spec.row.status != from {
            return Ok(());
        }
        let now = self.work.tx.spec(self.workspace, self.spec.row.id)?;
        let shut = now.is_none_or(|now| !gate::of(&SpecAct::Move(to), &now, None, None).is_empty());
        if shut {
            self.notes.push(format!("It stays in {}: update_status to {} asks first", from.word(), to.word()));
            return Ok(());
        }
        self.set_status(from, to)?;
        self.notes.push(format!("It moved on to {} by itself, as this workspace wants", to.word()));
        Ok(())
    }

    fn by(&self) -> Result<By, BrokerError> {
        Ok(match self.author {
            Author::Person(_) => By::Person,
            Author::Agent(caller) => {
                let name = self.work.tx.agent(&caller.agent)?.map(|agent| agent.name).unwrap_or_default();
                By::Agent { id: caller.agent.clone(), name }
            }
        })
    }

    fn log(&self, kind: &str, facts: Value) -> Result<(), BrokerError> {
        let mut body = facts;
        body["spec"] = json!(self.spec.row.id);
        body["workspace"] = json!(self.work.tx.workspace_path(self.workspace)?);
        match self.author {
            Author::Agent(caller) => body["agent"] = json!(caller.agent),
            Author::Person(person) => body["channel"] = json!(person.channel.word()),
        }
        if !self.let_by.is_empty() {
            body["requests"] = json!(self.let_by);
        }
        self.work.tx.log(self.work.at(), kind, &self.spec.row.id.to_string(), &body, random::salt())?;
        Ok(())
    }
}
