"""The tray's menu: what it shows of the sessions that are there, and that a mode is switched from there."""

import pytest

from house import until
from test_settings import set_by_keyboard
from tray import Tray


@pytest.fixture
def tray(bus, home, agent, window_of):
    """The window's tray, where somebody would show it."""
    watcher = bus.owned("org.kde.StatusNotifierWatcher")
    window = window_of(home)
    tray = Tray(bus)
    tray.window = window
    yield tray
    tray.close()
    watcher.close()


def test_a_sessions_mode_is_shown_and_switched_in_the_trays_menu(tray, agent):
    assert tray.words() == ["Open the inbox", "Quit"], "nobody is there"
    program = agent.start()
    program.call("request_mode", {"mode": "interactive"}).result()
    until("its mode is marked", lambda: [words.split(" › ")[-1] for words in tray.marked()] == ["Interactive"])
    session = tray.marked()[0].rsplit(" › ", 1)[0]
    assert session == "Writer · work · session 1"
    tray.press(f"{session} › Plan")
    until("the window says so", lambda: "plan" in tray.window.text("mode"))
    until("so does the menu", lambda: tray.marked() == [f"{session} › Plan"])
    tray.press(f"{session} › Plan")
    until("what is chosen stays marked", lambda: tray.marked() == [f"{session} › Plan"])
    tray.press(f"{session} › Guided")
    until("and back", lambda: "guided" in tray.window.text("mode"))
    assert [words.split(" › ")[-1] for words in tray.words() if words.startswith(f"{session} ›")] == ["Guided", "Interactive", "Plan"]


def test_the_trays_menu_follows_the_language(tray):
    tray.window.go("settings")
    set_by_keyboard(tray.window, "language", "Esp")
    until("it is Spanish", lambda: tray.words() == ["Abrir la bandeja", "Salir"])
