# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred sessions that end in all ways, at random moments: nothing is left of them."""

import pathlib
import random

STORM = "/usr/local/lib/session_storm.py"
COUNT = 100

# Each prints nothing when nothing is left; the swap's own devices stay.
LEFT = {
    "control groups": "ls -d /sys/fs/cgroup/tacet.slice/tacet-session-*",
    "processes": "pgrep -a tacet-session; pgrep -af 'xdg-dbus-proxy|sleep 1000'",
    "mounts": "grep -hE 'tacet/session|tacet/sessions' /proc/[0-9]*/mountinfo",
    "mapped devices": "dmsetup ls | grep -v -e ^tacet-swap- -e '^No devices'",
    "loop devices": "losetup --list --noheadings --output BACK-FILE | grep -v ^/swapfile",
    "keys": "grep tacet: /proc/keys",
    "files": "ls -A /var/lib/tacet/sessions",
    "units": "systemctl list-units --all --plain --no-legend 'tacet-session-*'",
}


def left(guest):
    """What is left: what -> the lines that tell."""
    found = {name: guest.run(line).stdout.strip() for name, line in LEFT.items()}
    return {name: text for name, text in found.items() if text}


def test_hundred_sessions(guest):
    guest.run("systemctl reset-failed tacetd; as-anna tacet session end --all; sleep 1")
    before = guest.run("lsmod | awk '$1 == \"tacet\" { print $3 }'").stdout
    guest.put(pathlib.Path(__file__).resolve().parent / "in_guest/session_storm.py", STORM)
    seed = random.randrange(10**6)
    done = guest.run(["python3", STORM, COUNT, seed], timeout=900)
    assert done.returncode == 0, done.stderr
    print("seed", seed, done.stdout.replace("\n", ", "))
    guest.wait_for(lambda: not left(guest), 15, f"nothing to be left (seed {seed}): {left(guest)}")
    assert guest.run("lsmod | awk '$1 == \"tacet\" { print $3 }'").stdout == before
    assert guest.faults() == []
