"""A desktop session's bus of a test's own, and whoever shows notifications there: it does what a test tells it.

It speaks the Desktop Notifications Specification; so it may refuse, hang, die, and others may speak in its name.
"""

import os
import subprocess
import tempfile
import threading
from pathlib import Path

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

from house import end, until

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
# No folder of services: nobody is started because somebody is called.
CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Bus:
    """A session bus."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        config = Path(self.folder.name) / "bus.conf"
        config.write_text(CONFIG % self.folder.name)
        command = ["dbus-daemon", f"--config-file={config}", "--print-address", "--nofork"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        end(self.process)
        self.process.stdout.close()
        self.folder.cleanup()

    @property
    def environment(self):
        return {**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address}

    def owned(self, name):
        """Somebody has this name, till the test ends it: a tray, say."""
        connection = open_dbus_connection(bus=self.address)
        connection.send_and_get_reply(message_bus.RequestName(name))
        return connection

    def forge(self, signal, signature, body):
        """Any program of the session says what whoever shows notifications would say."""
        connection = open_dbus_connection(bus=self.address)
        try:
            connection.send(_signal(signal, signature, body))
            connection.send_and_get_reply(message_bus.GetId())  # it went out
        finally:
            connection.close()


class Service:
    """Whoever shows notifications."""

    def __init__(self, bus):
        self.shown, self.told, self.numbers = {}, [], 0
        self.refuses, self.hangs, self.held = False, False, []
        self.lock, self.over = threading.Lock(), False
        self.connection = open_dbus_connection(bus=bus.address)
        self.connection.send_and_get_reply(message_bus.RequestName(NAME))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    # What it was told.

    def only(self, seconds=10.0):
        """The number of the one notification that is shown."""
        return next(iter(until("one notification is shown", lambda: len(self.shown) == 1 and dict(self.shown), seconds)))

    def saying(self, words, seconds=10.0):
        """The number of the one with these words."""

        def look():
            return [number for number, texts in dict(self.shown).items() if any(words in text for text in texts)]

        return until(f"a notification says {words!r}", look, seconds)[0]

    def times(self, method):
        return len([told for told in self.told if told[0] == method])

    # What it does.

    def press(self, number, action="default"):
        """As daemons do: it says that, and puts the notification away."""
        self._send(_signal("ActionInvoked", "us", (number, action)))
        self.put_away(number)

    def put_away(self, number, reason=2):
        self.shown.pop(number, None)
        self._send(_signal("NotificationClosed", "uu", (number, reason)))

    def answer_again(self):
        """It hangs no more: what it was told meanwhile is done."""
        self.hangs = False
        held, self.held = self.held, []
        for message in held:
            self._do(message)

    def die(self):
        if not self.over:
            self.over = True
            self.connection.sock.shutdown(2)
            self.thread.join(5)
            self.connection.close()

    def _serve(self):
        while not self.over:
            try:
                message = self.connection.receive()
            except (OSError, EOFError, ValueError):
                return
            if message.header.message_type == MessageType.method_call:
                self._do(message)

    def _do(self, message):
        member = message.header.fields.get(HeaderFields.member)
        if self.hangs:
            self.held.append(message)
            return
        if member == "Notify" and self.refuses:
            self.told.append(("refused", message.body))
            self._send(new_error(message, f"{NAME}.Error.ExcessNotificationGeneration", "s", ("too many",)))
        elif member == "Notify":
            self.numbers += 1
            # program, replaces, icon, title, text, actions, hints, timeout
            self.told.append((member, message.body))
            self.shown[self.numbers] = (message.body[3], message.body[4])
            self._send(new_method_return(message, "u", (self.numbers,)))
        elif member == "CloseNotification":
            self.told.append((member, message.body))
            self._send(new_method_return(message))
            if self.shown.get(message.body[0]):
                self.put_away(message.body[0], reason=3)
        elif member == "GetServerInformation":
            self._send(new_method_return(message, "ssss", ("tests", "tests", "1", "1.2")))
        elif member == "GetCapabilities":
            self._send(new_method_return(message, "as", (["actions", "body"],)))

    def _send(self, message):
        with self.lock:
            self.connection.send(message)


def _signal(name, signature, body):
    return new_signal(DBusAddress(PATH, interface=NAME), name, signature, body)
