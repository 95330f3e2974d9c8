//! Putting the port together, and its end.

use crate::front::Front;
use crate::limits::Limits;
use crate::listener::{self, Hall};
use crate::mcp::Mcp;
use crate::pairing::Pairings;
use crate::rate::{PerAgent, Rate, Shared};
use crate::tools::Desk;
use crate::wire::{OnWritten, Written};
use countersign_broker::Broker;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Why nothing was served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A listener that other computers can reach.
    #[error("{0} is not a loopback address; bind 127.0.0.1 or ::1")]
    NotLoopback(SocketAddr),
    /// A listener without an address.
    #[error("a listener has no address: {0}")]
    Listener(#[from] io::Error),
}

/// How long what was dropped may take to be gone.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// Serves on listeners that the host bound, until `shutdown`; then held calls return what stands, and within two seconds all ends.
pub async fn serve(
    listeners: Vec<TcpListener>,
    broker: Broker,
    limits: Limits,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let mut ports = Vec::new();
    for listener in &listeners {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        ports.push(address.port());
    }
    // A stop of our own: if this future is dropped, so are all tasks.
    let stop = shutdown.child_token();
    let desk = Arc::new(Desk {
        broker: broker.clone(),
        rates: PerAgent::new(Rate::new(limits.creates_burst, limits.creates_per_second, Duration::from_secs(1))),
        stop: stop.clone(),
    });
    let mcp = Mcp::new(Arc::clone(&desk), &limits, &ports);
    let pairing_rate =
        Shared::new(Rate::new(limits.pairings_burst, limits.pairings_per_minute, Duration::from_secs(60)));
    let front = Arc::new(Front {
        broker: broker.clone(),
        limits: limits.clone(),
        desk,
        pairings: Pairings::new(pairing_rate, limits.pairing_wait),
        mcp: mcp.clone(),
        agents: Arc::new(Semaphore::new(limits.agents)),
    });
    let tells = broker.clone();
    let on_written: OnWritten = Arc::new(move |written| match written {
        Written::Ending(id) => broker.collected(id),
        Written::Note(telling) => broker.told(telling),
    });
    let hall = Arc::new(Hall::new(front, limits, stop.clone(), on_written));
    let _end = (stop.drop_guard(), hall.kill.clone().drop_guard());
    let mut accepting = JoinSet::new();
    for listener in listeners {
        accepting.spawn(listener::accept(listener, Arc::clone(&hall)));
    }
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = mcp.reap() => {}
        () = mcp.tell_changes(&tells) => {}
    }
    close(&hall, accepting, &mcp).await;
    Ok(())
}

async fn close(hall: &Hall, mut accepting: JoinSet<()>, mcp: &Mcp) {
    while accepting.join_next().await.is_some() {}
    hall.tasks.close();
    if tokio::time::timeout(hall.limits.shutdown, hall.tasks.wait()).await.is_err() {
        tracing::debug!(open = hall.tasks.len(), "connections are dropped at shutdown");
    }
    mcp.end();
    hall.kill.cancel();
    if tokio::time::timeout(LAST_MOMENT, hall.tasks.wait()).await.is_err() {
        tracing::warn!(open = hall.tasks.len(), "connections were still there after they were dropped");
    }
}
