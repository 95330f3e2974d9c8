//! The race: the inbox, the program's own port, and the answer file are asked at once. The first answer wins; the others are told.

use crate::by_file;
use crate::client::Place;
use crate::inbox::{self, Order, Standing};
use crate::interaction::{self, InteractionPort};
use crate::outcome::{AskError, By, Heard, Won, heard};
use countersign_core::program_ask::{self, Kind, Prompt, Wish};
use countersign_core::question::Choice;
use countersign_core::request::Ask;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long the app gets to say how a question ended that was answered in the program itself.
const LAST_WORD: Duration = Duration::from_secs(2);

/// One call.
pub(crate) struct Call<'a> {
    pub(crate) kind: Kind,
    pub(crate) prompt: &'a Prompt,
    pub(crate) options: Vec<String>,
    pub(crate) multiple: bool,
}

/// Tells the others when it is over, however it ends: also when the caller gives the call up.
struct Others {
    withdrawn: CancellationToken,
    order: Option<oneshot::Sender<Order>>,
    standing: watch::Receiver<Standing>,
    folder: PathBuf,
    ask: Ask,
}

impl Drop for Others {
    fn drop(&mut self) {
        self.withdrawn.cancel();
        by_file::leave(&self.folder, &self.ask);
        // The inbox's task withdraws by itself when nobody gives it an order any more.
    }
}

/// Asks, and gives back what was answered first.
pub(crate) async fn run(
    place: Place,
    port: Option<Arc<dyn InteractionPort>>,
    folder: &Path,
    call: Call<'_>,
) -> Result<Won, AskError> {
    let asked = by_file::now();
    let options: Vec<Choice> = call.options.iter().map(Choice::plain).collect();
    let wish = Wish { options, multiple: call.multiple, ..Wish::default() };
    let ask = program_ask::ask(call.kind, call.prompt, wish, Value::Null)?;
    let question = ask.questions.first().expect("BUG: the four calls have one question").clone();
    let (mut standing, order) = inbox::start(place, body(&call, folder));
    let withdrawn = CancellationToken::new();
    let mut others = Others {
        withdrawn: withdrawn.clone(),
        order: Some(order),
        standing: standing.clone(),
        folder: folder.to_owned(),
        ask: ask.clone(),
    };
    let own = port.clone().map(|port| {
        let (prompt, options) = (call.prompt.clone(), call.options.clone());
        tokio::spawn(interaction::ask(port, call.kind, prompt, options, call.multiple, withdrawn))
    });
    let own = async {
        match own {
            Some(asking) => match asking.await {
                Ok(Ok(raw)) => heard(call.kind, &question, &raw),
                // It can't ask: the others can.
                Ok(Err(_)) | Err(_) => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    };
    let file = by_file::wait(folder, &ask, asked, standing.clone());
    let inbox = async {
        loop {
            if let Standing::Ended(said) = &*standing.borrow_and_update()
                && let Some(won) = Won::of_app(said)
            {
                return won;
            }
            if standing.changed().await.is_err() {
                // It refused, or the question was taken back there: the others go on.
                std::future::pending::<()>().await;
            }
        }
    };
    tokio::select! {
        biased;
        won = inbox => {
            if let Some(port) = port {
                port.notify("Answered in Countersign.");
            }
            Ok(won)
        }
        heard = own => Ok(settle(&mut others, call.kind, &question, heard).await),
        replies = file => {
            if let Some(port) = port {
                port.notify("Answered by the answer file.");
            }
            let left = matches!(&*others.standing.borrow(), Standing::Away(Some(_)));
            if let (true, Some(order)) = (left, others.order.take()) {
                // The app finds the file under the request's id when it is back.
                let _ = order.send(Order::Leave);
            }
            Ok(Won::of_replies(call.kind, &question, &replies, By::File))
        }
    }
}

/// The port was first, as far as this program knows; the app has the last word on what it was asked.
async fn settle(others: &mut Others, kind: Kind, question: &countersign_core::question::Question, heard: Heard) -> Won {
    let (won, answered) = match heard {
        Heard::Answers(replies) => {
            let won = Won::of_replies(kind, question, &replies, By::Port);
            (won, Some((replies.answers, replies.comment)))
        }
        Heard::Nothing => (Won::nothing(By::Port), None),
    };
    let (reply, ended) = oneshot::channel();
    let Some(order) = others.order.take() else { return won };
    let told = order.send(Order::Withdraw(answered, reply)).is_ok();
    let waiting = matches!(&*others.standing.borrow(), Standing::Waiting(_) | Standing::Ended(_));
    if !told {
        // It ended in this moment.
        return match &*others.standing.borrow() {
            Standing::Ended(said) => Won::of_app(said).unwrap_or(won),
            Standing::Asking | Standing::Away(_) | Standing::Waiting(_) | Standing::Out(_) => won,
        };
    }
    if !waiting {
        return won;
    }
    match timeout(LAST_WORD, ended).await {
        Ok(Ok(said)) => Won::of_app(&said).unwrap_or(won),
        Ok(Err(_)) | Err(_) => won,
    }
}

/// As it is asked at the port.
fn body(call: &Call<'_>, folder: &Path) -> Value {
    let prompt = call.prompt;
    let mut body = json!({
        "kind": call.kind, "title": prompt.title, "lines": prompt.lines, "question": prompt.question,
        "markdown": prompt.markdown, "run_folder": folder, "hold_seconds": 0,
    });
    if call.kind == Kind::Choice {
        body["options"] = json!(call.options);
        body["multiple"] = json!(call.multiple);
    }
    body
}
