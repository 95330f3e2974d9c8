//! When two titles are nearly the same.
//!
//! The words that both have are set aside; what is left must pair up as slips of the pen: a letter or two wrong, a
//! plural, a space too many. A ratio over the whole text can't tell that: "Login page" and "Logout page" differ by less
//! than "Lgoin pgae" and "Login page" do. A number, a short word (EUR, USD) or a sign of a script without letters
//! (ideographs) that differs is another subject. So are words that nothing pairs with. One of two that are alike
//! would be lost by a wrong yes, so what is in doubt is not alike.

use crate::title;
use rapidfuzz::distance::{indel, osa};

/// From so many percent on, two titles are nearly the same.
///
/// Chosen by the table below: one slip in a title of five letters gives 80, two in "Webhook retries" 85. Three slips in
/// fifteen letters are 80 as well; with more nobody would call it the same.
pub const ALIKE: u8 = 80;
/// Slips in all; titles with more are about something else.
const SLIPS: usize = 3;
/// Words that are left on one side; each costs a slip, or is half of one that a space was lost from.
const LEFT: usize = 4;

/// Words that carry no subject, except at the end ("Plan A").
const LITTLE: [&str; 17] =
    ["a", "an", "and", "de", "del", "el", "for", "la", "las", "los", "of", "para", "the", "un", "una", "unas", "unos"];
/// Whether a folded word carries no subject, unless it ends the text.
pub(crate) fn is_little(word: &str) -> bool {
    LITTLE.contains(&word)
}

/// What a title may begin with without being about something else.
const BEGINNINGS: [&[&str]; 10] = [
    &["implement"],
    &["implementing"],
    &["implementar"],
    &["implementation"],
    &["implementacion"],
    &["spec"],
    &["feature"],
    &["add", "support"],
    &["anadir", "soporte"],
    &["agregar", "soporte"],
];
/// Words that look like slips of one another and are not; folded, and as [`singular`] leaves them.
const APART: [(&str, &str); 17] = [
    ("batch", "patch"),
    ("block", "black"),
    ("carga", "carta"),
    ("count", "court"),
    ("julio", "junio"),
    ("modal", "model"),
    ("month", "mouth"),
    ("order", "older"),
    ("pars", "paus"),
    ("pric", "priz"),
    ("quota", "quot"),
    ("sesenta", "setenta"),
    ("stag", "stat"),
    ("stag", "stor"),
    ("thursday", "tuesday"),
    ("token", "taken"),
    ("whit", "writ"),
];

/// A word of a title: where it is, and its singular when that is another.
#[derive(Debug, Clone)]
struct Word {
    at: (u16, u16),
    singular: Option<Box<str>>,
}

/// A title made ready for comparison.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    fingerprint: Box<str>,
    /// Its words that carry the subject, in their order, with a space between.
    text: Box<str>,
    /// Those words, sorted by their singular.
    words: Box<[Word]>,
    chars: u16,
    digits: u16,
}

impl Shape {
    pub(super) fn of(title: &str) -> Self {
        let folded = title::fold(title);
        if folded.is_empty() {
            let sign: Box<str> = title.trim().into();
            return Self { fingerprint: sign.clone(), text: sign, words: Box::default(), chars: 0, digits: 0 };
        }
        let all: Vec<&str> = folded.split(' ').collect();
        let last = all.len() - 1;
        let little = |(at, word): &(usize, &&str)| *at == last || !is_little(word);
        let mut words: Vec<&str> = all.iter().enumerate().filter(little).map(|(_, word)| *word).collect();
        if let Some(beginning) = BEGINNINGS.iter().find(|start| words.starts_with(start) && words.len() > start.len()) {
            words.drain(..beginning.len());
        }
        let text = words.join(" ");
        // What is beyond is longer than any title may be; it still is compared by its fingerprint.
        let short = |at: usize| u16::try_from(at).ok();
        let mut start = 0;
        let place = |word: &&str| {
            let at = (short(start)?, short(start + word.len())?);
            start += word.len() + 1;
            Some(Word { at, singular: singular(word).map(Into::into) })
        };
        let mut shape = Self {
            fingerprint: title::fingerprint(title).into(),
            words: words.iter().map(place).collect::<Option<_>>().unwrap_or_default(),
            chars: short(text.chars().filter(|c| *c != ' ').count()).unwrap_or(u16::MAX),
            digits: short(digits(&text).count()).unwrap_or(u16::MAX),
            text: text.into(),
        };
        let mut words = std::mem::take(&mut shape.words);
        words.sort_by(|a, b| shape.stem(a).cmp(shape.stem(b)));
        Self { words, ..shape }
    }

