//! Letters that pass for others: `pаypal` with a Cyrillic а. Which letters look alike is Unicode's own table (UTS 39).
//!
//! Two rules. In a word that mixes Latin with a script that has twins of its letters, the twins of the script with
//! fewer letters are shown. A word made of twins alone, in a text that is otherwise Latin, is shown whole.

use super::{Verdict, drawn_escape};
use std::{collections::HashSet, sync::LazyLock};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};
use unicode_security::skeleton;

/// A shorter word of twins may well be a word, or a letter of a formula.
const DISGUISED_WORD: usize = 3;

/// Scripts whose letters pass for Latin ones.
const TWINS: [Script; 8] = [
    Script::Cyrillic,
    Script::Greek,
    Script::Armenian,
    Script::Cherokee,
    Script::Coptic,
    Script::Lisu,
    Script::Deseret,
    Script::Osage,
];

/// What the letters of those scripts look like, for the Latin letter in a Cyrillic word.
static FOREIGN_FACES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let blocks = ['\u{370}'..='\u{52F}', '\u{531}'..='\u{58F}', '\u{13A0}'..='\u{13FD}', '\u{2C80}'..='\u{2CFF}'];
    blocks.into_iter().flatten().filter(|c| TWINS.contains(&c.script())).map(face).collect()
});

/// A letter of a word: where it stands (nowhere, when an escape drawn earlier names it), and what it is.
struct Letter {
    at: Option<usize>,
    is: char,
    script: Script,
}

/// Marks look-alike letters as escapes.
pub(super) fn judge(chars: &[char], verdicts: &mut [Verdict]) {
    let (mut latin, mut foreign, mut honest) = (false, false, HashSet::new());
    each_word(chars, |word| {
        for letter in word {
            latin |= letter.script == Script::Latin;
            if TWINS.contains(&letter.script) {
                foreign = true;
                // A script with one letter that has no twin is really written here.
                if !honest.contains(&letter.script) && !has_ascii_twin(letter.is) {
                    honest.insert(letter.script);
                }
            }
        }
    });
    if !foreign || !latin {
        return;
    }
    each_word(chars, |word| {
        let is_foreign = |letter: &&Letter| TWINS.contains(&letter.script);
        let (all, others) = (word.len(), word.iter().filter(is_foreign).count());
        let latins = word.iter().filter(|letter| letter.script == Script::Latin).count();
        let mut escape = |letter: &Letter| {
            if let Some(at) = letter.at {
                verdicts[at] = Verdict::Escape;
            }
        };
        if others > 0 && latins >= others {
            word.iter().filter(is_foreign).filter(|letter| has_latin_face(letter.is)).for_each(&mut escape);
        } else if latins > 0 && others > 0 {
            let latins = word.iter().filter(|letter| letter.script == Script::Latin);
            latins.filter(|letter| FOREIGN_FACES.contains(&face(letter.is))).for_each(&mut escape);
        } else if others == all && all >= DISGUISED_WORD {
            // In capitals whole words of twins are common (НЕТ), and nobody's address.
            let disguised = word.iter().all(|letter| !honest.contains(&letter.script))
                && word.iter().any(|letter| letter.is.is_lowercase());
            word.iter().filter(|_| disguised).for_each(&mut escape);
        }
    });
}

/// Hands over the words of a text: letters, with marks and what can't be seen inside. Escapes drawn earlier count as
/// what they name, so that a text drawn once is judged the same again.
fn each_word(chars: &[char], mut take: impl FnMut(&[Letter])) {
    let (mut word, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let (is, length, drawn) = match drawn_escape(&chars[at..]) {
            Some((named, length)) => (named, length, true),
            None => (chars[at], 1, false),
        };
        match part_in_word(is) {
            Part::Letter(script) => word.push(Letter { at: (!drawn).then_some(at), is, script }),
            Part::Inside => {}
            Part::End => {
                if !word.is_empty() {
                    take(&word);
                    word.clear();
                }
            }
        }
        at += length;
    }
    if !word.is_empty() {
        take(&word);
    }
}

enum Part {
    Letter(Script),
    Inside,
    End,
}

fn part_in_word(c: char) -> Part {
    if c.is_ascii() {
        return if c.is_ascii_alphabetic() { Part::Letter(Script::Latin) } else { Part::End };
    }
    match (c.general_category(), c.general_category_group()) {
        (_, GeneralCategoryGroup::Letter) => Part::Letter(c.script()),
        (GeneralCategory::Format, _) | (_, GeneralCategoryGroup::Mark) => Part::Inside,
        _ => Part::End,
    }
}

/// What a letter looks like, by Unicode's table.
fn face(c: char) -> String {
    skeleton(c.encode_utf8(&mut [0; 4])).collect()
}

/// Whether it looks like one plain letter of the Latin alphabet.
fn has_ascii_twin(c: char) -> bool {
    let face = face(c);
    face.len() == 1 && face.as_bytes()[0].is_ascii_alphabetic()
}

/// Whether its reader takes it for a plain Latin letter or digit, with a mark or without. Of the table's faces that
/// aren't ASCII only the small capitals deceive (к, т, н, в, м); Σ, θ, и and the like are read as what they are.
fn has_latin_face(c: char) -> bool {
    let mut face = face(c).chars().collect::<Vec<_>>().into_iter();
    face.next().is_some_and(|c| c.is_ascii_alphanumeric() || "ĸᴛʜʙʍ".contains(c))
        && face.all(|c| c != '\u{335}' && c.general_category_group() == GeneralCategoryGroup::Mark)
}
