//! The command line. `--json` prints one JSON object a line on stdout and nothing else there; words for people go to
//! stderr. Exit codes: 0 done, 1 refused, 2 wrong use, 3 the app isn't running, 4 timed out.

mod answer;
mod asked;
mod bridge;
mod exit;
mod facts;
mod inbox;
mod line;
mod link;
mod mode;
mod out;
mod pair;
mod plain;
mod plan;
mod rules;
mod serve;
mod specs;
mod step;
mod step_rules;
mod tokens;
mod trust;
mod tui;
mod words;
mod workspace;

use clap::{Parser, Subcommand};
use countersign_core::safe_text::SafeText;
use exit::Exit;
use std::process::ExitCode;

/// Countersign: answer what AI agents on this computer need a person for.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run without a window, for servers and tests
    Serve(serve::Serve),
    /// Pair a program: show a code that the person types, then print its token
    Pair(pair::Pair),
    /// Look at what waits, and answer it
    Inbox(inbox::Inbox),
    /// Show how strictly a session is watched, or change it
    Mode(mode::Mode),
    /// Look at a workspace's specs, bring some in from files, write them out
    Specs(specs::Specs),
    /// Show the rules of a workspace, or change some
    Workspace(rules::Rules),
    /// Show, make and remove the rules for steps
    Rules(step_rules::Rules),
    /// Show whether a folder's commands may run, and trust them
    Trust(trust::Trust),
    /// The bridge that MCP clients start: MCP on stdin and stdout, to the running app
    Mcp(bridge::Mcp),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    countersign_host::start_logging();
    let runtime = match &arguments.verb {
        // An engine has work for several threads; the others wait for one answer at a time.
        Verb::Serve(_) => tokio::runtime::Builder::new_multi_thread().enable_all().build(),
        Verb::Pair(_)
        | Verb::Inbox(_)
        | Verb::Mode(_)
        | Verb::Specs(_)
        | Verb::Workspace(_)
        | Verb::Rules(_)
        | Verb::Trust(_)
        | Verb::Mcp(_) => tokio::runtime::Builder::new_current_thread().enable_all().build(),
    };
    let exit = match runtime {
        Ok(runtime) => {
            let exit = runtime.block_on(run(arguments.verb));
            // A thread that waits for stdin would keep the process.
            runtime.shutdown_background();
            exit
        }
        Err(error) => Err(anyhow::Error::from(error)),
    };
    match exit {
        Ok(exit) => exit.into(),
        Err(error) => {
            // A message may quote what an agent wrote.
            eprintln!("countersign: {}", SafeText::lines(&format!("{error:#}")).plain());
            exit::of(&error).into()
        }
    }
}

async fn run(verb: Verb) -> anyhow::Result<Exit> {
    match verb {
        Verb::Serve(serve) => serve.run().await,
        Verb::Pair(pair) => pair.run().await,
        Verb::Inbox(inbox) => inbox.run().await,
        Verb::Mode(mode) => mode.run().await,
        Verb::Specs(specs) => specs.run().await,
        Verb::Workspace(rules) => rules.run().await,
        Verb::Rules(rules) => rules.run().await,
        Verb::Trust(trust) => trust.run().await,
        Verb::Mcp(mcp) => bridge::run(mcp).await,
    }
}
