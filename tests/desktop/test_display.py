"""Text from agents in every field of the real window and dialog: it shows, and does nothing else."""

import http.server
import threading
import unicodedata
from contextlib import contextmanager

import pytest
from corpus import HIDDEN, LOOKALIKES, attacks, disguises
from house import until

LABEL, TITLE, QUESTION = 480, 190, 9_900  # characters a field may have, with room for a number


@contextmanager
def sink():
    """A server that notes whoever asks it for something."""
    seen = []

    class Sink(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
        server.shutdown()


# Notes what the page asks of the app from here on (Tauri's commands are fetches of `ipc://localhost/name`), and what it loads.
SPY = """
    const real = window.fetch;
    window.__asked = [];
    window.fetch = (what, ...rest) => { window.__asked.push(decodeURIComponent(String(what?.url ?? what))); return real(what, ...rest); };
    performance.clearResourceTimings();
"""
STATE = """
    const parts = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) parts.push(node.data);
        else for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
            if (node.hasAttribute(name)) parts.push(node.getAttribute(name));
        }
    }
    const all = (query) => document.querySelectorAll(query).length;
    return {
        pwned: window.__pwned ?? null,
        foreign: all('iframe, img, object, embed, video, audio, form[action], base, template, math, script:not([src]), meta[http-equiv=refresh], link[rel=prefetch], svg script, marquee, [onerror], [onload], [onclick], [onfocus]'),
        links: all('a[href]:not([href^="#"])'),
        loaded: performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !/^(ipc|tauri):/.test(name) && !name.startsWith('http://ipc.localhost')),
        asked: window.__asked,
        text: parts.join('\\n'),
    };
"""


def harmless(page, may_ask):
    state = page.execute_script(STATE)
    assert state["pwned"] is None and state["foreign"] == 0 and state["links"] == 0 and state["loaded"] == [], {**state, "text": ""}
    asked = {url.removeprefix("ipc://localhost/") for url in state["asked"]}
    # The opening itself is seen, so the spy sees.
    assert "request" in asked <= may_ask, asked
    return state["text"]


def packed(texts, most):
    """The texts joined, in as few pieces as fit; each in words of its own, so that no two pass for one another."""
    pieces = [""]
    for text in (text for text in texts if len(text) <= most):
        if len(pieces[-1]) + len(text) + 2 > most:
            pieces.append("")
        pieces[-1] += ("\n\n" if pieces[-1] else "") + text
    return pieces


def ask_all(program, texts):
    """Puts all texts into every field of questions; gives the words by which their rows are known."""
    # Labels with control characters are refused.
    lines = [text for text in texts if len(text) <= LABEL and not any(unicodedata.category(char) == "Cc" for char in text)]
    whole = "\n\n".join(texts)
    known = []
    for number, question in enumerate(packed(texts, QUESTION)):
        labels = [f"{place}: {label}" for place, label in enumerate(lines[number * 8 : number * 8 + 8] or lines[:8])]
        options = [{"label": label, "description": whole, "preview": whole} for label in labels]
        asked = program.ask(f"Shown {number}?\n\n{question}", options, context=whole, default=labels[0], hold_seconds=0).result()
        assert not asked["is_error"], asked["text"]
        known.append(f"Shown {number}?")
    return known


@pytest.mark.parametrize("what", ["attacks", "disguises"])
def test_no_text_in_any_field_of_a_question_runs_loads_asks_or_hides(agent, window, what):
    program = agent.start()
    with sink() as (address, seen):
        window.page.execute_script(SPY)
        texts = attacks(address) if what == "attacks" else disguises()
        for words in ask_all(program, texts):
            window.open(words)
            until("its context is shown", lambda: window.text("detail").count("pwned" if what == "attacks" else "⟦U+202E⟧") > 20)
            # In the list, the pane, the window's title and what a screen reader is told.
            shown = harmless(window.page, {"request", "save_draft", "painted", "plugin:event|listen", "plugin:event|unlisten"})
            assert not [hex(code) for code in HIDDEN if chr(code) in shown]
            if what == "attacks":
                assert "<script>window.__pwned=1</script>" in shown and "javascript:window.__pwned=1" in shown
            else:
                assert not [word for word in LOOKALIKES if word in shown]
                assert all(f"U+{code:04X}" in shown for code in HIDDEN)
        assert seen == []


def test_no_text_in_the_dialog_runs_loads_asks_or_hides(agent, window):
    program = agent.start()
    with sink() as (address, seen):
        for number, text in enumerate(["\u202erm\u200btxt p\u0430ypal", *[text for text in attacks(address) if "\n" not in text and len(text) < 150][:12]]):
            made = program.call("create_spec", {"title": f"{number} {text}"[:TITLE], "body": text}).result()
            assert not made["is_error"], made
            number += 1
            asked = program.call("delete_spec", {"spec": f"SPEC-{number:03}"}).result()["structured"]
            with window.dialog() as dialog:
                until("it is shown", lambda: dialog.find("dialog").get_attribute("data-id") == asked["request"]["id"])
                shown = dialog.run(STATE)
                assert shown["pwned"] is None and shown["foreign"] == 0 and shown["links"] == 0 and shown["loaded"] == [], shown
                assert not [hex(code) for code in HIDDEN if chr(code) in shown["text"]]
                assert text in shown["text"] or number == 1
                dialog.settle("dialog-no")
        assert seen == []


def test_a_program_that_wants_in_can_hide_nothing_in_its_name_or_folder(home, window_of):
    home.agents()
    window = window_of(home)
    window.go("agents")
    name = "Writer <img src=x onerror=window.__pwned=1>"
    home.start("pair", "--name", name, "--workspace", home.work, "--json")
    until("it is shown", lambda: "<img src=x" in window.text("arrival"))
    state = window.page.execute_script("window.__asked = [];" + STATE)
    assert (state["pwned"], state["foreign"]) == (None, 0)


def test_secrets_are_masked_in_the_window_and_on_the_terminal_until_they_are_asked_for(agent, home, window):
    token = "ghp_" + "a1B2c3" * 6
    request = agent.start().ask(f"Push with {token}?", ["yes", "no"], context=f"```\nexport TOKEN={token}\n```")
    window.open("Push with")
    assert token not in window.page.execute_script("return document.documentElement.innerHTML")
    window.press("reveal")
    until("it is shown", lambda: window.text("detail").count(token) == 3)
    assert token not in "".join(window.rows().values())
    [row] = home.run("inbox", "list")
    shown = home.start("inbox", "show", row["id"])
    assert shown.ended() == 0
    said = "".join(shown.errors)
    assert token not in said and "••••••••" in said
    asked = home.start("inbox", "show", row["id"], "--secrets")
    assert asked.ended() == 0 and token in "".join(asked.errors)
    assert request.open


def test_a_program_whose_name_passes_for_a_paired_one_says_so_and_two_at_once_are_told_apart(home, window_of):
    home.agents("Claude Code")
    window = window_of(home)
    window.go("agents")
    home.start("pair", "--name", "CIaude C0de", "--workspace", home.work, "--json")
    until("the resemblance is shown", lambda: "Claude Code" in window.text("resembles"))
    other = home.start("pair", "--name", "Codex", "--workspace", home.work, "--json")
    code = other.line("a code", lambda line: "code" in line)["code"]
    cards = until("both are shown", lambda: len(found := window.finds("arrival")) == 2 and found)
    assert len(window.finds("resembles")) == 1
    # The code of one, typed for the other, lets nobody in.
    first = next(card for card in cards if "CIaude" in card.get_attribute("textContent"))
    field = first.find_element("css selector", "[data-testid=arrival-code]")
    field.send_keys(code)
    first.find_element("css selector", "[data-testid=arrival-accept]").click()
    until("it is refused", lambda: window.text("alert"))
    assert len(window.finds("arrival")) == 2 and other.process.poll() is None
