//! What an answer file is called, and what is written beside it.

/// The original's answer file.
pub const LEGACY: &str = "approval-response.txt";
/// The folder of answers by request id.
pub const ANSWERS: &str = "answers";
/// What waits, for programs.
pub const PENDING: &str = "pending.json";

/// One answer file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// `approval-response.txt`
    Legacy,
    /// `answers/<id>.txt`
    Answer(String),
}

impl Name {
    /// The answer file of that name in `answers`; none for notes, for what was set aside, and for what is being written.
    pub fn in_answers(file: &str) -> Option<Self> {
        let id = file.strip_suffix(".txt")?;
        let plain = !id.is_empty() && id.len() <= 100 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        plain.then(|| Self::Answer(id.to_owned()))
    }

    /// The file's name in its folder.
    pub fn file(&self) -> String {
        match self {
            Self::Legacy => LEGACY.into(),
            Self::Answer(id) => format!("{id}.txt"),
        }
    }

    /// Its path from the run folder.
    pub fn path(&self) -> String {
        match self {
            Self::Legacy => LEGACY.into(),
            Self::Answer(id) => format!("{ANSWERS}/{id}.txt"),
        }
    }

    /// Where the note about it is.
    pub fn note(&self) -> String {
        self.beside("note")
    }

    /// Where it goes when it is not obeyed, for the n-th time.
    pub fn set_aside(&self, n: u32) -> String {
        self.beside(&format!("set-aside-{n}"))
    }

    fn beside(&self, what: &str) -> String {
        let file = self.file();
        let stem = file.strip_suffix(".txt").unwrap_or(&file);
        format!("{stem}.{what}.txt")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_ids_are_answer_files() {
        let id = "0d3b4d0e-7a57-4c3f-9a59-5f5f0c6b2f11";
        assert_eq!(Name::in_answers(&format!("{id}.txt")), Some(Name::Answer(id.into())));
        for other in [
            "x.note.txt",
            "x.set-aside-1.txt",
            ".x.txt.new",
            ".txt",
            "x",
            "x.json",
            "a/b.txt",
            "..txt",
            "ñ.txt",
            &format!("{}.txt", "x".repeat(101)),
        ] {
            assert_eq!(Name::in_answers(other), None, "{other}");
        }
        for name in [Name::Legacy, Name::Answer(id.into())] {
            assert_eq!(Name::in_answers(&name.note()), None);
            assert_eq!(Name::in_answers(&name.set_aside(3)), None);
        }
        assert_eq!(Name::Legacy.set_aside(2), "approval-response.set-aside-2.txt");
    }
}
