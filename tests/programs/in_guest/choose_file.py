# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the desktop's portal for a file, as sandboxed programs do, and prints what was chosen."""

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

PORTAL = "org.freedesktop.portal."


def main():
    """Opens the chooser, and waits for its answer."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    loop = GLib.MainLoop()

    def on_response(_bus, _sender, _path, _interface, _signal, answer):
        print(*answer.unpack()[1].get("uris", []))
        loop.quit()

    bus.signal_subscribe(None, f"{PORTAL}Request", "Response", None, None, 0, on_response)
    bus.call_sync(f"{PORTAL}Desktop", "/org/freedesktop/portal/desktop", f"{PORTAL}FileChooser", "OpenFile",
                  GLib.Variant("(ssa{sv})", ("", "Choose a bird", {})), None, 0, 120_000, None)
    loop.run()


main()
