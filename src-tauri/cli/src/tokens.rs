//! The token that a bridge speaks with.

use countersign_host::{Home, KeptToken, find_token, kept_token};

/// A bridge's token, which may be replaced while it runs.
pub struct Token {
    /// Whose it is; not known when it came by `COUNTERSIGN_TOKEN`.
    agent: Option<String>,
    token: String,
}

impl Token {
    /// The token for a bridge in this folder: `COUNTERSIGN_TOKEN`, else the newest kept for the folder, else the newest.
    pub fn find(home: &Home, workspace: &str) -> Option<Self> {
        if let Some(token) = std::env::var("COUNTERSIGN_TOKEN").ok().filter(|token| !token.is_empty()) {
            return Some(Self { agent: None, token });
        }
        find_token(home, workspace).map(|KeptToken { agent, token }| Self { agent: Some(agent), token })
    }

    /// The token as it was last read.
    pub fn word(&self) -> &str {
        &self.token
    }

    /// Reads it again, after it was refused. True when the same agent has another one now.
    pub fn renew(&mut self, home: &Home) -> bool {
        let kept = self.agent.as_deref().and_then(|agent| kept_token(home, agent));
        let Some(kept) = kept.filter(|kept| kept.token != self.token) else { return false };
        self.token = kept.token;
        true
    }
}
