# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts private sessions of anna's with a store on disk, and kills each, whole, when the store's device appears.

usage: early_kill.py COUNT (as root). Prints how many were killed then.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

SESSION = ["as-anna", "tacet", "run", "--display", "none", "--store", "disk", "--size", "64M", "--", "sleep", "1000"]
SLICE = pathlib.Path("/sys/fs/cgroup/user.slice/user-1000.slice")
SECONDS = 20


def devices():
    """Those of the device mapper that have a table."""
    return {name for name in os.listdir("/sys/block") if name.startswith("dm-")}


def wait_for(condition):
    """Without a pause: the moment is short. Whether it came in time."""
    end = time.monotonic() + SECONDS
    while not condition() and time.monotonic() < end:
        pass
    return condition()


def kill_sessions():
    """All that there are."""
    for name in os.listdir(SLICE):
        if name.startswith("tacet-session-"):
            # It may just have gone.
            with contextlib.suppress(OSError):
                (SLICE / name / "cgroup.kill").write_text("1", encoding="ascii")


def kill_early(known):
    """Whether a session was killed when a device came to these."""
    if not wait_for(lambda: devices() == known):
        return False
    with subprocess.Popen(SESSION, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
        appeared = wait_for(lambda: devices() > known)
        kill_sessions()
        client.terminate()
    return appeared


if __name__ == "__main__":
    before = devices()
    print(sum(kill_early(before) for _ in range(int(sys.argv[1]))))
