//! Asks four things, one after the other: in the Countersign inbox if it runs, in this terminal, and by the answer file of a run
//! folder. `cargo run -p countersign-client --example ask [RUN_FOLDER]`

use countersign_client::{
    Answering, CancellationToken, CannotAsk, InteractionPort, Prompt, ask_for_choice, ask_for_decision,
    ask_for_manual_intervention, ask_for_text, set_interaction_port,
};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// A terminal that has nothing but lines: choices and texts come as decisions, the options numbered.
struct Terminal {
    /// What is typed, by whichever question stands there then.
    lines: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>>,
    shown: Mutex<String>,
}

impl Terminal {
    fn new() -> Self {
        let (typed, lines) = mpsc::unbounded_channel();
        // A thread, because reading a terminal can't be ended; it is the process that ends.
        std::thread::spawn(move || {
            for line in std::io::stdin().lines().map_while(Result::ok) {
                if typed.send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines: Arc::new(tokio::sync::Mutex::new(lines)), shown: Mutex::default() }
    }

    fn ask(&self, prompt: &Prompt, default: &str, withdrawn: CancellationToken) -> Answering<'static> {
        println!("\n=== {} ===", prompt.title);
        prompt.lines.iter().for_each(|line| println!("{line}"));
        let question = prompt.question.clone().unwrap_or_else(|| default.to_owned());
        println!("{question}");
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = question;
        let lines = self.lines.clone();
        Box::pin(async move {
            let gone = || CannotAsk("nothing more is typed".into());
            tokio::select! {
                line = async { lines.lock().await.recv().await } => line.ok_or_else(gone),
                () = withdrawn.cancelled() => Err(CannotAsk("withdrawn".into())),
            }
        })
    }
}

impl InteractionPort for Terminal {
    fn ask_decision<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a> {
        self.ask(prompt, "y or n?", withdrawn)
    }

    fn ask_manual_intervention<'a>(&'a self, prompt: &'a Prompt, withdrawn: CancellationToken) -> Answering<'a> {
        self.ask(prompt, "Enter when it is done, n if it can't be.", withdrawn)
    }

    fn notify(&self, message: &str) {
        println!("({message})");
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("countersign-ask"), PathBuf::from);
    std::fs::create_dir_all(&run)?;
    println!("Answer in Countersign, here, or by writing {}/approval-response.txt", run.display());
    if std::io::stdin().is_terminal() {
        set_interaction_port(Some(Arc::new(Terminal::new())));
    }
    let export = Prompt::new("Export", ["Which format?"]);
    let chosen = ask_for_choice(&run, &export, &["PDF", "Word", "Markdown"], false).await?;
    println!("chosen: {:?}, in their own words: {:?} (by {:?})", chosen.chosen, chosen.other, chosen.by);

    let said = ask_for_text(&run, &Prompt::new("Name", ["What shall it be called?"])).await?;
    println!("text: {:?} (by {:?})", said.text, said.by);

    let upload = Prompt::new("Upload", ["1 file goes to the shared folder."]).with_question("Upload it?");
    let decided = ask_for_decision(&run, &upload).await?;
    println!("approved: {}, comment: {:?} (by {:?})", decided.approved, decided.comment, decided.by);

    let login = Prompt::new("Log in", ["1. Open the page", "2. Log in", "3. Leave it open"]).with_question("Done?");
    let login = ask_for_manual_intervention(&run, &login).await?;
    println!("done: {}, comment: {:?} (by {:?})", login.done, login.comment, login.by);
    Ok(())
}
