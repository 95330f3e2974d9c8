//! Reading objects field by field, from YAML and JSON alike, so that each mistake has its place.

use super::FileError;
use crate::limit;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// Fields of one object, known ones and others.
const KEYS: usize = 200;

/// Where the reader is, and what it has to say.
#[derive(Default)]
pub(super) struct Place {
    /// How many lines of the file stand before what is read.
    above: u64,
    path: RefCell<Vec<String>>,
    /// The line of the last field's name, in YAML.
    line: Cell<u64>,
    /// A mistake in our own words, and the line of its field.
    mistake: RefCell<Option<(u64, String)>>,
    pub(super) notes: RefCell<Vec<String>>,
}

impl Place {
    /// Of a text that begins below so many lines.
    pub(super) fn below(lines: u64) -> Self {
        Self { above: lines, ..Self::default() }
    }

    /// The field's name: `criteria[2].text`, from 1.
    pub(super) fn field(&self) -> String {
        self.path.borrow().iter().fold(String::new(), |path, part| match part.starts_with('[') || path.is_empty() {
            true => path + part,
            false => path + "." + part,
        })
    }

    /// Does what it is given with one more part of the path; that part stays there when it fails.
    pub(super) fn within<T, E>(&self, part: String, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.path.borrow_mut().push(part);
        let value = read()?;
        self.path.borrow_mut().pop();
        Ok(value)
    }

    pub(super) fn mistake<E: serde::de::Error>(&self, message: impl fmt::Display) -> E {
        let message = message.to_string();
        *self.mistake.borrow_mut() = Some((self.line.get(), message.clone()));
        E::custom(message)
    }

    fn note(&self, note: String) {
        self.notes.borrow_mut().push(note);
    }

    /// The mistake of a parser that ended there.
    pub(super) fn error(&self, line: u64, message: &str) -> FileError {
        let field = Some(self.field()).filter(|field| !field.is_empty());
        // The parser only knows where the object begins that a mistake of ours is in.
        let (own, message) = self.mistake.take().unwrap_or_else(|| match &field {
            Some(field) => (0, format!("`{field}`: {message}; {}", self.way_out())),
            None => (0, format!("{message}; {}", self.way_out())),
        });
        let line = line.max(own).max(1);
        FileError { line: u32::try_from(line + self.above).unwrap_or(u32::MAX), field, message }
    }

    /// What a field takes that a parser stopped at.
    fn way_out(&self) -> &'static str {
        let path = self.path.borrow();
        match path.last().map_or("", String::as_str) {
            "" if self.above == 0 => "give an object with title, body and criteria, or a list of those",
            "" => "a file has fields like `title: \"…\"`, with the text in quotes",
            "title" => "give one line of text, in quotes",
            "criteria" => "give a list of criteria, or [] for none",
            "evidence" => "give a text, or text, by and at",
            part if part.starts_with('[') => "give a text in quotes, or text, check, id, state and evidence",
            _ => "give a text, in quotes",
        }
    }

    /// The value of a field, checked.
    pub(super) fn text<'de, A: MapAccess<'de>>(
        &self,
        map: &mut A,
        check: impl Fn(&str, &str) -> Result<(), limit::TextError>,
    ) -> Result<String, A::Error> {
        let text: String = map.next_value()?;
        check(&self.field(), &text).map_err(|error| self.mistake::<A::Error>(error))?;
        Ok(text)
    }

    pub(super) fn maybe<'de, A: MapAccess<'de>>(&self, map: &mut A, limit: usize) -> Result<Option<String>, A::Error> {
        let text: Option<String> = map.next_value()?;
        if let Some(text) = &text {
            limit::check_line(&self.field(), text, limit).map_err(|error| self.mistake::<A::Error>(error))?;
        }
        Ok(text)
    }

    /// A value that isn't what it should be, but that an import can do without.
    pub(super) fn loose<'de, A: MapAccess<'de>, T>(
        &self,
        map: &mut A,
        takes: &str,
        read: impl Fn(&Loose) -> Option<T>,
    ) -> Result<Option<T>, A::Error> {
        let value: Loose = map.next_value()?;
        let read = read(&value);
        if read.is_none() && value != Loose::Nothing {
            self.note(format!("`{}` isn't {takes} and was left out", self.field()));
        }
        Ok(read)
    }
}

