//! What is known of the programs that connect: how long a call may be held before their own limit ends it.

/// Seconds that a call is held for a client nobody knows: below the 60 s at which several give up.
pub const HOLD_SECONDS_UNKNOWN: u64 = 50;

/// Seconds that a tool call of this kind of client may be held, with its limits as they come out of the box.
///
/// Each lies below the client's own default limit (measured; see `docs/clients.md`). Progress does not lengthen the
/// limit of most, so it is never counted on.
pub fn hold_seconds(kind: &str) -> u64 {
    match kind {
        "claude-code" => 240,
        "codex" => 240,
        "gemini-cli" => 540,
        _ => HOLD_SECONDS_UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_client_is_held_below_sixty_seconds() {
        for kind in ["", "other", "cursor", "Claude-Code", "zed"] {
            assert_eq!(hold_seconds(kind), 50);
        }
        assert_eq!(hold_seconds("codex"), 240);
    }
}
