"""The race against the real port: each of the three winners for each of the four calls, and what the losers are told."""

import json
import os
import queue
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from house import House, until

from countersign_client import (
    Abandoned, AskError, Chosen, Decided, Intervened, Prompt, ask_for_choice, ask_for_decision,
    ask_for_manual_intervention, ask_for_text, set_interaction_port,
)

FILE = "approval-response.txt"
PROMPT = Prompt("Export", ["The lines"])
OPTIONS = ["PDF", "Word", "Markdown"]


class Asked:
    def __init__(self, method, prompt, withdrawn):
        self.method, self.prompt, self.withdrawn, self.answers = method, prompt, withdrawn, queue.Queue()


class Hand:
    """A port of the test's: it notes what it is asked, and answers when it is told to."""

    def __init__(self):
        self.asked, self.notes = [], []

    def _ask(self, method, prompt, withdrawn):
        asked = Asked(method, prompt, withdrawn)
        self.asked.append(asked)
        answer = asked.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask_decision(self, prompt, withdrawn):
        return self._ask("decision", prompt, withdrawn)

    def ask_manual_intervention(self, prompt, withdrawn):
        return self._ask("manual", prompt, withdrawn)

    def notify(self, message):
        self.notes.append(message)

    def answer(self, raw):
        until("it is asked", lambda: self.asked)
        self.asked[-1].answers.put(raw)


class WholeHand(Hand):
    def ask_text(self, prompt, withdrawn):
        return self._ask("text", prompt, withdrawn)

    def ask_choice(self, prompt, options, multiple, withdrawn):
        return self._ask("choice", prompt, withdrawn)


def by(want, who):
    return want if isinstance(want, str) else type(want)(**{**want.__dict__, "by": who})


CALLS = [
    (
        "choice",
        lambda run, **more: ask_for_choice(run, PROMPT, OPTIONS, True, **more),
        {"answer": {"chosen": ["PDF", "Markdown"], "other": "and RTF"}},
        "3,1\r\nand RTF",
        Chosen(["PDF", "Markdown"], "and RTF"),
        Chosen(),
    ),
    ("text", lambda run, **more: ask_for_text(run, PROMPT, **more), {"answer": "My Name"}, " My Name \n", "My Name", ""),
    ("decision", lambda run, **more: ask_for_decision(run, PROMPT, **more), {"approval": True}, "Y", Decided(True), Decided(False)),
    (
        "manual",
        lambda run, **more: ask_for_manual_intervention(run, PROMPT, **more),
        {"done": True},
        "done",
        Intervened(True),
        Intervened(False),
    ),
]


