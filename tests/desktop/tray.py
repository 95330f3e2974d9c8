"""The tray's menu, read and pressed over the session bus as a panel does (com.canonical.dbusmenu)."""

import xml.etree.ElementTree as xml

from jeepney import DBusAddress, MessageType, message_bus, new_method_call
from jeepney.io.blocking import open_dbus_connection

from house import until

MENU = "com.canonical.dbusmenu"


class Tray:
    """The one tray icon on a bus."""

    def __init__(self, bus):
        self.connection = open_dbus_connection(bus=bus.address)
        self.owner, self.path = until("the tray's menu is there", self._find, 20.0)

    def close(self):
        self.connection.close()

    def _call(self, owner, path, interface, method, signature=None, body=()):
        said = self.connection.send_and_get_reply(new_method_call(DBusAddress(path, owner, interface), method, signature, body), timeout=5)
        return None if said.header.message_type == MessageType.error else said.body

    def _nodes(self, owner, path):
        said = self._call(owner, path, "org.freedesktop.DBus.Introspectable", "Introspect")
        return [node.get("name") for node in xml.fromstring(said[0]).findall("node")] if said else []

    def _find(self):
        names = self.connection.send_and_get_reply(message_bus.ListNames()).body[0]
        for owner in (name for name in names if name.startswith(":") and name != self.connection.unique_name):
            try:
                for item in self._nodes(owner, "/org/ayatana/NotificationItem"):
                    return owner, f"/org/ayatana/NotificationItem/{item}/Menu"
            except TimeoutError:
                continue  # somebody who answers nobody
        return None

    def items(self):
        """What it shows, submenus flattened: `(words, number, marked, enabled)`."""
        said = self._call(self.owner, self.path, MENU, "GetLayout", "iias", (0, -1, []))
        found = []

        def walk(item, above):
            number, properties, below = item
            values = {name: value[1] for name, value in properties.items()}
            words = values.get("label", "").replace("__", "_")
            here = f"{above} › {words}" if above and words else words
            if words:
                found.append((here, number, values.get("toggle-state") == 1, values.get("enabled", True)))
            for child in below:
                walk(child[1], here)

        walk(said[1], "")
        return found

    def words(self):
        return [words for words, *_ in self.items()]

    def marked(self):
        return [words for words, _, marked, _ in self.items() if marked]

    def press(self, words):
        number = next(number for said, number, _, enabled in self.items() if said == words and enabled)
        self._call(self.owner, self.path, MENU, "Event", "isvu", (number, "clicked", ("s", ""), 0))
