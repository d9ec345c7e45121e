# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts private sessions of anna's, a few at a time, and ends each at random: asked, or by killing one of its parts.

usage: session_storm.py COUNT SEED (as root), until so many sessions were seen to run. Prints how often each way met something to end.
Status 1 when no session appears for a minute.
"""

import collections
import pathlib
import random
import subprocess
import sys
import time

GROUPS = "/sys/fs/cgroup/user.slice/user-1000.slice"
AT_A_TIME = 5
PATIENCE = 60


def output(*words):
    """The output of a command; empty when it fails."""
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout


def sessions():
    """The units that run a session. A spare place has no programs."""
    return [path.parent.name for path in pathlib.Path(GROUPS).glob("tacet-session-*/programs")]


def members(unit, group):
    """The processes of a unit in one of its control groups."""
    try:
        with open(f"{GROUPS}/{unit}/{group}cgroup.procs", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def kill(numbers):
    """Those that are still there; whether there were any."""
    return bool(numbers) and succeeds("kill", "-9", *numbers)


def succeeds(*words):
    """Whether a command does."""
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


# Each tells whether there was something to end.
WAYS = {
    "end": lambda unit: succeeds("as-anna", "tacet", "session", "end", unit.removesuffix(".service").rsplit("-", 1)[1]),
    "programs": lambda unit: kill(members(unit, "programs/")),
    "helpers": lambda unit: kill(members(unit, "helpers/")),
    "PID 1": lambda unit: kill(output("pgrep", "-P", output("systemctl", "show", "-p", "MainPID", "--value", unit).strip()).split()),
    "main": lambda unit: succeeds("systemctl", "kill", "--kill-whom=main", "--signal=KILL", unit),
    "all at once": lambda unit: succeeds("systemctl", "kill", "--signal=KILL", unit),
    "tacetd stopped": lambda unit: succeeds("systemctl", "stop", "tacetd") and succeeds("systemctl", "start", "tacetd"),
    # The next one takes the sessions over, and they are ended in a later round.
    "tacetd killed": lambda unit: succeeds("systemctl", "kill", "--signal=KILL", "tacetd"),
}
WEIGHTS = {"tacetd stopped": 0.2, "tacetd killed": 0.2}


def start(count):
    """Starts sessions as anna, which write and hold things."""
    script = "head -c 3M /dev/urandom >~/rubbish; mkdir ~/new; echo x >/dev/shm/x; sleep 1000 & sleep 1000"
    begun = [subprocess.Popen(["as-anna", "systemd-run", "--user", "--quiet", "--collect", "tacet", "run", "--display", "none", "--store",
                               random.choice(["memory", "memory", "disk"]), "--size", "64M", "--", "sh", "-c", script])
             for _ in range(count)]
    for process in begun:
        process.wait()


def main():
    """Until so many have been started and ended."""
    wanted, seed = int(sys.argv[1]), int(sys.argv[2])
    random.seed(seed)
    ended, seen, last = collections.Counter(), set(), time.monotonic()
    # Each way once, and then as chance has it.
    ways = random.sample(list(WAYS), len(WAYS))
    while len(seen) < wanted:
        start(AT_A_TIME)
        time.sleep(random.random())
        for unit in sessions():
            seen.add(unit)
            last = time.monotonic()
            # A session may survive when only a helper or tacetd was killed. It is ended again in the next round.
            way = ways[-1] if ways else random.choices(list(WAYS), [WEIGHTS.get(name, 1) for name in WAYS])[0]
            done = WAYS[way](unit)
            ended[way] += done
            if done and ways:
                ways.pop()
        if time.monotonic() > last + PATIENCE:
            sys.exit(f"no session for {PATIENCE} s, {len(seen)} before")
    output("as-anna", "tacet", "session", "end", "--all")
    for way in WAYS:
        print(way, ended[way])


if __name__ == "__main__":
    main()
