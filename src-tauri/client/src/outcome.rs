//! What the four calls give back, and from what that is read: the app's words, a port's, or an answer file.

use countersign_core::answer::{Answers, check};
use countersign_core::program_ask::{self, Kind};
use countersign_core::question::Question;
use countersign_core::reply::{self, Replies, ReplyError};
use countersign_core::request::AskError as Refused;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Which of the three was first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The Countersign inbox, on whatever surface of it.
    Inbox,
    /// The program's own port.
    Port,
    /// The answer file.
    File,
}

/// The answer to a choice. Nothing in it: the person chose not to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Options, in the order in which they were offered.
    pub chosen: Vec<String>,
    /// The person's own words.
    pub other: Option<String>,
    /// What they added.
    pub comment: Option<String>,
    /// By what.
    pub by: By,
}

/// The answer to a request for text. Empty: the person chose not to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What they wrote, without blanks around it.
    pub text: String,
    /// What they added.
    pub comment: Option<String>,
    /// By what.
    pub by: By,
}

/// A decision. Not answered is not approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Whether it is a yes.
    pub approved: bool,
    /// What they added.
    pub comment: Option<String>,
    /// By what.
    pub by: By,
}

/// How it went with something that the person was to do. Not answered is not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervened {
    /// Whether it is done.
    pub done: bool,
    /// What they added.
    pub comment: Option<String>,
    /// By what.
    pub by: By,
}

/// Why nothing could be asked. Never a decision.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The question itself.
    #[error("{0}")]
    Question(#[from] Refused),
    /// The run's folder.
    #[error("the run folder {} can't be used: {why}", path.display())]
    RunFolder {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

/// What was answered, in the words of the call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Won {
    pub(crate) fields: Map<String, Value>,
    pub(crate) comment: Option<String>,
    pub(crate) by: By,
}

/// What a port's answer comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Heard {
    /// These answers.
    Answers(Replies),
    /// Nothing: the person chose not to answer.
    Nothing,
}

impl Won {
    /// From what the app says of a request that ended; none where it was taken back or replaced.
    pub(crate) fn of_app(said: &Value) -> Option<Self> {
        let by = match said["channel"].as_str() {
            Some("file") => By::File,
            Some("program") => By::Port,
            Some(_) | None => By::Inbox,
        };
        let comment = said["comment"].as_str().map(str::to_owned);
        match said["state"].as_str() {
            Some("answered") => Some(Self { fields: said.as_object().cloned().unwrap_or_default(), comment, by }),
            Some("declined" | "expired") => Some(Self { fields: Map::new(), comment, by }),
            Some(_) | None => None,
        }
    }

    /// From answers that were read here.
    pub(crate) fn of_replies(kind: Kind, question: &Question, replies: &Replies, by: By) -> Self {
        let answers = check(std::slice::from_ref(question), &replies.answers).unwrap_or_else(|_| Answers::default());
        Self { fields: program_ask::outcome(kind, &answers), comment: replies.comment.clone(), by }
    }

    /// Nothing was answered.
    pub(crate) fn nothing(by: By) -> Self {
        Self { fields: Map::new(), comment: None, by }
    }

    pub(crate) fn chosen(self) -> Chosen {
        let chosen = self.fields.get("chosen").and_then(|chosen| serde_json::from_value(chosen.clone()).ok());
        let other = self.fields.get("other").and_then(Value::as_str).map(str::to_owned);
        Chosen { chosen: chosen.unwrap_or_default(), other, comment: self.comment, by: self.by }
    }

    pub(crate) fn said(self) -> Said {
        let text = self.fields.get("text").and_then(Value::as_str).unwrap_or_default();
        // The app's own `text` of a request that was not answered is no answer.
        Said { text: text.trim().to_owned(), comment: self.comment, by: self.by }
    }

    pub(crate) fn decided(self) -> Decided {
        let approved = self.fields.get("approved") == Some(&json!(true));
        Decided { approved, comment: self.comment, by: self.by }
    }

    pub(crate) fn intervened(self) -> Intervened {
        let done = self.fields.get("done") == Some(&json!(true));
        Intervened { done, comment: self.comment, by: self.by }
    }
}

/// Reads what a port gave back. A port can't be told to ask again: what is neither yes nor no is a no, with the words beside it.
pub(crate) fn heard(kind: Kind, question: &Question, raw: &str) -> Heard {
    let only = |value: bool, comment| Replies {
        answers: [(question.id.clone(), json!(value))].into_iter().collect(),
        comment,
    };
    match reply::read_all(std::slice::from_ref(question), raw) {
        Ok(replies) => Heard::Answers(replies),
        Err(ReplyError::Blank) if kind == Kind::Manual => Heard::Answers(only(true, None)),
        Err(ReplyError::Unclear { .. }) => Heard::Answers(only(false, Some(reply::tidy(raw)))),
        Err(ReplyError::Blank | ReplyError::WhichQuestion { .. } | ReplyError::Answer(_)) => Heard::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_port_gives_back_is_read_like_everything_else_and_enter_approves_nothing() {
        let of = |kind: Kind, raw: &str| match heard(kind, &Question::confirm(kind.question_id(), "?".into()), raw) {
            Heard::Answers(replies) => (replies.answers.values().next().cloned(), replies.comment),
            Heard::Nothing => (None, None),
        };
        assert_eq!(of(Kind::Decision, "y"), (Some(json!(true)), None));
        assert_eq!(of(Kind::Decision, ""), (None, None));
        assert_eq!(of(Kind::Decision, "perhaps"), (Some(json!(false)), Some("perhaps".into())));
        assert_eq!(of(Kind::Manual, " \n"), (Some(json!(true)), None));
        assert_eq!(of(Kind::Manual, "no"), (Some(json!(false)), None));
        assert_eq!(of(Kind::Manual, "the page is down"), (Some(json!(false)), Some("the page is down".into())));
    }

    #[test]
    fn what_the_app_says_of_an_ending_is_no_answer_unless_it_is_one() {
        let won = |said: Value| Won::of_app(&said);
        let declined = won(json!({"state": "declined", "text": "The person didn't answer.", "comment": "later"}));
        let declined = declined.expect("an ending");
        assert_eq!(declined.clone().said().text, "");
        assert_eq!(declined.decided(), Decided { approved: false, comment: Some("later".into()), by: By::Inbox });
        assert_eq!(won(json!({"state": "cancelled"})), None);
        let file = won(json!({"state": "answered", "channel": "file", "chosen": ["A"], "other": "b"}));
        let chosen = file.expect("an ending").chosen();
        assert_eq!((chosen.chosen, chosen.other, chosen.by), (vec!["A".into()], Some("b".into()), By::File));
    }
}
