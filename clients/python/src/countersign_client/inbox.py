"""The inbox as one of the three: a thread that asks there, comes back when the app does, and withdraws when told to."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from . import find
from .port import Port, PortError

SLICE = 20
"""Seconds of one wait: below every limit, and so that at most three calls a minute are made."""
GRACE = 10.0
ASKED = 5.0
AWAY = 0.5
REFUSED = 5.0
WITHDRAWAL = 60.0


@dataclass(frozen=True)
class Place:
    home: Path
    workspace: str
    token: Optional[str]
    session: str


@dataclass(frozen=True)
class Standing:
    """How it stands: ``asking``, ``away`` (with the request that the app knows), ``waiting``, ``out`` (refused for good), ``ended``."""

    state: str
    id: Optional[str] = None
    said: Optional[Dict[str, Any]] = None


class Inbox:
    def __init__(self, place: Place, body: Dict[str, Any], changed: Callable[[], None]):
        self._place, self._body, self._changed = place, body, changed
        self._id: Optional[str] = None
        self._over = threading.Event()
        self.standing = Standing("asking")
        self._thread = threading.Thread(target=self._run, name="countersign-inbox", daemon=True)
        self._thread.start()
        threading.Thread(target=self._stay_present, name="countersign-presence", daemon=True).start()

    def leave(self) -> None:
        """Stops asking. The app finds the answer's file by itself."""
        self._over.set()

    def withdraw(self, body: Optional[Dict[str, Any]] = None, last_word: float = 0.0) -> Optional[Dict[str, Any]]:
        """Takes the question back; with answers, says what was answered. How it ended there, if the app says so in time."""
        self._over.set()
        said: list = []
        done = threading.Event()

        def work() -> None:
            said.append(self._withdraw(body or {}))
            done.set()

        # Not a daemon: a question that is answered must not stand there because the program ended in this moment.
        threading.Thread(target=work, name="countersign-withdrawal", daemon=self.standing.state != "waiting").start()
        done.wait(last_word)
        return said[0] if said else None

    def _withdraw(self, body: Dict[str, Any]) -> Optional[Dict[str, Any]]:
        # What is being asked in this moment must be known to be taken back.
        until = time.monotonic() + ASKED
        while self._id is None and self._thread.is_alive() and time.monotonic() < until:
            self._thread.join(0.02)
        if self.standing.state == "ended":
            return self.standing.said
        until = time.monotonic() + WITHDRAWAL
        while self._id is not None and time.monotonic() < until:
            port = self._port()
            if port is not None:
                try:
                    return port.post(f"/v1/requests/{self._id}/cancel", body, GRACE)
                except PortError as error:
                    if error.status is not None and error.status < 500:
                        return None
            time.sleep(AWAY)
        return None

    def _set(self, state: str, said: Optional[Dict[str, Any]] = None) -> None:
        before, self.standing = self.standing, Standing(state, self._id, said)
        if before != self.standing:
            self._changed()

    def _port(self) -> Optional[Port]:
        url = find.url(self._place.home)
        token = self._place.token or find.token(self._place.home, self._place.workspace)
        return Port(url, token, self._place.session, self._place.workspace) if url and token else None

    def _run(self) -> None:
        while not self._over.is_set():
            rest = AWAY
            try:
                port = self._port()
                if port is not None and self._round(port):
                    return
            except PortError as error:
                if error.status is not None:
                    # A token that is replaced, too much at once, a full disk, an app that ends: later.
                    if error.status < 500 and error.status not in (401, 404, 408, 429):
                        return self._set("out")
                    rest = REFUSED
            if self._over.is_set():
                return
            self._set("away")
            self._over.wait(rest)

    def _round(self, port: Port) -> bool:
        """Asks once, and waits as long as the app is there; true when it ended."""
        said = port.post("/v1/requests", self._body, ASKED)
        while said.get("state") == "pending":
            self._id = said["request"]["id"]
            self._set("waiting")
            if self._over.is_set():
                return False
            said = port.get(f"/v1/requests/{self._id}?wait={SLICE}", SLICE + GRACE)
        self._set("ended", said)
        return True

    def _stay_present(self) -> None:
        """Holds a line open while something is asked, by which the app knows that this run is there."""
        while self._thread.is_alive() and not self._over.is_set():
            port = self._port()
            try:
                connection = port.open("/v1/session") if port is not None else None
            except OSError:
                connection = None
            while connection is not None and self._thread.is_alive() and not self._over.wait(0.1):
                if self.standing.state == "away":
                    break
            if connection is not None:
                connection.close()
            self._over.wait(AWAY)
