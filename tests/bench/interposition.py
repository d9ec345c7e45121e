#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What interposition costs: each call natively, with the module loaded, watched, and in lockstep with a doppelganger.

One guest, two processors, idle ones polling: to wake a halted one means, in emulation, to wait for the host. The states take
turns, medians of all rounds are shown, in ns, with the ratio to native. Files are on tmpfs. Goals: loaded within noise of native; lockstep read 4k at most 3 times, write 64 at most 5 times native.
"""

import argparse
import collections
import os
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kernel"))

from guest_run import GuestRun  # noqa: E402

STATES = ("native", "loaded", "watched", "lockstep")
GOALS = {("lockstep", "read-4k"): 3, ("lockstep", "write-64"): 5}

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
    parser.add_argument("--parameters", default="", help="the module's, such as spins=5000")
    return parser.parse_args()


def collect(output):
    """(state, call) -> median of its costs, in the order in which calls first appear."""
    costs = collections.defaultdict(list)
    for state, call, cost in re.findall(r"^@cost (\S+) (\S+) (\d+)$", output, re.MULTILINE):
        costs[state, call].append(int(cost))
    return {key: statistics.median(values) for key, values in costs.items()}


def print_table(costs):
    """A row for each call, a column with its ratio for each state; returns the goals that were missed."""
    missed = []
    print(f"{'ns':12}" + "".join(f"{state:>10} {'':7}" for state in STATES))
    for call in dict.fromkeys(call for _, call in costs):
        line = f"{call:12}"
        for state in STATES:
            ratio = costs[state, call] / costs["native", call]
            line += f"{costs[state, call]:10.0f} " + (f"x{ratio:<6.2f}" if state != "native" else " " * 7)
            if ratio > GOALS.get((state, call), ratio):
                missed.append(f"{state} {call}: {ratio:.2f} times native, wanted at most {GOALS[state, call]}")
        print(line.rstrip())
    return missed


def main():
    """0, or 1 when a goal was missed, 2 when the guest failed."""
    options = parse_arguments()
    run = GuestRun(options.kernel, "interposition", append=options.append, timeout=600).run(SCRIPT.format(rounds=options.rounds, parameters=options.parameters))
    costs = collect(run.output)
    tainted = re.findall(r"^@tainted (\d+)$", run.output, re.MULTILINE)
    if run.status or len(tainted) != options.rounds or set(tainted) != {"0"}:
        print(run.output + run.console[-3000:], file=sys.stderr)
        return 2
    print(f"kernel {options.kernel}, {options.rounds} rounds, two emulated processors")
    missed = print_table(costs)
    for line in missed:
        print(line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