    /// The trigrams of its words, each once, in no order that matters.
    pub(super) fn grams(&self) -> Vec<u64> {
        let mut grams = Vec::with_capacity(self.text.len() + 2);
        for word in self.text.split(' ') {
            let [mut a, mut b] = [0, u64::from(' ')];
            for c in word.chars().chain([' ']).map(u64::from) {
                if a != 0 || c == u64::from(' ') {
                    grams.push(a << 42 | b << 21 | c);
                }
                (a, b) = (b, c);
            }
        }
        grams.sort_unstable();
        grams.dedup();
        grams
    }

    /// Whether the other could be alike: a matter of counting, to spare the comparison.
    pub(super) fn could_be(&self, other: &Self) -> bool {
        self.digits == other.digits && usize::from(self.chars.abs_diff(other.chars)) <= SLIPS
    }

    /// How alike they are, in percent, if they are.
    pub(super) fn alike(&self, other: &Self) -> Option<u8> {
        if self.fingerprint == other.fingerprint {
            return Some(100);
        }
        if self.words.is_empty() || other.words.is_empty() {
            return None;
        }
        let (mine, theirs) = self.left(other)?;
        let differ = pairs(&mine, &theirs).or_else(|| joined(&mine, &theirs))?;
        let both = usize::from(self.chars) + usize::from(other.chars);
        let percent = (both.saturating_sub(differ) * 100 / both.max(1)).min(99);
        u8::try_from(percent).ok().filter(|percent| *percent >= ALIKE)
    }

    fn stem<'a>(&'a self, word: &'a Word) -> &'a str {
        word.singular.as_deref().unwrap_or(self.raw(word))
    }

    fn raw(&self, word: &Word) -> &str {
        &self.text[usize::from(word.at.0)..usize::from(word.at.1)]
    }

    /// The words of each that the other doesn't have, in their order; none when there are too many.
    fn left<'a>(&'a self, other: &'a Self) -> Option<(Vec<Left<'a>>, Vec<Left<'a>>)> {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (self.words.iter().peekable(), other.words.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) => self.stem(x).cmp(other.stem(y)),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => break,
            };
            if order.is_le() {
                mine.extend(a.next().filter(|_| order.is_lt()));
            }
            if order.is_ge() {
                theirs.extend(b.next().filter(|_| order.is_gt()));
            }
            if mine.len() > LEFT || theirs.len() > LEFT {
                return None;
            }
        }
        let in_order = |shape: &'a Self, mut words: Vec<&'a Word>| -> Vec<Left<'a>> {
            words.sort_unstable_by_key(|word| word.at);
            words.into_iter().map(|word| Left { raw: shape.raw(word), stem: shape.stem(word) }).collect()
        };
        Some((in_order(self, mine), in_order(other, theirs)))
    }
}

/// A word that the other title doesn't have.
#[derive(Clone, Copy)]
struct Left<'a> {
    raw: &'a str,
    stem: &'a str,
}

impl Left<'_> {
    /// How many slips make it the other, and by how many letters they differ: as written or in the singular.
    fn slip(self, other: Left<'_>) -> Option<(usize, usize)> {
        let of = |a: &str, b: &str| Some((slip(a, b)?, indel::distance(a.chars(), b.chars())));
        // Which words are apart is known of their singulars.
        if apart(self.stem, other.stem) {
            return None;
        }
        of(self.raw, other.raw).into_iter().chain(of(self.stem, other.stem)).min()
    }
}

/// Each of the one side with one of the other, all of them slips: by how many letters they differ in all.
fn pairs(mine: &[Left<'_>], theirs: &[Left<'_>]) -> Option<usize> {
    if mine.len() != theirs.len() {
        return None;
    }
    let mut theirs = theirs.to_vec();
    let (mut slips, mut differ) = (0, 0);
    for word in mine {
        let tried = theirs.iter().enumerate().filter_map(|(at, other)| Some((word.slip(*other)?, at)));
        let ((fewest, letters), at) = tried.min()?;
        slips += fewest;
        differ += letters;
        theirs.remove(at);
    }
    (slips <= SLIPS).then_some(differ)
}

