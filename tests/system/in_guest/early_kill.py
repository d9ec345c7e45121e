# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts private sessions of anna's with a store on disk, and kills each, whole, when the store's device appears.

usage: early_kill.py COUNT (as root). Prints how many were killed then.
"""

import os
import pathlib
import subprocess
import sys
import time

SESSION = ["as-anna", "tacet", "run", "--display", "none", "--store", "disk", "--size", "64M", "--", "sleep", "1000"]
KILL = "cgroup/tacet.slice/tacet-session-*/cgroup.kill"


def devices():
    """Those of the device mapper that have a table."""
    return {name for name in os.listdir("/sys/block") if name.startswith("dm-")}


def kill_early(seconds=20):
    """Whether there was something to kill in time."""
    known = devices()
    with subprocess.Popen(SESSION, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
        end = time.monotonic() + seconds
        while devices() <= known and time.monotonic() < end:
            pass
        killed = 0
        for group in pathlib.Path("/sys/fs").glob(KILL):
            group.write_text("1", encoding="ascii")
            killed += 1
        client.terminate()
    return killed > 0


if __name__ == "__main__":
    print(sum(kill_early() for _ in range(int(sys.argv[1]))))
