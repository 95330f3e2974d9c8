//! What an agent may do at all: the scopes that the person gave it when it was paired, or since.
//!
//! Reading is never a scope's matter, nor is waiting for, looking at or taking back what the agent itself asked.

use serde::{Deserialize, Serialize};

/// One thing that an agent may do, or may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Ask the person: every tool that asks by itself, and plans. Gates of other tools ask whatever an agent may.
    Ask,
    /// Change specs: create and delete them, and all else that writes to one.
    Specs,
    /// Work in other folders than its own, which is the one it was paired for with all that is beneath it.
    Folders,
}

impl Scope {
    /// All scopes, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Ask, Self::Specs, Self::Folders];

    /// The word stored, sent and typed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Specs => "specs",
            Self::Folders => "folders",
        }
    }

    /// The scope of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }

    /// What it is, for whoever lacks it.
    const fn meaning(self) -> &'static str {
        match self {
            Self::Ask => "ask the person",
            Self::Specs => "change specs",
            Self::Folders => "work in other folders",
        }
    }
}

/// The scopes of one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Scope>", into = "Vec<Scope>")]
pub struct Scopes {
    ask: bool,
    specs: bool,
    folders: bool,
}

impl Scopes {
    /// Everything: what an agent has unless the person says otherwise.
    pub const ALL: Self = Self { ask: true, specs: true, folders: true };
    /// Nothing but reading in its own folder.
    pub const NONE: Self = Self { ask: false, specs: false, folders: false };

    /// Whether it is among them.
    pub const fn has(self, scope: Scope) -> bool {
        match scope {
            Scope::Ask => self.ask,
            Scope::Specs => self.specs,
            Scope::Folders => self.folders,
        }
    }

    /// With this one too.
    pub const fn with(mut self, scope: Scope) -> Self {
        match scope {
            Scope::Ask => self.ask = true,
            Scope::Specs => self.specs = true,
            Scope::Folders => self.folders = true,
        }
        self
    }

    /// Those of a list such as `ask,specs`; `none` for none at all.
    pub fn parse(list: &str) -> Result<Self, ScopeError> {
        if list.trim() == "none" {
            return Ok(Self::NONE);
        }
        let word =
            |word: &str| Scope::from_word(word.trim()).ok_or_else(|| ScopeError::Unknown(word.trim().to_owned()));
        list.split(',').try_fold(Self::NONE, |scopes, part| Ok(scopes.with(word(part)?)))
    }

