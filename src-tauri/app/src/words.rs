//! What the desktop says to people outside the page, in English and Spanish.

use countersign_broker::BrokerError;
use countersign_core::class::Class;
use countersign_core::mode::Mode;

/// A language that the desktop speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// The same as the rules know it.
    pub const fn core(self) -> countersign_core::language::Language {
        match self {
            Self::English => countersign_core::language::Language::English,
            Self::Spanish => countersign_core::language::Language::Spanish,
        }
    }
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

/// The dialog's title, apart from the inbox's.
pub fn dialog_title(language: Language) -> &'static str {
    match language {
        Language::English => "Your decision – Countersign",
        Language::Spanish => "Tu decisión – Countersign",
    }
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

/// Which session of its agent, in the tray's menu.
pub fn session(language: Language, ordinal: u32) -> String {
    match language {
        Language::English => format!("session {ordinal}"),
        Language::Spanish => format!("sesión {ordinal}"),
    }
}

/// A mode's name, in the tray's menu.
pub fn mode(language: Language, mode: Mode) -> &'static str {
    match (language, mode) {
        (Language::English, Mode::Autonomous) => "Autonomous (fixed)",
        (Language::English, Mode::Guided) => "Guided",
        (Language::English, Mode::Interactive) => "Interactive",
        (Language::English, Mode::Plan) => "Plan",
        (Language::Spanish, Mode::Autonomous) => "Autónomo (fijo)",
        (Language::Spanish, Mode::Guided) => "Guiado",
        (Language::Spanish, Mode::Interactive) => "Interactivo",
        (Language::Spanish, Mode::Plan) => "Plan",
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

/// One request came: a notification's first line.
pub fn one_waits(language: Language, class: Class) -> &'static str {
    match (language, class) {
        (Language::English, Class::Ask | Class::Ambiguity) => "A question is waiting for you",
        (Language::English, Class::Policy | Class::Step | Class::Approval) => "An approval is waiting for you",
        (Language::English, Class::Plan) => "A plan is waiting for you",
        (Language::English, Class::Destructive) => "Something that can’t be undone is waiting for you",
        (Language::Spanish, Class::Ask | Class::Ambiguity) => "Una pregunta te espera",
        (Language::Spanish, Class::Policy | Class::Step | Class::Approval) => "Una aprobación te espera",
        (Language::Spanish, Class::Plan) => "Un plan te espera",
        (Language::Spanish, Class::Destructive) => "Algo que no se puede deshacer te espera",
    }
}

/// Several came at once: a notification's first line. True also when some of them are settled.
pub fn many_came(language: Language, requests: usize) -> String {
    match language {
        Language::English => format!("{requests} new requests"),
        Language::Spanish => format!("{requests} peticiones nuevas"),
    }
}

/// Who asked them.
pub fn agents_wait(language: Language, agents: usize) -> String {
    match (language, agents) {
        (Language::English, 1) => "1 agent is waiting for you.".into(),
        (Language::English, agents) => format!("{agents} agents are waiting for you."),
        (Language::Spanish, 1) => "1 agente te espera.".into(),
        (Language::Spanish, agents) => format!("{agents} agentes te esperan."),
    }
}

/// The notification that the person sends to see whether one arrives.
pub fn test_notification(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::English => ("Notifications arrive", "This is how Countersign tells you that somebody waits."),
        Language::Spanish => ("Las notificaciones llegan", "Así te avisa Countersign de que alguien te espera."),
    }
}

/// Why something could not be done to a spec. What a rule or a file says of itself is English.
pub fn spec_refusal(language: Language, error: &BrokerError) -> String {
    match (language, error) {
        (Language::Spanish, BrokerError::Invalid(why) | BrokerError::NotAllowed(why)) => format!("No se hizo: {why}."),
        _ => refusal(language, error),
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
        BrokerError::OutOfScope(_) => "Sin carpeta propia, el programa no puede quedar limitado a ella.".into(),
        BrokerError::Stale => "La petición cambió desde que se mostró; mírala otra vez y decide de nuevo.".into(),
        BrokerError::WrongCode { tries_left: 1 } => {
            "Ese código es erróneo; queda 1 intento antes de que se cierre el emparejamiento.".into()
        }
        BrokerError::WrongCode { tries_left } => {
            format!("Ese código es erróneo; quedan {tries_left} intentos antes de que se cierre el emparejamiento.")
        }
        BrokerError::Store(error) => format!("No se guardó nada: {error}."),
        BrokerError::Stopped => "Countersign se está cerrando; no se decidió nada.".into(),
    }
}
