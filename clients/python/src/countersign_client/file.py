"""The answer file as one of the three, while the app is away; while it is there the app watches the file.

What is obeyed is a regular file of this user's that is no link, is not older than the question, and was left alone for a moment.
"""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

from .inbox import Standing
from .reply import Blank, Question, Refused, Reply, read

LEGACY = "approval-response.txt"
NOTE = "approval-response.note.txt"
MARK = '"countersign": 1'
LIMIT = 1 << 20
QUIET = 0.25
LAG = 0.01
"""File systems take their time from the last tick."""

Sight = Tuple[int, int, int, int]

_turns: Dict[str, Tuple[threading.Lock, int]] = {}
_guard = threading.Lock()


def document_of(row: Dict[str, Any]) -> str:
    """What waits, for programs that show it or answer it."""
    rows = json.dumps([{**row, "answer_files": [LEGACY]}], ensure_ascii=False, indent=2)
    return f'{{{MARK},\n"requests": {rows}\n}}\n'


class Turn:
    """In each folder one question at a time has the nameless file."""

    def __init__(self, folder: Path):
        self._folder = str(folder)
        self._mine = False
        self._waited = False
        with _guard:
            lock, users = _turns.get(self._folder, (threading.Lock(), 0))
            _turns[self._folder] = (lock, users + 1)
        self._lock = lock

    def take(self) -> Tuple[bool, bool]:
        """Whether it is this question's turn, and whether it had to wait for it, once."""
        if self._mine:
            return True, False
        self._mine = self._lock.acquire(blocking=False)
        waited, self._waited = self._waited, not self._mine
        return self._mine, self._mine and waited

    def give(self) -> None:
        if self._mine:
            self._mine = False
            self._lock.release()

    def end(self) -> None:
        self.give()
        with _guard:
            lock, users = _turns[self._folder]
            if users == 1:
                del _turns[self._folder]
            else:
                _turns[self._folder] = (lock, users - 1)


