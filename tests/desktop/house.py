"""The pieces of a test: a `Home` (a data folder and its processes), an `Agent`'s `Program`, and a real `Window`.

Nothing here waits for a fixed time: `until` looks until something is so, and fails by name when it isn't in time.
Every process started is kept and ended by its own id.
"""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    NoSuchWindowException,
    StaleElementReferenceException,
)
from selenium.webdriver import Remote
from selenium.webdriver.common.by import By
from selenium.webdriver.common.options import ArgOptions

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
CLI, APP = TARGET / "countersign", TARGET / "countersign-desktop"
DRIVER = Path(os.environ.get("WEBKIT_DRIVER", "/usr/bin/WebKitWebDriver"))
PASSPHRASE = "a passphrase for tests only"
ERAS = ["current", "legacy"]


# The page is being drawn anew, or scrolled.
NOT_YET = (NoSuchElementException, StaleElementReferenceException, ElementNotInteractableException, ElementClickInterceptedException)


def until(what, check, seconds=10.0):
    """The first true value of `check()`."""
    end = time.monotonic() + seconds
    while True:
        try:
            value = check()
        except NOT_YET:
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def end(process, seconds=10):
    """Ends a process that we started."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def children(pid):
    """The processes that a process started, and theirs."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue  # it ended meanwhile
        if int(fields[1]) == pid:
            found += [int(stat.parent.name), *children(int(stat.parent.name))]
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Lines:
    """A process whose stdout is JSON lines; its stderr is kept."""

    def __init__(self, command, environment, stdin=subprocess.DEVNULL, cwd=None):
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(
            self.command, env=environment, cwd=cwd, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", bufsize=1,
        )
        self.lines, self.errors, self.new = [], [], threading.Condition()
        self.readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.errors), daemon=True),
        ]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, kept):
        for line in stream:
            place, said = kept, line
            if kept is self.lines:
                try:
                    said = json.loads(line)
                except ValueError:
                    place, said = self.errors, f"(on stdout, and no JSON) {line}"
            with self.new:
                place.append(said)
                self.new.notify_all()
        with self.new:
            self.new.notify_all()

    def line(self, what, wanted=lambda line: True, seconds=20.0):
        """The first line like that."""

        def look():
            return next((line for line in self.lines if wanted(line)), None)

        end_at = time.monotonic() + seconds
        with self.new:
            while (found := look()) is None:
                left = end_at - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and not any(r.is_alive() for r in self.readers)):
                    raise AssertionError(f"{what}: not in {self.lines} of {self.command}\n{''.join(self.errors)}")
                self.new.wait(min(left, 0.2))
        return found

    def ended(self, seconds=20.0):
        """Its exit code, all lines read."""
        code = self.process.wait(seconds)
        for reader in self.readers:
            reader.join(seconds)
        return code

    def end(self):
        end(self.process)


