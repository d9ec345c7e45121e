#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what looking for labels costs whoever opens files: without the module, on a disk without labels, and on one that holds some.

Counts the guest's instructions, on one processor. Each disk is an ext4 of 2,000 files of 2 KiB in 40 folders, in memory. `find` asks
for the facts of each, `open` opens and closes each, `cat` reads each, and `hash` computes over each, as a build does over its sources.
The last two rows are the same through an overlay, as a private session has it.
"""

import argparse
import collections
import os
import re
import statistics
import sys

from tests.kernel.guest_run import GuestRun

STATES = ("native", "without", "with")
SCRIPT = """
cd /mnt || exit
source /guest.sh
modprobe brd rd_nr=2 rd_size=32768
for disk in without with; do
    mke2fs -q -t ext4 /dev/ram$((number++))
    mkdir $disk
    mount /dev/ram$((number - 1)) $disk
    for folder in {{1..40}}; do
        mkdir $disk/$folder
        for file in {{1..50}}; do head -c 2048 /dev/urandom > $disk/$folder/$file; done
    done
    mkdir -p written/$disk over-$disk
    mount -t tmpfs written written/$disk
    mkdir written/$disk/upper written/$disk/work
    mount -t overlay -o lowerdir=$disk,upperdir=written/$disk/upper,workdir=written/$disk/work over over-$disk
done
open_each() {{
    local file
    for file in "$1"/*/*; do : < "$file"; done
}}
measure() {{
    local state=$1 name=$2 begin
    begin=$EPOCHREALTIME
    "${{@:3}}" > /dev/null
    echo "@cost $state $name $((${{EPOCHREALTIME/./}} - ${{begin/./}}))"
}}
all() {{
    measure "$1" find find "$2" -type f -newermt 2000-01-01
    measure "$1" open open_each "$2"
    measure "$1" cat cat "$2"/*/*
    measure "$1" hash sha256sum "$2"/*/*
    measure "$1" open-over open_each "over-$2"
    measure "$1" cat-over cat "over-$2"/*/*
}}
all warm without; all warm with
for round in {{1..{rounds}}}; do
    all native without
    insmod /tacet.ko
    echo hello > with/secret
    agent label with/secret
    all without without
    all with with
    agent unlabel with/secret
    unload || exit
done
"""


def main():
    """0, or 2 when the guest failed."""
    parser = argparse.ArgumentParser(prog="./dev bench opening")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[-1])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    guest = GuestRun(options.kernel, "opening", timeout=1800, programs=True, counts_instructions=True)
    guest.run(SCRIPT.format(rounds=options.rounds))
    costs = collections.defaultdict(list)
    for state, name, microseconds in re.findall(r"^@cost (\S+) (\S+) (\d+)\r?$", guest.output, re.MULTILINE):
        costs[state, name].append(int(microseconds))
    if not costs["with", "hash"]:
        print(guest.output + guest.console, file=sys.stderr)
        return 2
    print(f"kernel {options.kernel}, thousands of instructions, medians of {options.rounds} rounds")
    print(f"{'':10}{'native':>10}{'disk without labels':>24}{'disk with labels':>24}")
    for name in ("find", "open", "cat", "hash", "open-over", "cat-over"):
        native, *others = (statistics.median(costs[state, name]) for state in STATES)
        print(f"{name:10}{native:10.0f}" + "".join(f"{other:15.0f} x{other / native:<7.3f}" for other in others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
