//! The app's start and end.

use crate::desk::Desk;
use crate::shell::TauriShell;
use crate::{login, notice, push, screens, tray, view, window, words};
use countersign_broker::{Change, Shell as _, SystemClock};
use countersign_host::{Engine, Home, HostError, Options, Surface, raise, start_logging};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use tauri::async_runtime::block_on;
use tauri::{AppHandle, Manager, RunEvent};

/// What turns on automation of the window; honoured on test homes alone.
const AUTOMATION: &str = "TAURI_WEBVIEW_AUTOMATION";

/// Runs the app until it is told to end.
pub fn run() -> ExitCode {
    start_logging();
    match start() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("countersign: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> anyhow::Result<ExitCode> {
    let home = Home::locate(None)?;
    let shell = Arc::new(TauriShell::default());
    let handle: Arc<OnceLock<AppHandle>> = Arc::default();
    let mut options = Options::new(home.clone(), Surface::Desktop);
    let front = handle.clone();
    options.raise = Some(Arc::new(move || {
        if let Some(app) = front.get() {
            window::raise(app);
        }
    }));
    let engine = match block_on(Engine::start(options, shell.clone())) {
        Ok(engine) => engine,
        Err(HostError::Running { path }) => {
            // The lock decides which start is the second; it shows the first one's window and ends.
            if !block_on(raise(&home)) {
                eprintln!("Countersign runs already on {} without a window.", path.display());
            }
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => return Err(error.into()),
    };
    if std::env::var_os(AUTOMATION).is_some() && !engine.is_test_home() {
        block_on(engine.stop());
        anyhow::bail!("{AUTOMATION} is set, and this is no test home: a program could answer for you; unset it");
    }
    let bell = shell.bell();
    let desk = Desk::new(engine, Arc::new(SystemClock), bell.clone(), tray::is_there());
    let in_background = std::env::args_os().any(|word| word == login::IN_BACKGROUND);
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_dialog::init())
        .manage(desk)
        .invoke_handler(view::handler())
        .setup(move |app| {
            // Set once: this is the only setup there is.
            let _ = handle.set(app.handle().clone());
            window::open(app, in_background)?;
            screens::watch(app.handle());
            tray::build(app, words::of(&app.state::<Desk>()))?;
            tauri::async_runtime::spawn(push::run(app.handle().clone(), shell.clone()));
            // What waited before this start has its dialog and its count too.
            shell.changed(Change::List);
            notice::listen(app.handle(), &bell);
            tauri::async_runtime::spawn(notice::run(app.handle().clone(), bell));
            end_on_signal(app.handle().clone());
            Ok(())
        })
        .build(tauri::generate_context!())?;
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            let engine = block_on(async { app.state::<Desk>().engine.write().await.take() });
            if let Some(engine) = engine {
                block_on(engine.stop());
            }
        }
    });
    Ok(ExitCode::SUCCESS)
}

#[cfg(unix)]
fn end_on_signal(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        app.exit(0);
    });
}

#[cfg(not(unix))]
fn end_on_signal(_app: AppHandle) {}