class Home:
    """A data folder, marked for tests by a first start of `serve --insecure-test`."""

    def __init__(self, folder):
        self.path, self.work = folder / "home", folder / "work"
        self.passphrase = folder / "passphrase"
        self.passphrase.write_text(PASSPHRASE + "\n")
        self.passphrase.chmod(0o600)
        self.work.mkdir()
        self.config = folder / "config"
        self.running = []
        self.session = {}  # of the desktop session, where it isn't the one that the tests run in

    @property
    def environment(self):
        own = {"COUNTERSIGN_HOME": str(self.path), "XDG_CONFIG_HOME": str(self.config), "LANG": "C.UTF-8", "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
        return {**os.environ, **own, **self.session}

    @property
    def url(self):
        """Where agents find it: kept from start to start."""
        return json.loads((self.path / "endpoint.json").read_text())["url"]

    def start(self, *arguments, **more):
        """Starts the command line; ended with the test."""
        process = Lines([CLI, *arguments], self.environment, cwd=self.work, **more)
        self.running.append(process)
        return process

    def run(self, *arguments, code=0):
        """Runs a verb to its end; gives its JSON lines."""
        process = self.start(*arguments, "--json")
        assert process.ended() == code, f"{process.command}: {process.lines}\n{''.join(process.errors)}"
        return process.lines

    @contextmanager
    def serve(self):
        """The engine without a window."""
        process = self.start(
            "serve", "--insecure-test", "--passphrase-file", self.passphrase, "--home", self.path, "--port", "0", "--json"
        )
        try:
            process.line("serve listens", lambda line: "listening" in line)
            yield self
        finally:
            process.end()

    def pair(self, name, let_in, client=None):
        """Pairs an agent; `let_in(code)` is the person's part."""
        kind = ["--client", client] if client else []
        process = self.start("pair", "--name", name, *kind, "--workspace", self.work, "--json")
        let_in(process.line("a code", lambda line: "code" in line)["code"])
        paired = process.line("a token", lambda line: "token" in line)
        assert process.ended() == 0
        return Agent(self, name, paired["token"])

    def accept(self, code):
        """Lets a program in under `serve`."""
        self.run("inbox", "pairings", "accept", code, "--passphrase-file", self.passphrase)

    def agents(self, *names):
        """Agents paired before the window is there."""
        with self.serve():
            return [self.pair(name, self.accept) for name in names]

    def end(self):
        for process in reversed(self.running):
            process.end()


class Agent:
    """A paired program."""

    def __init__(self, home, name, token):
        self.home, self.name, self.token = home, name, token

    def start(self, era="current", route="http"):
        """A run of its program: `era` of MCP's SDK, over `http` or through the `bridge`."""
        return Program(self, era, route)


class Program(Lines):
    """A run of an agent's program, with the official SDK."""

    def __init__(self, agent, era, route):
        home = agent.home
        where = ["--bridge", CLI, "mcp"] if route == "bridge" else ["--url", home.url + "/mcp"]
        environment = {**home.environment, "COUNTERSIGN_TOKEN": agent.token}
        command = [ROOT / f".venvs/{era}/bin/python", Path(__file__).with_name(f"client_{era}.py"), *where]
        super().__init__(command, environment, stdin=subprocess.PIPE, cwd=home.work)
        home.running.append(self)
        self.calls = 0
        self.protocol = self.line("the program is connected", lambda line: "ready" in line)["ready"]

    def call(self, tool, arguments=None, timeout=None):
        """Calls a tool and goes on; the result is `.result()`."""
        self.calls += 1
        command = {"id": self.calls, "tool": tool, "arguments": arguments or {}, "timeout": timeout}
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return Call(self, self.calls)

    def ask(self, question, options, **more):
        return self.call("ask_human", {"question": question, "options": options, **more})

    def wait_for(self, request):
        return self.call("wait_for_answer", {"request_id": request})

    def kill(self):
        self.process.kill()
        self.process.wait()


class Call:
    """A tool call under way."""

    def __init__(self, program, number):
        self.program, self.number = program, number

    def line(self, seconds=20.0):
        return self.program.line(f"the end of call {self.number}", lambda line: line.get("id") == self.number, seconds)

    def result(self, seconds=20.0):
        line = self.line(seconds)
        assert "error" not in line, line
        return line

    def text(self, seconds=20.0):
        line = self.result(seconds)
        assert not line["is_error"], line
        return line["text"]

    @property
    def open(self):
        return not any(line.get("id") == self.number for line in self.program.lines)


class _App(ArgOptions):
    """The app as WebKitWebDriver starts it. No `browserName`: the driver would look for a browser of that name."""

    def __init__(self, binary, arguments=()):
        super().__init__()
        self.started = {"binary": str(binary), "args": list(arguments)}

    @property
    def default_capabilities(self):
        return {}

    def to_capabilities(self):
        return {"webkitgtk:browserOptions": self.started}


class Window:
    """The real window, driven through WebKitGTK's own WebDriver."""

    def __init__(self, home, binary=APP, arguments=()):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**home.environment, "TAURI_WEBVIEW_AUTOMATION": "true", "NO_AT_BRIDGE": "1"}
        self.home, self.pid, self.page = home, None, None
        self.driver = subprocess.Popen([str(DRIVER), f"--port={port}", "--host=127.0.0.1"], env=environment)
        try:
            until("the driver listens", lambda: _listens(port))
            self.page = Remote(command_executor=f"http://127.0.0.1:{port}", options=_App(binary, arguments))
            self.pid = next(pid for pid in children(self.driver.pid) if os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(binary))
            self.page.set_script_timeout(10)
        except BaseException:
            self.close()
            raise

    def ready(self):
        """Waits till the page has its snapshot."""
        until("the page is drawn", lambda: self.text("status"), seconds=30)
        return self

    # What is seen.

    def finds(self, hook, value=None):
        quoted = "" if value is None else "[data-value=%s]" % json.dumps(value, ensure_ascii=False)
        return self.page.find_elements(By.CSS_SELECTOR, f'[data-testid="{hook}"]{quoted}')

    def find(self, hook, value=None):
        found = self.finds(hook, value)
        if not found:
            raise NoSuchElementException(f"{hook} {value or ''}")
        return found[0]

    def rows(self):
        """The open list: text by request id, in order."""
        # textContent, for a row out of sight has no innerText.
        script = "return [...document.querySelectorAll('[data-testid=row]')].map(row => [row.dataset.id, row.textContent])"
        return dict(self.page.execute_script(script))

    def row(self, words, seconds=10.0):
        """The id of the one row with these words."""

        def look():
            found = [request for request, text in self.rows().items() if words in text]
            assert len(found) < 2, f"{words!r} is there twice: {self.rows()}"
            return found and found[0]

        return until(f"a row says {words!r}", look, seconds)

    def title(self):
        return self.text("detail-title")

    def text(self, hook):
        # Not the driver's own `text`, which leaves out what it wrongly takes for clipped.
        return self.page.execute_script("return arguments[0].innerText", self.find(hook)).strip()

    def opened(self):
        """The id of the request in the detail pane."""
        found = self.finds("detail")
        return found[0].get_attribute("data-id") if found else None

    def settled(self, seconds=10.0):
        """The state of the request in the detail pane once it isn't pending, and the words for it."""
        panel = until("it is settled", lambda: self.find("settled"), seconds)
        return panel.get_attribute("data-state"), self.text("settled")

    # What the person does.

    def go(self, screen):
        self.page.execute_script("location.hash = arguments[0]", f"#{screen}")

    def open(self, words):
        """Opens the request whose row has these words; gives its id."""
        request = self.row(words)
        until("its row can be clicked", lambda: self._click(self._row(request)))
        until("it is shown", lambda: self.opened() == request)
        return request

    def pick(self, *labels):
        for label in labels:
            # The input itself is drawn by its label.
            script = "return arguments[0].closest('label') ?? arguments[0]"
            until(f"the option {label!r} can be clicked", lambda: self._click(self.page.execute_script(script, self.find("option", label))))

    def own(self, words):
        self.type("other-input", words)

    def type(self, hook, words):
        """Types as a keyboard does; WebKitGTK's driver drops what lies beyond U+FFFF."""
        until(f"{hook} can be typed into", lambda: self._click(self.find(hook)))
        self.find(hook).send_keys(words)

    def press(self, hook):
        until(f"{hook} can be pressed", lambda: self.find(hook).is_enabled() and self._click(self.find(hook)))

    def press_value(self, hook, value):
        until(f"{hook} {value} can be pressed", lambda: self.find(hook, value).is_enabled() and self._click(self.find(hook, value)))

    def answer(self, words, *labels, own=None):
        """Answers the request whose row has these words, and sees it go."""
        request = self.open(words)
        self.pick(*labels)
        if own is not None:
            self.own(own)
        self.press("send")
        until("its row is gone", lambda: request not in self.rows())
        return request

    def let_in(self, code, without=()):
        """Types the six digits that a program shows, after these scopes were unchecked."""
        self.go("agents")
        for scope in without:
            self.press_value("scope", scope)
        self.type("arrival-code", code)
        self.press("arrival-accept")
        until("it is in", lambda: not self.finds("arrival"))
        self.go("inbox")

    def _row(self, request):
        return self.page.find_element(By.CSS_SELECTOR, f'[data-testid="row"][data-id="{request}"]')

    def _click(self, element):
        # Rows out of sight aren't laid out till they are scrolled to, and the driver doesn't wait for that.
        self.page.execute_script("arguments[0].scrollIntoView({ block: 'nearest' })", element)
        element.click()
        return True

    # Its dialog.

    @contextmanager
    def dialog(self):
        """The dialog window, once it is there; afterwards the main window again."""
        main = self.page.current_window_handle
        other = until("the dialog opens", lambda: [handle for handle in self.page.window_handles if handle != main])
        self.page.switch_to.window(other[0])
        try:
            until("the dialog is drawn", lambda: self.finds("dialog"))
            yield Dialog(self, main)
        finally:
            self.page.switch_to.window(main)

    # Its process.

    def screenshot(self, path):
        # Of the whole screen: the driver waits for ever for a window that is minimised to draw itself.
        subprocess.run(["import", "-window", "root", str(path)], check=True, timeout=10)

    def kill(self):
        """As a power cut would."""
        pids = [self.pid, *children(self.pid)]
        os.kill(self.pid, signal.SIGKILL)
        until("the app is gone", lambda: not alive(self.pid))
        self._end_driver(pids)

    def close(self):
        pids = [self.pid, *children(self.pid)] if self.pid else []
        if self.page is not None and self.pid and alive(self.pid):
            try:
                self.page.quit()  # the driver ends the app with its session
            except Exception:
                pass  # it hangs or is gone already; its processes end below
        self._end_driver(pids)

    def _end_driver(self, pids):
        end(self.driver)
        for pid in filter(alive, pids):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for pid in pids:
            until(f"process {pid} has ended", lambda: not alive(pid))
        self.page, self.pid = None, None