/// A space was lost or put in: all that is left of each, as one word.
fn joined(mine: &[Left<'_>], theirs: &[Left<'_>]) -> Option<usize> {
    if mine.is_empty() || theirs.is_empty() || mine.len() == theirs.len() {
        return None;
    }
    let join = |words: &[Left<'_>]| words.iter().map(|word| word.raw).collect::<String>();
    let (mine, theirs) = (join(mine), join(theirs));
    if mine == theirs {
        return Some(0);
    }
    slip(&mine, &theirs).map(|_| indel::distance(mine.chars(), theirs.chars()))
}

/// How many slips of the pen make one word of the other, when that is what it looks like.
pub(crate) fn slip(a: &str, b: &str) -> Option<usize> {
    let (long, short) = (a.chars().count().max(b.chars().count()), a.chars().count().min(b.chars().count()));
    let allowed = match long {
        0..=3 => return None,
        4..=7 => 1,
        8..=64 => 2,
        _ => return None,
    };
    // In scripts without letters each sign is a word.
    let sign = |c: char| c >= '\u{2e80}';
    if long - short > allowed || a.chars().chain(b.chars()).any(sign) || !digits(a).eq(digits(b)) {
        return None;
    }
    let slips = osa::distance(a.chars(), b.chars());
    let transposed = slips == 1 && long == short && sorted(a) == sorted(b);
    let substituted = long == short && !transposed;
    // Of four letters another one makes another word: cart, card.
    if slips > allowed || (long == 4 && substituted) {
        return None;
    }
    // Words of opposite sense differ at the start: encryption, decryption; internal, external; symmetric, asymmetric.
    let first = |word: &str| word.chars().next();
    let starts = first(a) == first(b) || transposed || (slips == 1 && long > 5 && !negated(a, b));
    starts.then_some(slips)
}

fn sorted(word: &str) -> Vec<char> {
    let mut chars: Vec<char> = word.chars().collect();
    chars.sort_unstable();
    chars
}

fn negated(a: &str, b: &str) -> bool {
    a.strip_prefix('a') == Some(b) || b.strip_prefix('a') == Some(a)
}

fn apart(a: &str, b: &str) -> bool {
    APART.contains(&(a, b)) || APART.contains(&(b, a))
}

fn digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_numeric())
}

