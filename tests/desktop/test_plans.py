"""A plan is read whole and decided in its dialog alone; the session's mode follows, and is shown and changed in the window."""

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

from house import ERAS, until

STEPS = "\n".join(f"{n}. Step {n} of a long plan" for n in range(1, 120))
PLAN = f"## Draft the three sessions\n\nRead `docs/syllabus.md` first.\n\n{STEPS}\n\nThe very last step."
RUN = "The person approved the plan. Plan mode is off (now {} mode): carry the plan out now, step by step."


@pytest.fixture
def planner(agent, window):
    """An agent in plan mode, out of interactive mode."""
    program = agent.start()
    for mode in ("interactive", "plan"):
        assert program.call("request_mode", {"mode": mode}).result()["structured"]["mode"] == mode
    return program


def read(dialog):
    """Scrolls to the end, as a person does."""
    until("it was read to its end", lambda: dialog.run(
        "const pane = document.querySelector('.in'); pane.scrollTop = pane.scrollHeight;"
        "return document.querySelector('[data-testid=dialog]').dataset.read === 'true'"))


def whole(dialog):
    try:
        return dialog.text("plan")
    except WebDriverException:
        return None  # the driver looked while the window was being made


def mode(window, word):
    until(f"the status line says {word}", lambda: word in window.text("mode"))


@pytest.mark.parametrize("era", ERAS)
def test_a_plan_that_is_run_goes_back_to_the_mode_before_and_on_in_the_same_turn(agent, window, era):
    program = agent.start(era)
    program.call("request_mode", {"mode": "interactive"}).result()
    program.call("request_mode", {"mode": "plan"}).result()
    mode(window, "plan")
    call = program.call("present_plan", {"plan": PLAN})
    with window.dialog() as dialog:
        text = until("the plan is there", lambda: whole(dialog))
        assert "The very last step." in text and "Step 119 of a long plan" in text, "whole"
        assert "interactive" in dialog.text("plan-mode")
        dialog.awake()
        dialog.press("dialog-yes")
        assert call.open and dialog.finds("dialog"), "its end was not on screen"
        read(dialog)
        dialog.settle("dialog-yes")
    assert call.text() == RUN.format("interactive")
    mode(window, "interactive")


def test_keys_enter_never_runs_it_and_ctrl_enter_does(planner, window):
    call = planner.call("present_plan", {"plan": "# Short\n\n1. Do it"})
    with window.dialog() as dialog:
        read(dialog)
        dialog.awake()
        for hook in ("dialog-yes", "dialog-comment"):
            dialog.find(hook).send_keys(Keys.ENTER)
        assert call.open and dialog.finds("dialog")
        dialog.run("const field = document.querySelector('[data-testid=dialog-comment]'); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true }))")

        def run():
            if window.page.window_handles == [dialog.main]:
                return True
            if dialog.find("dialog").get_attribute("data-awake") == "true":
                dialog.key("dialog-comment", Keys.CONTROL + Keys.ENTER)
            return not call.open

        until("Ctrl+Enter runs it", run, seconds=30)
    assert call.text() == RUN.format("interactive")


def test_keep_planning_takes_what_should_change_and_cancel_stops_the_agent(planner, window):
    call = planner.call("present_plan", {"plan": PLAN})
    with window.dialog() as dialog:
        dialog.type("dialog-comment", "keep session 1 as it is")
        dialog.settle("dialog-no")
    assert call.text() == (
        "The person wants to keep planning: keep session 1 as it is. You're still in plan mode: revise the plan and present it again."
    )
    mode(window, "plan")
    call = planner.call("present_plan", {"plan": PLAN + "\n\nRevised."})
    with window.dialog() as dialog:
        dialog.settle("dialog-cancel")
    assert call.text() == "The person cancelled the plan. Stop, and ask them what they want instead."
    mode(window, "plan")


def test_esc_and_closing_leave_it_pending_and_the_window_beneath_can_only_open_it(planner, window):
    asked = planner.call("present_plan", {"plan": PLAN, "hold_seconds": 0}).result()["structured"]
    request = asked["request"]["id"]
    with window.dialog() as dialog:
        dialog.key("dialog-comment", Keys.ESCAPE)
        dialog.closed()
    window.open("Draft the three sessions")
    assert not window.finds("send"), "this window has no answer to it"
    script = """
        const done = arguments[arguments.length - 1];
        const [id] = arguments;
        const invoke = window.__TAURI_INTERNALS__.invoke;
        (async () => {
            const view = await invoke('request', { id });
            done(await invoke('answer', { id, digest: view.digest, answers: { plan: 'Run it' }, comment: null }).then(() => 'accepted', (refused) => refused.code));
        })();
    """
    assert window.page.execute_async_script(script, request) == "not_allowed"
    window.press("open-dialog")
    with window.dialog() as dialog:
        dialog.type("dialog-comment", "keep session 1")
        dialog.key("dialog-comment", Keys.ESCAPE)
        dialog.closed()
    window.press("open-dialog")
    with window.dialog() as dialog:
        until("what was typed is still there", lambda: dialog.run("return document.querySelector('[data-testid=dialog-comment]').value") == "keep session 1")
        # A page that calls running a plan a safe answer would go around the second.
        script = """
            const done = arguments[arguments.length - 1];
            const invoke = window.__TAURI_INTERNALS__.invoke;
            (async () => {
                const view = await invoke('dialog_view');
                done(await invoke('dialog_no', { nonce: view.nonce, digest: view.request.digest, answers: { plan: 'Run it' }, comment: null }).then(() => 'accepted', (refused) => refused.code));
            })();
        """
        assert dialog.run_async(script) == "invalid"
        window.page.close()
        window.page.switch_to.window(dialog.main)
        dialog.closed()
    assert planner.call("get_request", {"request_id": request}).result()["structured"]["state"] == "pending"


def test_the_person_changes_the_mode_in_the_window_and_an_open_plan_says_where_it_leads(planner, window):
    call = planner.call("present_plan", {"plan": PLAN})
    with window.dialog() as dialog:
        assert "returns" in dialog.text("plan-mode")
        window.page.switch_to.window(dialog.main)
        window.press("mode")
        until("its mode can be chosen", lambda: window.finds("session-mode"))
        window.page.execute_script(
            "const [field] = arguments; field.value = 'guided'; field.dispatchEvent(new Event('change', { bubbles: true }))",
            window.find("session-mode"),
        )
        mode(window, "guided")
        window.press("modes-close")
        window.page.switch_to.window(next(h for h in window.page.window_handles if h != dialog.main))
        until("the dialog says that plan mode was left", lambda: "guided" in dialog.text("plan-mode"))
        read(dialog)
        dialog.settle("dialog-yes")
    assert call.text() == RUN.format("guided")
    mode(window, "guided")