class Dialog:
    """The dialog window, while the driver looks at it."""

    def __init__(self, window, main):
        self.window, self.main = window, main
        self.find, self.finds, self.text, self.type = window.find, window.finds, window.text, window.type

    def run(self, script, *arguments):
        return self.window.page.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        return self.window.page.execute_async_script(script, *arguments)

    def awake(self):
        """Its second is over."""
        until("its buttons work", lambda: self.find("dialog").get_attribute("data-awake") == "true")

    def press(self, hook):
        try:
            self.find(hook).click()
        except NoSuchWindowException:
            pass  # it closed under the click, as it should

    def key(self, hook, keys):
        try:
            self.find(hook).send_keys(keys)
        except NoSuchWindowException:
            pass  # it closed under the key, as it should

    def settle(self, hook, done=None, press=None):
        """Presses it, again when the dialog was disturbed in between, until that has taken effect."""
        press = press or (lambda: self.press(hook))
        done = done or (lambda: self.window.page.window_handles == [self.main])

        def attempt():
            try:
                if not done() and self.find("dialog").get_attribute("data-awake") == "true":
                    self.run("const text = document.querySelector('.dlg .in'); text.scrollTop = text.scrollHeight")  # nobody says yes unread
                    press()
            except NoSuchWindowException:
                pass
            return done()

        until(f"{hook} has taken effect", attempt, seconds=30)

    def closed(self):
        until("the dialog is gone", lambda: self.window.page.window_handles == [self.main])


def _listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def digits(text):
    """The six digits in what a terminal says."""
    found = re.search(r"\b(\d{3})\s?(\d{3})\b", text)
    return found and found[1] + found[2]
