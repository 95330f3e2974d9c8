//! The desktop's own bell: it stands in for the sound of a notification that could not be shown.

use super::bell::Service;
use crate::settings::Announcing;
use countersign_core::time::Timestamp;
use tauri::AppHandle;

/// Whether it rings: once for what is newly announced and did not arrive; never where nothing may be announced.
pub fn rings(newly: bool, service: Service, announcing: bool) -> bool {
    newly && announcing && service.fails()
}

/// Rings it for what is newly announced, if it may at this moment.
pub fn ring(app: &AppHandle, service: Service, announcing: Announcing, at: Timestamp) {
    if rings(true, service, announcing.may(at))
        && let Err(error) = app.run_on_main_thread(sound)
    {
        tracing::warn!(%error, "the bell could not be rung");
    }
}

/// Whether it is heard, and how, is the desktop's to say.
#[cfg(target_os = "linux")]
fn sound() {
    if let Some(display) = gdk::Display::default() {
        display.beep();
    }
}

/// Elsewhere nobody says that a notification did not arrive.
#[cfg(not(target_os = "linux"))]
fn sound() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bell_rings_only_for_what_is_new_where_it_may_be_announced_and_did_not_arrive() {
        for service in [Service::Unknown, Service::Works, Service::Missing, Service::Refused, Service::Silent] {
            let fails = matches!(service, Service::Missing | Service::Refused | Service::Silent);
            for (newly, announcing) in [(false, false), (false, true), (true, false), (true, true)] {
                let want = newly && announcing && fails;
                assert_eq!(rings(newly, service, announcing), want, "{service:?} {newly} {announcing}");
            }
        }
    }
}
