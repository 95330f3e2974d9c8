//! HTTP/1.1 by hand over one kept connection: nothing of a client library is in the figures.

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// One connection.
pub struct Line {
    stream: TcpStream,
    read: Vec<u8>,
}

/// One response, whole.
pub struct Reply {
    /// Its head, in lower case.
    pub head: String,
    /// Its body, chunks joined.
    pub body: Vec<u8>,
}

impl Line {
    /// Connects.
    pub async fn open(port: u16) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::new() })
    }

    /// Sends a request's bytes.
    pub async fn send(&mut self, request: &[u8]) -> anyhow::Result<()> {
        Ok(self.stream.write_all(request).await?)
    }

    /// Reads a response to its end.
    pub async fn reply(&mut self) -> anyhow::Result<Reply> {
        let end = self.until(b"\r\n\r\n", 0).await?;
        let head = String::from_utf8_lossy(&self.read[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let body = match length {
            Some(length) => {
                let whole = end + length.trim().parse::<usize>()?;
                self.at_least(whole).await?;
                let body = self.read[end..whole].to_vec();
                self.read.drain(..whole);
                body
            }
            None if head.contains("transfer-encoding: chunked") => self.chunks(end).await?,
            None => {
                self.read.drain(..end);
                Vec::new()
            }
        };
        Ok(Reply { head, body })
    }

    async fn chunks(&mut self, mut at: usize) -> anyhow::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let start = self.until(b"\r\n", at).await?;
            let size = usize::from_str_radix(std::str::from_utf8(&self.read[at..start - 2])?.trim(), 16)?;
            self.at_least(start + size + 2).await?;
            body.extend_from_slice(&self.read[start..start + size]);
            at = start + size + 2;
            if size == 0 {
                self.read.drain(..at);
                return Ok(body);
            }
        }
    }

    /// Reads until these bytes are there, and tells where they end.
    async fn until(&mut self, wanted: &[u8], from: usize) -> anyhow::Result<usize> {
        loop {
            let rest = self.read.get(from..).unwrap_or_default();
            if let Some(at) = rest.windows(wanted.len()).position(|window| window == wanted) {
                return Ok(from + at + wanted.len());
            }
            self.more().await?;
        }
    }

    async fn at_least(&mut self, bytes: usize) -> anyhow::Result<()> {
        while self.read.len() < bytes {
            self.more().await?;
        }
        Ok(())
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.read).await.context("reading a response")? == 0 {
            bail!("closed in the middle of a response: {:?}", String::from_utf8_lossy(&self.read));
        }
        Ok(())
    }
}

/// A request's bytes.
pub fn request(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        text += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    }
    (text + "\r\n" + body).into_bytes()
}
