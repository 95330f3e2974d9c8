//! JSON schemas of tools, derived and then made plain: clients warn about integer formats and stumble over `null` in unions.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of `T`: inlined, without `$schema`, titles, number formats and `null` branches.
pub(crate) fn of<T: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    match clean(schema.to_value()) {
        Value::Object(mut object) => {
            // The type's own words are for readers of this code; the tool's description is for models.
            object.remove("description");
            object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
            object
        }
        other => unreachable_schema(&other),
    }
}

/// A result's schema, with the note that may go with any of them.
pub(crate) fn with_note(mut schema: Map<String, Value>) -> Map<String, Value> {
    let words = "What was done differently from what you passed, or that the person switched the session's mode.";
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let note = json!({"type": "string", "description": words});
        properties.entry("note").or_insert(note);
    }
    schema
}

fn unreachable_schema(schema: &Value) -> ! {
    panic!("BUG: the schema of a struct is an object, this is {schema}")
}

/// The names of an object schema's properties.
pub(crate) fn names(schema: &Map<String, Value>) -> Vec<String> {
    schema
        .get("properties")
        .and_then(Value::as_object)
        .map(|object| object.keys().cloned().collect())
        .unwrap_or_default()
}

fn clean(schema: Value) -> Value {
    let Value::Object(mut object) = schema else { return schema };
    for key in ["$schema", "title"] {
        object.remove(key);
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    without_null_type(&mut object);
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if object.get("type").is_some_and(|kind| kind == "integer" || kind == "number") {
        object.remove("format");
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(branches)) = object.remove(key) {
            let mut kept: Vec<Value> =
                branches.into_iter().filter(|branch| branch["type"] != "null").map(clean).collect();
            match (kept.len(), kept.pop()) {
                (1, Some(Value::Object(only))) => {
                    for (name, value) in only {
                        object.entry(name).or_insert(value);
                    }
                }
                (_, last) => {
                    kept.extend(last);
                    object.insert(key.to_owned(), Value::Array(kept));
                }
            }
        }
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        for property in properties.values_mut() {
            *property = clean(property.take());
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(key) {
            *inner = clean(inner.take());
        }
    }
    Value::Object(object)
}

fn without_null_type(object: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = object.get_mut("type") else { return };
    kinds.retain(|kind| kind != "null");
    if let [only] = kinds.as_slice() {
        let only = only.clone();
        object.insert("type".to_owned(), only);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its fields are the schema")]
    struct Sample {
        /// A title, which is a field here.
        title: String,
        count: Option<u64>,
        inner: Option<Inner>,
        many: Vec<Inner>,
        ratio: f64,
        word: Option<Word>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "its variants are the schema")]
    enum Word {
        Yes,
        No,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "its fields are the schema")]
    struct Inner {
        text: Option<String>,
    }

    #[test]
    fn a_schema_is_plain() {
        let inner = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        let want = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "A title, which is a field here."},
                "count": {"type": "integer", "minimum": 0},
                "inner": inner,
                "many": {"type": "array", "items": inner},
                "ratio": {"type": "number"},
                "word": {"type": "string", "enum": ["yes", "no"]},
            },
            "required": ["title", "many", "ratio"],
        });
        assert_eq!(Value::Object(of::<Sample>()), want);
    }
}
