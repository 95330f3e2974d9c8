"""What a program says and gets back."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import List, Optional, Protocol, Sequence

By = str
"""Which of the three was first: ``"inbox"``, ``"port"`` or ``"file"``."""


@dataclass(frozen=True)
class Prompt:
    """What the person reads."""

    title: str
    """One line."""
    lines: Sequence[str] = ()
    """Plain lines below it."""
    question: Optional[str] = None
    """What is asked about them."""
    markdown: Optional[str] = None
    """More to read, as markdown."""


@dataclass(frozen=True)
class Chosen:
    """The answer to a choice. Nothing in it: the person chose not to answer."""

    chosen: List[str] = field(default_factory=list)
    other: Optional[str] = None
    comment: Optional[str] = None
    by: By = "inbox"


@dataclass(frozen=True)
class Decided:
    """A decision. Not answered is not approved."""

    approved: bool
    comment: Optional[str] = None
    by: By = "inbox"


@dataclass(frozen=True)
class Intervened:
    """How it went with something that the person was to do. Not answered is not done."""

    done: bool
    comment: Optional[str] = None
    by: By = "inbox"


class InteractionPort(Protocol):
    """A program's own way to ask, called on a thread of its own.

    Answers are plain text, read as docs/asking.md says. An empty answer is no answer (to manual steps it means done, as Enter does in
    a terminal). Raising means that it can't ask: then it never wins. ``withdrawn`` is set when the question was answered elsewhere:
    close the dialog then; what is returned after that counts for nothing.

    Two methods more are used where they are there: ``ask_text(prompt, withdrawn)`` and ``ask_choice(prompt, options, multiple,
    withdrawn)``. Left out, those come to ``ask_decision``, the options as numbered lines.
    """

    def ask_decision(self, prompt: Prompt, withdrawn: threading.Event) -> str: ...

    def ask_manual_intervention(self, prompt: Prompt, withdrawn: threading.Event) -> str: ...

    def notify(self, message: str) -> None: ...


class AskError(Exception):
    """Nothing could be asked. Never a decision."""


class Abandoned(Exception):
    """The call was given up by its program, and the question was withdrawn everywhere."""
