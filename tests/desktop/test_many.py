"""Many at once: each is listed, each answer reaches its own asker."""

from house import until


def test_fifty_questions_of_five_agents_each_get_their_own_answer(home, window_of):
    agents = home.agents(*[f"Agent {name}" for name in "ABCDE"])
    window = window_of(home)
    calls = {}
    for agent in agents:
        program = agent.start()
        for n in range(10):
            mark = f"{agent.name[-1]}{n}"
            calls[mark] = program.ask(f"Question {mark}?", [f"yes to {mark}", f"no to {mark}"])
    until("all are listed", lambda: len(window.rows()) == 50, seconds=20)
    # Not in the order in which they came.
    for turn, mark in enumerate(sorted(calls, key=lambda mark: mark[::-1])):
        window.answer(f"Question {mark}?", f"{'yes' if turn % 3 else 'no'} to {mark}")
    for turn, mark in enumerate(sorted(calls, key=lambda mark: mark[::-1])):
        assert calls[mark].text() == f"The person chose: {'yes' if turn % 3 else 'no'} to {mark}."
    assert window.rows() == {}


def test_a_second_question_neither_hides_nor_replaces_the_first(agent, window):
    program = agent.start()
    first = program.ask("First?", ["yes", "no"])
    request = window.open("First?")
    window.pick("yes")
    second = program.ask("Second?", ["yes", "no"])
    window.row("Second?")
    assert window.opened() == request
    assert window.find("option", "yes").is_selected()
    window.press("send")
    assert first.text() == "The person chose: yes."
    window.answer("Second?", "no")
    assert second.text() == "The person chose: no."


def test_two_runs_of_one_agent_that_ask_the_same_share_one_card(agent, window):
    one = agent.start().ask("The same?", ["yes", "no"])
    window.row("The same?")
    other = agent.start("legacy").ask("The same?", ["yes", "no"])
    window.answer("The same?", "yes")
    assert one.text() == other.text() == "The person chose: yes."
    assert window.rows() == {}
