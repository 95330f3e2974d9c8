//! The person's rules for steps: made, removed, and kept in memory, because each step asks all of them.

use crate::decide::TEST_HOME;
use crate::error::BrokerError;
use crate::person::Person;
use crate::random;
use crate::shell::Change;
use crate::steps;
use crate::writer::{Effect, Work};
use countersign_core::channel::Channel;
use countersign_core::id::{AgentId, RequestId, SessionId};
use countersign_core::limit;
use countersign_core::request::Request;
use countersign_core::rule::{Effect as Does, Rule, Scope};
use countersign_core::step::{Proposal, Step, proposals};
use countersign_core::time::Millis;
use countersign_store::{Db, Store, StoreError};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All rules that were not removed, as they were committed. What a transaction changes is read from the transaction until then.
#[derive(Clone)]
pub(crate) struct Book {
    rules: Arc<Mutex<Pages>>,
    /// This program's own folders.
    own: Arc<[String]>,
}

#[derive(Default)]
struct Pages {
    rules: Arc<Vec<Rule>>,
    changed: bool,
}

impl Book {
    /// Reads what the store has.
    pub(crate) fn load(store: &Store) -> Result<Self, StoreError> {
        let rules = Arc::new(store.read(|db| db.rules())?);
        let home = store.path().parent().and_then(|home| home.to_str()).unwrap_or_default().to_owned();
        let real = crate::agents::resolved(home.clone());
        let own = if real == home { vec![home] } else { vec![home, real] };
        let own = own.into_iter().filter(|folder| folder.starts_with('/')).collect();
        Ok(Self { rules: Arc::new(Mutex::new(Pages { rules, changed: false })), own })
    }

    /// This program's own folders.
    pub(crate) fn own(&self) -> &[String] {
        &self.own
    }

    /// The rules as this transaction sees them.
    pub(crate) fn rules(&self, db: Db<'_>) -> Result<Arc<Vec<Rule>>, StoreError> {
        let pages = self.pages();
        if pages.changed { Ok(Arc::new(db.rules()?)) } else { Ok(pages.rules.clone()) }
    }

    /// Something of them is changed in this transaction.
    pub(crate) fn changed(&self) {
        self.pages().changed = true;
    }

    /// The transaction is over, whichever way: what is on disk is known again. Where that fails, each step goes on reading it.
    pub(crate) fn settle(&self, store: &Store) {
        let mut pages = self.pages();
        if pages.changed
            && let Ok(rules) = store.read(|db| db.rules())
        {
            *pages = Pages { rules: Arc::new(rules), changed: false };
        }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a decision is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// For this session.
    Session,
    /// For an hour, in this agent's sessions in this workspace.
    Hour,
    /// For good, for this agent in this workspace.
    Good,
}

impl Until {
    /// The one of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "session" => Some(Self::Session),
            "hour" => Some(Self::Hour),
            "good" => Some(Self::Good),
            _ => None,
        }
    }
}

/// What of a decision is remembered: one of what was offered, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remember {
    /// Which.
    pub proposal: usize,
    /// For how long.
    pub until: Until,
}

/// A rule that the person writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    /// What it does.
    pub effect: Does,
    /// To which steps.
    pub scope: Scope,
    /// For how many seconds; none: for good.
    pub expires_in_seconds: Option<u64>,
}

/// Only a person at a surface rules; a proof from a file makes things stricter only.
pub(crate) fn check_person(work: &Work<'_>, person: Person, loosens: bool) -> Result<(), BrokerError> {
    match person.channel {
        Channel::Window | Channel::Terminal | Channel::Serve => {}
        Channel::Dialog
        | Channel::Notification
        | Channel::File
        | Channel::Relayed
        | Channel::Rule
        | Channel::Autonomous
        | Channel::Expiry
        | Channel::Program
        | Channel::Mode => {
            return Err(BrokerError::NotAllowed(format!("the {} channel makes no rules", person.channel.word())));
        }
    }
    if person.unattended && loosens && work.tx.setting(TEST_HOME)?.is_none() {
        return Err(BrokerError::NotAllowed(
            "a proof from a file only makes things stricter; type the passphrase on the terminal instead".into(),
        ));
    }
    Ok(())
}

