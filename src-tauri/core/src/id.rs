//! Names of things. Each kind of thing has a type of its own, so that one is never taken for another.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as it travels.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// A request: a random version 4 UUID (RFC 9562), never reused.
    RequestId
);
text_id!(
    /// A paired agent: a random version 4 UUID.
    AgentId
);
text_id!(
    /// One run of an agent in a workspace: a random version 4 UUID of ours, whatever the agent calls it.
    SessionId
);

text_id!(
    /// A run of a trusted command: a random version 4 UUID.
    RunId
);

impl AgentId {
    /// Countersign itself, which asks when the person wants to review something: no program is paired as it, it has no token, and
    /// no list shows it. Paired agents have UUIDs.
    pub const HOUSE: &'static str = "countersign";

    /// Countersign itself.
    pub fn house() -> Self {
        Self(Self::HOUSE.to_owned())
    }

    /// Whether it is Countersign itself.
    pub fn is_house(&self) -> bool {
        self.0 == Self::HOUSE
    }
}

/// A workspace's row number in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkspaceId(pub i64);

/// A spec's number in its workspace, shown as `SPEC-001`; never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpecId(pub u32);

impl SpecId {
    /// Reads `SPEC-7`, `spec-007` and the like; anything else is a term to search for.
    pub fn parse(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        let (prefix, digits) = trimmed.split_at_checked(5)?;
        let well_formed =
            prefix.eq_ignore_ascii_case("spec-") && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        well_formed.then(|| digits.parse().ok().map(Self)).flatten()
    }
}

impl fmt::Display for SpecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SPEC-{:03}", self.0)
    }
}

impl Serialize for SpecId {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SpecId {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a spec id looks like SPEC-001"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_ids_are_read_in_any_case_and_width_and_terms_are_not_ids() {
        for (text, want) in [
            ("SPEC-001", Some(1)),
            ("spec-14", Some(14)),
            (" SPEC-0999 ", Some(999)),
            ("SPEC-", None),
            ("SPEC-1a", None),
            ("spec 1", None),
            ("webhook", None),
            ("SPEC-99999999999", None),
            ("ñandú-1", None),
        ] {
            assert_eq!(SpecId::parse(text).map(|id| id.0), want, "{text:?}");
        }
        assert_eq!(SpecId(7).to_string(), "SPEC-007");
        assert_eq!(SpecId(1234).to_string(), "SPEC-1234");
    }
}
