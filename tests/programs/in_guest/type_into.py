# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program on a terminal of its own and types keys into it. usage: type_into.py COMMAND... -- KEYS...

Each word of KEYS, with escapes such as \\033, is typed when the program has been quiet for a while. Fails when it does."""

import os
import pty
import select
import sys

QUIET = 1.5


def read_until_quiet(terminal):
    """Takes what the program shows; False when it has ended."""
    while select.select([terminal], [], [], QUIET)[0]:
        try:
            if not os.read(terminal, 65536):
                return False
        except OSError:
            return False
    return True


def main():
    """Runs, types, and waits for the end."""
    words = sys.argv[1:]
    at = words.index("--")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(words[0], words[:at])
    for keys in words[at + 1:]:
        if not read_until_quiet(terminal):
            break
        os.write(terminal, keys.encode().decode("unicode_escape").encode())
    while read_until_quiet(terminal):
        pass
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
