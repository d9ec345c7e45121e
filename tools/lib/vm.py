# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one command as root in a guest: streams its output, hands files in, ends a hung guest, returns the exit code."""

import argparse
import pathlib
import shlex
import subprocess
import sys
import time

from guest import Guest
from kernel_log import around_first_fault, tail
from machine import MachineError

STATUS_TIMEOUT, STATUS_DIED, STATUS_FAULT = 124, 125, 99


def parse_arguments():
    """The verb's arguments; what stands after -- is the command."""
    parser = argparse.ArgumentParser(prog="./dev vm")
    parser.add_argument("--kernel", default="6.12", help="series of the guest's kernel")
    parser.add_argument("--desktop", choices=("x11", "wayland"), nargs="?", const="x11", help="with a desktop")
    parser.add_argument("--copy", action="append", default=[], metavar="FILE:DEST", help="hand a file or directory in")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS")
    parser.add_argument("--cold", action="store_true", help="boot, do not resume the saved state")
    parser.add_argument("--append", default="", metavar="KERNEL-ARGUMENTS", help="implies --cold")
    parser.add_argument("--screenshot", metavar="FILE", help="save the screen as PNG when the command has ended")
    parser.add_argument("--allow-faults", action="store_true", help="a WARNING or Oops in the kernel log is no failure")
    parser.add_argument("command", nargs="*", help="without one: an interactive shell")
    return parser.parse_args()


def copy_in(guest, items):
    """Copies each FILE:DEST into the guest."""
    for item in items:
        source, _, destination = item.partition(":")
        if not destination or not pathlib.Path(source).exists():
            sys.exit(f"--copy {item}: write it as an existing FILE, a colon and the absolute DEST")
        guest.put(source, destination)


def run_command(guest, options, deadline):
    """Attaches our own streams to the command and returns its status; None when the time is up."""
    line = options.command[0] if len(options.command) == 1 else shlex.join(options.command)
    terminal = not options.command and sys.stdin.isatty()
    client = subprocess.Popen(guest.ssh_arguments(line or "exec bash -l", terminal))
    try:
        return client.wait(max(1.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        client.kill()
        return None


def run(guest, options):
    """Starts the guest, runs the command, judges the kernel's log."""
    guest.start()
    deadline = time.monotonic() + options.timeout
    print(f"guest {options.kernel} {options.desktop or 'without desktop'}: up after {guest.start_seconds:.1f} s", file=sys.stderr)
    copy_in(guest, options.copy)
    status = run_command(guest, options, deadline)
    if options.screenshot:
        guest.screenshot(options.screenshot)
    found = [] if options.allow_faults else guest.faults()
    if status is None:
        print(f"{tail(guest.console())}\nthe guest was ended after {options.timeout:g} s (--timeout)", file=sys.stderr)
        return STATUS_TIMEOUT
    if status == 255 or found:
        print(around_first_fault(guest.console()) or tail(guest.console()), file=sys.stderr)
    for line in found:
        print(f"kernel log: {line}", file=sys.stderr)
    return STATUS_FAULT if found and status == 0 else status


def main():
    """Returns the command's status, or 124 timeout, 125 no guest, 99 fault in the kernel log."""
    options = parse_arguments()
    guest = Guest(options.kernel, options.desktop, cold=options.cold, append=options.append)
    try:
        return run(guest, options)
    except MachineError as error:
        print(f"error: {error}", file=sys.stderr)
        return STATUS_DIED
    finally:
        guest.kill()


if __name__ == "__main__":
    sys.exit(main())
