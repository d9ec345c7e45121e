# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a guest for the tests of private sessions."""

import re

from kernel_log import faults
from tests.kernel.guest_run import GuestRun
from thorough import amount

MIB = amount(12, 32)
# Of many sessions, one after the other.
ROUNDS = amount(12, 100)
PAGES = MIB * 256
# All words of a page but one are stamps.
STAMPS = PAGES * 511
# 7.2 warns, whatever the device, when a page of tmpfs is freed that could not be read from swap.
KNOWN = "swap_put_entries_direct"

COMMON = """
source /guest.sh
insmod /tacet.ko linger_seconds=4 || exit
umount /mnt
cgroup=/sys/fs/cgroup
# The logs of the programs are in ramfs: swapped out, they would be lost with the session.
mkdir /run/log; mount -t ramfs ramfs /run/log; chmod 755 /run/log
echo +memory > $cgroup/cgroup.subtree_control
mkdir $cgroup/outer $cgroup/plain $cgroup/public
echo +memory > $cgroup/outer/cgroup.subtree_control
mkdir $cgroup/outer/private
for group in plain public outer/private; do echo 0 > $cgroup/$group/memory.zswap.max 2>/dev/null; done
# within: starts a background process in the cgroup; its pid is $!.
within() {{ (echo $BASHPID > $cgroup/$1/cgroup.procs; exec "${{@:2}}") & }}
wait_for() {{ for ((tries = 0; tries < 600; tries++)); do ! grep -q "$1" "$2" || return 0; sleep 0.05; done; echo "no $1"; exit 1; }}
tell() {{ kill -USR1 $1; wait_for "$3" $2; }}
reclaim() {{ for i in 1 2 3 4 5 6; do echo {mib}M > $cgroup/$1/memory.reclaim; done 2>/dev/null; }}
"""


def start(kernel, name, script, append=""):
    """Runs a guest; returns the lines that begin with @, as name -> rest."""
    run = GuestRun(kernel, f"session-{name}", append=append, memory="512M", timeout=400)
    run.run(script.format(mib=MIB, rounds=ROUNDS))
    assert run.status == 0, run.describe()
    assert not [line for line in faults(run.console) if KNOWN not in line], run.console
    found = dict(line[1:].split(" ", 1) for line in run.output.splitlines() if line.startswith("@") and " " in line)
    found["output"] = run.output
    return found


def numbers(text):
    """The numbers of `name=1 other=2`, as name -> number."""
    return {name: int(value) for name, value in re.findall(r"([\w-]+)[= ](\d+)", text)}
