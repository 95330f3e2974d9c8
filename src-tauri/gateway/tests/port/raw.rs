//! HTTP/1.1 by hand.

use serde_json::Value;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// Longer than anything here takes; a test that gets there has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Line(pub BufReader<TcpStream>);

#[derive(Debug)]
pub struct Head {
    pub status: u16,
    pub headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Reply {
    pub head: Head,
    pub text: String,
}

impl Head {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {:?}", self.text))
    }

    /// The JSON of all events of a stream, comments left out.
    pub fn events(&self) -> Vec<Value> {
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"))).collect()
    }

    /// The last message, whether it came as JSON or as the last event of a stream.
    pub fn message(&self) -> Value {
        if self.head.get("content-type") == Some("application/json") {
            self.json()
        } else {
            self.events().pop().expect("an event")
        }
    }
}

impl Line {
    pub async fn open(port: u16) -> Self {
        Self(BufReader::new(TcpStream::connect(("127.0.0.1", port)).await.expect("connected")))
    }

    pub async fn write(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).await.expect("written");
    }

    pub async fn head(&mut self) -> Head {
        tokio::time::timeout(PATIENCE, async {
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                assert_ne!(self.0.read_line(&mut line).await.expect("read"), 0, "closed after {lines:?}");
                match line.trim_end() {
                    "" => break,
                    line => lines.push(line.to_owned()),
                }
            }
            let status = lines[0].split(' ').nth(1).expect("a status").parse().expect("a number");
            let field = |line: &String| line.split_once(": ").map(|(n, v)| (n.to_ascii_lowercase(), v.to_owned()));
            Head { status, headers: lines[1..].iter().filter_map(field).collect() }
        })
        .await
        .expect("a head in time")
    }

    /// One chunk; `None` at the end.
    pub async fn chunk(&mut self) -> Option<String> {
        tokio::time::timeout(PATIENCE, async {
            let mut size = String::new();
            self.0.read_line(&mut size).await.expect("read");
            let size =
                usize::from_str_radix(size.trim(), 16).unwrap_or_else(|_| panic!("not a chunk's size: {size:?}"));
            let mut data = vec![0; size + 2];
            self.0.read_exact(&mut data).await.expect("read");
            data.truncate(size);
            (size > 0).then(|| String::from_utf8(data).expect("text"))
        })
        .await
        .expect("a chunk in time")
    }

    pub async fn chunk_after_head(&mut self) -> Option<String> {
        self.head().await;
        self.chunk().await
    }

    pub async fn reply(&mut self) -> Reply {
        let head = self.head().await;
        let mut text = String::new();
        if head.get("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk().await {
                text.push_str(&chunk);
            }
        } else {
            let length: usize = head.get("content-length").unwrap_or("0").parse().expect("a number");
            let mut data = vec![0; length];
            self.0.read_exact(&mut data).await.expect("read");
            text = String::from_utf8(data).expect("text");
        }
        Reply { head, text }
    }

    /// Whether the server closes it, whatever it sends before.
    pub async fn closes(&mut self) -> bool {
        let mut rest = Vec::new();
        tokio::time::timeout(PATIENCE, self.0.read_to_end(&mut rest)).await.is_ok()
    }
}

/// A request's bytes.
pub fn request(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        text += &format!("host: 127.0.0.1:{port}\r\n");
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        text += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    }
    (text + "\r\n" + body).into_bytes()
}

/// One request on a connection of its own.
pub async fn once(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut line = Line::open(port).await;
    line.write(&request(port, method, path, headers, body)).await;
    line.reply().await
}
