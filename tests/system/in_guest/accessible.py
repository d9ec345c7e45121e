# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at a program's widgets through AT-SPI, as a screen reader does. One request a line, one line of JSON as its answer.

{"program": P, "window": W, "name": N, "timeout": T}: waits for the showing widget N of the window W and answers it; "gone": true
    waits until there is none; null when the time is up. N is an object name or the text that the widget shows; "": the window.
{"program": P, "window": W, "list": true}: all showing widgets of the window, parents first.
A window is named by its object name or its title; "" is any. Each call costs milliseconds, so nothing is asked in vain.
"""

import html
import json
import re
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

STATES = ("SHOWING", "SENSITIVE", "FOCUSED", "CHECKED", "SELECTED", "ACTIVE")
INVISIBLE = dict.fromkeys((0x200B, 0x2060, 0x200E, 0x200F, 0x2068, 0x2069))


def text_of(widget):
    """The name without mark-up, mnemonics and invisible characters."""
    plain = html.unescape(re.sub(r"<[^>]*>", "", widget.get_name() or ""))
    return plain.replace("&", "").translate(INVISIBLE)


def object_name(widget):
    """The Qt object name, the last part of the identifier."""
    return (widget.get_accessible_id() or "").rsplit(".", 1)[-1]


def describe(widget):
    """The properties of one widget that tests use."""
    states = widget.get_state_set()
    box = widget.get_extents(Atspi.CoordType.SCREEN)
    return {
        "object_name": object_name(widget), "role": widget.get_role_name(), "text": text_of(widget),
        "states": [name.lower() for name in STATES if states.contains(getattr(Atspi.StateType, name))],
        "x": box.x, "y": box.y, "width": box.width, "height": box.height,
    }


def showing(widget):
    """Whether it is on the screen."""
    return widget.get_state_set().contains(Atspi.StateType.SHOWING)


def children(widget):
    """Its showing children; those that vanish meanwhile are left out."""
    for index in range(widget.get_child_count()):
        try:
            child = widget.get_child_at_index(index)
            if child is not None and showing(child):
                yield child
        except GLib.Error:
            continue


def walk(widget):
    """It and all that shows below it, parents first. Cells of tables are asked for by nobody, and there are many."""
    yield widget
    if widget.get_role() not in (Atspi.Role.TABLE, Atspi.Role.COMBO_BOX):
        for child in children(widget):
            yield from walk(child)


def windows(program, window):
    """The program's showing windows with this object name or title; all of them for ""."""
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is None or application.get_name() != program:
            continue
        application.clear_cache()
        for child in children(application):
            if not window or window in (object_name(child), text_of(child)):
                yield child


def matches(widget, name):
    """Whether the widget has this object name, or shows this text."""
    return name in (object_name(widget), text_of(widget))


def find(request):
    """The first widget that is asked for, or None."""
    for window in windows(request["program"], request["window"]):
        if not request["name"]:
            return window
        for widget in walk(window):
            if matches(widget, request["name"]):
                return widget
    return None


def settle(widget):
    """Its description, once it stays where it is: a window that was just shown still moves."""
    before = describe(widget)
    while True:
        time.sleep(0.1)
        widget.clear_cache()
        after = describe(widget)
        if after == before:
            return after
        before = after


def wait(request):
    """Waits for what is asked for."""
    end = time.monotonic() + request["timeout"]
    while True:
        try:
            widget = find(request)
            if request.get("gone") and widget is None:
                return True
            if widget is not None and not request.get("gone"):
                return settle(widget)
        except GLib.Error:
            # It changed while it was looked at.
            pass
        if time.monotonic() > end:
            return None
        time.sleep(0.1)


def answer(request):
    """The answer to one request."""
    if request.get("list"):
        return [describe(widget) for window in windows(request["program"], request["window"]) for widget in walk(window)]
    return wait(request)


def main():
    """Answers until the input ends."""
    Atspi.init()
    Atspi.set_timeout(5000, 15000)
    for line in sys.stdin:
        try:
            print(json.dumps(answer(json.loads(line))), flush=True)
        except GLib.Error:
            print("null", flush=True)


if __name__ == "__main__":
    main()
