"""What newly needs a person is announced; a click on it opens that request, and nothing said on the bus decides anything."""

import subprocess
import time

import pytest

import screen
from house import digits, until


def hidden(wid, window):
    screen.close(wid)
    until("it is hidden", lambda: not screen.viewable(wid))


def minimised(wid, window):
    screen.minimise(wid)


def on_another_workspace(wid, window):
    screen.send_away(wid)


@pytest.fixture
def tray(bus):
    """Somebody who would show a tray icon: the window hides when it is closed."""
    connection = bus.owned("org.kde.StatusNotifierWatcher")
    yield
    connection.close()


@pytest.fixture
def window(tray, service, agent, home, window_of):
    return window_of(home)


@pytest.mark.parametrize("put_away", [hidden, minimised, on_another_workspace])
def test_a_click_opens_that_very_request_wherever_the_window_is(agent, window, service, put_away):
    wid = screen.main(window)
    screen.run("wmctrl", "-i", "-r", wid, "-e", "0,60,70,900,600")
    until("it is elsewhere", lambda: window.page.execute_script("return innerWidth") == 900)
    place = screen.place(wid)
    program = agent.start()
    program.ask("The first?", ["yes", "no"])
    program.ask("The second?", ["yes", "no"])
    program.ask("The third?", ["yes", "no"])
    requests = {words: window.row(words) for words in ("The first?", "The second?", "The third?")}
    window.go("agents")
    put_away(wid, window)
    for words in ("The third?", "The second?"):
        service.press(service.saying(words))
        until("it is open", lambda: window.opened() == requests[words])
        until("the window is in front", lambda: screen.in_front(wid))
        assert set(window.rows()) == set(requests.values()), "a click decides nothing"
        until("it is where it was", lambda: screen.place(wid) == place)
        put_away(wid, window)
    assert len(service.shown) == 1


def test_a_click_on_a_real_notification_opens_its_request(home, window_of):
    agent = home.agents("Writer")[0]
    window = window_of(home)
    subprocess.run(["dunstctl", "close-all"], check=True)
    wid = screen.main(window)
    program = agent.start()
    program.ask("An older one?", ["yes", "no"])
    window.open("An older one?")
    until("the older one is announced", lambda: screen.run("dunstctl", "count", "displayed").strip() == "1")
    subprocess.run(["dunstctl", "close-all"], check=True)
    until("nothing is announced", lambda: screen.run("dunstctl", "count", "displayed").strip() == "0")
    screen.minimise(wid)
    program.ask("Clicked for real?", ["yes", "no"])
    until("it is announced", lambda: screen.run("dunstctl", "count", "displayed").strip() == "1")

    def click():
        # Again while it is there: dunst may be placing it still, and take a click for nothing.
        place = _dunst()
        if place:
            screen.run("xdotool", "mousemove", place[0] + 20, place[1] + 10, "click", 1)
            time.sleep(1)
        return window.title() == "Clicked for real?"

    until("it is open", click)
    until("the window is in front", lambda: screen.in_front(wid))
    assert len(window.rows()) == 2


