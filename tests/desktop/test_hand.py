"""The dialog under a real mouse and keyboard (X events, a window manager): no hurried press says yes, and a calm one does."""

import random
import threading
import time

import pytest
from hand import Hand, above, active, beneath, is_above, start_typing, windows
from house import until

WORD = "SPEC-001"


@pytest.fixture
def deletion(agent, window):
    """An agent that wants to delete its spec; gives the program, and what asks again."""
    program = agent.start()
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    return program, lambda: program.call("delete_spec", {"spec": WORD}).result()["structured"]["request"]["id"]


def state(program, request):
    return program.call("get_request", {"request_id": request}).result()["structured"]["state"]


def test_two_hundred_presses_after_it_moved_changed_or_was_turned_to_say_nothing(deletion, window):
    program, ask = deletion
    request = ask()
    with window.dialog() as dialog:
        hand, chance = Hand(window.page, above(window.pid)), random.Random(7)
        hand.activate()
        hand.click("dialog-typed")
        hand.type(WORD)
        assert dialog.find("dialog-typed").get_attribute("value") == WORD
        dialog.run("window.__pressed = 0; for (const name of ['click', 'keydown']) addEventListener(name, () => window.__pressed++, true)")
        for disturbance in range(10):
            dialog.awake()
            match disturbance % 4:
                case 0:
                    hand.move(100 + 40 * disturbance, 60)
                case 1:
                    Hand(window.page, beneath(window.pid)).activate()
                    hand.activate()
                case 2:
                    hand.resize(700 + 4 * disturbance, 640)
                case 3:
                    # What is shown changes: one more claim. Only a new one does that, and there are two.
                    program.call("delete_spec", {"spec": WORD, "answers": {"confirm-delete": disturbance == 3}}).result()
            place = hand.place("dialog-yes")
            dialog.run("document.querySelector('[data-testid=dialog-yes]').focus()")
            for press in range(20):
                # What is done by a press that counts a second after the last one can't be told from a mistake; these come sooner.
                time.sleep(chance.uniform(0, 0.18))
                if press % 2:
                    hand.click_at(place)
                else:
                    hand.key(chance.choice(("Return", "space", "KP_Enter")))
        assert state(program, request) == "pending"
        # They were presses of this very button, not of what lies beside it.
        assert dialog.run("return window.__pressed") >= 195
        # With patience it counts: the word is still there, and so is the button.
        if dialog.find("dialog-typed").get_attribute("value") != WORD:
            dialog.find("dialog-typed").clear()
            hand.click("dialog-typed")
            hand.type(WORD)
        dialog.settle("dialog-yes", press=lambda: hand.click("dialog-yes"))
    assert state(program, request) == "answered"


def test_clicks_and_keys_that_were_under_way_when_it_appeared_say_nothing(deletion, window):
    program, ask = deletion
    ask()
    with window.dialog() as dialog:
        places = [Hand(window.page, above(window.pid)).place(hook) for hook in ("dialog-yes", "dialog-no")]
        dialog.press("dialog-later")
        dialog.closed()
    over = threading.Event()

    def hurry():
        while not over.is_set():
            for place in places:
                Hand.click_at(place)
                Hand.key("Return", "space", "Tab")

    window.open("Delete " + WORD)
    hurried = threading.Thread(target=hurry)
    window.press("open-dialog")
    hurried.start()
    try:
        with window.dialog() as dialog:
            until("it is there", lambda: dialog.finds("dialog"))
            time.sleep(1.2)
            assert dialog.finds("dialog"), "neither yes nor no was taken"
    finally:
        over.set()
        hurried.join()
    assert len(window.rows()) == 1
    assert program.call("list_specs").result()["structured"]["specs"] != []


def test_what_a_person_types_elsewhere_stays_there_when_the_dialog_appears(agent, window):
    program = agent.start()
    program.call("create_spec", {"title": "Legacy refund import"}).result()
    call = program.ask("How should it be named?", ["a", "b"])
    window.open("How should it be named?")
    words = "the person types on and on, " * 6
    main = Hand(window.page, beneath(window.pid))
    main.activate()
    main.click("other-input")
    typing = start_typing(words, 20)
    time.sleep(0.6)
    request = program.call("delete_spec", {"spec": WORD}).result()["structured"]["request"]["id"]
    above(window.pid)
    assert typing.wait(30) == 0
    # All of it is where it was begun, spaces and all; nothing of it reached the dialog.
    until("it is all there", lambda: window.find("other-input").get_attribute("value") == words)
    with window.dialog() as dialog:
        assert dialog.find("dialog-typed").get_attribute("value") == ""
    assert state(program, request) == "pending" and call.open


def test_the_dialog_is_worked_by_keys_alone_and_esc_leaves_it_pending(deletion, window):
    program, ask = deletion
    request = ask()
    with window.dialog() as dialog:
        hand = Hand(window.page, above(window.pid))
        hand.activate()
        hand.key("Escape")
        dialog.closed()
    assert state(program, request) == "pending"
    window.open("Delete " + WORD)
    main = Hand(window.page, beneath(window.pid))
    main.activate()
    window.press("open-dialog")
    with window.dialog() as dialog:
        hand = Hand(window.page, above(window.pid))
        hand.activate()
        for _ in range(8):
            if dialog.run("return document.activeElement?.dataset.testid ?? ''") == "dialog-typed":
                break
            hand.key("Tab")
        hand.type(WORD)
        assert dialog.find("dialog-typed").get_attribute("value") == WORD
        for _ in range(8):
            if dialog.run("return document.activeElement?.dataset.testid ?? ''") == "dialog-yes":
                break
            hand.key("Tab")
        dialog.settle("dialog-yes", press=lambda: hand.key("space"))
    assert state(program, request) == "answered"


def closed(window):
    """No window is on top any more."""
    return not [w for w in windows(window.pid) if is_above(w)]


def test_the_dialog_takes_keys_when_it_is_turned_to_or_was_asked_for_and_enter_asks_for_it(deletion, window):
    # The driver never looks at the dialog here: that alone would give it the keys.
    program, ask = deletion
    request = ask()
    Hand(window.page, above(window.pid)).activate()
    time.sleep(1.1)
    Hand.key("Escape")
    until("Esc puts it off, with no click before", lambda: closed(window))
    main = Hand(window.page, beneath(window.pid))
    main.activate()
    window.open("Delete " + WORD)
    for open_it in (lambda: main.click("open-dialog"), lambda: (main.click("detail-title"), Hand.key("Return"))):
        main.activate()
        open_it()
        dialog = above(window.pid)
        until("it has the keyboard", lambda: active() == dialog)
        time.sleep(1.1)
        Hand.key("Escape")
        until("Esc puts it off", lambda: closed(window))
    assert state(program, request) == "pending"
