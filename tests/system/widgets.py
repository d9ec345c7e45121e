# SPDX-License-Identifier: GPL-3.0-or-later
"""Widgets of programs on the guest's desktop: found as a screen reader finds them, used with real input events."""

import dataclasses
import json
import pathlib
import subprocess

from guest import SLOWEST
from guest_input import SCREEN_HEIGHT, SCREEN_WIDTH
from machine import MachineError

HELPER = pathlib.Path(__file__).resolve().parent / "in_guest" / "accessible.py"
PROGRAM = "/run/tests/accessible.py"
PATIENCE = 30 * SLOWEST


@dataclasses.dataclass(frozen=True)
class Widget:
    """One widget as in_guest/accessible.py describes it; x, y, width and height in pixels of the screen."""

    object_name: str
    role: str
    text: str
    states: list
    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self):
        """The pixel in its middle."""
        return self.x + self.width // 2, self.y + self.height // 2


class Screen:
    """The widgets on anna's desktop. A window is named by its object name or title, "" is any window of the program."""

    def __init__(self, guest, program="tacet-app"):
        self._guest, self._program = guest, program
        self._helper = None

    def of(self, program):
        """The same for another program. close() each."""
        return Screen(self._guest, program)

    def close(self):
        """Ends the helper in the guest; it is started again when needed."""
        if self._helper:
            self._helper.communicate(timeout=20)
        self._helper = None

    def _ask(self, window, **request):
        if self._helper is None:
            self._guest.put(HELPER, PROGRAM)
            self._helper = self._guest.popen(["python3", PROGRAM], session=True, stdin=subprocess.PIPE)
        self._helper.stdin.write(json.dumps({"program": self._program, "window": window, **request}) + "\n")
        self._helper.stdin.flush()
        line = self._helper.stdout.readline()
        if not line:
            raise MachineError("the accessibility helper ended: " + self._helper.stderr.read())
        return json.loads(line)

    def list(self, window=""):
        """All showing widgets, parents first."""
        return [Widget(**fields) for fields in self._ask(window, list=True) or []]

    def texts(self, window=""):
        """All texts that show, one a line."""
        return "\n".join(widget.text for widget in self.list(window))

    def find(self, name, window="", timeout=PATIENCE):
        """Waits for the widget with this object name or text, "" being the window itself; returns it once it is at rest."""
        fields = self._ask(window, name=name, timeout=timeout)
        if fields is None:
            listing = "\n".join(f"{widget.role} {widget.object_name} {widget.text!r}" for widget in self.list())
            raise MachineError(f"no widget {name} in {window or 'any window'}; there are:\n{listing}")
        return Widget(**fields)

    def shows(self, window):
        """Whether this window is on the screen now."""
        return self._ask(window, name="", timeout=0) is not None

    def wait_gone(self, name, window="", timeout=PATIENCE):
        """Waits until no such widget is on the screen."""
        if not self._ask(window, name=name, timeout=timeout, gone=True):
            raise MachineError(f"{name or window} is still on the screen after {timeout} s")

    def close_window(self, window):
        """Closes the active window with the keyboard. A dialog that has just closed may still have it: then once more."""
        for _ in range(3):
            self._guest.key("alt", "f4")
            if self._ask(window, name="", timeout=4, gone=True):
                return
        raise MachineError(f"{window} does not close")

    def click(self, name, window="", timeout=PATIENCE):
        """Clicks a widget with the pointer."""
        widget = self.find(name, window, timeout)
        self._guest.click(*self._place(widget, window))
        return widget

    def hover(self, name, window="", timeout=PATIENCE):
        """Moves the pointer over a widget."""
        self._guest.move(*self._place(self.find(name, window, timeout), window))

    def _place(self, widget, _window):
        return widget.centre


class CentredScreen(Screen):
    """A Wayland desktop whose window is in the middle of the screen, as the prompt is: no program there knows its own place."""

    def _place(self, widget, window):
        whole = self.find("", window)
        x, y = widget.centre
        return x - whole.x + (SCREEN_WIDTH - whole.width) // 2, y - whole.y + (SCREEN_HEIGHT - whole.height) // 2
