"""Nothing that was asked or answered is lost: not by a killed agent, a killed app, an impatient client, no window."""

import os
import signal

import pytest
from house import ERAS, children, until


@pytest.mark.parametrize("era", ERAS)
def test_the_answer_to_a_killed_agent_waits_for_it(agent, window, era):
    question, options = "Which table may go?", ["drafts", "none"]
    killed = agent.start(era)
    killed.ask(question, options)
    request = window.open(question)
    killed.kill()
    until("the window says that nobody waits", lambda: "nobody is waiting" in window.text("detail").lower())
    window.pick("none")
    window.press("send")
    until("it says that the answer is kept", lambda: "your answer is kept" in window.text("status"))

    # The same question first: it is new to nobody, so that no second card appears.
    back = agent.start(era)
    assert back.ask(question, options).text() == "The person chose: none."
    assert back.wait_for(request).text() == "The person chose: none."
    again = back.ask(question, options)
    assert again.text() == "The person chose: none."
    assert again.result()["structured"]["repeated"] is True
    assert window.rows() == {}


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_gives_up_loses_nothing(agent, window, era):
    program = agent.start(era)
    given_up = program.call("ask_human", {"question": "Still there?", "options": ["yes", "no"]}, timeout=1)
    request = window.row("Still there?")
    assert "error" in given_up.line()
    waiting = program.wait_for(request)
    window.answer("Still there?", "yes")
    assert waiting.text() == "The person chose: yes."


def test_all_that_was_pending_is_back_after_the_app_was_killed(agent, window, window_of, home):
    program = agent.start()
    questions = [f"Question number {n:02}?" for n in range(20)]
    for question in questions:
        program.ask(question, ["yes", "no"])
    before = until("all are listed", lambda: len(rows := window.rows()) == 20 and rows)
    window.kill()
    program.kill()

    window = window_of(home)
    assert list(until("all are back", lambda: len(rows := window.rows()) == 20 and rows)) == list(before)
    call = agent.start().ask(questions[7], ["yes", "no"])
    window.answer(questions[7], "no")
    assert call.text() == "The person chose: no."
    assert len(window.rows()) == 19


def test_an_answer_that_was_typed_and_not_sent_survives_a_kill(agent, window, window_of, home):
    agent.start().ask("What should the title be?", ["Inbox", "Desk"])
    window.open("What should the title be?")
    window.own("something between the two")
    until("the draft is kept", lambda: "raft" in window.rows()[window.opened()])
    window.kill()

    window = window_of(home)
    window.open("What should the title be?")
    kept = until("the draft is back", lambda: window.find("other-input").get_attribute("value"))
    assert kept == "something between the two"


def test_what_was_asked_while_no_window_was_open_is_there_when_it_opens(home, window_of):
    with home.serve():
        agent = home.pair("Writer", home.accept)
        program = agent.start()
        program.ask("Asked in the dark?", ["yes", "no"])
        until("it is on record", lambda: home.run("inbox", "list"))
        program.kill()
    window = window_of(home)
    call = agent.start().ask("Asked in the dark?", ["yes", "no"])
    window.answer("Asked in the dark?", "yes")
    assert call.text() == "The person chose: yes."


def test_a_hung_window_holds_no_agent_longer_than_it_was_told(agent, window):
    program = agent.start()
    program.call("ask_human", {"question": "Is it hung?", "options": ["yes", "no"], "hold_seconds": 2})
    request = window.row("Is it hung?")
    hung = children(window.pid)
    for pid in hung:
        os.kill(pid, signal.SIGSTOP)
    try:
        held = program.call("ask_human", {"question": "And now?", "options": ["yes", "no"], "hold_seconds": 2})
        assert held.result(seconds=10)["structured"]["state"] == "pending"
        assert program.call("get_request", {"request_id": request}).result(seconds=5)["structured"]["state"] == "pending"
    finally:
        for pid in hung:
            os.kill(pid, signal.SIGCONT)
    window.answer("Is it hung?", "no")
    assert program.wait_for(request).text() == "The person chose: no."
