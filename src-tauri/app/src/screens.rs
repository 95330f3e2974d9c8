//! The screens: a window whose title is on none of them, because one was unplugged, comes back onto one that is there.
//! Only its title counts: by that it can be moved wherever the person wants it.

use std::time::Duration;
use tauri::{AppHandle, Manager as _, Monitor, PhysicalPosition, WebviewWindow};

/// Pixels of a title that a hand finds and holds.
const HOLD: i32 = 120;
/// How deep they have to be on a screen.
const DEEP: i32 = 12;
/// Window managers that look after this themselves are let do it first.
const SETTLED: Duration = Duration::from_millis(300);

/// A rectangle on the desktop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Its left edge.
    pub x: i32,
    /// Its upper edge.
    pub y: i32,
    /// How wide it is.
    pub width: i32,
    /// How high it is.
    pub height: i32,
}

impl Area {
    /// A window there has its title here, so that it can be taken hold of.
    fn shows_title_of(self, window: Self) -> bool {
        let across = window.right().min(self.right()).saturating_sub(window.x.max(self.x));
        across >= HOLD && window.y >= self.y && window.y.saturating_add(DEEP) <= self.bottom()
    }

    /// How far the middle of a window's title is from here.
    fn far_from(self, window: Self) -> i64 {
        let beyond = |at: i32, from: i32, to: i32| i64::from(at.clamp(from, to.max(from))).abs_diff(i64::from(at));
        let middle = window.x.saturating_add(window.width / 2);
        let far = beyond(middle, self.x, self.right()).saturating_add(beyond(window.y, self.y, self.bottom()));
        i64::try_from(far).unwrap_or(i64::MAX)
    }

    fn right(self) -> i32 {
        self.x.saturating_add(self.width)
    }

    fn bottom(self) -> i32 {
        self.y.saturating_add(self.height)
    }
}

/// Where a window goes that can't be taken hold of: onto the nearest screen, whole where it fits. None: it stays.
pub fn back(window: Area, screens: &[Area]) -> Option<(i32, i32)> {
    if screens.iter().any(|screen| screen.shows_title_of(window)) {
        return None;
    }
    let screen = screens.iter().min_by_key(|screen| screen.far_from(window))?;
    // Larger than the screen: its upper left corner is what shows.
    let within = |at: i32, from: i32, room: i32| at.clamp(from, from.saturating_add(room.max(0)));
    Some((
        within(window.x, screen.x, screen.width.saturating_sub(window.width)),
        within(window.y, screen.y, screen.height.saturating_sub(window.height)),
    ))
}

/// Brings the window back, if it has to be; else it stays. `at` is where it was to be, instead of where it is.
pub fn bring_back(window: &WebviewWindow, at: Option<PhysicalPosition<i32>>) {
    let (Some(place), Ok(size)) = (at.or_else(|| window.outer_position().ok()), window.outer_size()) else { return };
    let whole = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let is = Area { x: place.x, y: place.y, width: whole(size.width), height: whole(size.height) };
    let screens: Vec<Area> = window.available_monitors().unwrap_or_default().iter().map(free).collect();
    let goes = match back(is, &screens) {
        Some((x, y)) => PhysicalPosition::new(x, y),
        None if at.is_some() => place,
        None => return,
    };
    // Wayland lets no window say where it is, and keeps each on a screen itself.
    let _ = window.set_position(goes);
}

/// What panels leave free of a screen; all of it where the desktop doesn't say.
fn free(screen: &Monitor) -> Area {
    let whole = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let (area, mut at, mut size) = (screen.work_area(), *screen.position(), *screen.size());
    if area.size.width > 0 && area.size.height > 0 {
        (at, size) = (area.position, area.size);
    }
    Area { x: at.x, y: at.y, width: whole(size.width), height: whole(size.height) }
}

/// Brings back, from the main thread on and for as long as the app lives, what a change of the screens left outside.
#[cfg(target_os = "linux")]
pub fn watch(app: &AppHandle) {
    let Some(screen) = gdk::Screen::default() else { return };
    let changed = {
        let app = app.clone();
        move |_: &gdk::Screen| look_after_all(&app)
    };
    screen.connect_monitors_changed(changed.clone());
    screen.connect_size_changed(changed);
}

/// macOS and Windows do this themselves.
#[cfg(not(target_os = "linux"))]
pub fn watch(_app: &AppHandle) {}

#[cfg(target_os = "linux")]
fn look_after_all(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SETTLED).await;
        for window in app.webview_windows().values() {
            bring_back(window, None);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn area(x: i32, y: i32, width: i32, height: i32) -> Area {
        Area { x, y, width, height }
    }

    const LAPTOP: Area = area(0, 0, 1_920, 1_080);
    const RIGHT: Area = area(1_920, -200, 1_280, 1_024);
    const LEFT: Area = area(-1_280, 0, 1_280, 1_024);

    #[test]
    fn a_window_whose_title_is_on_no_screen_goes_to_the_nearest_and_any_other_stays() {
        let of = |x, y| area(x, y, 1_240, 800);
        let (both, laptop): (&[Area], &[Area]) = (&[LAPTOP, RIGHT], &[LAPTOP]);
        for (window, screens, want) in [
            // On a screen, or on two.
            (of(100, 100), laptop, None),
            (of(1_960, -200), both, None),
            (of(1_500, 50), both, None),
            // The right screen is unplugged.
            (of(1_960, -200), laptop, Some((680, 0))),
            (of(1_930, 700), laptop, Some((680, 280))),
            // The left one.
            (of(-1_280, 10), laptop, Some((0, 10))),
            (of(-1_280, 10), &[LEFT, LAPTOP], None),
            // As much of the title as a hand needs, and less.
            (of(1_800, 0), laptop, None),
            (of(1_801, 0), laptop, Some((680, 0))),
            (of(-1_120, 0), laptop, None),
            (of(-1_121, 0), laptop, Some((0, 0))),
            (of(0, 1_068), laptop, None),
            (of(0, 1_069), laptop, Some((0, 280))),
            (of(0, -1), laptop, Some((0, 0))),
            // Beside both, nearer to the second.
            (of(2_000, 830), both, Some((1_960, 24))),
            // Larger than what is left.
            (of(1_400, 0), &[area(0, 0, 800, 600)], Some((0, 0))),
            // Nobody says which screens there are; one without any size.
            (of(5_000, 5_000), &[], None),
            (of(0, 0), &[area(10, 10, 0, 0)], Some((10, 10))),
            // As far out as numbers go.
            (of(i32::MAX, i32::MIN), laptop, Some((680, 0))),
            (of(i32::MIN, i32::MAX), laptop, Some((0, 280))),
        ] {
            assert_eq!(back(window, screens), want, "{window:?} over {screens:?}");
            if let (Some((x, y)), [screen]) = (want, screens)
                && screen.width > 0
            {
                assert_eq!(back(of(x, y), screens), None, "it stays where it was brought");
            }
        }
    }
}
