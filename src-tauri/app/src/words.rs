//! What the desktop says to people outside the page, in English and Spanish.

use countersign_broker::BrokerError;

/// A language that the desktop speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

/// The language of the setting, else of the system's locale.
pub fn language(setting: Option<&str>) -> Language {
    let locale = || {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    };
    let word = match setting {
        Some("en" | "es") => setting.map(str::to_owned),
        Some(_) | None => locale(),
    };
    if word.is_some_and(|word| word.starts_with("es")) { Language::Spanish } else { Language::English }
}

/// The language of the app as it runs.
pub fn of(desk: &crate::desk::Desk) -> Language {
    language(desk.setting("language").ok().flatten().as_deref())
}

/// A yes came while it was inert.
pub fn too_soon(language: Language) -> String {
    match language {
        Language::English => "Too soon: look at it for a second, then press again. Nothing was decided.",
        Language::Spanish => "Demasiado pronto: míralo un segundo y pulsa otra vez. No se decidió nada.",
    }
    .into()
}

/// In the tray's menu.
pub fn open_inbox(language: Language) -> &'static str {
    match language {
        Language::English => "Open the inbox",
        Language::Spanish => "Abrir la bandeja",
    }
}

/// In the tray's menu.
pub fn quit(language: Language) -> &'static str {
    match language {
        Language::English => "Quit",
        Language::Spanish => "Salir",
    }
}

/// How much waits, for the tray.
pub fn waiting(language: Language, count: usize) -> String {
    match (language, count) {
        (Language::English, 0) => "Countersign: nothing is waiting".into(),
        (Language::English, 1) => "Countersign: 1 is waiting for you".into(),
        (Language::English, count) => format!("Countersign: {count} are waiting for you"),
        (Language::Spanish, 0) => "Countersign: no hay nada pendiente".into(),
        (Language::Spanish, 1) => "Countersign: 1 te espera".into(),
        (Language::Spanish, count) => format!("Countersign: {count} te esperan"),
    }
}

/// One request came.
pub fn one_waits(language: Language) -> String {
    match language {
        Language::English => "A question is waiting for you",
        Language::Spanish => "Una pregunta te espera",
    }
    .into()
}

/// Several came at once.
pub fn many_wait(language: Language, count: usize) -> String {
    match language {
        Language::English => format!("{count} questions are waiting for you"),
        Language::Spanish => format!("{count} preguntas te esperan"),
    }
}

/// Why something was refused.
pub fn refusal(language: Language, error: &BrokerError) -> String {
    if language == Language::English {
        let text = error.to_string().trim_end_matches('.').to_owned();
        let mut letters = text.chars();
        return letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>() + ".")
            .unwrap_or_default();
    }
    match error {
        BrokerError::NotFound(_) => "Ya no existe.".into(),
        BrokerError::Invalid(why) => format!("La respuesta no vale: {why}."),
        BrokerError::TooMany { retry_after_seconds, .. } => {
            format!("Demasiado a la vez; inténtalo de nuevo en {retry_after_seconds} s.")
        }
        BrokerError::PairingClosed { seconds } => {
            format!("El emparejamiento está cerrado tras demasiados códigos erróneos; se abre de nuevo en {seconds} s.")
        }
        BrokerError::Settled { state, by, at } => {
            format!("Ya estaba resuelta ({}, por {by}, {}).", state.word(), at.utc())
        }
        BrokerError::NotAllowed(_) => {
            "Esto no se puede responder aquí; respóndelo en su propio diálogo o en la terminal con `countersign serve`."
                .into()
        }
        BrokerError::WrongMode(_) => "El modo autónomo se fija al empezar la sesión; no se puede cambiar.".into(),
        BrokerError::Stale => "La petición cambió desde que se mostró; mírala otra vez y decide de nuevo.".into(),
        BrokerError::WrongCode { tries_left } => {
            format!("Ese código no es ninguno de los que se muestran; quedan {tries_left} intentos.")
        }
        BrokerError::Store(error) => format!("No se guardó nada: {error}."),
        BrokerError::Stopped => "Countersign se está cerrando; no se decidió nada.".into(),
    }
}
