"""What is settled elsewhere leaves the window, and every ending has words of its own."""

import re

from house import digits, until


def test_a_request_that_its_agent_took_back_leaves_within_a_second(agent, window):
    program = agent.start()
    call = program.ask("Never mind?", ["yes", "no"])
    request = window.open("Never mind?")
    program.call("cancel_request", {"request_id": request}).result()
    until("its row is gone", lambda: request not in window.rows(), seconds=1)
    assert window.settled(seconds=1)[0] == "cancelled"
    assert not window.finds("send")
    assert call.result()["structured"]["state"] == "cancelled"


def test_a_terminal_may_answer_once_the_person_typed_its_digits_into_the_window(agent, window, home):
    call = agent.start().ask("From a terminal?", ["yes", "no"])
    request = window.row("From a terminal?")
    terminal = home.start("inbox", "answer", request, "--option", "yes", "--json")
    code = until("the terminal shows its digits", lambda: digits("".join(terminal.errors)))
    assert call.open
    window.let_in(code)
    assert terminal.ended() == 0
    assert call.text() == "The person chose: yes."
    until("its row is gone", lambda: request not in window.rows(), seconds=1)


def test_no_terminal_answers_without_the_digits(agent, window, home):
    call = agent.start().ask("By myself?", ["yes", "no"])
    request = window.row("By myself?")
    terminal = home.start("inbox", "answer", request, "--option", "yes", "--json")
    until("the terminal shows its digits", lambda: digits("".join(terminal.errors)))
    window.go("agents")
    window.press("arrival-refuse")
    assert terminal.ended() == 1
    assert call.open
    window.go("inbox")
    assert request in window.rows()


def test_every_ending_has_its_own_words_in_the_window(agent, window, home):
    program = agent.start()
    words = {}

    def settle(name, act, **more):
        program.ask(f"{name}?", ["yes", "no"], **more)
        request = window.open(f"{name}?")
        act(request)
        state, said = window.settled()
        assert state == name
        # The moment differs each time, and isn't what tells them apart.
        words[name] = re.sub(r"\d+", "", said)

    def terminal(*verb):
        process = home.start("inbox", *verb, "--json")
        window.let_in(until("the terminal shows its digits", lambda: digits("".join(process.errors))))
        assert process.ended() == 0

    settle("answered", lambda request: terminal("answer", request, "--option", "yes"))
    settle("declined", lambda request: terminal("decline", request))
    settle("cancelled", lambda request: program.call("cancel_request", {"request_id": request}).result())
    settle("expired", lambda _request: None, expires_in_seconds=2)
    assert len(set(words.values())) == 4, words


def test_nobody_is_taken_to_consent_when_the_deadline_passes(agent, window):
    call = agent.start().ask("In time?", ["yes", "no"], expires_in_seconds=1)
    said = call.text()
    assert "nobody answered" in said and "The person chose" not in said
    assert window.rows() == {}
