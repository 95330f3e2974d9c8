"""The real program over a data folder of its own, a paired agent, and the person at a terminal. Everything ends with the test."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients/python/src"))
PROGRAM = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")) / "debug/countersign"
PATIENCE = 30


def until(what, look):
    """The first value that a look gives."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError(f"not in time: {what}")


class House:
    def __init__(self):
        assert PROGRAM.exists(), f"{PROGRAM} is missing; build it first: cargo build -p countersign"
        self.folder = Path(tempfile.mkdtemp(prefix="countersign-py-")).resolve()
        self.home, self.work, self.proof = (self.folder / name for name in ("home", "work", "passphrase"))
        self.work.mkdir()
        self.proof.write_text("correct horse battery\n")
        self.environment = {**os.environ, "COUNTERSIGN_HOME": str(self.home)}
        self.environment.pop("COUNTERSIGN_TOKEN", None)
        self.runs = 0
        self.serve()
        with self.spawn("pair", "--name", "a program", "--json") as pairing:
            self.inbox("pairings", "accept", json.loads(pairing.stdout.readline())["code"])
            self.token = json.loads(pairing.stdout.readline())["token"]

    def spawn(self, *args):
        return subprocess.Popen(
            [PROGRAM, *args], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )

    def serve(self):
        """Starts it, and waits until it listens."""
        more = [] if self.home.exists() else ["--insecure-test"]
        self.server = self.spawn("serve", "--json", "--port", "0", "--passphrase-file", str(self.proof), *more)
        assert self.server.stdout.readline(), "it did not start"

    def stop(self):
        """Ends it as a system does."""
        self.server.terminate()
        self.server.wait(PATIENCE)
        self.server.stdout.close()

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def inbox(self, *args):
        """A verb of ``countersign inbox``: its objects."""
        ran = subprocess.run(
            [PROGRAM, "inbox", *args, "--json", "--passphrase-file", str(self.proof)], cwd=self.work,
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )
        assert ran.returncode == 0, f"{args}: {ran.stderr}"
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def waiting(self):
        """The one that waits."""

        def one():
            rows = self.inbox("list")
            return len(rows) == 1 and rows[0]["id"]

        return until("one waits", one)

    def quiet(self):
        until("nothing waits", lambda: not self.inbox("list"))

    def ended(self, id):
        """The request once it ended."""

        def look():
            request = self.inbox("show", id)[0]
            return request["state"] != "pending" and request

        return until("it ended", look)

    def run(self):
        self.runs += 1
        folder = self.work / f"run-{self.runs}"
        folder.mkdir()
        return folder

    @property
    def at(self):
        """What the calls are told, so that they find this house."""
        return {"home": self.home, "token": self.token, "workspace": self.work}
