//! The program's side of pairing: it begins, shows the code, and waits for the person. The person's side is not on this port.

use crate::body;
use crate::front::problem;
use crate::guest::Guest;
use crate::peer;
use crate::rate::Shared;
use crate::reply::{self, Body, Problem};
use countersign_broker::{Broker, PairingState, Program};
use countersign_core::limit;
use http::{Response, StatusCode};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Starts and waits of pairing.
pub(crate) struct Pairings {
    rate: Shared,
    longest: Duration,
}

impl Pairings {
    pub(crate) fn new(rate: Shared, longest: Duration) -> Self {
        Self { rate, longest }
    }

    /// `POST /v1/pair {name, client?, workspace?}` → `{id, code, expires_in}`.
    pub(crate) async fn begin(&self, broker: &Broker, bytes: &[u8], guest: &Guest) -> Result<Response<Body>, Problem> {
        let given = body::object(bytes)?;
        let (name, client, workspace) = (text(&given, "name")?, text(&given, "client")?, text(&given, "workspace")?);
        let name = name.ok_or_else(|| invalid("`name` is missing; say what the program calls itself.".into()))?;
        self.rate.take(Instant::now()).map_err(|seconds| {
            Problem::too_many(format!("Too many programs asked to pair just now; try again in {seconds} s."), seconds)
        })?;
        let (local, remote) = (guest.local, guest.remote);
        // A thread that died knows nothing of the peer, and that is what is said of it.
        let peer = tokio::task::spawn_blocking(move || peer::find(local, remote)).await.unwrap_or_default();
        let (pid, path, folder) = peer.map_or((None, None, None), |peer| (Some(peer.pid), peer.path, peer.folder));
        let program = Program { name, client: client.unwrap_or_default(), workspace, pid, path, folder };
        let pairing = broker.begin_pairing(program).await.map_err(problem)?;
        let value = json!({"id": pairing.id, "code": pairing.code, "expires_in": pairing.expires_in.0 / 1_000});
        Ok(reply::value(StatusCode::OK, &value))
    }

    /// `GET /v1/pair/{id}?wait=SECONDS` → `{state, …}`; the token is given once.
    pub(crate) async fn wait(
        &self,
        broker: &Broker,
        id: &str,
        query: Option<&str>,
        stop: &CancellationToken,
    ) -> Result<Response<Body>, Problem> {
        let seconds = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("wait=")));
        let wait =
            seconds.and_then(|text| text.parse().ok()).map_or(Duration::ZERO, Duration::from_secs).min(self.longest);
        let state = tokio::select! {
            state = broker.await_pairing(id, wait) => state.map_err(problem)?,
            () = stop.cancelled() => PairingState::Waiting,
        };
        let value = match state {
            PairingState::Waiting => json!({"state": "waiting"}),
            PairingState::Accepted { agent, token } => json!({"state": "accepted", "agent": agent, "token": token}),
            PairingState::Refused => json!({"state": "refused"}),
            PairingState::Closed => json!({"state": "closed"}),
            PairingState::Expired => json!({"state": "expired"}),
        };
        Ok(reply::value(StatusCode::OK, &value))
    }
}

fn text(given: &Map<String, Value>, field: &str) -> Result<Option<String>, Problem> {
    match given.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() && field != "name" => Ok(None),
        Some(Value::String(text)) => {
            // A folder's path may be long; names are for a person to read.
            let most = if field == "workspace" { 4_096 } else { limit::TITLE_CHARS };
            limit::check_line(field, text, most).map_err(|error| invalid(format!("{error}.")))?;
            Ok(Some(text.clone()))
        }
        Some(_) => Err(invalid(format!("`{field}` takes a text."))),
    }
}

fn invalid(message: String) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
}