class Race(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.pool = ThreadPoolExecutor(16)

    @classmethod
    def tearDownClass(cls):
        cls.house.end()
        cls.pool.shutdown()

    def tearDown(self):
        self.house.quiet()

    def start(self, call, run, **more):
        return self.pool.submit(call, run, **{**self.house.at, **more})

    def listed(self, run):
        pending = run / "pending.json"
        until("it stands in the folder", lambda: pending.exists() and "answers/" in pending.read_text())

    def gone(self, run):
        until("it is gone from the folder", lambda: not (run / "pending.json").exists())

    def test_the_inbox_wins_each_call_and_the_port_is_told(self):
        for kind, call, given, _, want, _ in CALLS:
            run, hand = self.house.run(), WholeHand()
            asking = self.start(call, run, port=hand)
            self.house.inbox("answer", self.house.waiting(), "--answers", json.dumps(given))
            self.assertEqual(asking.result(30), by(want, "inbox"))
            self.assertEqual(hand.asked[0].method, kind)
            self.assertTrue(hand.asked[0].withdrawn.is_set())
            self.assertEqual(hand.notes, ["Answered in Countersign."])
            self.gone(run)

    def test_the_port_wins_each_call_and_the_card_goes_within_a_second(self):
        for _, call, given, raw, want, _ in CALLS:
            run, hand = self.house.run(), WholeHand()
            asking = self.start(call, run, port=hand)
            id = self.house.waiting()
            self.listed(run)
            begun = time.monotonic()
            hand.answer(raw)
            self.assertEqual(asking.result(30), by(want, "port"))
            self.gone(run)
            self.assertLess(time.monotonic() - begun, 1)
            decision = self.house.ended(id)["decision"]
            self.assertEqual((decision["channel"], decision["answers"]), ("program", given))

    def test_the_file_wins_each_call_and_the_port_is_told(self):
        for _, call, _, raw, want, _ in CALLS:
            run, hand = self.house.run(), WholeHand()
            asking = self.start(call, run, port=hand)
            id = self.house.waiting()
            self.listed(run)
            (run / FILE).write_bytes(raw.encode())
            self.assertEqual(asking.result(30), by(want, "file"))
            self.assertTrue(hand.asked[0].withdrawn.is_set())
            self.assertEqual(self.house.ended(id)["decision"]["channel"], "file")

    def test_declined_is_no_answer_and_never_a_yes(self):
        for _, call, _, _, _, nothing in CALLS:
            asking = self.start(call, self.house.run())
            self.house.inbox("decline", self.house.waiting())
            self.assertEqual(asking.result(30), nothing)

    def test_a_port_without_choices_and_texts_of_its_own_gets_numbered_lines(self):
        hand = Hand()
        asking = self.start(lambda run, **more: ask_for_choice(run, PROMPT, OPTIONS, **more), self.house.run(), port=hand)
        hand.answer("2")
        self.assertEqual(asking.result(30), Chosen(["Word"], by="port"))
        self.assertEqual(hand.asked[0].prompt.lines, ["The lines", "1. PDF", "2. Word", "3. Markdown"])
        self.assertIn("Number", hand.asked[0].prompt.question)

    def test_a_port_that_fails_never_wins(self):
        hand = Hand()
        set_interaction_port(hand)
        asking = self.start(CALLS[2][1], self.house.run())
        hand.answer(RuntimeError("it is closed"))
        set_interaction_port(None)
        self.house.inbox("answer", self.house.waiting(), "--no", "--comment", "not today")
        self.assertEqual(asking.result(30), Decided(False, "not today"))

    def test_enter_approves_nothing_and_prose_is_no_yes(self):
        for raw, want in (("", Decided(False, by="port")), ("perhaps", Decided(False, "perhaps", by="port"))):
            hand = Hand()
            call = lambda run, **more: ask_for_decision(run, Prompt(f"Publish? {raw}"), **more)  # noqa: E731, B023
            asking = self.start(call, self.house.run(), port=hand)
            self.house.waiting()
            hand.answer(raw)
            self.assertEqual(asking.result(30), want)
            self.house.quiet()

    def test_a_call_that_is_given_up_is_withdrawn_everywhere(self):
        hand, cancel = Hand(), threading.Event()
        asking = self.start(CALLS[1][1], self.house.run(), port=hand, cancel=cancel)
        id = self.house.waiting()
        cancel.set()
        self.assertIsInstance(asking.exception(30), Abandoned)
        self.assertTrue(hand.asked[0].withdrawn.is_set())
        self.assertEqual(self.house.ended(id)["state"], "cancelled")

    def test_the_same_question_in_two_runs_is_two_questions(self):
        runs = [self.house.run(), self.house.run()]
        asking = [self.start(CALLS[1][1], run) for run in runs]
        until("two wait", lambda: len(self.house.inbox("list")) == 2)
        for n in (1, 0):
            self.listed(runs[n])
            (runs[n] / FILE).write_text(str(n))
            self.assertEqual(asking[n].result(30), str(n))

    def test_a_run_folder_that_can_not_be_used_and_a_question_over_the_limits_ask_nobody(self):
        for call in (
            lambda: ask_for_text(self.house.work / "missing", PROMPT, **self.house.at),
            lambda: ask_for_choice(self.house.run(), PROMPT, [], **self.house.at),
            lambda: ask_for_text(self.house.run(), Prompt("x" * 201), **self.house.at),
        ):
            self.assertRaises(AskError, call)
        self.assertEqual(self.house.inbox("list"), [])

    def test_while_the_app_is_away_the_file_answers_by_itself_and_one_that_comes_later_is_asked_too(self):
        house, run = self.house, self.house.run()
        house.stop()
        note = run / "approval-response.note.txt"
        for _, call, _, raw, want, _ in CALLS:
            (run / FILE).write_text("an old answer")
            os.utime(run / FILE, (1_000_000, 1_000_000))
            hand = WholeHand()
            asking = self.start(call, run, port=hand)
            until("the old answer is out of the way", lambda: not (run / FILE).exists() and (run / "pending.json").exists())
            self.assertIn("older than the question", note.read_text())
            (run / FILE).symlink_to(house.proof)
            until("a link is not followed", lambda: "It is a link" in note.read_text())
            (run / "whole").write_bytes(raw.encode())
            (run / "whole").replace(run / FILE)
            self.assertEqual(asking.result(30), by(want, "file"))
            self.assertTrue(hand.asked[0].withdrawn.is_set())
            self.assertFalse((run / "pending.json").exists())
        two = [self.start(CALLS[n][1], run) for n in (1, 2)]
        for _ in two:
            until("one has the file", lambda: (run / "pending.json").exists() and not (run / FILE).exists())
            kind = json.loads((run / "pending.json").read_text())["requests"][0]["kind"]
            (run / FILE).write_text("text" if kind == "ask_for_text" else "y")
            done = two[0] if kind == "ask_for_text" else two[1]
            self.assertIn(done.result(30), ("text", Decided(True, by="file")))
        later = house.run()
        pending = later / "pending.json"
        asking = self.start(lambda run, **more: ask_for_choice(run, Prompt("Which?"), ["A", "B"], **more), later)
        until("the file is watched", pending.exists)
        house.serve()
        id = house.waiting()
        house.stop()
        until("the client has the file", lambda: pending.exists() and id not in pending.read_text())
        (later / FILE).write_text("2")
        self.assertEqual(asking.result(30), Chosen(["B"], by="file"))
        house.serve()
        decision = house.ended(id)["decision"]
        self.assertEqual((decision["channel"], decision["answers"]), ("file", {"answer": "B"}))


if __name__ == "__main__":
    unittest.main()
