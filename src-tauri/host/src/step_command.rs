//! What a terminal wants with steps, rules and sessions that are stopped.

use crate::command::Reply;
use crate::shown::{self, rule, shown};
use countersign_broker::{Broker, BrokerError, Person, Remember, RuleDraft, StepVerdict, Until, Verdict};
use countersign_core::id::{RequestId, SessionId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One thing that a terminal wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "kebab-case")]
pub enum StepCommand {
    /// Decides on a step.
    Decide {
        /// Which.
        id: RequestId,
        /// Whether it passes.
        allow: bool,
        /// The input that the person made of it, whole.
        edited: Option<Map<String, Value>>,
        /// The place of what is remembered among what was offered, and until when: `session`, `hour` or `good`.
        remember: Option<(usize, String)>,
        /// What the person adds.
        comment: Option<String>,
    },
    /// Stops a session, or releases it.
    Stop {
        /// Which.
        session: SessionId,
        /// Whether it is released.
        release: bool,
    },
    /// The rules that hold.
    Rules,
    /// Makes one.
    Make(RuleDraft),
    /// Removes one.
    Remove {
        /// Its number.
        id: i64,
    },
    /// What one would have matched.
    Try(RuleDraft),
}

impl StepCommand {
    /// Whether it changes something, and so takes a proof that a person is there.
    pub fn takes_proof(&self) -> bool {
        match self {
            Self::Decide { .. } | Self::Stop { .. } | Self::Make(_) | Self::Remove { .. } => true,
            Self::Rules | Self::Try(_) => false,
        }
    }
}

/// Serves one. One that changes something comes with the person who proved to be there.
pub(crate) async fn serve(broker: &Broker, command: StepCommand, person: Option<Person>) -> Result<Reply, BrokerError> {
    let Some(person) = person else {
        return Ok(Reply::Ok(match command {
            StepCommand::Rules => rules(broker)?,
            StepCommand::Try(draft) => {
                let tried = broker.try_rule(&broker.rule_of(draft)?)?;
                let line = |request: &countersign_core::request::Request| json!({"id": request.id, "title": request.ask.title, "state": request.state, "created_at": request.created_at});
                let matched: Vec<Value> = tried.matched.iter().take(50).map(line).collect();
                json!({"refused": tried.refused, "matched": tried.matched.len(), "of": tried.of, "steps": matched})
            }
            StepCommand::Decide { .. }
            | StepCommand::Stop { .. }
            | StepCommand::Make(_)
            | StepCommand::Remove { .. } => {
                return Ok(crate::desk::refused("proof_needed", "this takes a proof that a person is there"));
            }
        }));
    };
    Ok(Reply::Ok(match command {
        StepCommand::Decide { id, allow, edited, remember, comment } => {
            let remember = match remember {
                Some((proposal, word)) => {
                    let wrong = || {
                        BrokerError::Invalid(format!(
                            "a decision is remembered for a session, an hour or for good, not {word:?}"
                        ))
                    };
                    Some(Remember { proposal, until: Until::from_word(&word).ok_or_else(wrong)? })
                }
                None => None,
            };
            let verdict = StepVerdict { allow, edited, remember, comment };
            broker.decide(person, &id, None, Verdict::Step(Box::new(verdict))).await?;
            shown(broker, &broker.detail(&id)?)
        }
        StepCommand::Stop { session, release } => {
            broker.stop_session(person, &session, !release).await?;
            shown::session(&broker.session(&session)?)
        }
        StepCommand::Make(draft) => {
            let made = broker.make_rule(person, broker.rule_of(draft)?).await?;
            let rows = broker.rules()?;
            rows.iter().find(|row| row.rule.id == made.id).map_or(Value::Null, rule)
        }
        StepCommand::Remove { id } => {
            broker.remove_rule(person, id).await?;
            json!({"removed": id})
        }
        StepCommand::Rules | StepCommand::Try(_) => {
            return Ok(crate::desk::refused("wrong_use", "that changes nothing"));
        }
    }))
}

fn rules(broker: &Broker) -> Result<Value, BrokerError> {
    Ok(Value::Array(broker.rules()?.iter().map(rule).collect()))
}
