//! What the note beside an answer file says: what is wrong with it, and what to do. A person reads it, in English and Spanish.

use crate::folder::Unfit;
use crate::name::ANSWERS;
use countersign_core::class::Class;
use countersign_core::question::{Question, QuestionType};

/// Why a file was not obeyed.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// It was there before the question.
    Old,
    /// It can't be read as an answer file.
    Unfit(Unfit),
    /// Several questions wait.
    Several,
    /// Nothing that waits there may be answered by a file.
    NotByFile(Class),
    /// No request of this run folder waits under that id.
    NotWaiting,
    /// The question does not take it.
    Refused {
        /// Why, in a sentence.
        why: String,
        /// The questions.
        questions: Vec<Question>,
    },
}

impl Reason {
    /// The note. `moved` is where the file went, if it was moved out of the way.
    pub fn text(&self, moved: Option<&str>) -> String {
        let (english, spanish) = self.words();
        let (moved_en, moved_es) = match moved {
            Some(name) => (format!("\nIt was moved to {name}."), format!("\nSe movió a {name}.")),
            None => (String::new(), String::new()),
        };
        format!(
            "Countersign: this answer was not used; the question is still open.\n{english}{moved_en}\n\n\
             Countersign: esta respuesta no se usó; la pregunta sigue abierta.\n{spanish}{moved_es}\n"
        )
    }

    fn words(&self) -> (String, String) {
        let pair = |english: &str, spanish: &str| (english.to_owned(), spanish.to_owned());
        match self {
            Self::Old => pair(
                "The file is older than the question. Write the answer after the question was asked.",
                "El archivo es anterior a la pregunta. Escribe la respuesta después de que se haga la pregunta.",
            ),
            Self::Unfit(unfit) => unfit.words(),
            Self::Several => (
                format!(
                    "Several questions wait here. Write the answer to each into {ANSWERS}/<its id>.txt; pending.json has the ids."
                ),
                format!(
                    "Aquí esperan varias preguntas. Escribe la respuesta a cada una en {ANSWERS}/<su id>.txt; los id están en pending.json."
                ),
            ),
            Self::NotByFile(class) => (
                format!("A request of class {} is not answered by a file. Answer it in Countersign.", class.word()),
                format!(
                    "Una petición de clase {} no se responde con un archivo. Respóndela en Countersign.",
                    class.word()
                ),
            ),
            Self::NotWaiting => pair(
                "No request with that id waits in this folder: it was settled before, or there never was one. pending.json says what waits.",
                "En esta carpeta no espera ninguna petición con ese id: ya se resolvió o nunca existió. pending.json dice qué espera.",
            ),
            Self::Refused { why, questions } => {
                let takes: Vec<String> = questions.iter().map(takes_es).collect();
                (format!("{why}. Change the file."), format!("{} Cambia el archivo.", takes.join(" ")))
            }
        }
    }
}

impl Unfit {
    fn words(self) -> (String, String) {
        let (english, spanish) = match self {
            Self::Link => ("It is a link. Write a plain file.", "Es un enlace. Escribe un archivo normal."),
            Self::Special => ("It is no plain file. Write one.", "No es un archivo normal. Escribe uno."),
            Self::Foreign => ("It belongs to another user.", "Pertenece a otro usuario."),
            Self::Large => ("It is larger than 1 MiB. Write less.", "Ocupa más de 1 MiB. Escribe menos."),
            Self::NoText => ("It is no text in UTF-8. Save it as UTF-8.", "No es texto en UTF-8. Guárdalo en UTF-8."),
            Self::Unreadable => ("It can't be read.", "No se puede leer."),
        };
        (english.to_owned(), spanish.to_owned())
    }
}

fn takes_es(question: &Question) -> String {
    let options = || question.options.iter().map(|option| format!("“{}”", option.label)).collect::<Vec<_>>().join(", ");
    let own = if question.allow_other { ", o una respuesta propia" } else { "" };
    let id = &question.id;
    match question.kind {
        QuestionType::Choice => format!("La pregunta `{id}` admite una de {}{own}.", options()),
        QuestionType::MultiChoice => format!("La pregunta `{id}` admite varias de {}{own}.", options()),
        QuestionType::Text => match &question.pattern {
            Some(pattern) => format!("La pregunta `{id}` admite un texto que cumpla `{pattern}`."),
            None => format!("La pregunta `{id}` admite un texto."),
        },
        QuestionType::Confirm => format!("La pregunta `{id}` admite sí o no, solo, en la primera línea."),
    }
}
