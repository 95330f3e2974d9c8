//! Linux: who is there on the session bus. Elsewhere nobody is asked.

/// Whoever shows notifications.
pub const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
/// Whoever shows tray icons (freedesktop.org StatusNotifierItem).
pub const TRAY: &str = "org.kde.StatusNotifierWatcher";

/// Whether somebody has this name now.
#[cfg(target_os = "linux")]
pub fn is_there(name: &str) -> bool {
    use gio::prelude::ToVariant as _;
    let answer = ask("NameHasOwner", Some(&(name,).to_variant()));
    answer.and_then(|answer| answer.child_value(0).get::<bool>()).unwrap_or(false)
}

/// Whether the bus would start somebody with this name, when a message for it comes.
#[cfg(target_os = "linux")]
pub fn would_start(name: &str) -> bool {
    let answer = ask("ListActivatableNames", None);
    let names = answer.and_then(|answer| answer.child_value(0).get::<Vec<String>>()).unwrap_or_default();
    names.iter().any(|one| one == name)
}

/// Tells, from the main thread, each time that somebody comes by this name (true) or goes (false).
#[cfg(target_os = "linux")]
pub fn watch(name: &str, told: impl Fn(bool) + 'static) {
    let Some(bus) = session() else { return };
    let told = move |there: &gio::glib::Variant| {
        let owner = there.child_value(2).get::<String>().unwrap_or_default();
        told(!owner.is_empty());
    };
    bus.signal_subscribe(
        Some(DBUS),
        Some(DBUS),
        Some("NameOwnerChanged"),
        Some(PATH),
        Some(name),
        gio::DBusSignalFlags::NONE,
        move |_, _, _, _, _, change| told(change),
    );
}

#[cfg(target_os = "linux")]
const DBUS: &str = "org.freedesktop.DBus";
#[cfg(target_os = "linux")]
const PATH: &str = "/org/freedesktop/DBus";

#[cfg(target_os = "linux")]
fn session() -> Option<gio::DBusConnection> {
    let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE).ok()?;
    // A session bus that ends would end the app with it.
    bus.set_exit_on_close(false);
    Some(bus)
}

#[cfg(target_os = "linux")]
fn ask(method: &str, parameters: Option<&gio::glib::Variant>) -> Option<gio::glib::Variant> {
    let (patience, none) = (500, gio::Cancellable::NONE);
    session()?
        .call_sync(Some(DBUS), PATH, DBUS, method, parameters, None, gio::DBusCallFlags::NONE, patience, none)
        .ok()
}

/// Whether somebody has this name now.
#[cfg(not(target_os = "linux"))]
pub fn is_there(_name: &str) -> bool {
    true
}

/// Whether the bus would start somebody with this name.
#[cfg(not(target_os = "linux"))]
pub fn would_start(_name: &str) -> bool {
    true
}

/// Tells nothing.
#[cfg(not(target_os = "linux"))]
pub fn watch(_name: &str, _told: impl Fn(bool) + 'static) {}
