//! Specs as files: out, and in.

use countersign_core::safe_text::SafeText;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A file to import, as the page read it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct FileInput {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What an import does, or did, with one spec.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ImportItemView {
    /// From which file.
    pub file: SafeText,
    /// Its title; none when it can't be read.
    pub title: Option<SafeText>,
    /// The id that it gets, or got.
    pub id: Option<String>,
    /// The id in the file, when that was used here before.
    pub given: Option<String>,
    /// Its criteria.
    pub criteria: u32,
    /// A spec whose title is nearly the same.
    pub near: Option<String>,
    /// Why it can't be imported.
    pub problem: Option<SafeText>,
}

/// What an import does, or did.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct ImportView {
    /// One a spec, or one a file that can't be read.
    pub items: Vec<ImportItemView>,
}
