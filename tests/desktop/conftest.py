"""Fixtures: a desktop session of its own, a home, its agents, its window."""

import os
import re
import subprocess
from pathlib import Path

import house
import notifications
import pytest

DUNST = """
[global]
    monitor = 0
    idle_threshold = 0
    mouse_left_click = do_action
[urgency_normal]
    timeout = 0
"""
SHOTS = Path(os.environ.get("COUNTERSIGN_SHOTS", house.TARGET / "desktop-shots"))


def pytest_configure(config):
    for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        if not os.environ.get(name):
            pytest.exit(f"{name} isn't set: these tests start with scripts/test --only desktop", returncode=2)
    for binary in (house.CLI, house.APP, house.DRIVER):
        if not binary.exists():
            pytest.exit(f"{binary} isn't there: these tests start with scripts/test --only desktop", returncode=2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    setattr(item, f"said_{report.when}", report)
    return report


@pytest.fixture(scope="session", autouse=True)
def desktop(tmp_path_factory):
    """A window manager and a notification daemon, as any desktop has."""
    config = tmp_path_factory.mktemp("dunst") / "dunstrc"
    config.write_text(DUNST)
    running = [
        subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL),
        subprocess.Popen(["dunst", "-config", str(config)], stderr=subprocess.DEVNULL),
    ]
    try:
        house.until("the window manager is there", lambda: _says(["wmctrl", "-m"], "Openbox"))
        house.until("the notification daemon is there", lambda: _says(["dunstctl", "count", "displayed"], ""))
        yield
    finally:
        for process in running:
            house.end(process)


def _says(command, words):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0 and words in done.stdout


@pytest.fixture
def home(tmp_path):
    """A test home; nothing runs on it yet."""
    home = house.Home(tmp_path)
    yield home
    home.end()


@pytest.fixture
def window_of(request, home):
    """Opens windows on the home, one after the other; on a failure the last picture of each is kept."""
    opened = []

    def window(home, *arguments):
        opened.append(house.Window(home, arguments=arguments))
        return opened[-1].ready()

    yield window
    failed = getattr(request.node, "said_call", None) and request.node.said_call.failed
    for number, window in enumerate(opened):
        if failed and window.page is not None:
            SHOTS.mkdir(parents=True, exist_ok=True)
            try:
                # ImageMagick reads brackets in a name.
                window.screenshot(SHOTS / f"{re.sub(r'[^a-z0-9_-]+', '-', request.node.name)}-{number}.png")
            except Exception as error:
                print(f"no picture of the window: {error}")
        window.close()


@pytest.fixture
def agent(home):
    """One paired agent."""
    return home.agents("Writer")[0]


@pytest.fixture
def window(home, agent, window_of):
    """The window on the agent's home."""
    return window_of(home)


@pytest.fixture
def bus(home):
    """A session bus for the home's programs alone, on which nobody shows notifications yet."""
    with notifications.Bus() as bus:
        home.session["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        yield bus


@pytest.fixture
def service(bus):
    """Whoever shows notifications on that bus."""
    service = notifications.Service(bus)
    yield service
    service.die()
