//! The library for programs that ask a person.
//!
//! Four calls ask at the same time in the Countersign inbox, through the program's own [`InteractionPort`] where it has one, and
//! by the answer file of the run's folder; the first answer wins, and the question is withdrawn everywhere else. `docs/asking.md`
//! says how an answer in plain text is read.
//!
//! ```no_run
//! # async fn example() -> Result<(), countersign_client::AskError> {
//! use countersign_client::{Prompt, ask_for_choice};
//! let prompt = Prompt::new("Export", ["Which format?"]);
//! let chosen = ask_for_choice("runs/today".as_ref(), &prompt, &["PDF", "Word", "Markdown"], false).await?;
//! println!("{:?} {:?}", chosen.chosen, chosen.other);
//! # Ok(())
//! # }
//! ```
//!
//! Beneath it, [`Port`] is the agents' side of the port: HTTP over loopback, with a token. Absent on purpose: deciding for
//! anybody else's question, the store, the person's socket.

mod by_file;
mod client;
mod find;
mod inbox;
mod interaction;
mod outcome;
mod pairing;
mod port;
mod race;

pub use client::{
    Client, ask_for_choice, ask_for_decision, ask_for_manual_intervention, ask_for_text, set_interaction_port,
};
pub use countersign_core::program_ask::Prompt;
pub use interaction::{Answering, CannotAsk, ChoicePrompt, InteractionPort};
pub use outcome::{AskError, By, Chosen, Decided, Intervened, Said};
pub use pairing::{Invitation, Outcome};
pub use port::{Body, Port, PortError};
pub use tokio_util::sync::CancellationToken;
