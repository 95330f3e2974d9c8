"""The four calls, and the race of inbox, port and file."""

from __future__ import annotations

import hashlib
import os
import threading
import time
import unicodedata
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import find
from .file import Watching, document_of
from .inbox import Inbox, Place
from .reply import Blank, Question, Refused, Reply, read, tidy
from .types import Abandoned, AskError, Chosen, Decided, InteractionPort, Intervened, Prompt

Folder = Union[str, "os.PathLike[str]"]

LOOK = 0.1
"""How often, in seconds, the answer file is looked at."""
LAST_WORD = 2.0
"""How long the app gets to say how a question ended that was answered in the program itself."""

_SESSION = str(uuid.uuid4())
_IDS = {"choice": "answer", "text": "answer", "decision": "approval", "manual": "done"}
_process_port: Optional[InteractionPort] = None


def set_interaction_port(port: Optional[InteractionPort]) -> None:
    """Gives this process a port of its own, or takes it away. One a process, as in the original."""
    global _process_port
    _process_port = port


def ask_for_choice(
    run_dir: Folder, prompt: Prompt, options: Sequence[str], multiple: bool = False, **more: Any
) -> Chosen:
    """Asks for one of ``options``, or (``multiple``) some; the person may answer in their own words.

    All four calls take ``cancel`` (a ``threading.Event`` that gives the call up, which then raises ``Abandoned``), ``port`` (instead of
    the process's), and ``home``, ``token`` and ``workspace``, which are found by themselves when left out.
    """
    won = _Race("choice", run_dir, prompt, list(options), multiple, **more).run()
    return Chosen(won.get("chosen", []), won.get("other"), won.get("comment"), won["by"])


def ask_for_text(run_dir: Folder, prompt: Prompt, **more: Any) -> str:
    """Asks for a text; case is kept, blanks around it are not. Empty: the person chose not to answer."""
    text: str = _Race("text", run_dir, prompt, [], False, **more).run().get("text", "")
    return text.strip()


def ask_for_decision(run_dir: Folder, prompt: Prompt, **more: Any) -> Decided:
    """Asks for a yes or a no. Only a plain yes is one."""
    won = _Race("decision", run_dir, prompt, [], False, **more).run()
    return Decided(won.get("approved") is True, won.get("comment"), won["by"])


def ask_for_manual_intervention(run_dir: Folder, prompt: Prompt, **more: Any) -> Intervened:
    """Asks for something to be done by hand."""
    won = _Race("manual", run_dir, prompt, [], False, **more).run()
    return Intervened(won.get("done") is True, won.get("comment"), won["by"])


