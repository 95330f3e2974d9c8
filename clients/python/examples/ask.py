"""Asks four things: in the Countersign inbox if it runs, in this terminal, and by the answer file of a run folder.

    PYTHONPATH=src python3 examples/ask.py [RUN_FOLDER]
"""

import os
import queue
import sys
import tempfile
import threading

from countersign_client import (
    Prompt, ask_for_choice, ask_for_decision, ask_for_manual_intervention, ask_for_text, set_interaction_port,
)


class Terminal:
    """A terminal that has nothing but lines: choices and texts come as decisions, the options numbered."""

    def __init__(self):
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin:
            self.lines.put(line)

    def ask(self, prompt, hint, withdrawn):
        print(f"\n=== {prompt.title} ===", *prompt.lines, prompt.question or hint, sep="\n", flush=True)
        while not withdrawn.is_set():
            try:
                return self.lines.get(timeout=0.1)
            except queue.Empty:
                pass
        raise RuntimeError("withdrawn")

    def ask_decision(self, prompt, withdrawn):
        return self.ask(prompt, "y or n?", withdrawn)

    def ask_manual_intervention(self, prompt, withdrawn):
        return self.ask(prompt, "Enter when it is done, n if it can't be.", withdrawn)

    def notify(self, message):
        print(f"({message})")


run = sys.argv[1] if len(sys.argv) > 1 else os.path.join(tempfile.gettempdir(), "countersign-ask")
os.makedirs(run, exist_ok=True)
print(f"Answer in Countersign, here, or by writing {run}/approval-response.txt", flush=True)
if sys.stdin.isatty():
    set_interaction_port(Terminal())
print(ask_for_choice(run, Prompt("Export", ["Which format?"]), ["PDF", "Word", "Markdown"]), flush=True)
print(repr(ask_for_text(run, Prompt("Name", ["What shall it be called?"]))), flush=True)
print(ask_for_decision(run, Prompt("Upload", ["1 file goes to the shared folder."], "Upload it?")), flush=True)
print(ask_for_manual_intervention(run, Prompt("Log in", ["1. Open the page", "2. Log in"], "Done?")), flush=True)
