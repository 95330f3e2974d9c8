//! A broker and the port, and the person.

use crate::raw::{self, Line, PATIENCE, Reply};
use countersign_broker::{Broker, Listed, Person, Program, RecordingShell, SystemClock, Verdict};
use countersign_core::channel::Channel;
use countersign_core::id::RequestId;
use countersign_core::scope::Scopes;
use countersign_gateway::{Limits, serve};
use countersign_store::Store;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub struct House {
    pub port: u16,
    pub broker: Broker,
    pub shutdown: CancellationToken,
    pub served: JoinHandle<()>,
    pub folder: tempfile::TempDir,
}

pub struct Token(pub String);

impl House {
    pub async fn new() -> Self {
        Self::with(Limits::default()).await
    }

    pub async fn with(limits: Limits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("countersign.db")).expect("a store");
        let broker =
            Broker::start(store, Arc::new(SystemClock), Arc::new(RecordingShell::default())).expect("a broker");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let port = listener.local_addr().expect("an address").port();
        let shutdown = CancellationToken::new();
        let serving = serve(vec![listener], broker.clone(), limits, shutdown.clone());
        let served = tokio::spawn(async move { serving.await.expect("served") });
        Self { port, broker, shutdown, served, folder }
    }

    /// A paired agent.
    pub async fn pair(&self, name: &str) -> Token {
        let folder = self.folder.path().to_str().expect("text").to_owned();
        let program = Program {
            name: name.into(),
            client: "test".into(),
            workspace: Some(folder),
            pid: None,
            path: None,
            folder: None,
        };
        let pairing = self.broker.begin_pairing(program).await.expect("begun");
        self.broker.accept_arrival(None, &pairing.code, Scopes::ALL, Person::at(Channel::Window)).expect("accepted");
        match self.broker.await_pairing(&pairing.id, Duration::ZERO).await.expect("a state") {
            countersign_broker::PairingState::Accepted { token, .. } => Token(format!("Bearer {token}")),
            _ => panic!("not accepted"),
        }
    }

    pub async fn once(&self, token: &Token, method: &str, path: &str, body: &str) -> Reply {
        raw::once(self.port, method, path, &[("authorization", &token.0)], body).await
    }

    /// Calls a tool over HTTP.
    pub async fn tool(&self, token: &Token, name: &str, arguments: Value) -> Value {
        let reply = self.once(token, "POST", &format!("/v1/tools/{name}"), &arguments.to_string()).await;
        assert_eq!(reply.head.status, 200, "{}", reply.text);
        reply.json()
    }

    /// Sends a call of a tool and leaves it open.
    pub async fn hold(&self, token: &Token, name: &str, arguments: Value) -> Line {
        let mut line = Line::open(self.port).await;
        let path = format!("/v1/tools/{name}");
        line.write(&raw::request(self.port, "POST", &path, &[("authorization", &token.0)], &arguments.to_string()))
            .await;
        line
    }

    /// Waits until what is open is as wanted.
    pub async fn open(&self, wanted: impl Fn(&[Listed]) -> bool) -> Vec<Listed> {
        let found = async {
            loop {
                let open = self.broker.open_list(None, 2_000).expect("a list");
                if wanted(&open) {
                    return open;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, found).await.expect("in time")
    }

    /// The one request for which somebody waits.
    pub async fn waiting(&self) -> RequestId {
        self.open(|open| open.len() == 1 && open[0].waiting).await[0].row.id.clone()
    }

    pub async fn answer(&self, id: &RequestId, answers: Value) {
        let answers = answers.as_object().expect("an object").clone();
        let verdict = Verdict::Answer { answers, comment: None, typed: None };
        self.broker.decide(Person::at(Channel::Window), id, None, verdict).await.expect("decided");
    }
}

/// A plain question.
pub fn question(text: &str) -> Value {
    json!({"question": text, "options": ["Red", "Blue"]})
}
