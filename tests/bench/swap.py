#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of encrypted swap: a page swapped out and in again, on plain swap, under dm-crypt, and under our target outside and
inside a private session. One guest; the states take turns; medians of all rounds, in microseconds, with the ratio to plain.

AES is emulated here, at about a hundredth of its speed on a real processor: only the ratio to dm-crypt tells something."""

import argparse
import collections
import os
import re
import statistics
import sys

from tests.kernel.guest_run import GuestRun

STATES = ("plain", "dm-crypt", "public", "private")
# The goal: our target takes at most this many times dm-crypt's time.
GOAL = 1.25

SCRIPT = """
source /guest.sh
insmod /tacet.ko || exit
modprobe dm_crypt || exit
umount /mnt
cgroup=/sys/fs/cgroup
echo +memory > $cgroup/cgroup.subtree_control
mkdir $cgroup/public $cgroup/private
key=$(od -An -tx1 -N64 /dev/urandom | tr -d ' \\n')
measure() {{ (echo $BASHPID > $cgroup/$2/cgroup.procs; exec swap $1 {mib} $cgroup/$2/memory.reclaim); }}
for round in {{1..{rounds}}}; do
    private format /dev/vda
    private on /dev/vda; measure plain public; private off /dev/vda
    private format /dev/vda
    crypt=$(private map crypt crypt /dev/vda "aes-xts-plain64 $key 0 /dev/vda 0")
    private format $crypt; private on $crypt; measure dm-crypt public; private off $crypt; private unmap crypt
    private format /dev/vda
    ours=$(private map swap tacet-swap /dev/vda "/dev/vda 0")
    private on $ours
    measure public public
    holder=$(private hold $cgroup/private)
    measure private private
    kill -9 $holder
    private off $ours; private unmap swap
done
unload && echo "@done"
"""


def parse_arguments():
    """The bench's own arguments."""
    parser = argparse.ArgumentParser(prog="./dev bench swap")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mib", type=int, default=64)
    return parser.parse_args()


def collect(output):
    """(state, direction) -> median of its costs."""
    costs = collections.defaultdict(list)
    for state, direction, cost in re.findall(r"^@cost (\S+) (\S+) (\d+)$", output, re.MULTILINE):
        costs[state, direction].append(int(cost))
    return {key: statistics.median(values) for key, values in costs.items()}


def print_table(costs):
    """A row for each direction; returns the goals that were missed."""
    missed = []
    print(f"{'us per page':12}" + "".join(f"{state:>10} {'':7}" for state in STATES))
    for direction in ("out", "in"):
        line = f"{direction:12}"
        for state in STATES:
            cost = costs[state, direction]
            line += f"{cost / 1000:10.1f} x{cost / costs['plain', direction]:<6.2f}"
            if state in ("public", "private") and cost > GOAL * costs["dm-crypt", direction]:
                missed.append(f"{state} {direction}: more than {GOAL} times dm-crypt")
        print(line.rstrip())
    return missed


def main():
    """0, or 1 when a goal was missed, 2 when the guest failed."""
    options = parse_arguments()
    script = SCRIPT.format(rounds=options.rounds, mib=options.mib)
    run = GuestRun(options.kernel, "swap", memory="512M", timeout=600).run(script)
    if run.status or "@done" not in run.output:
        print(run.output + run.console, file=sys.stderr)
        return 2
    print(f"kernel {options.kernel}, {options.rounds} rounds of {options.mib} MiB, two emulated processors")
    missed = print_table(collect(run.output))
    for line in missed:
        print(line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