def _dunst():
    """Where dunst's window is, once it is."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "Dunst"], capture_output=True, text=True).stdout.split()
    if not found:
        return None
    return screen.place(found[-1])


def test_nothing_that_a_forger_says_on_the_bus_decides_anything(agent, window, service, bus):
    program = agent.start()
    call = program.ask("Approve me?", ["yes", "no"])
    request = window.row("Approve me?")
    number = service.only()
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    deletion = program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]["request"]["id"]
    other = service.saying("SPEC-001")
    for forged in (number, other, 999):
        for action in ("yes", "approve", "allow", "default", "", "0", "confirm-delete"):
            bus.forge("ActionInvoked", "us", (forged, action))
        bus.forge("NotificationClosed", "uu", (forged, 2))
        bus.forge("ActionInvoked", "us", (forged, "default"))
    bus.forge("ActionInvoked", "s", ("not what it should be",))
    until("it is opened at most", lambda: window.opened() in (request, deletion))
    assert set(window.rows()) == {request, deletion}
    assert call.open
    assert len(program.call("list_specs").result()["structured"]["specs"]) == 1


def test_a_notification_has_no_buttons_and_its_first_line_is_ours(agent, window, service):
    agent.start().ask("<b>Bold</b> & <a href='x'>click</a>\u202e", ["yes", "no"])
    service.only()
    (_, told), = [one for one in service.told if one[0] == "Notify"]
    _, _, _, title, text, actions, _, _ = told
    assert actions == ["default", ""]
    assert title == "A question is waiting for you"
    assert text.startswith("Writer: &lt;b&gt;Bold&lt;/b&gt; &amp; &lt;a href='x'&gt;") and "⟦U+202E⟧" in text and "<" not in text


def test_a_storm_is_one_notification_that_opens_the_inbox(home, tray, service, window_of):
    agents = home.agents("Writer", "Reader")
    window = window_of(home)
    programs = [agent.start() for agent in agents]
    for number in range(15):
        for program in programs:
            program.ask(f"Question {number}?", ["yes", "no"])
    until("all are there", lambda: len(window.rows()) == 30, seconds=30)
    number = until("one says so", lambda: [n for n, (title, _) in dict(service.shown).items() if title == "30 new requests"], seconds=30)[0]
    assert service.shown == {number: ("30 new requests", "2 agents are waiting for you.")}
    assert service.times("Notify") <= 8, service.told
    window.go("settings")
    service.press(number)
    until("the inbox is shown", lambda: window.finds("row"))


def test_only_what_newly_needs_a_person_is_announced(agent, window, service):
    program = agent.start()
    for number in range(10):
        program.call("create_spec", {"title": f"Spec {number}"}).result()
        program.call("get_spec", {"spec": f"SPEC-{number + 1:03}"}).result()
        program.call("list_specs").result()
    first = program.ask("Which?", ["yes", "no"])
    number = service.only()
    program.ask("Which?", ["yes", "no"])  # the same again
    request = window.row("Which?")
    program.call("get_request", {"request_id": request}).result()
    window.answer("Which?", "yes")
    assert first.text() == "The person chose: yes."
    program.ask("Another?", ["yes", "no"])
    service.saying("Another?")
    assert service.times("Notify") == 2 and number not in service.shown


def in_the_window(home, window, program, request):
    window.answer("Settled how?", "yes")


def in_a_terminal(home, window, program, request):
    terminal = home.start("inbox", "answer", request, "--option", "yes", "--json")
    window.let_in(until("the terminal shows its digits", lambda: digits("".join(terminal.errors))))
    assert terminal.ended() == 0


def cancelled(home, window, program, request):
    program.call("cancel_request", {"request_id": request}).result()


def revoked(home, window, program, request):
    window.go("agents")
    window.press("unpair")
    window.press("unpair-yes")


def expired(home, window, program, request):
    pass


@pytest.mark.parametrize("settle", [in_the_window, in_a_terminal, cancelled, revoked, expired])
def test_it_is_withdrawn_when_its_request_is_settled_elsewhere(agent, window, service, home, settle):
    program = agent.start()
    more = {"expires_in_seconds": 3} if settle is expired else {}
    program.ask("Settled how?", ["yes", "no"], **more)
    number = service.only()
    settle(home, window, program, window.row("Settled how?") if settle is not expired else None)
    until("its notification is gone", lambda: number not in service.shown)
    assert ("CloseNotification", (number,)) in service.told


def test_what_the_person_put_away_is_not_closed_again_and_a_dead_services_numbers_are_nobodys(agent, window, service, bus):
    import notifications

    program = agent.start()
    program.ask("Put away?", ["yes", "no"])
    service.put_away(service.only())
    program.ask("Lost?", ["yes", "no"])
    service.only()
    service.die()
    after = notifications.Service(bus)
    try:
        # Another program's notifications get the numbers that ours had.
        after.shown.update({1: ("of another", ""), 2: ("of another", "")})
        window.answer("Put away?", "yes")
        window.answer("Lost?", "yes")
        program.ask("And now?", ["yes", "no"])
        after.saying("And now?")
        assert after.times("CloseNotification") == 0, after.told
    finally:
        after.die()


def test_off_and_quiet_hours_take_effect_at_once_and_hide_nothing(agent, window, service):
    program = agent.start()
    program.ask("Before?", ["yes", "no"])
    service.only()
    window.go("settings")
    window.press("notify")
    until("what was announced is withdrawn", lambda: not service.shown)
    program.ask("While it is off?", ["yes", "no"])
    window.press("notify")
    until("it is on", lambda: window.find("notify").get_attribute("aria-checked") == "true")
    # The whole day: from one minute to the same one.
    for hook in ("quiet-from", "quiet-to"):
        until("the hours are there", lambda: window.find(hook)).send_keys("09:00")
        until("they are kept", lambda: window.find(hook).get_attribute("value") == "09:00")
    window.press("quiet")
    until("it is quiet", lambda: window.find("quiet").get_attribute("aria-checked") == "true")
    program.ask("While it is quiet?", ["yes", "no"])
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    program.call("delete_spec", {"spec": "SPEC-001"}).result()
    with window.dialog() as dialog:
        dialog.press("dialog-later")
        dialog.closed()
    window.press("quiet")
    until("it is not quiet", lambda: window.find("quiet").get_attribute("aria-checked") == "false")
    program.ask("After?", ["yes", "no"])
    service.saying("After?")
    assert service.times("Notify") == 2, service.told
    window.go("inbox")
    until("all of it is in the inbox", lambda: len(window.rows()) == 5)