class _Race:
    def __init__(
        self,
        kind: str,
        run_dir: Folder,
        prompt: Prompt,
        options: List[str],
        multiple: bool,
        *,
        cancel: Optional[threading.Event] = None,
        port: Optional[InteractionPort] = None,
        home: Optional[Folder] = None,
        token: Optional[str] = None,
        workspace: Optional[Folder] = None,
    ):
        self.asked = time.time()
        _check(kind, prompt, options)
        self.kind, self.prompt, self.options, self.multiple = kind, prompt, options, multiple
        self.folder = _run_folder(run_dir)
        self.cancel = cancel or threading.Event()
        self.port = port or _process_port
        type_ = {"choice": "multiChoice" if multiple else "choice", "text": "text"}.get(kind, "confirm")
        self.question = Question(type_, options, allow_other=kind == "choice")
        # A run is a session: the same question in two runs is two questions.
        session = f"{_SESSION}-{hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]}"
        where = find.workspace(Path(workspace) if workspace is not None else Path.cwd())
        self.place = Place(Path(home) if home is not None else find.home(), where, token, session)
        self.stirred = threading.Event()
        self.raw: List[str] = []

    def run(self) -> Dict[str, Any]:
        shown: Dict[str, Any] = {
            "kind": self.kind,
            "title": self.prompt.title,
            "lines": list(self.prompt.lines),
            "question": self.prompt.question,
            "markdown": self.prompt.markdown,
        }
        if self.kind == "choice":
            shown.update(options=self.options, multiple=self.multiple)
        withdrawn = threading.Event()
        name = "ask_for_manual_intervention" if self.kind == "manual" else f"ask_for_{self.kind}"
        watching = Watching(self.folder, self.question, document_of({**shown, "kind": name}), self.asked)
        inbox = Inbox(self.place, {**shown, "run_folder": str(self.folder), "hold_seconds": 0}, self.stirred.set)
        if self.port is not None:
            threading.Thread(target=self._ask_port, args=(withdrawn,), name="countersign-port", daemon=True).start()
        over = False
        try:
            won = self._first(inbox, watching)
            over = True
            return won
        finally:
            withdrawn.set()
            watching.end()
            if not over:
                # Given up, or interrupted: nobody waits any more, so nobody is asked any more.
                inbox.withdraw()

    def _first(self, inbox: Inbox, watching: Watching) -> Dict[str, Any]:
        while True:
            self.stirred.clear()
            standing = inbox.standing
            won = _of_app(standing.said) if standing.said is not None else None
            if won is not None:
                self._notify("Answered in Countersign.")
                return won
            if self.raw:
                return self._settle(inbox, self.raw[0])
            if self.cancel.is_set():
                raise Abandoned("the question was given up")
            reply = watching.look(standing)
            if reply is not None:
                self._notify("Answered by the answer file.")
                if standing.state == "away" and standing.id is not None:
                    inbox.leave()
                else:
                    inbox.withdraw()
                return _of_value(self.kind, reply, "file")
            self.stirred.wait(LOOK)

    def _notify(self, message: str) -> None:
        if self.port is not None:
            self.port.notify(message)

    def _ask_port(self, withdrawn: threading.Event) -> None:
        port, prompt = self.port, self.prompt
        assert port is not None
        try:
            choice, text = getattr(port, "ask_choice", None), getattr(port, "ask_text", None)
            if self.kind == "manual":
                raw = port.ask_manual_intervention(prompt, withdrawn)
            elif self.kind == "choice" and choice is not None:
                raw = choice(prompt, self.options, self.multiple, withdrawn)
            elif self.kind == "text" and text is not None:
                raw = text(prompt, withdrawn)
            else:
                raw = port.ask_decision(self._with_numbers() if self.kind == "choice" else prompt, withdrawn)
        except Exception:  # It can't ask: the others can.
            return
        if isinstance(raw, str):
            self.raw.append(raw)
            self.stirred.set()

    def _with_numbers(self) -> Prompt:
        """A choice for a port that has no way of its own: the options as numbered lines."""
        numbered = [f"{n}. {option}" for n, option in enumerate(self.options, 1)]
        asked = [self.prompt.question] if self.prompt.question else []
        question = "Numbers separated by commas, or your own answer: " if self.multiple else "Number, or your own answer: "
        return Prompt(self.prompt.title, [*self.prompt.lines, *asked, *numbered], question, self.prompt.markdown)

    def _settle(self, inbox: Inbox, raw: str) -> Dict[str, Any]:
        """The port was first, as far as this program knows; the app has the last word on what it was asked."""
        reply = self._heard(raw)
        there = inbox.standing.state in ("waiting", "ended")
        if reply is None:
            won: Dict[str, Any] = {"by": "port"}
            body = None
        else:
            won = _of_value(self.kind, reply, "port")
            body = {"answers": {_IDS[self.kind]: reply.value}, "comment": reply.comment}
        said = inbox.withdraw(body, LAST_WORD if there else 0.0)
        return (_of_app(said) if said is not None else None) or won

    def _heard(self, raw: str) -> Optional[Reply]:
        """What a port gave back. It can't be told to ask again: what is neither yes nor no is a no, with the words beside it."""
        try:
            return read(self.question, raw)
        except Blank:
            return Reply(True) if self.kind == "manual" else None
        except Refused:
            return Reply(False, tidy(raw))


def _check(kind: str, prompt: Prompt, options: Sequence[str]) -> None:
    title = prompt.title.strip()
    if not 0 < len(title) <= 200 or any(unicodedata.category(c) == "Cc" for c in title):
        raise AskError("a title has 1 to 200 characters and no control characters")
    if kind == "choice" and not 0 < len(options) <= 50:
        raise AskError(f"a choice has 1 to 50 options, not {len(options)}")
    if len(set(options)) != len(options):
        raise AskError("options must differ")


def _run_folder(run_dir: Folder) -> Path:
    try:
        folder = Path(run_dir).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise AskError(f"the run folder {os.fspath(run_dir)} can't be used: {error}") from error
    if not folder.is_dir():
        raise AskError(f"the run folder {os.fspath(run_dir)} can't be used: it is no folder")
    return folder


def _of_value(kind: str, reply: Reply, by: str) -> Dict[str, Any]:
    won: Dict[str, Any] = {"by": by, "comment": reply.comment}
    value = reply.value
    if kind == "text":
        won["text"] = value
    elif kind in ("decision", "manual"):
        won["approved" if kind == "decision" else "done"] = value is True
    elif isinstance(value, dict):
        won.update(value)
    else:
        won["chosen"] = [value] if isinstance(value, str) else value
    return won


def _of_app(said: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """What the app says of a request that ended; none where it was taken back or replaced."""
    by = {"file": "file", "program": "port"}.get(str(said.get("channel")), "inbox")
    won: Dict[str, Any] = {"by": by, "comment": said.get("comment")}
    if said.get("state") == "answered":
        fields: Tuple[str, ...] = ("chosen", "other", "text", "approved", "done")
        won.update({field: said[field] for field in fields if field in said})
        return won
    return won if said.get("state") in ("declined", "expired") else None
