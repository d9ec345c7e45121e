# SPDX-License-Identifier: GPL-3.0-or-later
"""Private sessions without a display: a command line that makes one, the ways to end one, and what is left afterwards."""

import shlex

from guest import SLOWEST

# Way -> what root does; {unit} is the session's, {program} a pattern for its program.
ENDS = {
    "asked": "as-anna tacet session end --all",
    "program": "pkill -9 -f '{program}'",
    "PID 1": "pkill -9 -x -P $(systemctl show -p MainPID --value {unit}) tacet-session",
    "supervisor": "systemctl kill --kill-whom=main --signal=KILL {unit}",
    "all": "systemctl kill --signal=KILL {unit}",
    "daemon": "systemctl stop tacetd; systemctl start tacetd",
}

# Prints the units of spare places, which wait for a session while the app runs, and a word that names none.
SPARES = "pgrep -x tacet-spare | xargs -I@ sed 's,.*/,,' /proc/@/cgroup; echo -"
# Commands that print what is left of sessions. The devices of the swap stay and do not count, nor do spare places.
REMAINS = {
    "control groups": "ls -d /sys/fs/cgroup/user.slice/user-1000.slice/tacet-session-*/programs",
    "processes": "pgrep -a tacet-session",
    "mounts": "grep -h tacet/session /proc/[0-9]*/mountinfo",
    "file systems": "ls /sys/fs/ext4 | grep dm-",
    "mapped devices": "dmsetup ls | grep tacet-session",
    "loop devices": "losetup --list --noheadings --output NAME,BACK-FILE | grep -v /swapfile",
    "keys": "grep tacet: /proc/keys",
    "files": "ls -A /var/lib/tacet/sessions",
    "units": f"systemctl list-units --all --plain --no-legend 'tacet-session-*' | grep -vF \"$({SPARES})\"",
}


def private(script, *options):
    """The command line that runs a shell script privately."""
    return shlex.join(["tacet", "run", "--display", "none", *options, "--", "bash", "-c", script])


def remains(guest):
    """Remains of sessions in the guest: kind -> the lines that tell."""
    found = {name: guest.run(line).stdout.strip() for name, line in REMAINS.items()}
    return {name: text for name, text in found.items() if text}


def wait_until_gone(guest, seconds=3):
    """Nothing may be left by then, times SLOWEST, by the guest's clock; what is left is in the error."""
    looks = "; ".join(f'text=$({line} 2>/dev/null); [ -z "$text" ] || echo "{name}: $text"' for name, line in REMAINS.items())
    done = guest.run(f"""
        now() {{ cut -d. -f1 /proc/uptime; }}
        end=$(($(now) + {seconds * SLOWEST}))
        while left=$({looks}); [ -n "$left" ]; do
            [ $(now) -le $end ] || {{ echo "$left"; exit 1; }}
            sleep 0.05
        done""")
    assert done.returncode == 0, f"after {seconds * SLOWEST} s there still is\n{done.stdout}{done.stderr}"