class Watching:
    def __init__(self, folder: Path, question: Question, document: str, asked: float):
        self._folder, self._question, self._document, self._asked = folder, question, document, asked
        self._seen: Optional[Sight] = None
        self._seen_at = 0.0
        self._refused: Optional[Sight] = None
        self._told = False
        self._standing: Optional[Standing] = None
        self._turn = Turn(folder)

    def look(self, standing: Standing) -> Optional[Reply]:
        """Looks once."""
        # The app may have been there between two looks, and have written its own document.
        stale = standing is not self._standing
        self._standing = standing
        if standing.state not in ("away", "out"):
            self.leave()
            self._turn.give()
            return None
        mine, waited = self._turn.take()
        # A folder that became a link, or lies behind one, is none.
        if not mine or not _is_plain(self._folder):
            return None
        if waited:
            # What was written while another question had the file was for that one.
            self._asked = time.time()
        found = self._judge(standing.id)
        if found is None and (not self._told or stale):
            self._told = self._tell()
        return found

    def end(self) -> None:
        self.leave()
        self._turn.end()

    def _path(self, name: str) -> str:
        return str(self._folder / name)

    def _judge(self, id: Optional[str]) -> Optional[Reply]:
        seen = _stat(self._path(LEGACY))
        if seen is None:
            if self._refused is not None:
                self._refused = None
                _remove(self._path(NOTE))
            return None
        now = _sight(seen)
        if now != self._seen:
            self._seen, self._seen_at = now, time.monotonic()
        if now == self._refused:
            return None
        unfit = _unfitness(seen)
        if unfit:
            return self._refuse(now, unfit, False)
        if seen.st_mtime < self._asked - LAG:
            why = "The file is older than the question. / El archivo es anterior a la pregunta."
            return self._refuse(now, why, True)
        if time.monotonic() - self._seen_at < QUIET:
            return None
        raw = _content(self._path(LEGACY), now)
        if raw is None:
            return None
        try:
            reply = read(self._question, raw.decode("utf-8"))
        except UnicodeDecodeError:
            return self._refuse(now, "It is no text in UTF-8. / No es texto en UTF-8.", False)
        except Blank:
            return None
        except Refused as error:
            return self._refuse(now, f"{error}. Change the file. / Cambia el archivo.", False)
        self._take(now, id)
        return reply

    def _refuse(self, now: Sight, why: str, aside: bool) -> None:
        moved = ""
        for n in range(1, 1_000) if aside else ():
            name = f"approval-response.set-aside-{n}.txt"
            if _move_to_new(self._path(LEGACY), self._path(name)):
                moved = f"It was moved to {name}. / Se movió a {name}.\n"
                break
        head = "Countersign: this answer was not used; the question is still open. / esta respuesta no se usó; la pregunta sigue abierta."
        _write_whole(self._path(NOTE), f"{head}\n{why}\n{moved}")
        self._refused = None if moved else now

    def _take(self, now: Sight, id: Optional[str]) -> None:
        """An answer that the app does not know yet is left for it under the request's id; else the file has done its work."""
        path, left = self._path(LEGACY), False
        if id is not None:
            try:
                os.makedirs(self._path("answers"), mode=0o700, exist_ok=True)
                left = _is_plain(self._folder / "answers") and _move_to_new(path, self._path(f"answers/{id}.txt"))
            except OSError:
                pass
        seen = _stat(path)
        if not left and seen is not None and _sight(seen) == now:
            _remove(path)
        _remove(self._path(NOTE))

    def _tell(self) -> bool:
        path = self._path("pending.json")
        seen = _stat(path)
        # Somebody else's file of that name is left alone.
        if seen is not None and not (stat.S_ISREG(seen.st_mode) and MARK in _text(path)[:64]):
            return True
        return _write_whole(path, self._document)

    def leave(self) -> None:
        """Takes the document of this question away, if it is still the one that stands there."""
        if self._told:
            self._told = False
            path = self._path("pending.json")
            seen = _stat(path)
            if seen is not None and stat.S_ISREG(seen.st_mode) and _text(path) == self._document:
                _remove(path)


def _stat(path: str) -> Optional[os.stat_result]:
    try:
        return os.lstat(path)
    except OSError:
        return None


def _sight(seen: os.stat_result) -> Sight:
    return seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns


def _is_plain(folder: Path) -> bool:
    return os.path.realpath(folder) == str(folder) and os.path.isdir(folder)


def _unfitness(seen: os.stat_result) -> Optional[str]:
    if stat.S_ISLNK(seen.st_mode) or (stat.S_ISREG(seen.st_mode) and seen.st_nlink > 1):
        return "It is a link. / Es un enlace."
    if not stat.S_ISREG(seen.st_mode):
        return "It is no plain file. / No es un archivo normal."
    if hasattr(os, "getuid") and seen.st_uid != os.getuid():
        return "It belongs to another user. / Pertenece a otro usuario."
    if seen.st_size > LIMIT:
        return "It is larger than 1 MiB. / Ocupa más de 1 MiB."
    return None


def _content(path: str, now: Sight) -> Optional[bytes]:
    """What is in it; nothing when it changed while it was read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            if _sight(os.fstat(file.fileno())) != now:
                return None
            raw = file.read(LIMIT + 1)
            return raw if _sight(os.fstat(file.fileno())) == now else None
    except OSError:
        return None


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _move_to_new(source: str, target: str) -> bool:
    """Moves a file where there is none yet: a second name, then the first one goes."""
    try:
        os.link(source, target, follow_symlinks=False)
        os.unlink(source)
        return True
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):
        if _stat(target) is not None:
            return False
        try:
            os.rename(source, target)
            return True
        except OSError:
            return False


def _write_whole(path: str, text: str) -> bool:
    beside = f"{path}.new-{os.getpid()}-{threading.get_ident()}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(beside, flags, 0o600), "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(beside, path)
        return True
    except OSError:
        _remove(beside)
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