/// Near enough the singular of a word in English or Spanish, if it is another: that it is the same for both of its
/// numbers is all that counts.
fn singular(word: &str) -> Option<String> {
    let letters = word.chars().count();
    if letters < 4 || !word.is_ascii() || word.ends_with("ss") || word == "news" || digits(word).next().is_some() {
        return None;
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return Some(format!("{stem}y"));
    }
    let stem = word.strip_suffix('s').unwrap_or(word);
    let stem = stem.strip_suffix('e').filter(|stem| stem.len() > 3).unwrap_or(stem);
    (stem != word).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(a: &str, b: &str) -> Option<u8> {
        let (a, b) = (Shape::of(a), Shape::of(b));
        let percent = a.alike(&b);
        assert_eq!(percent, b.alike(&a), "the same both ways");
        percent.filter(|percent| *percent == 100 || a.could_be(&b))
    }

    #[test]
    fn titles_that_a_person_takes_for_the_same_are_alike() {
        let table = [
            ("Webhook retries", "WEBHOOK RETRIES", 100),
            ("Webhook retries", "retries: webhook", 100),
            ("Política de reintentos", "politica de REINTENTOS", 100),
            ("Reintentos de webhooks", "Webhooks: los reintentos", 99),
            ("Webhook retries", "Webhook retires", 92),
            ("Webhook retries", "Wehook retreis", 88),
            ("Webhook retries", "Webhook retry", 99),
            ("Webhook retries", "Retry webhooks", 99),
            ("Webhook retries", "Retries for webhooks", 99),
            ("Webhook retries", "The webhook retries", 99),
            ("Webhook retries", "Implement webhook retries", 99),
            ("Webhook retries", "Add support for webhook retries", 99),
            ("Webhook retries", "Web hook retries", 99),
            ("Webhook retries", "web-hook retires", 92),
            ("Login page", "Log in page", 99),
            ("Login page", "Lgoin page", 88),
            ("Login page", "Login pgae", 88),
            ("Login page", "Login pag", 94),
            ("Login", "Lgoin", 80),
            ("Email digest", "E-mail digest", 99),
            ("Settings", "Setings", 93),
            ("Autenticación de usuarios", "Autentificación de usuarios", 95),
            ("Autenticación de usuarios", "Autenticacion de usuario", 99),
            ("Exportar facturas", "Exportar las facturas", 99),
            ("Gestión de errores", "Gestión de error", 99),
            ("Página de inicio de sesión", "Pagina de inicio de sesoin", 94),
            ("Página de inicio de sesión", "Página de inicio sesión", 99),
            ("Devoluciones en euros", "Devolucoines en eurso", 92),
            ("Export v2", "export V2", 100),
            ("Export v2", "Exprot v2", 87),
            ("OAuth2 login", "OAtuh2 login", 90),
        ];
        let found = table.map(|(a, b, _)| (a, b, alike(a, b).unwrap_or_default()));
        let wrong: Vec<_> = found.into_iter().filter(|row| !table.contains(row)).collect();
        assert_eq!(wrong, []);
    }

    #[test]
    fn titles_about_different_things_are_not() {
        let table = [
            ("Webhook retries", "Webhook signatures"),
            ("Webhook retries", "Webhook retry policy"),
            ("Webhook retries", "Webhooks"),
            ("Login page", "Logout page"),
            ("Log in", "Log out"),
            ("Sign in", "Sign up"),
            ("Export v1", "Export v2"),
            ("Export v1", "Export v11"),
            ("Export 12", "Export 21"),
            ("Export", "Export v2"),
            ("OAuth login", "OAuth2 login"),
            ("Phase I", "Phase II"),
            ("Refunds in EUR", "Refunds in USD"),
            ("Refunds in euros", "Refunds in dollars"),
            ("Export to PDF", "Export from PDF"),
            ("Export monthly invoices of all customers as PDF", "Export monthly invoices of all customers as CSV"),
            ("Import invoices", "Export invoices"),
            ("Encryption at rest", "Decryption at rest"),
            ("Internal API", "External API"),
            ("Upload limits", "Download limits"),
            ("Enable two-factor login", "Disable two-factor login"),
            ("Symmetric keys", "Asymmetric keys"),
            ("Login modal", "Login model"),
            ("Cart page", "Card page"),
            ("Create invoices", "Delete invoices"),
            ("User list", "User test"),
            ("Plan A", "Plan B"),
            ("Report of tuesday", "Report of thursday"),
            ("Deploy with downtime", "Deploy without downtime"),
            ("Página de inicio", "Página de pago"),
            ("Importación de clientes", "Exportación de clientes"),
            ("Activar cuenta", "Desactivar cuenta"),
            ("Informe de junio", "Informe de julio"),
            ("Informe 2024", "Informe 2025"),
            ("Eje X", "Eje Y"),
            ("Pagos con tarjeta", "Pagos sin tarjeta"),
            ("用户登录", "用户登出"),
            ("A", "B"),
            ("!!!", "!!"),
            ("!!!", "a"),
        ];
        let wrong: Vec<_> = table.into_iter().filter_map(|(a, b)| Some((a, b, alike(a, b)?))).collect();
        assert_eq!(wrong, []);
    }

    #[test]
    fn singular_and_plural_are_one() {
        for (one, many) in [
            ("retry", "retries"),
            ("invoice", "invoices"),
            ("log", "logs"),
            ("address", "addresses"),
            ("error", "errores"),
            ("cliente", "clientes"),
            ("factura", "facturas"),
            ("process", "processes"),
        ] {
            let fold = |word: &str| singular(word).unwrap_or_else(|| word.to_owned());
            assert_eq!(fold(one), fold(many), "{one} {many}");
        }
    }

    #[test]
    fn a_title_longer_than_any_may_be_is_still_itself() {
        let long = "palabra ".repeat(20_000);
        assert_eq!(alike(&long, &long.to_uppercase()), Some(100));
        assert_eq!(alike(&long, "palabra"), None);
    }
}
