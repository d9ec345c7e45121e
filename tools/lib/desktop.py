# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the desktop guest in a window until it is closed, or saves one picture of it."""

import argparse

from guest import Guest


def main():
    """Parses the arguments and shows the desktop."""
    parser = argparse.ArgumentParser(prog="./dev run")
    parser.add_argument("--kernel", default="6.12")
    parser.add_argument("--desktop", choices=("x11", "wayland"), default="x11")
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--screenshot", metavar="FILE")
    options = parser.parse_args()
    with Guest(options.kernel, options.desktop, window=options.window) as guest:
        print(f"the desktop is up after {guest.start_seconds:.1f} s")
        if options.screenshot:
            print(guest.screenshot(options.screenshot))
        if options.window:
            print("anna's password is anna; close the window to end")
            guest.machine.process.wait()


if __name__ == "__main__":
    main()
