# SPDX-License-Identifier: GPL-3.0-or-later
"""One connection to the bus: calls come on stdin, replies and what its agent hears go to stdout, a JSON value a line."""
import json
import os

import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

import dbus

NAME = "org.tacet.Tacet1"


def plain(value):
    if isinstance(value, (dbus.Array, list, tuple, dbus.Struct)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (dbus.Boolean, bool)):
        return bool(value)
    return int(value) if isinstance(value, int) else str(value)


def say(**message):
    print(json.dumps(message), flush=True)


class Agent(dbus.service.Object):
    @dbus.service.method(NAME + ".Agent", in_signature="a{sv}")
    def Ask(self, question):
        say(Ask=plain(question))

    @dbus.service.method(NAME + ".Agent", in_signature="ts")
    def Withdraw(self, number, reason):
        say(Withdraw=[int(number), str(reason)])


def on_command(bus, line):
    """{"repeat": "x", "times": 3} stands for "xxx", and likewise for lists: the pipe is spared."""
    interface, method, signature, arguments = json.loads(line, object_hook=lambda value: value["repeat"] * value["times"]
                                                         if "repeat" in value else value)
    bus.call_async(
        NAME, "/org/tacet/Tacet1", f"{NAME}.{interface}", method, signature, arguments,
        lambda *values: say(reply=plain(values[0] if len(values) == 1 else values)),
        lambda error: say(error=error.get_dbus_name()),
        timeout=30,
    )


class Lines:
    """The lines of standard input as they come: one that waits in a buffer would wake nobody."""

    def __init__(self, handle):
        self.handle = handle
        self.rest = b""

    def read(self):
        *whole, self.rest = (self.rest + os.read(0, 1 << 20)).split(b"\n")
        for line in whole:
            self.handle(line)
        return True


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    agent = Agent(bus, "/agent")
    assert agent
    lines = Lines(lambda line: on_command(bus, line))
    GLib.io_add_watch(0, GLib.IO_IN, lambda *_: lines.read())
    say(reply=None)
    GLib.MainLoop().run()


main()
