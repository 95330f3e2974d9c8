//! Canonical JSON (RFC 8785) and digests over it (SHA-256, FIPS 180-4).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// A SHA-256 digest, written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

/// A digest over bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// More bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Over all of them.
    pub fn digest(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// The canonical form (RFC 8785) of a JSON value.
pub fn canonical(value: &Value) -> String {
    if is_in_order(value) {
        return serde_json::to_string(value).expect("BUG: a JSON value has a text");
    }
    // A `Value` has string keys and finite numbers, which is all that canonical JSON asks for.
    serde_json_canonicalizer::to_string(value).expect("BUG: a JSON value has a canonical form")
}

/// Whether plain compact JSON is the canonical form: ASCII keys that come sorted (there UTF-8's order is UTF-16's, RFC 8785
/// section 3.2.3) and no number but whole ones that a double holds. Nearly all of ours is; the canonicalizer, which copies each
/// level once more, was a quarter of what a commit costs the processor.
fn is_in_order(value: &Value) -> bool {
    const WHOLE: u64 = (1 << f64::MANTISSA_DIGITS) - 1;
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() <= WHOLE),
        Value::Array(items) => items.iter().all(is_in_order),
        Value::Object(map) => {
            map.keys().all(|key| key.is_ascii()) && map.keys().is_sorted() && map.values().all(is_in_order)
        }
    }
}

impl Digest {
    /// Over bytes as they are.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Over the canonical form of a value.
    pub fn of(value: &Value) -> Self {
        Self::of_bytes(canonical(value).as_bytes())
    }

    /// Reads `sha256:…`.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("sha256:")?;
        Self::from_hex(hex)
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<Self> {
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// The 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or_default();
        self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a digest looks like sha256:<64 hexadecimal digits>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn the_canonical_form_follows_rfc_8785() {
        // RFC 8785, section 3.2.2 and 3.2.3: number forms, escapes and UTF-16 key order.
        let value: Value = serde_json::from_str(
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
        )
        .expect("the RFC's sample parses");
        assert_eq!(
            canonical(&value),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        );
        let keys = json!({"\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7});
        assert_eq!(canonical(&keys), "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}");
    }

    /// Values of all shapes: keys in no order, whole, broken and huge numbers, texts that need escapes.
    fn values() -> impl Strategy<Value = Value> {
        let texts = || {
            prop_oneof![
                "[ -~]{0,8}",
                "\\PC{0,6}",
                prop::sample::select(vec!["\u{7f}\u{1}\n\"\\/", "😀\u{fb33}", "\u{2028}"]).prop_map(String::from)
            ]
        };
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-10_i64..10).prop_map(Value::from),
            any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite()).prop_map(Value::from),
            texts().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::hash_map(texts(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_short_way_writes_what_the_canonicalizer_writes(value in values()) {
            prop_assert_eq!(canonical(&value), serde_json_canonicalizer::to_string(&value).expect("JSON"));
        }
    }

    #[test]
    fn the_short_way_is_taken_by_what_is_in_order_alone() {
        let yes = [json!({"a": [1, -9007199254740991_i64, null], "b": {"c": "é😀\u{1}"}}), json!([]), json!("x")];
        let no = [json!({"é": 1}), json!(1.0), json!(0.5), json!(9007199254740992_u64), json!([{"a": 1e300}])];
        assert!(yes.iter().all(is_in_order) && !no.iter().any(is_in_order));
    }

    #[test]
    fn key_order_and_spacing_do_not_change_a_digest_and_content_does() {
        let a: Value = serde_json::from_str(r#"{"b":1.0,"a":[1,2]}"#).expect("json");
        let b: Value = serde_json::from_str(r#"{ "a": [1, 2], "b": 1 }"#).expect("json");
        assert_eq!(Digest::of(&a), Digest::of(&b));
        assert_ne!(Digest::of(&a), Digest::of(&json!({"a": [2, 1], "b": 1})));
    }

    #[test]
    fn the_digest_of_nothing_is_the_published_one_and_text_round_trips() {
        let digest = Digest::of_bytes(b"");
        assert_eq!(digest.hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(Digest::parse("sha256:xyz"), None);
        assert_eq!(Digest::from_hex(&"é".repeat(32)), None);
    }
}
