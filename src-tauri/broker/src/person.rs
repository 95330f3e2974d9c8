//! The person, as far as the broker knows: through which channel they speak, and what they say.

use crate::broker::Broker;
use crate::error::BrokerError;
use crate::handle_files::Decided;
use crate::message::Message;
use crate::steps::StepVerdict;
use countersign_core::channel::Channel;
use countersign_core::digest::Digest;
use countersign_core::id::{RequestId, SessionId};
use countersign_core::mode::Mode;
use countersign_core::plan::remark::GivenRemark;
use countersign_core::request::Request;
use serde_json::{Map, Value};

/// Who decides. Made by the surface that the word came through, never from what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    /// Through what.
    pub channel: Channel,
    /// Whether the proof that a person is there came from a file.
    pub unattended: bool,
}

impl Person {
    /// A person at this channel.
    pub const fn at(channel: Channel) -> Self {
        Self { channel, unattended: false }
    }
}

/// What they say.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Answers by question id, still to be checked.
    Answer {
        /// The answers.
        answers: Map<String, Value>,
        /// What they add.
        comment: Option<String>,
        /// The word that they typed, where a yes takes one.
        typed: Option<String>,
    },
    /// Yes or no to a step, and what goes with it.
    Step(Box<StepVerdict>),
    /// The answer to a plan, with what goes with no other; still to be checked. Without those, [`Verdict::Answer`] is as good.
    Plan {
        /// The answers.
        answers: Map<String, Value>,
        /// What they add.
        comment: Option<String>,
        /// What they remark on single lines.
        remarks: Vec<GivenRemark>,
        /// The mode to which running it shall lead; none for the one before plan mode.
        mode: Option<Mode>,
    },
    /// No answer.
    Decline {
        /// What they add.
        comment: Option<String>,
    },
}

/// What a surface showed beside a request's content: no part of its digest, for it may change while the request stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Whose request it is.
    pub session: SessionId,
    /// The mode that the session is in; for plans.
    pub mode: Option<Mode>,
    /// The mode to which running the plan leads; for plans.
    pub run_mode: Option<Mode>,
}

impl Broker {
    /// A person decides, over exactly this content and what was shown beside it.
    pub async fn decide_as_shown(
        &self,
        person: Person,
        id: &RequestId,
        digest: Digest,
        shown: Shown,
        verdict: Verdict,
    ) -> Result<Request, BrokerError> {
        let (id, digest, shown) = (id.clone(), Some(digest), Some(shown));
        self.decided(Decided { person, id, digest, shown, verdict }).await
    }

    /// The one way of every decision of a person's.
    pub(crate) async fn decided(&self, decided: Decided) -> Result<Request, BrokerError> {
        if let Some(request) = self.decide_over_file(&decided).await? {
            return Ok(request);
        }
        let Decided { person, id, digest, shown, verdict } = decided;
        self.send(|reply| Message::Decide { person, id, digest, shown, verdict, reply }).await
    }
}
