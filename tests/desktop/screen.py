"""What the window manager knows of a window, and what a person does with it there."""

import re
import subprocess

from house import until


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def windows(window):
    """Its process's windows that the window manager has: id by title, newest last."""
    lines = [line.split(None, 4) for line in run("wmctrl", "-lp").splitlines()]
    return [line[0] for line in lines if line[2] == str(window.pid)]


def main(window):
    return until("the window is managed", lambda: windows(window))[0]


def desktop_of(wid):
    """On which workspace it is."""
    return int(run("xprop", "-id", wid, "_NET_WM_DESKTOP").split("=")[1])


def desktop():
    """Which workspace the person looks at."""
    return int(run("xprop", "-root", "_NET_CURRENT_DESKTOP").split("=")[1])


def viewable(wid):
    return "IsViewable" in run("xwininfo", "-id", wid)


def place(wid):
    """Where its upper left corner is."""
    said = run("xwininfo", "-id", wid)
    return [int(re.search(rf"Absolute upper-left {axis}:\s+(-?\d+)", said)[1]) for axis in "XY"]


def active():
    """The window with the focus."""
    word = run("xprop", "-root", "_NET_ACTIVE_WINDOW").split("#")[1].strip().split(",")[0]
    return int(word, 16)


def in_front(wid):
    """The person sees it, and types into it."""
    return viewable(wid) and desktop_of(wid) == desktop() and active() == int(wid, 16)


def minimise(wid):
    run("xdotool", "windowminimize", wid)
    until("it is minimised", lambda: not viewable(wid))


def send_away(wid):
    """To another workspace."""
    other = (desktop() + 1) % 4
    run("wmctrl", "-i", "-r", wid, "-t", other)
    until("it is on another workspace", lambda: desktop_of(wid) == other and active() != int(wid, 16))


def close(wid):
    run("wmctrl", "-i", "-c", wid)


def urgent(wid):
    """The hint by which a taskbar marks it."""
    return "urgency hint bit is set" in run("xprop", "-id", wid, "WM_HINTS").lower()