/// Fields by their names.
pub(super) trait Fields: Default {
    /// What it is.
    const WHAT: &'static str;
    /// The fields it has.
    const NAMES: &'static str;

    /// Takes the value of a field; false: there is no field of that name.
    fn take<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A, place: &Place) -> Result<bool, A::Error>;

    /// From a text alone.
    fn plain(_text: &str) -> Option<Self> {
        None
    }

    /// What is wrong with all of it.
    fn check(&self, _place: &Place) -> Result<(), String> {
        Ok(())
    }
}

/// Reads an object of such fields.
pub(super) struct Object<'p, F>(&'p Place, PhantomData<F>);

impl<F> Object<'_, F> {
    pub(super) fn at(place: &Place) -> Object<'_, F> {
        Object(place, PhantomData)
    }
}

impl<'de, F: Fields> DeserializeSeed<'de> for Object<'_, F> {
    type Value = F;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<F, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: Fields> Visitor<'de> for Object<'_, F> {
    type Value = F;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", F::WHAT, F::NAMES)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<F, A::Error> {
        let mut fields = F::default();
        let mut seen: Vec<String> = Vec::new();
        while let Some(Spanned { value: name, referenced, .. }) = map.next_key::<Spanned<String>>()? {
            self.0.line.set(referenced.line());
            if seen.len() == KEYS {
                return Err(self.0.mistake(format!(
                    "there are more than {KEYS} fields in one object; take out what isn't of a spec"
                )));
            }
            if seen.contains(&name) {
                self.0.path.borrow_mut().push(name);
                return Err(self.0.mistake(format!("`{}` is there twice; keep one of them", self.0.field())));
            }
            self.0.within(name.clone(), || {
                if !fields.take(&name, &mut map, self.0)? {
                    map.next_value::<IgnoredAny>()?;
                    self.0.note(format!("`{}` was left out; {} has {}", self.0.field(), F::WHAT, F::NAMES));
                }
                Ok(())
            })?;
            seen.push(name);
        }
        fields.check(self.0).map_err(|message| self.0.mistake::<A::Error>(message))?;
        Ok(fields)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<F, E> {
        let Some(fields) = F::plain(text) else { return Err(E::invalid_type(serde::de::Unexpected::Str(text), &self)) };
        fields.check(self.0).map_err(|message| self.0.mistake::<E>(message))?;
        Ok(fields)
    }
}

/// Reads a list of objects, so many at most.
pub(super) struct List<'p, F>(&'p Place, usize, PhantomData<F>);

impl<F> List<'_, F> {
    pub(super) fn at(place: &Place, limit: usize) -> List<'_, F> {
        List(place, limit, PhantomData)
    }
}

impl<'de, F: Fields> DeserializeSeed<'de> for List<'_, F> {
    type Value = Vec<F>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<F>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: Fields> Visitor<'de> for List<'_, F> {
    type Value = Vec<F>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list, each {} with {}", F::WHAT, F::NAMES)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<F>, A::Error> {
        let Self(place, limit, _) = self;
        let mut all = Vec::new();
        while let Some(one) =
            place.within(format!("[{}]", all.len() + 1), || list.next_element_seed(Object::at(place)))?
        {
            all.push(one);
            if all.len() > limit {
                return Err(
                    place.mistake(format!("`{}` has more than {limit} entries; that many are allowed", place.field()))
                );
            }
        }
        Ok(all)
    }
}

/// Any value, as far as it may be one of a few things.
#[derive(Debug, PartialEq)]
pub(super) enum Loose {
    Nothing,
    Bool(bool),
    Number(u64),
    Text(String),
    Other,
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Loose;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Loose, E> {
                Ok(Loose::Bool(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Loose, E> {
                Ok(Loose::Number(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Loose, E> {
                Ok(u64::try_from(value).map_or(Loose::Other, Loose::Number))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Loose, E> {
                Ok(Loose::Other)
            }
            fn visit_str<E>(self, text: &str) -> Result<Loose, E> {
                Ok(Loose::Text(text.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Loose, E> {
                Ok(Loose::Nothing)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl Loose {
    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn number(&self) -> Option<u64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}