    /// Refuses what takes a scope that is not among them.
    pub fn check(self, takes: Option<Scope>) -> Result<(), ScopeError> {
        match takes {
            Some(scope) if !self.has(scope) => Err(ScopeError::Missing(scope)),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether an agent that was paired for the folder `own` may have exactly these: one that named none has no other place.
    pub fn check_own(self, own: Option<&str>) -> Result<(), ScopeError> {
        if self.folders || own.is_some_and(|own| !own.is_empty()) { Ok(()) } else { Err(ScopeError::NoOwnFolder) }
    }

    /// Refuses work in a folder that is neither the agent's `own` nor beneath it, unless it may work in others. Both are absolute
    /// and spelled in one way.
    pub fn check_folder(self, own: Option<&str>, folder: &str) -> Result<(), ScopeError> {
        let own = own.unwrap_or_default();
        if self.folders || is_within(folder, own) {
            return Ok(());
        }
        Err(ScopeError::Elsewhere { folder: folder.to_owned(), own: own.to_owned() })
    }
}

impl From<Vec<Scope>> for Scopes {
    fn from(list: Vec<Scope>) -> Self {
        list.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<Scopes> for Vec<Scope> {
    fn from(scopes: Scopes) -> Self {
        Scope::ALL.into_iter().filter(|scope| scopes.has(*scope)).collect()
    }
}

/// Whether a folder is the other one or beneath it, part by part: `/w/ab` is not beneath `/w/a`.
fn is_within(folder: &str, own: &str) -> bool {
    if folder.is_empty() || own.is_empty() {
        return folder == own;
    }
    // A backslash is part of a name where paths begin with a slash.
    let separators: &[char] = if own.starts_with('/') { &['/'] } else { &['/', '\\'] };
    if folder.starts_with('/') != own.starts_with('/') {
        return false;
    }
    let parts = |path: &'_ str| -> Vec<String> {
        path.split(separators).filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
    };
    let (folder, own) = (parts(folder), parts(own));
    folder.starts_with(&own) && !folder.iter().any(|part| part == "..")
}

/// What an agent's scopes don't allow, and the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// A tool takes a scope that the agent lacks.
    #[error(
        "this agent lacks the scope `{}` ({}), so nothing was done: the person can allow it for this agent on the Agents screen of Countersign; tell them if you need it, else go on without",
        .0.word(),
        .0.meaning()
    )]
    Missing(Scope),
    /// The folder is not the agent's.
    #[error(
        "this agent lacks the scope `folders` (work in other folders), and {folder:?} is neither its own folder {own:?} nor beneath it, so nothing was done: work in its own, or tell the person, who can allow other folders for this agent on the Agents screen of Countersign"
    )]
    Elsewhere {
        /// The one that was named.
        folder: String,
        /// The agent's.
        own: String,
    },
    /// Without a folder of its own an agent would be nowhere.
    #[error("this program named no folder of its own, so it can't go without the scope `folders`")]
    NoOwnFolder,
    /// No such scope.
    #[error("there is no scope `{0}`; the scopes are ask, specs and folders, or none")]
    Unknown(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_scope_is_taken_or_refused_and_no_scope_is_nobodys_to_refuse() {
        let mut table = String::new();
        for list in
            ["none", "ask", "specs", "folders", "ask,specs", "ask,folders", "specs,folders", "ask,specs,folders"]
        {
            let scopes = Scopes::parse(list).expect("scopes");
            let allowed = |takes| if scopes.check(takes).is_ok() { "yes" } else { "no" };
            table += &format!(
                "{list}: asks {}, changes specs {}, reads {}; own /w/a: in /w/a {}, in /w/b {}\n",
                allowed(Some(Scope::Ask)),
                allowed(Some(Scope::Specs)),
                allowed(None),
                scopes.check_folder(Some("/w/a"), "/w/a").map_or("no", |()| "yes"),
                scopes.check_folder(Some("/w/a"), "/w/b").map_or("no", |()| "yes"),
            );
        }
        expect![[r#"
            none: asks no, changes specs no, reads yes; own /w/a: in /w/a yes, in /w/b no
            ask: asks yes, changes specs no, reads yes; own /w/a: in /w/a yes, in /w/b no
            specs: asks no, changes specs yes, reads yes; own /w/a: in /w/a yes, in /w/b no
            folders: asks no, changes specs no, reads yes; own /w/a: in /w/a yes, in /w/b yes
            ask,specs: asks yes, changes specs yes, reads yes; own /w/a: in /w/a yes, in /w/b no
            ask,folders: asks yes, changes specs no, reads yes; own /w/a: in /w/a yes, in /w/b yes
            specs,folders: asks no, changes specs yes, reads yes; own /w/a: in /w/a yes, in /w/b yes
            ask,specs,folders: asks yes, changes specs yes, reads yes; own /w/a: in /w/a yes, in /w/b yes
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn a_folder_is_its_own_or_beneath_it_by_its_parts_and_never_by_its_letters() {
        for (own, folder, want) in [
            ("/w/a", "/w/a", true),
            ("/w/a", "/w/a/b", true),
            ("/w/a", "/w/a/b/c", true),
            ("/w/a", "/w/ab", false),
            ("/w/a", "/w/a b", false),
            ("/w/a", "/w/A", false),
            ("/w/a", "/w", false),
            ("/w/a", "/", false),
            ("/w/a", "", false),
            ("/w/a", "/x/w/a", false),
            ("/w/a", "/w/a/../b", false),
            ("/w/a", "/w/a\\b", false),
            ("/w/a", "C:\\w\\a", false),
            ("/w/a/", "/w//a/./b", true),
            ("/", "/w/a", true),
            ("", "", true),
            ("", "/w/a", false),
            ("", "/", false),
            ("C:\\w\\a", "C:\\w\\a", true),
            ("C:\\w\\a", "C:/w/a/b", true),
            ("C:\\w\\a", "C:\\w\\ab", false),
            ("C:\\w\\a", "D:\\w\\a", false),
            ("C:\\w\\a", "/C:/w/a", false),
        ] {
            assert_eq!(Scopes::NONE.check_folder(Some(own), folder).is_ok(), want, "{own:?} {folder:?}");
            assert!(Scopes::ALL.check_folder(Some(own), folder).is_ok(), "{own:?} {folder:?}");
        }
        assert!(Scopes::NONE.check_folder(None, "/w").is_err());
        assert!(Scopes::NONE.check_folder(None, "").is_ok());
    }

    #[test]
    fn who_has_no_folder_of_its_own_may_work_in_any() {
        for own in [None, Some("")] {
            assert_eq!(Scopes::parse("ask,specs").expect("scopes").check_own(own), Err(ScopeError::NoOwnFolder));
            assert_eq!(Scopes::NONE.with(Scope::Folders).check_own(own), Ok(()));
        }
        assert_eq!(Scopes::NONE.check_own(Some("/w")), Ok(()));
    }

    #[test]
    fn scopes_are_words_in_one_order_and_a_wrong_word_is_named() {
        assert_eq!(
            Scopes::parse(" folders, ask ").map(|scopes| serde_json::json!(scopes).to_string()),
            Ok(r#"["ask","folders"]"#.into())
        );
        assert_eq!(
            serde_json::from_str::<Scopes>(r#"["folders","ask","ask"]"#).ok(),
            Scopes::parse("ask,folders").ok()
        );
        assert!(serde_json::from_str::<Scopes>(r#"["all"]"#).is_err());
        for wrong in ["", "all", "ask,", "ask;specs", "Ask", "none,ask"] {
            assert!(matches!(Scopes::parse(wrong), Err(ScopeError::Unknown(_))), "{wrong:?}");
        }
    }

    #[test]
    fn a_refusal_names_the_scope_and_the_way_out() {
        for scope in Scope::ALL {
            let said = Scopes::NONE.check(Some(scope)).expect_err("refused").to_string();
            assert!(said.contains(&format!("`{}`", scope.word())) && said.contains("Agents screen"), "{said}");
        }
        let said = Scopes::NONE.check_folder(Some("/w/a"), "/w/b").expect_err("refused").to_string();
        assert!(
            ["`folders`", "\"/w/a\"", "\"/w/b\"", "Agents screen"].iter().all(|word| said.contains(word)),
            "{said}"
        );
    }
}
