//! stub
#![allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    En,
    Es,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    A,
}
impl Rule {
    pub fn word(self) -> &'static str {
        "a"
    }
}
impl Finding {
    pub fn message(&self, _: Language) -> String {
        String::new()
    }
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub id: String,
    pub fit: bool,
    pub findings: Vec<Finding>,
}
pub fn check(criteria: &[(&str, &str)]) -> Vec<Verdict> {
    criteria
        .iter()
        .map(|(id, text)| Verdict { id: (*id).into(), fit: text.contains(char::is_numeric), findings: vec![] })
        .collect()
}
