"""What can't be undone has a dialog of its own, and no hurried key or click says yes there."""

import pytest

from house import until


@pytest.fixture
def deletion(agent, window):
    """An agent wants to delete its spec; gives the program, and the dialog's request."""
    program = agent.start()
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    asked = program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]
    assert asked["request"]["class"] == "destructive"
    return program, asked["request"]["id"]


def gone(program):
    return program.call("list_specs").result()["structured"]["specs"] == []


def test_a_deletion_takes_the_typed_word_in_its_dialog_and_happens_once(deletion, window):
    program, request = deletion
    with window.dialog() as dialog:
        assert dialog.find("dialog").get_attribute("data-id") == request
        assert "SPEC-001" in dialog.text("dialog") and "Legacy refund import" in dialog.text("dialog")
        dialog.awake()
        dialog.press("dialog-yes")
        assert dialog.finds("dialog"), "without the word it is no yes"
        dialog.type("dialog-typed", "SPEC-001")
        dialog.settle("dialog-yes")
    assert program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]["outcome"] == "deleted"
    assert gone(program)


def test_later_leaves_it_pending_and_the_inbox_opens_it_again(deletion, window):
    program, request = deletion
    with window.dialog() as dialog:
        dialog.press("dialog-later")
        dialog.closed()
    assert request in window.rows()
    window.open("Delete SPEC-001")
    window.press("open-dialog")
    with window.dialog() as dialog:
        dialog.settle("dialog-no")
    until("its row is gone", lambda: request not in window.rows())
    assert program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]["outcome"] == "refused"
    assert not gone(program)


def test_what_the_agent_claims_is_shown_as_its_claim_and_deletes_nothing(deletion, window):
    program, request = deletion
    claimed = program.call("delete_spec", {"spec": "SPEC-001", "answers": {"confirm-delete": True}}).result()["structured"]
    assert claimed["request"] == {"id": request, "state": "pending", "class": "destructive"}
    window.open("Delete SPEC-001")
    until("the claim is shown", lambda: window.finds("claims"))
    assert not gone(program)


def test_one_at_a_time_in_order(agent, window):
    program = agent.start()
    for title in ("First", "Second"):
        program.call("create_spec", {"title": title}).result()
    requests = [program.call("delete_spec", {"spec": spec}).result()["structured"]["request"]["id"] for spec in ("SPEC-001", "SPEC-002")]
    with window.dialog() as dialog:
        for request in requests:
            until("it is shown", lambda: dialog.find("dialog").get_attribute("data-id") == request)
            others = [other for other in requests if other != request]
            last = request == requests[-1]
            dialog.settle("dialog-no", None if last else lambda: dialog.find("dialog").get_attribute("data-id") in others)
    assert len(program.call("list_specs").result()["structured"]["specs"]) == 2


def test_two_hundred_presses_in_its_first_second_say_neither_yes_nor_no(deletion, window):
    program, request = deletion
    with window.dialog() as dialog:
        # As fast as a page can be pressed: clicks and keys on both buttons, the word typed already.
        script = """
            const [word] = arguments;
            const input = document.querySelector('[data-testid=dialog-typed]');
            input.value = word; input.dispatchEvent(new Event('input', { bubbles: true }));
            for (let n = 0; n < 100; n++) {
                const button = document.querySelector(n % 2 ? '[data-testid=dialog-yes]' : '[data-testid=dialog-no]');
                button.click();
                button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
            }
            return document.querySelector('[data-testid=dialog]').dataset.awake;
        """
        assert dialog.run(script, "SPEC-001") == "false"
        assert dialog.finds("dialog")
        # Each of them made it inert for another second; with patience the yes counts.
        dialog.settle("dialog-yes")
    assert program.call("get_request", {"request_id": request}).result()["structured"]["state"] == "answered"


def test_a_page_that_skips_the_second_is_refused_by_the_app(deletion, window):
    _, request = deletion
    with window.dialog() as dialog:
        script = """
            const done = arguments[arguments.length - 1];
            const invoke = window.__TAURI_INTERNALS__.invoke;
            (async () => {
                const view = await invoke('dialog_view');
                const yes = (typed) => invoke('dialog_yes', { nonce: view.nonce, digest: view.request.digest, answers: { 'confirm-delete': true }, comment: null, typed })
                    .then(() => 'accepted', (refused) => refused.code);
                done([await yes('SPEC-001'), await yes('SPEC-001')]);
            })();
        """
        assert dialog.run_async(script) == ["too_soon", "too_soon"]
        dialog.press("dialog-later")
        dialog.closed()
    assert request in window.rows()


def test_the_main_window_may_not_use_the_dialogs_commands(deletion, window):
    _, request = deletion
    script = """
        const done = arguments[arguments.length - 1];
        const tries = ['dialog_view', 'dialog_yes', 'dialog_no', 'dialog_later', 'dialog_ignored'].map((name) =>
            window.__TAURI_INTERNALS__.invoke(name, {}).then(() => name + ' accepted', (refused) => String(refused)));
        Promise.all(tries).then(done);
    """
    for refused in window.page.execute_async_script(script):
        assert "not allowed" in refused, refused
    assert request in window.rows()


def test_what_was_asked_before_the_app_started_has_its_dialog_too(home, window_of):
    with home.serve():
        agent = home.pair("Writer", home.accept)
        program = agent.start()
        program.call("create_spec", {"title": "Legacy refund import"}).result()
        request = program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]["request"]["id"]
        program.kill()
    window = window_of(home)
    with window.dialog() as dialog:
        assert dialog.find("dialog").get_attribute("data-id") == request


def test_no_key_answers_in_the_window_beneath_the_dialog(agent, window):
    program = agent.start()
    call = program.ask("Keep the old ones?", ["yes", "no"])
    window.open("Keep the old ones?")
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    program.call("delete_spec", {"spec": "SPEC-001"}).result()
    with window.dialog():
        pass
    # The word that the dialog asks for, typed into the window beneath it by mistake.
    window.page.find_element("css selector", "body").send_keys("SPEC-002\n")
    assert not [option for option in window.finds("option") if option.is_selected()]
    assert call.open


def test_what_would_be_gone_is_shown_whole_and_what_is_masked_is_shown_before_a_yes(agent, window):
    program = agent.start()
    token = "ghp_" + "a1B2c3" * 6
    program.call("create_spec", {"title": "Ledger", "body": f"Keep **every** entry.\n\nUse `{token}`.", "criteria": ["Nothing is lost"]}).result()
    program.call("delete_spec", {"spec": "SPEC-001"}).result()
    with window.dialog() as dialog:
        shown = until("the spec is shown", lambda: "AC-1 (unmet): Nothing is lost" in dialog.text("dialog") and dialog.text("dialog"))
        assert "Keep every entry." in shown and token not in shown
        dialog.type("dialog-typed", "SPEC-001")
        dialog.awake()
        assert dialog.find("dialog-yes").get_attribute("aria-disabled") == "true"
        dialog.press("reveal")
        until("it is shown", lambda: token in dialog.text("dialog"))
        dialog.settle("dialog-yes")
    assert program.call("delete_spec", {"spec": "SPEC-001"}).result()["structured"]["outcome"] == "deleted"
