//! The languages in which the house speaks to a person. What models read is English.

/// A language that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}
