"""A screen that is unplugged takes no window with it, whether the window manager looks after that or there is none that does."""

import os
import subprocess

import pytest

import screen
from house import APP, end, until

SIZE = (560, 420)
FAR = (790, 120)


class Screens:
    """A display of its own whose right half goes. To programs Xvfb has one output, so that is one wide screen at first."""

    def __init__(self, manager):
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-noreset"]
        self.running = [subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)]
        os.close(writing)
        with os.fdopen(reading) as said:
            self.display = f":{said.readline().strip()}"
        self.manager = manager

    def manage(self):
        if self.manager:
            self.running.append(subprocess.Popen([self.manager], stderr=subprocess.DEVNULL))
            until("the window manager is there", self._managed)

    @staticmethod
    def _managed():
        return subprocess.run(["wmctrl", "-m"], capture_output=True).returncode == 0

    @staticmethod
    def unplug():
        """The right half goes. Programs are told by the display's new size: of monitors alone Xvfb tells nobody."""
        screen.run("xrandr", "--setmonitor", "left", "700/200x1000/250+0+0", "screen")
        screen.run("xrandr", "--output", "screen", "--off", "--fb", "700x1000")

    def end(self):
        for process in reversed(self.running):
            end(process)


@pytest.fixture
def screens(request, monkeypatch):
    screens = Screens(request.param)
    monkeypatch.setenv("DISPLAY", screens.display)
    try:
        screens.manage()
        yield screens
    finally:
        screens.end()


@pytest.fixture
def window(bus, screens, agent, home, window_of):
    """The window, where somebody would show a tray icon."""
    connection = bus.owned("org.kde.StatusNotifierWatcher")
    yield window_of(home)
    connection.close()


def windows(window):
    """The process's windows that are shown, with a manager or without."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(window.pid)], capture_output=True, text=True)
    return found.stdout.split()


def put(wid, place):
    """There, in a size that fits on one screen."""
    screen.run("xdotool", "windowsize", wid, *SIZE, "windowmove", wid, *place)
    until("it is there", lambda: all(abs(at - to) < 40 for at, to in zip(screen.place(wid), place)))


def whole_on_the_left(wid, width=SIZE[0]):
    x, y = screen.place(wid)
    frame = 4  # which a window manager may count differently
    return x >= 0 and y >= 0 and x + width <= 700 + frame and screen.viewable(wid)


def shown(wid, window):
    pass


def hidden(wid, window):
    screen.close(wid)
    until("it is hidden", lambda: not screen.viewable(wid))


def minimised(wid, window):
    screen.minimise(wid)


@pytest.mark.parametrize("screens, put_away", [("openbox", shown), ("openbox", hidden), ("openbox", minimised), (None, shown)], indirect=["screens"])
def test_a_window_on_a_screen_that_is_unplugged_comes_back_onto_one_that_is_there(home, window, screens, put_away):
    [wid] = until("it is shown", lambda: windows(window))
    put(wid, FAR)
    put_away(wid, window)
    screens.unplug()
    if put_away is not shown:
        subprocess.run([str(APP)], env=home.environment, check=True, timeout=30)
    until("it is on the screen that is left", lambda: whole_on_the_left(wid))
    assert window.text("status")


@pytest.mark.parametrize("screens", ["openbox", None], indirect=True)
def test_the_dialog_comes_back_and_a_window_on_a_screen_that_is_left_stays(agent, window, screens):
    program = agent.start()
    program.call("create_spec", {"title": "Old", "body": "text"}).result()
    [main] = until("it is shown", lambda: windows(window))
    put(main, (60, 170))
    place = screen.place(main)
    program.call("delete_spec", {"spec": "SPEC-001"})
    with window.dialog() as dialog:
        wid = until("the dialog is shown", lambda: [one for one in windows(window) if one != main])[0]
        put(wid, FAR)
        screens.unplug()
        until("the dialog is on the screen that is left", lambda: whole_on_the_left(wid))
        # The main window was looked at before it, or with it.
        assert screen.place(main) == place
        dialog.settle("dialog-no")
