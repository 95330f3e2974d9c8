//! The inbox as one of the three: a task that asks there, comes back when the app does, and withdraws when told to.

use crate::client::Place;
use crate::port::{Port, PortError};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Seconds of one wait: below every limit, and so that at most three calls a minute are made.
const SLICE: u64 = 20;
/// How long a call may take beyond what it waits for.
const GRACE: Duration = Duration::from_secs(10);
/// How long it may take to be asked.
const ASKED: Duration = Duration::from_secs(5);
/// How often the app is looked for while it is away.
const AWAY: Duration = Duration::from_millis(500);
/// How often it is tried again when it refused.
const REFUSED: Duration = Duration::from_secs(5);
/// How long a question is still tried to be withdrawn from an app that is away.
const WITHDRAWAL: Duration = Duration::from_secs(60);

/// How it stands with the inbox.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Standing {
    /// It is being asked for the first time.
    Asking,
    /// The app isn't there, or can't be asked now. With the request that it knows, once it was asked.
    Away(Option<String>),
    /// The question stands in the inbox under this id.
    Waiting(String),
    /// It refused the question for good; why.
    Out(String),
    /// It ended, like this.
    Ended(Box<Value>),
}

/// What to do now that another was faster.
pub(crate) enum Order {
    /// Takes the question back; with answers, says what was answered. The reply is how it ended there.
    Withdraw(Option<(Map<String, Value>, Option<String>)>, oneshot::Sender<Value>),
    /// Leaves it: the app finds the answer's file by itself.
    Leave,
}

/// Starts asking. Dropping the order's sender withdraws.
pub(crate) fn start(place: Place, body: Value) -> (watch::Receiver<Standing>, oneshot::Sender<Order>) {
    let (standing, seen) = watch::channel(Standing::Asking);
    let (order, orders) = oneshot::channel();
    tokio::spawn(Inbox { place, body, standing, id: None }.run(orders));
    (seen, order)
}

struct Inbox {
    place: Place,
    body: Value,
    standing: watch::Sender<Standing>,
    id: Option<String>,
}

/// What one round came to.
enum Round {
    Ended(Value),
    Out(String),
    Again(Duration),
}

impl Inbox {
    async fn run(mut self, mut orders: oneshot::Receiver<Order>) {
        let line = CancellationToken::new();
        let _present = line.clone().drop_guard();
        tokio::spawn(stay_present(self.place.clone(), line));
        loop {
            let pause = match self.round(&mut orders).await {
                Err(order) => return self.obey(order).await,
                Ok(Round::Ended(said)) => {
                    self.standing.send_replace(Standing::Ended(Box::new(said)));
                    return;
                }
                Ok(Round::Out(why)) => {
                    self.standing.send_replace(Standing::Out(why));
                    return;
                }
                Ok(Round::Again(pause)) => pause,
            };
            self.standing.send_replace(Standing::Away(self.id.clone()));
            tokio::select! {
                order = &mut orders => return self.obey(order.ok()).await,
                () = sleep(pause) => {}
            }
        }
    }

    /// Asks once, and waits as long as the app is there. An order ends the wait.
    async fn round(&mut self, orders: &mut oneshot::Receiver<Order>) -> Result<Round, Option<Order>> {
        let Some(port) = self.place.port() else { return Ok(Round::Again(AWAY)) };
        // Never given up in the middle: what was asked must be known to be taken back.
        let mut said = match timeout(ASKED, port.post("/v1/requests", &self.body)).await {
            Ok(Ok(said)) => said,
            Ok(Err(error)) => return Ok(failed(error)),
            Err(_) => return Ok(Round::Again(AWAY)),
        };
        loop {
            if said["state"] != "pending" {
                return Ok(Round::Ended(said));
            }
            let Some(id) = said["request"]["id"].as_str() else { return Ok(Round::Again(REFUSED)) };
            self.id = Some(id.to_owned());
            self.standing.send_if_modified(|standing| {
                let now = Standing::Waiting(id.to_owned());
                let changed = *standing != now;
                *standing = now;
                changed
            });
            let path = format!("/v1/requests/{id}?wait={SLICE}");
            let waited = tokio::select! {
                order = &mut *orders => return Err(order.ok()),
                waited = timeout(Duration::from_secs(SLICE) + GRACE, port.get(&path)) => waited,
            };
            said = match waited {
                Ok(Ok(said)) => said,
                Ok(Err(error)) => return Ok(failed(error)),
                Err(_) => return Ok(Round::Again(AWAY)),
            };
        }
    }

    /// Another was faster, or nobody wants to know any more.
    async fn obey(self, order: Option<Order>) {
        let (answered, reply) = match order {
            Some(Order::Leave) => return,
            Some(Order::Withdraw(answered, reply)) => (answered, Some(reply)),
            None => (None, None),
        };
        let Some(id) = &self.id else { return };
        let body = match answered {
            Some((answers, comment)) => json!({"answers": answers, "comment": comment}),
            None => json!({}),
        };
        let path = format!("/v1/requests/{id}/cancel");
        let withdrawn = async {
            loop {
                if let Some(port) = self.place.port() {
                    match timeout(GRACE, port.post(&path, &body)).await {
                        Ok(Ok(said)) => return Some(said),
                        // It is no more, or not this program's any more.
                        Ok(Err(PortError::Refused { status: 400..=499, .. })) => return None,
                        Ok(Err(_)) | Err(_) => {}
                    }
                }
                sleep(AWAY).await;
            }
        };
        if let (Ok(Some(said)), Some(reply)) = (timeout(WITHDRAWAL, withdrawn).await, reply) {
            // Whoever asked may have had no time to hear it.
            let _ = reply.send(said);
        }
    }
}

fn failed(error: PortError) -> Round {
    match error {
        PortError::Gone { .. } | PortError::Foreign { .. } => Round::Again(AWAY),
        // A token that is replaced, too much at once, a full disk, an app that ends: later.
        PortError::Refused { status: 401 | 404 | 408 | 429 | 500..=599, .. } => Round::Again(REFUSED),
        PortError::Refused { message, .. } => Round::Out(message),
    }
}

/// Holds a line open while something is asked, by which the app knows that this run is there.
async fn stay_present(place: Place, ended: CancellationToken) {
    let hold = async {
        loop {
            if let Some(port) = place.port()
                && let Ok(mut body) = port.open("/v1/session").await
            {
                while let Some(Ok(_)) = http_body_util::BodyExt::frame(&mut body).await {}
            }
            sleep(REFUSED).await;
        }
    };
    tokio::select! {
        () = ended.cancelled() => {}
        () = hold => {}
    }
}

impl Place {
    /// The port as it is found in this moment; none where there is none, or no token.
    pub(crate) fn port(&self) -> Option<Port> {
        let url = crate::find::url(&self.home)?;
        let token = match &self.token {
            Some(token) => token.clone(),
            None => crate::find::token(&self.home, &self.workspace)?,
        };
        Some(Port::at(&url).with_token(&token).with_session(&self.session).with_workspace(&self.workspace))
    }
}
