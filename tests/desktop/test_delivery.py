"""Whether notifications arrive is checked; where they don't, the window asks for attention and Settings says why."""

import subprocess

import pytest

import house
import notifications
import screen
from bells import Bells
from house import end, until


@pytest.fixture
def window(bus, agent, home, window_of):
    """The window on a session where nobody shows notifications yet."""
    return window_of(home)


def trial(window):
    """Sends a test notification from Settings; gives what the window says of it."""
    window.go("settings")
    window.press("notify-test")
    done = ["arrived", "did not"]
    return until("the window says how it went", lambda: any(word in window.text("notify-outcome") for word in done) and window.text("notify-outcome"))


def warned(window, words):
    """Settings says what is wrong, and every screen that something is."""
    window.go("settings")
    until(f"the window says {words!r}", lambda: words in window.text("service-fault"))
    assert window.finds("unheard")


def switched(window, hook, to):
    until(f"{hook} can be switched", lambda: window.finds(hook))
    if window.find(hook).get_attribute("aria-checked") != to:
        window.press(hook)
    until(f"{hook} is {to}", lambda: window.find(hook).get_attribute("aria-checked") == to)


def waits(window, words):
    """It is in the inbox; afterwards Settings again."""
    window.go("inbox")
    window.row(words)
    window.go("settings")


def fine(window):
    window.go("settings")
    until("nothing is wrong", lambda: window.finds("notify-test") and not window.finds("service-fault") and not window.finds("unheard"))


def test_where_nobody_shows_notifications_the_window_says_so_and_asks_for_attention_till_somebody_does(agent, window, bus):
    wid = screen.main(window)
    warned(window, "nobody shows them")
    assert trial(window) == "It did not arrive."
    screen.minimise(wid)
    assert not screen.urgent(wid)
    call = agent.start().ask("Anybody there?", ["yes", "no"])
    until("it asks for attention", lambda: screen.urgent(wid))
    screen.run("wmctrl", "-i", "-a", wid)
    until("the hint ends when it is seen", lambda: not screen.urgent(wid))
    service = notifications.Service(bus)
    try:
        fine(window)
        assert "It arrived" in trial(window)
        service.saying("Notifications arrive")
    finally:
        service.die()
    window.go("inbox")
    window.answer("Anybody there?", "yes")
    assert call.text() == "The person chose: yes."


def test_a_service_that_dies_while_it_shows_something_is_noticed_at_once(agent, window, bus):
    service = notifications.Service(bus)
    wid = screen.main(window)
    agent.start().ask("Lost with it?", ["yes", "no"])
    service.only()
    screen.minimise(wid)
    service.die()
    until("it asks for attention", lambda: screen.urgent(wid))
    warned(window, "nobody shows them")


def test_a_real_service_that_is_killed_and_started_again(agent, window, bus, tmp_path):
    config = tmp_path / "dunstrc"
    config.write_text("[global]\n    monitor = 0\n    origin = bottom-left\n")

    def dunst():
        process = subprocess.Popen(["dunst", "-config", str(config)], env=bus.environment, stderr=subprocess.DEVNULL)
        until("nothing is wrong any more", lambda: not window.finds("service-fault"))
        return process

    def shown():
        return int(subprocess.run(["dunstctl", "count", "displayed"], env=bus.environment, capture_output=True, text=True, check=True).stdout)

    warned(window, "nobody shows them")
    first = dunst()
    try:
        assert "It arrived" in trial(window)
        agent.start().ask("Lost with it?", ["yes", "no"])
        until("both are shown", lambda: shown() == 2)
        first.kill()
        warned(window, "nobody shows them")
        assert trial(window) == "It did not arrive."
    finally:
        end(first)
    second = dunst()
    try:
        assert "It arrived" in trial(window)
        until("it is shown", lambda: shown() == 1)
    finally:
        end(second)