/// The person makes a rule by hand.
pub(crate) fn make(work: &mut Work<'_>, person: Person, new: NewRule) -> Result<Rule, BrokerError> {
    check_person(work, person, new.effect == Does::Allow)?;
    let span = match new.expires_in_seconds {
        Some(seconds) if !limit::RULE_SECONDS.contains(&seconds) => {
            let (least, most) = (limit::RULE_SECONDS.start(), limit::RULE_SECONDS.end());
            return Err(BrokerError::Invalid(format!("a rule ends after {least} to {most} seconds, or never")));
        }
        seconds => seconds.map(Millis::seconds),
    };
    let rule = Rule {
        id: 0,
        effect: new.effect,
        scope: new.scope,
        expires_at: span.map(|span| work.at().plus(span)),
        made_by: person.channel.word().to_owned(),
        made_at: work.at(),
        request: None,
    };
    let rule = keep(work, person, rule)?;
    steps::settle_covered(work, &rule)?;
    Ok(rule)
}

/// The rule that remembers a decision, as it was offered.
pub(crate) fn remember(
    work: &mut Work<'_>,
    person: Person,
    request: &Request,
    step: &Step,
    remember: Remember,
    allow: bool,
) -> Result<Rule, BrokerError> {
    check_person(work, person, allow)?;
    let workspace = work.tx.workspace_path(request.workspace)?;
    let offered = proposals(step, &workspace).into_iter().nth(remember.proposal);
    let Some(Proposal { tool, command, path }) = offered else {
        return Err(BrokerError::Invalid("that was not offered to be remembered; nothing was decided".into()));
    };
    let (session, span) = match remember.until {
        Until::Session => (Some(request.session.clone()), Some(Millis(limit::SESSION_RULE_MILLIS))),
        Until::Hour => (None, Some(Millis::seconds(3_600))),
        Until::Good => (None, None),
    };
    let (agent, workspace) = (Some(request.agent.clone()), Some(request.workspace));
    let rule = Rule {
        id: 0,
        effect: if allow { Does::Allow } else { Does::Deny },
        scope: Scope { tool, command, path, workspace, agent, session },
        expires_at: span.map(|span| work.at().plus(span)),
        made_by: person.channel.word().to_owned(),
        made_at: work.at(),
        request: Some(request.id.clone()),
    };
    keep(work, person, rule)
}

fn keep(work: &mut Work<'_>, person: Person, rule: Rule) -> Result<Rule, BrokerError> {
    rule.scope.check(rule.effect, work.book.own()).map_err(|error| BrokerError::Invalid(error.to_string()))?;
    if work.tx.rule_count()? >= limit::RULES as u64 {
        return Err(BrokerError::Invalid(format!("there are {} rules already; remove some first", limit::RULES)));
    }
    let id = work.tx.insert_rule(&rule)?;
    let rule = Rule { id, ..rule };
    let body = json!({
        "rule": id, "effect": rule.effect, "scope": rule.scope, "expires_at": rule.expires_at, "request": rule.request,
        "channel": person.channel, "unattended": person.unattended,
    });
    log(work, "rule.made", id, &body)?;
    Ok(rule)
}

/// The person removes a rule.
pub(crate) fn remove(work: &mut Work<'_>, person: Person, id: i64) -> Result<(), BrokerError> {
    let missing = || BrokerError::NotFound(format!("there is no rule {id}; `countersign rules list` shows them"));
    let rule = work.tx.rule(id)?.ok_or_else(missing)?;
    check_person(work, person, rule.effect != Does::Allow)?;
    work.tx.remove_rule(id, work.at())?;
    let body = json!({"rule": id, "channel": person.channel, "unattended": person.unattended});
    log(work, "rule.removed", id, &body)
}

fn log(work: &mut Work<'_>, kind: &str, id: i64, body: &Value) -> Result<(), BrokerError> {
    work.book.changed();
    work.tx.log(work.at(), kind, &id.to_string(), body, random::salt())?;
    work.effect(Effect::Changed(Change::Rules));
    Ok(())
}

/// A session ended, and with it what was allowed or denied for as long as it goes on.
pub(crate) fn session_ended(work: &mut Work<'_>, session: &SessionId) -> Result<(), BrokerError> {
    if work.tx.end_rules_of_session(session, work.at())? > 0 {
        work.book.changed();
        work.effect(Effect::Changed(Change::Rules));
    }
    Ok(())
}

/// An agent's token was taken away: what was ruled for it matches nothing any more.
pub(crate) fn agent_revoked(work: &mut Work<'_>, agent: &AgentId) -> Result<(), BrokerError> {
    if work.tx.end_rules_of_agent(agent, work.at())? > 0 {
        work.book.changed();
        work.effect(Effect::Changed(Change::Rules));
    }
    Ok(())
}

/// Notes which rule had a request asked about, or settled it.
pub(crate) fn note(work: &Work<'_>, request: &RequestId, rule: Option<i64>) -> Result<(), BrokerError> {
    if let Some(rule) = rule {
        work.tx.set_request_rule(request, rule)?;
    }
    Ok(())
}
