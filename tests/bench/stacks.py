#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing stacks costs: a program has threads that work for a moment each second, and sleep.

Counts the guest's instructions, on one processor whose clock advances by 1 ns with each. It sums the processor time of all tasks for 40 s.
The states take turns: without the module, and chosen with all layers. The last column is what the second has more than the first, as a share
of the processor's time. Goal: 0.5%.
"""

import argparse
import collections
import os
import re
import statistics
import sys

from tests.kernel.guest_run import GuestRun

STATES = ("native", "cleared")
THREADS = (1, 10, 100, 1000)
SECONDS = 40
SCRIPT = """
source /guest.sh
mkdir -p /run/work; cd /run/work || exit
cat > threads.py << 'END'
import sys, threading, time
def deep(left):
    return deep(left - 1) + str(left) if left else ""
def live():
    while True:
        deep(100)
        time.sleep(1)
threading.stack_size(512 << 10)
for _ in range(int(sys.argv[1])):
    threading.Thread(target=live, daemon=True).start()
open("begun", "w").close()
time.sleep(100000)
END
# The processor time of all tasks, in nanoseconds.
spent() {{ cat /proc/[0-9]*/task/*/schedstat 2>/dev/null | awk '{{ sum += $1 }} END {{ printf "%.0f", sum }}'; }}
measure() {{
    local before after
    python3 threads.py $2 & until [[ -e begun ]]; do sleep 0.1; done
    sleep 10; before=$(spent); sleep {seconds}; after=$(spent)
    echo "@cost $1 $2 $((after - before))"
    kill $!; wait $!; rm begun
}} 2>/dev/null
all() {{ local count; for count in {threads}; do measure $1 $count; done; }}
for round in {{1..{rounds}}}; do
    all native
    insmod /tacet.ko linger_seconds=0 || exit
    memory policy chosen $(readlink -f "$(command -v python3)"); all cleared
    memory policy off; sleep 3
    unload || exit
done
"""


def main():
    """0, or 2 when the guest failed."""
    parser = argparse.ArgumentParser(prog="./dev bench stacks")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[-1])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    guest = GuestRun(options.kernel, "stacks", timeout=1800, programs=True, counts_instructions=True)
    guest.run(SCRIPT.format(rounds=options.rounds, seconds=SECONDS, threads=" ".join(map(str, THREADS))))
    costs = collections.defaultdict(list)
    for state, count, spent in re.findall(r"^@cost (\S+) (\d+) (\d+)\r?$", guest.output, re.MULTILINE):
        costs[state, int(count)].append(int(spent))
    if not costs[STATES[-1], THREADS[-1]]:
        print(guest.output + guest.console, file=sys.stderr)
        return 2
    print(f"kernel {options.kernel}, millions of instructions a second; medians of {options.rounds} rounds")
    print(f"{'threads':>10}" + "".join(f"{state:>12}" for state in (*STATES, "of all time")))
    for count in THREADS:
        native, cleared = (statistics.median(costs[state, count]) / SECONDS / 1e6 for state in STATES)
        print(f"{count:10}{native:12.2f}{cleared:12.2f}{(cleared - native) / 1000:12.3%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
