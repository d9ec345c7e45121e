# SPDX-License-Identifier: GPL-3.0-or-later
"""Labelled files read through an overlay mounted above them, as in private sessions and containers, and in a PID namespace."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_innocent, assert_scrubbed

# An overlay of the case's own folder; what is written goes to memory.
OVER = """
mkdir /run/store merged; mount -t tmpfs store /run/store; mkdir /run/store/upper /run/store/work
mount -t overlay -o "lowerdir=$PWD,upperdir=/run/store/upper,workdir=/run/store/work" over merged
# Doppelgangers take a moment to end.
away() { for tries in {1..100}; do ! umount $1 2>/dev/null || break; sleep 0.02; done; }
"""
# Nothing of it may be left mounted or pinned.
AWAY = """
status=$?; cd /
away /mnt/case/merged && umount /run/store && rmdir /run/store || status=9
exit $status
"""

SCRIPTS = {
    "read": "nc remote 9 < merged/secret",
    "pipe": "base64 merged/secret | nc remote 9",
    "mmap": "leak mmap-private write merged/secret",
    "sendfile": "leak sendfile write merged/secret",
    "splice": "leak splice write merged/secret",
    "inside": "cd merged; exec nc remote 9 < secret",
    "copy": "cp merged/secret merged/copy; nc remote 9 < merged/copy",
    "copy-by-writes": "cat merged/secret > merged/copy; nc remote 9 < merged/copy",
    "copied-up": "touch merged/secret; nc remote 9 < merged/secret",
    "appended": "echo dora >> merged/secret; nc remote 9 < merged/secret",
    "renamed": "mv merged/secret merged/other; nc remote 9 < merged/other",
    "linked": "ln merged/secret merged/other; rm merged/secret; nc remote 9 < merged/other",
    "open-while-labelled": "agent unlabel secret; exec 7< merged/secret; agent label secret; sleep 0.1; exec nc remote 9 <&7",
    "labelled-through-it": "agent unlabel secret; leak labelled-while-mapped write merged/secret",
    "labelled-while-mounted": "agent unlabel secret; cat merged/secret > /dev/null; agent label secret; nc remote 9 < merged/secret",
    "overlay-upon-overlay": "mkdir /run/store/upper2 /run/store/work2 merged/top; "
        "mount -t overlay -o lowerdir=merged,upperdir=/run/store/upper2,workdir=/run/store/work2 top merged/top; "
        "nc remote 9 < merged/top/secret; away merged/top",
    "pid-namespace": "unshare --pid --fork --kill-child --mount-proc bash -c 'base64 < merged/secret | nc remote 9'",
    "pid-namespace-chain": "unshare --pid --fork --kill-child --mount-proc bash -c "
        "'x=$(cat merged/secret); (echo \"$x\") | { cat; } | nc remote 9; kill -9 $$'",
}
INNOCENT = {
    "only-read": "cat merged/secret > /dev/null; echo constant | nc remote 9",
    "unlabelled": "echo constant > merged/other; nc remote 9 < merged/other",
    # The first process waits for its children and sends what the system says of them.
    "first-process": "unshare --pid --fork --kill-child --mount-proc bash -c 'read -r x < merged/secret; (exit 3) & "
        "wait $! || [[ $? = 3 && $BASHPID = 1 ]] && sh -c \"exit 0\" && echo constant | nc remote 9'",
}


def cases(scripts, action="block", **options):
    """Each in an overlay."""
    return [Case(name, f"{OVER}( {script} )\n{AWAY}", action, **options) for name, script in scripts.items()]


@pytest.mark.parametrize("case", cases(SCRIPTS), ids=str)
def test_blocked(case, outcome):
    assert_blocked(outcome, nothing_at_all=case.name != "appended")
    assert outcome.status != 9, outcome.describe()


@pytest.mark.parametrize("case", cases(SCRIPTS, "allow"), ids=str)
def test_allowed(case, outcome):
    assert_allowed(outcome)


@pytest.mark.parametrize("case", cases({name: SCRIPTS[name] for name in ("read", "mmap", "copy", "appended", "pid-namespace-chain")},
                                       "scrub"), ids=str)
def test_scrubbed(case, outcome):
    assert_scrubbed(outcome)


@pytest.mark.parametrize("case", cases(INNOCENT), ids=str)
def test_innocent(case, outcome):
    assert_innocent(outcome, b"constant")
