#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An example: a program gives a part of its work to a helper that runs in a private session of its own.

usage: private_helper.py COMMAND [ARGUMENT...] <INPUT >OUTPUT

The helper reads the person's files, and nothing that it writes outlives it but its output. See docs/developer/private-helper.md.
"""

import contextlib
import os
import socket
import sys
import threading

import dbus

NOT_STARTED = 125  # as env(1) and timeout(1) have it


def ask_for_session(command, own, options):
    """Has tacetd start the command; `own` is the socket that the session gets. Raises dbus.DBusException when it is refused."""
    null = os.open("/dev/null", os.O_RDWR)
    # A file that is no terminal and not /dev/null is replaced by a pipe of the session's. A pipe that nobody uses asks for that.
    read_end, write_end = os.pipe()
    try:
        sessions = dbus.Interface(dbus.SystemBus().get_object("org.tacet.Tacet1", "/org/tacet/Tacet1"), "org.tacet.Tacet1.Sessions")
        files = [dbus.types.UnixFd(file) for file in (read_end, write_end, null, own.fileno())]
        environment = [f"{name}={os.environ[name]}".encode() for name in ("HOME", "PATH", "LANG") if name in os.environ]
        return sessions.Start(dbus.Array([dbus.ByteArray(os.fsencode(word)) for word in command], signature="ay"),
                              dbus.Array([dbus.ByteArray(word) for word in environment], signature="ay"),
                              dbus.ByteArray(os.fsencode(os.getcwd())), dbus.Array(files, signature="h"),
                              dbus.Dictionary(options, signature="sv"))
    finally:
        for file in (null, read_end, write_end):
            os.close(file)


def give(pipe, data):
    """Writes all of the input. A helper that ends before it has read all is no error."""
    with contextlib.suppress(BrokenPipeError), open(pipe, "wb") as file:
        file.write(data)


def take(pipe, output):
    """Appends to the list `output` all that comes."""
    with open(pipe, "rb") as file:
        output.append(file.read())


def run_privately(command, data, **options):
    """Runs the command privately with `data` as its input. Returns its exit status and its output, when the session is over.
    `options` are those of org.tacet.Tacet1.Sessions.Start, such as network=False."""
    channel, own = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with channel:
        with own:
            ask_for_session(command, own, options)
        status, output, takers = NOT_STARTED, [], []
        while True:
            text, files, _, _ = socket.recv_fds(channel, 32 * 1024, 8)
            if not text:
                break  # The session is over.
            if text == b"input":
                threading.Thread(target=give, args=(files[0], data), daemon=True).start()
            elif text == b"output":
                takers.append(threading.Thread(target=take, args=(files[0], output)))
                takers[-1].start()
            elif text.startswith(b"exit "):
                status = int(text[5:])
            elif text.startswith(b"failed "):
                print(os.fsdecode(text[7:]), file=sys.stderr)
        for taker in takers:
            taker.join()
    return status, b"".join(output)


def main():
    """Returns the helper's exit status."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    status, output = run_privately(sys.argv[1:], sys.stdin.buffer.read(), name="Example", network=False)
    sys.stdout.buffer.write(output)
    return status


if __name__ == "__main__":
    sys.exit(main())
