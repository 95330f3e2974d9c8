"""A hand at the mouse and the keyboard: real X events, as any program of the desktop gets them."""

import os
import re
import subprocess

from house import until


def _xdotool(*words):
    return subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, check=True).stdout


def windows(pid):
    """The visible windows of a process, by X id."""
    done = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(pid)], capture_output=True, text=True)
    return done.stdout.split()


def _state(window):
    done = subprocess.run(["xprop", "-id", window, "_NET_WM_STATE", "WM_STATE"], capture_output=True, text=True)
    return done.stdout


def is_above(window):
    """Whether it is kept on top, as the dialog is."""
    return "_NET_WM_STATE_ABOVE" in _state(window)


def active():
    """The X id of the window that has the keyboard."""
    return _xdotool("getactivewindow").strip()


def above(pid):
    """The X id of the window that is always on top: the dialog."""
    return until("the dialog is on screen", lambda: next((w for w in windows(pid) if is_above(w)), None))


def beneath(pid):
    """The X id of the main window."""
    main = lambda: next((w for w in windows(pid) if "WM_STATE" in _state(w) and not is_above(w)), None)
    return until("the main window is on screen", main)


class Hand:
    """Presses what a page shows, where it is on the screen."""

    def __init__(self, page, window):
        self.page, self.window = page, window

    def activate(self):
        """The window has the keyboard, as a click on its title gives it."""
        _xdotool("windowactivate", "--sync", self.window)
        until("it has the focus", lambda: active() == self.window)

    def move(self, x, y):
        """The window manager moves it there."""
        _xdotool("windowmove", self.window, x, y)

    def resize(self, width, height):
        """The person pulls at its corner."""
        _xdotool("windowsize", self.window, width, height)

    def place(self, hook):
        """Where an element's middle is, on the screen."""
        script = "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        x, y = self.page.execute_script(script, self.page.find_element("css selector", f'[data-testid="{hook}"]'))
        # Not xdotool's own geometry, which counts the frame twice.
        said = subprocess.run(["xwininfo", "-id", self.window], capture_output=True, text=True, check=True).stdout
        left, top = re.findall(r"Absolute upper-left [XY]: +(-?\d+)", said)
        return int(left) + int(x), int(top) + int(y)

    @staticmethod
    def click_at(place):
        _xdotool("mousemove", *place, "click", 1)

    def click(self, hook):
        self.click_at(self.place(hook))

    @staticmethod
    def key(*names):
        _xdotool("key", "--clearmodifiers", *names)

    @staticmethod
    def type(words, delay=12):
        """Types and is done when all of it was sent; with `start_typing` it goes on by itself."""
        _xdotool("type", "--delay", delay, words)


def start_typing(words, delay):
    """Types on while something else happens."""
    return subprocess.Popen(["xdotool", "type", "--delay", str(delay), words], env=os.environ, stdout=subprocess.DEVNULL)
