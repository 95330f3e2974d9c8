//! Who asks: where the app is found, in which run, and with which port of its own.

use crate::find;
use crate::interaction::InteractionPort;
use crate::outcome::{AskError, Chosen, Decided, Intervened, Said, Won};
use crate::race::{self, Call};
use countersign_core::digest::Digest;
use countersign_core::program_ask::{Kind, Prompt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Where the app is asked, and as whom.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) home: PathBuf,
    pub(crate) workspace: String,
    pub(crate) token: Option<String>,
    pub(crate) session: String,
}

/// A program that asks. [`Client::new`] finds everything by itself; the functions of this crate use one that does.
#[derive(Clone)]
pub struct Client {
    home: Option<PathBuf>,
    workspace: Option<String>,
    token: Option<String>,
    session: String,
    port: Option<Arc<dyn InteractionPort>>,
}

impl Default for Client {
    fn default() -> Self {
        Self::new()
    }
}

impl Client {
    /// Finds the app by `COUNTERSIGN_HOME` or the system's place for data, and its token by `COUNTERSIGN_TOKEN` or what
    /// `countersign pair` kept for the folder in which the program runs.
    pub fn new() -> Self {
        let workspace = std::env::current_dir().ok().and_then(|folder| find::workspace(&folder));
        let session = uuid::Uuid::new_v4().to_string();
        Self { home: find::home(), workspace, token: None, session, port: None }
    }

    /// With this data folder.
    pub fn with_home(self, home: impl Into<PathBuf>) -> Self {
        Self { home: Some(home.into()), ..self }
    }

    /// With this token.
    pub fn with_token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// In this workspace.
    pub fn with_workspace(self, folder: &Path) -> Self {
        Self { workspace: find::workspace(folder), ..self }
    }

    /// With this port of its own.
    pub fn with_port(self, port: Arc<dyn InteractionPort>) -> Self {
        Self { port: Some(port), ..self }
    }

    /// Asks for one of `options`, or (`multiple`) some; the person may answer in their own words.
    pub async fn ask_for_choice<O: AsRef<str>>(
        &self,
        run_dir: &Path,
        prompt: &Prompt,
        options: &[O],
        multiple: bool,
    ) -> Result<Chosen, AskError> {
        let options = options.iter().map(|option| option.as_ref().to_owned()).collect();
        let call = Call { kind: Kind::Choice, prompt, options, multiple };
        self.ask(run_dir, call).await.map(Won::chosen)
    }

    /// Asks for a text; case is kept, blanks around it are not.
    pub async fn ask_for_text(&self, run_dir: &Path, prompt: &Prompt) -> Result<Said, AskError> {
        self.ask(run_dir, plain(Kind::Text, prompt)).await.map(Won::said)
    }

    /// Asks for a yes or a no. Only a plain yes is one.
    pub async fn ask_for_decision(&self, run_dir: &Path, prompt: &Prompt) -> Result<Decided, AskError> {
        self.ask(run_dir, plain(Kind::Decision, prompt)).await.map(Won::decided)
    }

    /// Asks for something to be done by hand.
    pub async fn ask_for_manual_intervention(&self, run_dir: &Path, prompt: &Prompt) -> Result<Intervened, AskError> {
        self.ask(run_dir, plain(Kind::Manual, prompt)).await.map(Won::intervened)
    }

    async fn ask(&self, run_dir: &Path, call: Call<'_>) -> Result<Won, AskError> {
        let unusable = |why: String| AskError::RunFolder { path: run_dir.to_owned(), why };
        let folder = run_dir.canonicalize().map_err(|error| unusable(error.to_string()))?;
        countersign_run_folder::Opened::at(&folder).map_err(|error| unusable(error.to_string()))?;
        let run = Digest::of_bytes(folder.as_os_str().as_encoded_bytes()).hex();
        let place = Place {
            home: self.home.clone().unwrap_or_default(),
            workspace: self.workspace.clone().unwrap_or_default(),
            token: self.token.clone(),
            // A run is a session: the same question in two runs is two questions.
            session: format!("{}-{}", self.session, &run[..12]),
        };
        race::run(place, self.port.clone().or_else(interaction_port), &folder, call).await
    }
}

fn plain(kind: Kind, prompt: &Prompt) -> Call<'_> {
    Call { kind, prompt, options: Vec::new(), multiple: false }
}

static CLIENT: LazyLock<Client> = LazyLock::new(Client::new);
static PORT: Mutex<Option<Arc<dyn InteractionPort>>> = Mutex::new(None);

fn interaction_port() -> Option<Arc<dyn InteractionPort>> {
    PORT.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Gives this process a port of its own, or takes it away. One a process, as in the original.
pub fn set_interaction_port(port: Option<Arc<dyn InteractionPort>>) {
    *PORT.lock().unwrap_or_else(PoisonError::into_inner) = port;
}

/// [`Client::ask_for_choice`] of a client that finds everything by itself.
pub async fn ask_for_choice<O: AsRef<str>>(
    run_dir: &Path,
    prompt: &Prompt,
    options: &[O],
    multiple: bool,
) -> Result<Chosen, AskError> {
    CLIENT.ask_for_choice(run_dir, prompt, options, multiple).await
}

/// [`Client::ask_for_text`] of a client that finds everything by itself.
pub async fn ask_for_text(run_dir: &Path, prompt: &Prompt) -> Result<Said, AskError> {
    CLIENT.ask_for_text(run_dir, prompt).await
}

/// [`Client::ask_for_decision`] of a client that finds everything by itself.
pub async fn ask_for_decision(run_dir: &Path, prompt: &Prompt) -> Result<Decided, AskError> {
    CLIENT.ask_for_decision(run_dir, prompt).await
}

/// [`Client::ask_for_manual_intervention`] of a client that finds everything by itself.
pub async fn ask_for_manual_intervention(run_dir: &Path, prompt: &Prompt) -> Result<Intervened, AskError> {
    CLIENT.ask_for_manual_intervention(run_dir, prompt).await
}
