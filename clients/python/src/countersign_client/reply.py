"""What a person wrote in plain text, read as an answer: docs/asking.md has the table of cases, and a test reads it.

The same rules as ``countersign_core::reply``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

Value = Union[str, bool, List[str], Dict[str, object]]

YES = ("y", "yes", "true", "s", "si", "sí", "1", "done")
NO = ("n", "no", "false", "q", "2")
OWN = re.compile(r"(?:other|otra|otro):", re.IGNORECASE)
QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("«", "»"))


@dataclass(frozen=True)
class Question:
    """What can be asked: ``choice``, ``multiChoice``, ``text`` or ``confirm``."""

    type: str
    options: Sequence[str] = ()
    allow_other: bool = False


@dataclass(frozen=True)
class Reply:
    """An answer as the app takes it, and what was said beside it."""

    value: Value
    comment: Optional[str] = None


class Blank(Exception):
    """Nothing was written yet."""


class Refused(Exception):
    """The question does not take it."""


def tidy(text: str) -> str:
    """Without a byte order mark, with ``\\n`` alone between lines, and without blanks around it."""
    return text[1 if text.startswith("\ufeff") else 0 :].replace("\r\n", "\n").replace("\r", "\n").strip()


def read(question: Question, written: str) -> Reply:
    """Reads what was written as the answer to one question."""
    text = tidy(written)
    if not text:
        raise Blank
    if question.type == "text":
        return Reply(text)
    if question.type == "confirm":
        return _confirmed(text)
    return _chosen_one(question, text) if question.type == "choice" else _chosen_some(question, text)


def _confirmed(text: str) -> Reply:
    first, rest = _first_line(text)
    word = first.strip().rstrip(".!").lower()
    if word in YES:
        return Reply(True, rest)
    # A no may say why in the same line; a yes stands alone, for "yes, but …" is none.
    if re.split("[,:;]", word)[0].strip() in NO:
        why = (re.split("[,:;]", first, maxsplit=1) + [""])[1].strip()
        return Reply(False, "\n".join(part for part in (why, rest) if part) or None)
    raise Refused(f"it takes yes or no alone in the first line; “{first.strip()[:200]}” is neither")


def _chosen_one(question: Question, text: str) -> Reply:
    whole = _option_of(question, text)
    if whole is not None:
        return Reply(whole)
    first, rest = _first_line(text)
    labels = _selected(question, first)
    if labels is not None and len(labels) == 1:
        return Reply(labels[0], rest)
    words = _own_words(text)
    if not question.allow_other:
        raise Refused(f"“{words[:200]}” is none of the options")
    return Reply({"chosen": [], "other": words})


def _chosen_some(question: Question, text: str) -> Reply:
    whole = _option_of(question, text)
    if whole is not None:
        return Reply([whole])
    found: List[str] = []
    lines = text.split("\n")
    while lines:
        labels = _selected(question, lines[0]) if lines[0].strip() else []
        if labels is None:
            break
        found += labels
        lines.pop(0)
    chosen = [option for option in question.options if option in found]
    words = _own_words("\n".join(lines).strip())
    if not words:
        return Reply(chosen)
    if question.allow_other:
        return Reply({"chosen": chosen, "other": words})
    if not chosen:
        raise Refused(f"“{words[:200]}” is none of the options")
    return Reply(chosen, words)


def _selected(question: Question, line: str) -> Optional[List[str]]:
    """Options that this line is a selection of: numbers or options' texts, and nothing else."""
    whole = _option_of(question, line)
    if whole is not None:
        return [whole]

    def number(piece: str) -> Optional[str]:
        digits = piece.rstrip(".)")
        if not re.fullmatch("[0-9]+", digits) or len(digits) > 9:
            return None
        n = int(digits)
        return question.options[n - 1] if 0 < n <= len(question.options) else None

    def every(pieces: List[str], one: Callable[[str], Optional[str]]) -> Optional[List[str]]:
        labels = [one(piece) for piece in pieces if piece.strip()]
        kept = [label for label in labels if label is not None]
        return list(dict.fromkeys(kept)) if labels and len(kept) == len(labels) else None

    numbers = every(re.split(r"[,;\s]+", line), number)
    return numbers if numbers is not None else every(re.split("[,;]", line), lambda piece: _option_of(question, piece))


def _option_of(question: Question, given: str) -> Optional[str]:
    """The option of exactly this text; else the only one that differs in nothing but case or quotes around it."""
    text = given.strip()
    quoted = any(len(text) > 1 and text.startswith(opens) and text.endswith(closes) for opens, closes in QUOTES)
    bare = text[1:-1] if quoted else text
    for wanted in (text, bare):
        for option in question.options:
            if option.strip() == wanted:
                return option
    alike = [option for option in question.options if option.lower() == bare.lower()]
    return alike[0] if len(alike) == 1 else None


def _own_words(text: str) -> str:
    """What is said after ``Other:``, which makes own words of what would else select; else the text itself."""
    own = OWN.match(text)
    return (text[own.end() :].strip() if own else "") or text


def _first_line(text: str) -> Tuple[str, Optional[str]]:
    first, _, rest = text.partition("\n")
    return first, rest.strip() or None
