# SPDX-License-Identifier: GPL-3.0-or-later
"""Many sessions that end in all ways, at random moments: nothing is left of them."""

import pathlib
import random

import pytest

from tests.system.sessions import wait_until_gone

NEWEST_KERNEL_ONLY = True
STORM = "/usr/local/lib/session_storm.py"
COUNT = 100


@pytest.mark.nightly
def test_many_sessions(guest):
    guest.run("systemctl reset-failed tacetd; as-anna tacet session end --all; sleep 1")
    before = guest.run("lsmod | awk '$1 == \"tacet\" { print $3 }'").stdout
    guest.put(pathlib.Path(__file__).resolve().parent / "in_guest/session_storm.py", STORM)
    seed = random.randrange(10**6)
    done = guest.run(["python3", STORM, COUNT, seed], timeout=900)
    assert done.returncode == 0, done.stderr
    print("seed", seed, done.stdout.replace("\n", ", "))
    ended = {way: int(count) for way, count in (line.rsplit(" ", 1) for line in done.stdout.splitlines())}
    assert len(ended) == 8 and all(ended.values()), ended
    assert sum(ended.values()) >= COUNT / 2, ended
    wait_until_gone(guest, 60)
    assert guest.run("pgrep -af 'sleep [1]000'").stdout == ""
    assert guest.run("lsmod | awk '$1 == \"tacet\" { print $3 }'").stdout == before
    guest.check_kernel_log()
