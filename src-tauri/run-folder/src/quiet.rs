//! Whether a file was left alone: one that is still being written is not read.

use crate::folder::Sight;
use crate::name::Name;
use countersign_core::limit::ANSWER_FILE_QUIET_MILLIS;
use countersign_core::time::Millis;
use std::collections::HashMap;

/// What was seen of each file, and since when it looks like that.
#[derive(Debug, Clone, Default)]
pub struct Quiet {
    since: HashMap<Name, (Sight, Millis)>,
}

impl Quiet {
    /// Notes what is there now. How much longer it must stay like that; nothing when it was left alone for long enough.
    pub fn left(&mut self, name: &Name, sight: &Sight, now: Millis) -> Millis {
        let quiet = match self.since.get(name) {
            Some((before, since)) if before == sight => Millis(now.0.saturating_sub(since.0)),
            Some(_) | None => {
                self.since.insert(name.clone(), (sight.clone(), now));
                Millis(0)
            }
        };
        Millis(ANSWER_FILE_QUIET_MILLIS.saturating_sub(quiet.0))
    }

    /// It is not there any more.
    pub fn forget(&mut self, name: &Name) {
        self.since.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_starts_anew() {
        let mut quiet = Quiet::default();
        let (one, two) = (Sight::sample(1), Sight::sample(2));
        let mut left = |sight, now| quiet.left(&Name::Legacy, sight, Millis(now)).0;
        assert_eq!(left(&one, 1_000), 250);
        assert_eq!(left(&one, 1_100), 150);
        assert_eq!(left(&two, 1_200), 250);
        assert_eq!(left(&two, 1_450), 0);
        assert_eq!(left(&two, 9_000), 0);
        quiet.forget(&Name::Legacy);
        assert_eq!(quiet.left(&Name::Legacy, &two, Millis(9_001)).0, 250);
    }
}
