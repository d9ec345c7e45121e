# SPDX-License-Identifier: GPL-3.0-or-later
"""One connection to the bus: calls come on stdin, replies and what its agent hears go to stdout, a JSON value a line."""
import json
import os
import sys

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
    interface, method, signature, arguments = json.loads(line)
    bus.call_async(
        NAME, "/org/tacet/Tacet1", f"{NAME}.{interface}", method, signature, arguments,
        lambda *values: say(reply=plain(values[0] if len(values) == 1 else values)),
        lambda error: say(error=error.get_dbus_name()),
        timeout=30,
    )


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    agent = Agent(bus, "/agent")
    assert agent
    GLib.io_add_watch(sys.stdin, GLib.IO_IN, lambda source, _: on_command(bus, source.readline()) or True)
    say(reply=None)
    GLib.MainLoop().run()


main()
