//! What a session says that it does, item by item: kept and shown, asking nobody.

use crate::agents::Caller;
use crate::broker::Broker;
use crate::error::BrokerError;
use crate::message::Message;
use crate::requests::check_agent;
use crate::shell::Change;
use crate::writer::{Effect, Work};
use countersign_core::todo::Todo;

/// Keeps the whole list. The same one again changes nothing, and nobody is told.
pub(crate) fn set(work: &mut Work<'_>, caller: &Caller, todos: &[Todo]) -> Result<(), BrokerError> {
    check_agent(work, caller, None)?;
    if work.tx.set_todos(&caller.session, todos, work.at())? {
        work.effect(Effect::Changed(Change::List));
    }
    Ok(())
}

impl Broker {
    /// An agent says what it does, item by item.
    pub async fn set_todos(&self, caller: &Caller, todos: Vec<Todo>) -> Result<(), BrokerError> {
        self.send(|reply| Message::SetTodos { caller: caller.clone(), todos, reply }).await
    }
}
