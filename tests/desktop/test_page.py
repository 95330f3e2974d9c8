"""The window itself: who is let in, what its page can't do, what the desktop sees of it."""

import subprocess

from house import APP, CLI, alive, until
from selenium.webdriver.common.keys import Keys


def test_a_program_is_paired_by_the_digits_that_it_shows(home, window_of):
    home.agents()  # an empty home, marked for tests
    window = window_of(home)

    def let_in(code):
        window.go("agents")
        window.type("arrival-code", "%06d" % ((int(code) + 1) % 1_000_000))
        window.press("arrival-accept")
        until("wrong digits are refused", lambda: window.text("alert"))
        window.find("arrival-code").clear()
        window.let_in(code)

    agent = home.pair("Writer", let_in)
    call = agent.start().ask("Am I in?", ["yes", "no"])
    window.answer("Am I in?", "yes")
    assert call.text() == "The person chose: yes."


def begun(home, name, window):
    """A run of `pair` whose card is there, and its code."""
    run = home.start("pair", "--name", name, "--workspace", home.work, "--json")
    code = run.line("a code", lambda line: "code" in line)["code"]
    until("its card is there", lambda: any(name in card.text for card in window.finds("arrival")))
    return run, code


def typed(window):
    """What has the focus, and what is in it."""
    script = "return [document.activeElement.dataset.testid ?? null, document.activeElement.value ?? null]"
    return window.page.execute_script(script)


def test_a_card_takes_the_focus_unless_the_person_types_and_goes_when_its_program_ends(home, window_of):
    home.agents()
    window = window_of(home)
    window.go("agents")
    first, code = begun(home, "First", window)
    until("its field has the focus", lambda: typed(window)[0] == "arrival-code")
    window.find("arrival-code").send_keys(code[:3])
    second, _ = begun(home, "Second", window)
    window.page.switch_to.active_element.send_keys(code[3:])
    assert typed(window) == ["arrival-code", code]
    second.process.kill()
    until("its card is gone", lambda: len(window.finds("arrival")) == 1, seconds=15)
    assert typed(window) == ["arrival-code", code]
    window.press("arrival-accept")
    assert first.ended() == 0


def test_wrong_codes_say_how_many_tries_are_left_and_then_everyone_hears_that_pairing_is_closed(home, window_of):
    home.agents()
    window = window_of(home)
    window.go("agents")
    (first, code), (second, other) = begun(home, "First", window), begun(home, "Second", window)
    wrong = (f"{number:06}" for number in range(9) if f"{number:06}" not in (code, other))
    for left in ("4 tries are left", "3 tries are left", "2 tries are left", "1 try is left"):
        window.find("arrival-code").clear()
        window.type("arrival-code", next(wrong))
        window.press("arrival-accept")
        until(f"it says {left!r}", lambda: left in window.text("alert"))
    window.find("arrival-code").clear()
    window.type("arrival-code", next(wrong))
    window.press("arrival-accept")
    until("it is closed", lambda: "Too many wrong codes" in window.text("closed"))
    until("no card is left", lambda: not window.finds("arrival"))
    for run in (first, second):
        assert run.ended() == 1
        assert "nobody refused" in run.line("why", lambda line: "refused" in line)["refused"]


def test_a_command_that_no_terminal_would_find_is_shown_with_its_path_and_can_be_copied(home, agent, window_of):
    window = window_of(home)
    line = f"{CLI} pair --name my-agent"
    until("it is shown", lambda: window.text("command") == line)
    window.press("copy")
    until("it says so", lambda: "Copied" in window.page.execute_script("return document.body.innerText"))
    call = agent.start().ask("A field to paste it into?", ["yes", "no"])
    window.open("A field to paste")
    field = window.find("search")
    field.send_keys(Keys.CONTROL, "v")
    until("it was copied", lambda: field.get_attribute("value") == line)
    field.send_keys(Keys.ESCAPE)
    window.answer("A field to paste", "yes")
    assert call.text() == "The person chose: yes."
    window.kill()
    home.session["PATH"] = f"{CLI.parent}:{home.environment['PATH']}"
    window = window_of(home)
    until("its name is enough", lambda: window.text("command") == "countersign pair --name my-agent")


def test_an_agent_that_is_unpaired_is_out_at_once(agent, window):
    program = agent.start()
    program.ask("Am I still in?", ["yes", "no"])
    request = window.row("Am I still in?")
    window.go("agents")
    window.press("unpair")
    window.press("unpair-yes")
    window.go("inbox")
    until("what it asked is gone", lambda: request not in window.rows())
    refused = program.call("get_request", {"request_id": request}).line()
    assert "error" in refused or refused["is_error"]


def test_the_page_has_no_power_but_its_own_commands(window, home):
    results = window.page.execute_async_script(
        """
        const [url, done] = arguments;
        const refused = async (attempt) => { try { await attempt(); return false; } catch { return true; } };
        const invoke = window.__TAURI_INTERNALS__.invoke;
        (async () => done({
            api: window.__TAURI__ === undefined,
            fetch: await refused(() => fetch(url + "/v1/health")),
            remote: await refused(() => fetch("https://example.com/")),
            eval: await refused(() => (0, eval)("1")),
            window: await refused(() => invoke("plugin:window|create", { options: { label: "x" } })),
            emit: await refused(() => invoke("plugin:event|emit", { event: "list", payload: null })),
            notify: await refused(() => invoke("plugin:notification|notify", { options: { title: "x" } })),
            unknown: await refused(() => invoke("decide", {})),
        }))();
        """,
        home.url,
    )
    assert all(results.values()), results


def test_a_second_start_leaves_the_first_alone(window, home):
    second = subprocess.Popen([str(APP)], env=home.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    home.running.append(_Ending(second))
    assert second.wait(20) == 0
    assert alive(window.pid)
    assert window.rows() == {}


class _Ending:
    def __init__(self, process):
        self.process = process

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def test_a_test_home_says_so_in_the_window(window):
    assert "test" in window.text("status").lower()


def test_a_question_is_announced_once_by_the_desktop(agent, window):
    subprocess.run(["dunstctl", "close-all"], check=True)
    until("nothing is announced", lambda: _announced() == 0)
    program = agent.start()
    program.ask("Anybody there?", ["yes", "no"])
    until("it is announced", lambda: _announced() == 1)
    # The same again is the same request: it is announced no second time, before or after another one is.
    program.ask("Anybody there?", ["yes", "no"])
    program.ask("Really nobody?", ["yes", "no"])
    window.row("Really nobody?")
    until("the other is announced", lambda: _announced() == 2)
    assert len(window.rows()) == 2


def _announced():
    return int(subprocess.run(["dunstctl", "count", "displayed"], capture_output=True, text=True, check=True).stdout)
