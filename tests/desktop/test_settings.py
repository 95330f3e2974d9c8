"""Settings take effect at once and are kept; the app starts at login where the person wants that, and ends when told to."""

import pytest

import screen
from house import alive, until

ENTRY = "autostart/dev.countersign.desktop.desktop"


def set_by_keyboard(window, hook, keys):
    until(f"{hook} is there", lambda: window.find(hook)).send_keys(keys)


def on(window, hook):
    return window.find(hook).get_attribute("aria-checked") == "true"


def test_settings_are_spoken_at_once_and_kept_over_a_restart(home, agent, window_of):
    window = window_of(home)
    window.go("settings")
    set_by_keyboard(window, "language", "Esp")
    until("it speaks Spanish", lambda: "Horas de silencio" in window.text("settings"))
    set_by_keyboard(window, "theme", "Osc")
    until("it is dark", lambda: window.page.execute_script("return document.documentElement.dataset.theme") == "dark")
    set_by_keyboard(window, "quiet-from", "23:30")
    until("it is kept", lambda: window.find("quiet-from").get_attribute("value") == "23:30")
    set_by_keyboard(window, "quiet", " ")
    until("it is on", lambda: on(window, "quiet"))
    window.kill()
    window = window_of(home)
    window.go("settings")
    until("it is as it was", lambda: on(window, "quiet"))
    assert window.find("quiet-from").get_attribute("value") == "23:30"
    assert window.find("language").get_attribute("value") == "es"
    assert window.find("theme").get_attribute("value") == "dark"


def test_notifications_speak_the_chosen_language(home, service, agent, window_of):
    window = window_of(home)
    window.go("settings")
    set_by_keyboard(window, "language", "Esp")
    until("it speaks Spanish", lambda: "Horas de silencio" in window.text("settings"))
    agent.start().ask("Which?", ["yes", "no"])
    service.saying("Una pregunta te espera")


def test_it_starts_at_login_on_this_data_folder_and_touches_no_other_entry(home, agent, window_of):
    window = window_of(home)
    entry = home.config / ENTRY
    other = entry.with_name("other.desktop")
    other.parent.mkdir(parents=True)
    other.write_text("[Desktop Entry]\n")
    window.go("settings")
    until("it is off", lambda: window.finds("login") and not on(window, "login"))
    window.press("login")
    until("it is on", lambda: on(window, "login"))
    command = next(line for line in entry.read_text().splitlines() if line.startswith("Exec="))
    assert f'"COUNTERSIGN_HOME={home.path}"' in command and command.endswith("--in-background")
    # The person's own tools take it away: the window says so when it looks again.
    entry.unlink()
    set_by_keyboard(window, "theme", "Dark")
    until("it is off", lambda: not on(window, "login"))
    window.press("login")
    until("it is there", entry.exists)
    window.press("login")
    until("it is gone", lambda: not entry.exists())
    assert other.exists()


@pytest.mark.parametrize("has_tray", [True, False])
def test_a_start_at_login_stays_in_the_background_and_opens_when_it_is_clicked(home, service, bus, agent, window_of, has_tray):
    tray = bus.owned("org.kde.StatusNotifierWatcher") if has_tray else None
    window = window_of(home, "--in-background")
    until("the window is not in the way", lambda: not any(map(screen.viewable, screen.windows(window))))
    agent.start().ask("Come out?", ["yes", "no"])
    service.press(service.saying("Come out?"))
    until("the request is open", lambda: window.title() == "Come out?")
    until("it is in front", lambda: any(map(screen.in_front, screen.windows(window))))
    if tray:
        tray.close()


def test_ctrl_q_quits_where_there_is_no_tray_and_what_waits_and_what_was_typed_stays(home, agent, bus, window_of):
    window = window_of(home)
    wid = screen.main(window)
    screen.close(wid)
    until("closing only minimises it", lambda: not screen.viewable(wid))
    program = agent.start(route="bridge")
    program.ask("Still pending?", ["yes", "no"])
    window.open("Still pending?")
    window.own("half an ans")
    pid = window.pid
    screen.run("wmctrl", "-i", "-a", wid)
    until("it is in front", lambda: screen.in_front(wid))
    screen.run("xdotool", "key", "--clearmodifiers", "ctrl+q")
    until("the app has ended", lambda: not alive(pid))
    window = window_of(home)
    window.open("Still pending?")
    assert window.find("other-input").get_attribute("value") == "half an ans"


def test_what_was_decided_in_the_dialog_is_said_to_be_the_persons_own(agent, window):
    program = agent.start()
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    program.call("delete_spec", {"spec": "SPEC-001"}).result()
    window.open("Delete SPEC-001")
    with window.dialog() as dialog:
        dialog.settle("dialog-no")
    until("it says whose decision it was", lambda: "You decided this in its dialog" in window.text("status"))
    assert window.settled()[0] == "answered"
    assert "elsewhere" not in window.text("status")