def test_a_service_that_refuses_is_named_and_the_next_one_it_takes_ends_the_warning(agent, window, bus):
    service = notifications.Service(bus)
    try:
        fine(window)
        service.refuses = True
        wid = screen.main(window)
        screen.minimise(wid)
        program = agent.start()
        program.ask("Refused?", ["yes", "no"])
        until("it asks for attention", lambda: screen.urgent(wid))
        warned(window, "refuses them")
        assert trial(window) == "It did not arrive."
        service.refuses = False
        program.ask("Taken?", ["yes", "no"])
        service.saying("Taken?")
        fine(window)
    finally:
        service.die()


def test_a_service_that_hangs_holds_nothing_up_and_is_tried_again_once_it_answers(agent, window, bus):
    service = notifications.Service(bus)
    try:
        fine(window)
        service.hangs = True
        program = agent.start()
        call = program.ask("Into the void?", ["yes", "no"])
        warned(window, "doesn’t answer")
        assert trial(window) == "It did not arrive."
        window.go("inbox")
        window.answer("Into the void?", "yes")
        assert call.text() == "The person chose: yes."
        program.ask("More?", ["yes", "no"])
        window.row("More?")
        assert len([one for one in service.held]) == 1, "nothing piles up before it"
        service.answer_again()
        until("what was settled meanwhile is taken away", lambda: ("CloseNotification", (1,)) in service.told)
        until("it can be tried again", lambda: "It arrived" in trial(window), seconds=20)
        fine(window)
    finally:
        service.die()


def test_without_any_session_bus_the_app_works_and_says_that_nothing_is_announced(home, agent, window_of):
    home.session["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    window = window_of(home)
    warned(window, "nobody shows them")
    call = agent.start().ask("Without a bus?", ["yes", "no"])
    assert trial(window) == "It did not arrive."
    window.go("inbox")
    window.answer("Without a bus?", "yes")
    assert call.text() == "The person chose: yes."


@pytest.fixture
def app(home, agent, bus):
    """The app without a driver, which itself would end with its session bus."""
    process = subprocess.Popen([str(house.APP)], env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until("it listens", (home.path / "endpoint.json").exists, seconds=30)
        yield process
    finally:
        end(process)


def test_a_session_bus_that_ends_does_not_end_the_app(app, agent, home, bus):
    call = agent.start().ask("Still here?", ["yes", "no"])
    until("it is there", lambda: home.run("inbox", "list"))
    end(bus.process)
    request = home.run("inbox", "list")[0]["id"]
    with pytest.raises(subprocess.TimeoutExpired):
        app.wait(1)
    assert home.run("inbox", "show", request)[0]["state"] == "pending" and call.open


def test_a_service_that_hangs_does_not_keep_the_app_from_ending(app, agent, home, bus):
    service = notifications.Service(bus)
    try:
        service.hangs = True
        agent.start(route="bridge").ask("Into the void?", ["yes", "no"])
        until("it was sent", lambda: service.held)
        app.terminate()
        assert app.wait(10) == 0
    finally:
        service.die()


def test_the_bell_rings_once_for_what_could_not_be_shown_and_never_when_it_may_not(agent, window, bus):
    """The X server's own report of each ring; whether a loudspeaker sounds, no program can see."""
    program = agent.start()
    warned(window, "nobody shows them")
    with Bells() as bells:
        program.ask("Heard?", ["yes", "no"])
        until("it rings", lambda: bells.count() == 1)
        assert trial(window) == "It did not arrive."
        program.ask("Heard too?", ["yes", "no"])
        until("it rings again", lambda: bells.count() == 2)
        window.go("settings")
        switched(window, "notify", "false")
        program.ask("Off?", ["yes", "no"])
        waits(window, "Off?")
        switched(window, "notify", "true")
        for hook in ("quiet-from", "quiet-to"):
            until(f"{hook} is there", lambda: window.find(hook)).send_keys("00:00")
            until(f"{hook} is kept", lambda: window.find(hook).get_attribute("value") == "00:00")
        switched(window, "quiet", "true")
        program.ask("Quiet?", ["yes", "no"])
        waits(window, "Quiet?")
        switched(window, "quiet", "false")
        # One that arrives proves that nothing before it rang late.
        service = notifications.Service(bus)
        try:
            program.ask("Shown?", ["yes", "no"])
            service.saying("Shown?")
            assert bells.count() == 2
        finally:
            service.die()
