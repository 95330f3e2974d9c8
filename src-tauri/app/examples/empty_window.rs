//! The peer of the app's start: a Tauri window of the same build with nothing in it. Says `loaded` on stderr once the page has
//! drawn its first frame, which it tells by its title. Used by `benches/window.rs` alone.

use tauri::http::{HeaderValue, Response};
use tauri::{WebviewUrl, WebviewWindowBuilder};

/// Tells after two frames, as the app's page does after it drew a row.
const PAGE: &[u8] = b"<!doctype html><title>empty</title><body><script>\
requestAnimationFrame(() => requestAnimationFrame(() => { document.title = 'drawn' }))</script>";

fn main() -> tauri::Result<()> {
    let mut context = tauri::generate_context!();
    // The app's own policy allows no script in the page itself.
    context.config_mut().app.security.csp = None;
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            let mut page = Response::new(PAGE);
            page.headers_mut().insert("content-type", HeaderValue::from_static("text/html"));
            page
        })
        .setup(|app| {
            let page = WebviewUrl::CustomProtocol("empty://localhost/".parse()?);
            WebviewWindowBuilder::new(app, "empty", page)
                .inner_size(1240.0, 800.0)
                .on_document_title_changed(|_, title| {
                    if title == "drawn" {
                        eprintln!("loaded");
                    }
                })
                .build()?;
            Ok(())
        })
        .run(context)
}
