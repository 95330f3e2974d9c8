//! What nobody can guess: ids, tokens, codes, salts. All from the system's own source.

use countersign_core::id::{AgentId, RequestId, RunId, SessionId};

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("BUG: the system has no randomness");
    bytes
}

fn uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}

pub(crate) fn request_id() -> RequestId {
    RequestId(uuid())
}

pub(crate) fn agent_id() -> AgentId {
    AgentId(uuid())
}

pub(crate) fn session_id() -> SessionId {
    SessionId(uuid())
}

pub(crate) fn salt() -> [u8; 16] {
    bytes()
}

pub(crate) fn run_id() -> RunId {
    RunId(uuid())
}

/// 256 bits, as `cs_` and 64 hexadecimal digits: long enough that its plain SHA-256 can be kept.
pub(crate) fn token() -> String {
    let hex: String = bytes::<32>().iter().map(|b| format!("{b:02x}")).collect();
    format!("cs_{hex}")
}

/// A secret that names a pairing to the program that began it.
pub(crate) fn secret() -> String {
    bytes::<16>().iter().map(|b| format!("{b:02x}")).collect()
}

/// Six decimal digits, each code as likely as any other.
pub(crate) fn code() -> String {
    loop {
        let number = u32::from_be_bytes(bytes());
        // The largest multiple of a million below 2^32: what lies above would favour small codes.
        if number < 4_294_000_000 {
            return format!("{:06}", number % 1_000_000);
        }
    }
}
