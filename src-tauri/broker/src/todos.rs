//! A session's list of what it is to do: kept whole, shown beside its requests, asked of nobody.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::Message;
use crate::requests::check_agent;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::id::SessionId;
use countersign_core::todo::Todo;

/// The agent's list is this one from now on.
pub(crate) fn set(work: &mut Work<'_>, caller: &Caller, todos: &[Todo]) -> Result<(), BrokerError> {
    check_agent(work, caller, None)?;
    if work.tx.todos(&caller.session)? == todos {
        return Ok(());
    }
    work.tx.set_todos(&caller.session, todos, work.at())?;
    work.effect(Effect::Changed(Change::List));
    Ok(())
}

impl Broker {
    /// An agent's list of what it is to do is this one from now on; an empty one takes it away.
    pub async fn set_todos(&self, caller: &Caller, todos: Vec<Todo>) -> Result<(), BrokerError> {
        self.send(|reply| Message::SetTodos { caller: caller.clone(), todos, reply }).await
    }

    /// A session's list.
    pub fn todos(&self, session: &SessionId) -> Result<Vec<Todo>, BrokerError> {
        self.read(|db| Ok(db.todos(session)?))
    }
}
