"""The person chooses on the card what an agent may do, and changes it on the Agents screen."""

from house import until


def test_a_scope_that_is_unchecked_on_the_card_is_refused_until_it_is_allowed_on_the_agents_screen(home, window):
    agent = home.pair("Archivist", lambda code: window.let_in(code, without=["ask", "folders"]))
    program = agent.start(era="legacy", route="bridge")
    refused = program.ask("May I?", ["yes", "no"]).result()
    assert refused["is_error"] and "`ask`" in refused["text"] and "Agents screen" in refused["text"], refused
    elsewhere = program.call("list_specs", {"workspace": str(home.path)}).result()
    assert elsewhere["is_error"] and "`folders`" in elsewhere["text"], elsewhere
    assert not program.call("list_specs").result()["is_error"]
    assert not window.rows()
    window.go("agents")
    # The first agent is the fixture's, with nothing withheld.
    withheld = until("what it may not do is said", lambda: window.text("withheld"))
    assert withheld == "May not: Ask you · Work in folders other than work", withheld
    last = window.finds("scopes-open")[-1]
    until("its permissions can be opened", lambda: window._click(last))
    window.press_value("scope", "ask")
    until("it is allowed", lambda: "Ask you" not in window.text("withheld"))
    window.press_value("scope", "folders")
    until("nothing is withheld", lambda: not window.finds("withheld"))
    window.press("scopes-close")
    window.go("inbox")
    call = program.ask("And now?", ["yes", "no"])
    window.answer("And now?", "yes")
    assert call.text() == "The person chose: yes."
    assert not program.call("list_specs", {"workspace": str(home.path)}).result()["is_error"]
