//! The peer of the port: bare hyper that reads JSON and gives it back, and a place to park. No token, no store, no rules.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::io;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// As much as the port buffers of one connection.
const BUFFER_BYTES: usize = 16 << 10;

/// A running one.
pub struct Echo {
    /// Its port.
    pub port: u16,
    _runtime: Runtime,
}

impl Echo {
    /// Starts it on threads of its own.
    pub fn start() -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let port = listener.local_addr()?.port();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if stream.set_nodelay(true).is_err() {
                    continue;
                }
                let connection = hyper::server::conn::http1::Builder::new()
                    .max_buf_size(BUFFER_BYTES)
                    .serve_connection(TokioIo::new(stream), service_fn(answer));
                // A client that leaves in the middle ends its connection, and that is all.
                tokio::spawn(async move { drop(connection.await) });
            }
        });
        Ok(Self { port, _runtime: runtime })
    }
}

async fn answer(request: Request<Incoming>) -> io::Result<Response<Full<Bytes>>> {
    let parked = request.uri().path() == "/park";
    let bytes = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let value: Value = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
    if parked {
        drop((bytes, value));
        std::future::pending::<()>().await;
        return Ok(Response::default());
    }
    Ok(Response::new(Full::new(Bytes::from(value.to_string()))))
}
