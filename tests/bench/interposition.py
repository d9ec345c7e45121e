#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of interposition: each call natively, with the module loaded, watched, and in lockstep with a doppelganger.

One guest has two processors, and idle ones poll: in emulation, waking a halted one means waiting for the host. The states take
turns, medians of all rounds are shown, in ns, with the ratio to native. Files are on tmpfs. Goals: loaded within noise of native; in
lockstep getppid at most 2 times, read 4k 1.5 times, write 64 2.5 times native.

--instructions counts the guest's instructions instead, on one processor, where times are of no use but the count is the same each time:
of the process itself, and in lockstep of its doppelganger and all that happens between them (a switch at each wait) beside it.
"""

import argparse
import collections
import os
import re
import statistics
import sys

from tests.kernel.guest_run import GuestRun

STATES = ("native", "loaded", "watched", "lockstep")
GOALS = {("lockstep", "getppid"): 2, ("lockstep", "read-4k"): 1.5, ("lockstep", "write-64"): 2.5}

SCRIPT = """
cd /mnt || exit
source /guest.sh
echo hello > secret
for round in {{1..{rounds}}}; do
    interposition native secret
    insmod /tacet.ko {parameters}
    agent label secret
    interposition loaded secret
    interposition watched secret
    interposition lockstep secret
    echo "@tainted $(agent info | sed -n 's/^tainted //p')"
    unload || exit
done
"""


def parse_arguments():
    """The bench's own arguments."""
    parser = argparse.ArgumentParser(prog="./dev bench interposition")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--append", default="idle=poll", help="kernel arguments")
    parser.add_argument("--instructions", action="store_true", help="count them")
    parser.add_argument("--parameters", default="", help="the module's, such as spins=5000")
    return parser.parse_args()


def collect(output, own):
    """(state, call) -> median of its costs, in the order in which calls first appear. `own`: the process's alone, and the rest."""
    costs = collections.defaultdict(list)
    for state, call, whole, alone in re.findall(r"^@cost (\S+) (\S+) (\d+) (\d+)$", output, re.MULTILINE):
        costs[state, call].append(int(alone if own else whole))
        if own and state == "lockstep":
            costs["beside", call].append(int(whole) - int(alone))
    return {key: statistics.median(values) for key, values in costs.items()}


def print_table(costs, unit):
    """A row for each call, a column with its ratio for each state; returns the goals that were missed."""
    missed = []
    states = [state for state in (*STATES, "beside") if any(state == known for known, _ in costs)]
    print(f"{unit:12}" + "".join(f"{state:>10} {'':7}" for state in states))
    for call in dict.fromkeys(call for _, call in costs):
        line = f"{call:12}"
        for state in states:
            ratio = costs[state, call] / costs["native", call]
            line += f"{costs[state, call]:10.0f} " + (f"x{ratio:<6.2f}" if state != "native" else " " * 7)
            if ratio > GOALS.get((state, call), ratio):
                missed.append(f"{state} {call}: {ratio:.2f} times native, wanted at most {GOALS[state, call]}")
        print(line.rstrip())
    return missed


def main():
    """0, or 1 when a goal was missed, 2 when the guest failed."""
    options = parse_arguments()
    if options.instructions:
        options.append, options.rounds = "", 1
    run = GuestRun(options.kernel, "interposition", append=options.append, timeout=600, counts_instructions=options.instructions)
    run.run(SCRIPT.format(rounds=options.rounds, parameters=options.parameters))
    costs = collect(run.output, options.instructions)
    tainted = re.findall(r"^@tainted (\d+)$", run.output, re.MULTILINE)
    if run.status or len(tainted) != options.rounds or set(tainted) != {"0"}:
        print(run.output + run.console[-3000:], file=sys.stderr)
        return 2
    how = "one emulated processor" if options.instructions else f"{options.rounds} rounds, two emulated processors"
    print(f"kernel {options.kernel}, {how}")
    missed = print_table(costs, "instructions" if options.instructions else "ns")
    for line in missed:
        print(line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
