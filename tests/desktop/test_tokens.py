"""A token is replaced on the Agents screen: what was open under the old one ends, the new one is shown once."""

import os

from house import until


def test_a_replaced_token_is_shown_once_and_the_old_one_stops_with_its_held_call(home, agent, window):
    program = agent.start(route="bridge")
    call = program.ask("Keep the old ones?", ["yes", "no"])
    window.row("Keep the old ones?")
    window.go("agents")
    window.press("rotate")
    window.press("rotate-yes")
    token = until("the new token is shown", lambda: window.text("token"))
    assert token != agent.token and len(token) > 30
    ended = call.result()
    assert ended["is_error"] and "do not proceed" in ended["text"], ended
    window.press("rotate-done")
    until("it is shown no more", lambda: not window.finds("token"))
    window.go("inbox")
    request = window.open("Keep the old ones?")
    window.pick("yes")
    window.press("send")
    until("its row is gone", lambda: request not in window.rows())
    agent.token = token
    said = agent.start().wait_for(request)
    assert said.text() == "The person chose: yes."


def test_the_dialog_names_the_program_that_started_the_bridge(agent, window):
    program = agent.start(route="bridge")
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    program.call("delete_spec", {"spec": "SPEC-001"}).result()
    with window.dialog() as dialog:
        asker = dialog.text("asker")
        assert os.path.realpath(f"/proc/{program.process.pid}/exe") in asker, asker
        assert str(program.process.pid) in asker and "bridge" in asker, asker
        dialog.press("dialog-later")
        dialog.closed()
    window.open("Delete SPEC-001")
    assert str(program.process.pid) in window.text("asker")
