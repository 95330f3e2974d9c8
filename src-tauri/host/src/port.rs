//! The port: 4780 at first, else a free one; the one once chosen is kept. Its thread.

use crate::error::HostError;
use countersign_broker::Broker;
use countersign_gateway::Limits;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// What is tried first.
const FIRST: u16 = 4780;

/// Listens on `127.0.0.1`, and on `::1` where there is one, at the same port.
///
/// `wanted`: a port is taken or refused; 0 or none prefers the kept one, then (none) 4780, then any that is free.
pub(crate) async fn bind(wanted: Option<u16>, kept: Option<u16>) -> Result<(Vec<TcpListener>, u16), HostError> {
    let candidates: Vec<u16> = match wanted {
        Some(0) => kept.into_iter().chain([0]).collect(),
        Some(port) => vec![port],
        None => vec![kept.unwrap_or(FIRST), 0],
    };
    let mut failure = io::Error::from(io::ErrorKind::AddrInUse);
    for port in candidates {
        match listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) {
            Ok(listener) => {
                let port = listener.local_addr()?.port();
                let mut listeners = vec![listener];
                // Not every machine has IPv6; a stranger may have this port there, and then clients use IPv4.
                if let Ok(six) = listen(SocketAddr::from((Ipv6Addr::LOCALHOST, port))) {
                    listeners.push(six);
                }
                return Ok((listeners, port));
            }
            Err(error) => failure = error,
        }
    }
    Err(HostError::Port { port: wanted.unwrap_or(FIRST), why: failure })
}

/// Serves the port on one thread of its own; what is returned resolves when that ended.
///
/// A call goes through several tasks. On several threads each hand-over wakes another one, which cost more than the call itself,
/// and took a processor from the writer. Apart from the window's, it is also no matter here what the window is busy with.
pub(crate) fn serve(
    listeners: Vec<TcpListener>,
    broker: Broker,
    limits: Limits,
    shutdown: CancellationToken,
) -> Result<oneshot::Receiver<()>, HostError> {
    // Listeners belong to the runtime that made them.
    let listeners = listeners.into_iter().map(TcpListener::into_std).collect::<io::Result<Vec<_>>>()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ended, end) = oneshot::channel();
    std::thread::Builder::new().name("port".into()).spawn(move || {
        let served = runtime.block_on(async {
            let listeners = listeners.into_iter().map(TcpListener::from_std).collect::<io::Result<Vec<_>>>()?;
            countersign_gateway::serve(listeners, broker, limits, shutdown).await.map_err(HostError::from)
        });
        if let Err(error) = served {
            tracing::error!(%error, "the port ended");
        }
        // Whoever waited may have stopped waiting.
        let _ = ended.send(());
    })?;
    Ok(end)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { tokio::net::TcpSocket::new_v4()? } else { tokio::net::TcpSocket::new_v6()? };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    // Many agents start at once; a short queue makes some of them wait a second for a retry.
    socket.listen(1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_that_is_taken_is_refused_when_it_was_asked_for_and_replaced_when_it_was_not() {
        let (held, port) = bind(Some(0), None).await.expect("binds");
        assert!(matches!(bind(Some(port), None).await, Err(HostError::Port { .. })));
        let (_other, another) = bind(None, Some(port)).await.expect("binds");
        assert_ne!(another, port);
        drop(held);
        let (_again, kept) = bind(Some(0), Some(port)).await.expect("binds");
        assert_eq!(kept, port, "the kept one is preferred");
        assert!(_again.iter().all(|l| l.local_addr().is_ok_and(|a| a.ip().is_loopback())));
    }
}
