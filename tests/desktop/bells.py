"""Each ring of the desktop's bell, as the X server reports it to whoever asks (the X Keyboard Extension)."""

import ctypes
import ctypes.util
from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_ulong, c_void_p

CORE_KEYBOARD, BELL = 0x100, 1 << 8


class _Event(ctypes.Structure):
    """The beginning of an XkbEvent, in the room that an XEvent takes."""

    _fields_ = [("type", c_int), ("serial", c_ulong), ("sent", c_int), ("display", c_void_p), ("time", c_ulong), ("kind", c_int), ("rest", c_ulong * 24)]


class Bells:
    """Counts them from now on."""

    def __enter__(self):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11"))
        self.x.XOpenDisplay.restype, self.x.XOpenDisplay.argtypes = c_void_p, [c_char_p]
        self.x.XkbQueryExtension.argtypes = [c_void_p, *[POINTER(c_int)] * 5]
        self.x.XkbSelectEvents.argtypes = [c_void_p, c_uint, c_ulong, c_ulong]
        for name in ("XSync", "XPending", "XNextEvent", "XCloseDisplay"):
            getattr(self.x, name).argtypes = {"XSync": [c_void_p, c_int], "XNextEvent": [c_void_p, POINTER(_Event)]}.get(name, [c_void_p])
        self.display = self.x.XOpenDisplay(None)
        code, first, error, major, minor = c_int(), c_int(), c_int(), c_int(1), c_int(0)
        assert self.x.XkbQueryExtension(self.display, byref(code), byref(first), byref(error), byref(major), byref(minor))
        self.first, self.counted = first.value, 0
        assert self.x.XkbSelectEvents(self.display, CORE_KEYBOARD, BELL, BELL)
        self.x.XSync(self.display, 0)
        return self

    def count(self):
        event = _Event()
        while self.x.XPending(self.display):
            self.x.XNextEvent(self.display, byref(event))
            self.counted += event.type == self.first
        return self.counted

    def __exit__(self, *_):
        self.x.XCloseDisplay(self.display)
