# SPDX-License-Identifier: GPL-3.0-or-later
"""Many connections of one user, each of which keeps asking. usage: flood_process.py CONNECTIONS

Prints a line when all of them have asked, and one more for each answer that is no refusal.
"""
import os
import sys

from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

import dbus

NAME = "org.tacet.Tacet1"
# As many as the daemon lets wait, and more.
PIPELINED = 4


def ask(bus):
    def answered(*_):
        print("answered", flush=True)
        ask(bus)

    bus.call_async(NAME, "/org/tacet/Tacet1", NAME + ".Labels", "List", "uu", (0, 1000), answered, lambda _: ask(bus), timeout=60)


def main():
    DBusGMainLoop(set_as_default=True)
    connections = [dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"]) for _ in range(int(sys.argv[1]))]
    for bus in connections * PIPELINED:
        ask(bus)
    print("flooding", flush=True)
    GLib.MainLoop().run()


main()
