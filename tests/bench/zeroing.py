#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures ways of zeroing memory by the block's size, natively: figure 5 of "Shredding Your Garbage".

All ways take turns in each round. Shown are medians in GB a second of processor time; the ratio to memset, which
libtacet-heap.so uses, stands beside them.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
BASELINE = "memset"


def parse_arguments():
    """The bench's own arguments."""
    parser = argparse.ArgumentParser(prog="./dev bench zeroing")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mib", type=int, default=512, help="how much each way writes of each size")
    return parser.parse_args()


def measure(rounds, mib):
    """(size, way) -> MB a second of each round."""
    script = ('source tools/lib/load.sh; prepare_chroot; in_chroot gcc -O2 -Wall -Wextra -Werror -o "$build/zeroing" '
              f'"$tree/tests/bench/zeroing.c"; for round in $(seq {rounds}); do in_chroot "$build/zeroing" {mib}; done')
    done = subprocess.run(["bash", "-ec", script], cwd=TREE, stdout=subprocess.PIPE, text=True, check=True)
    speeds = collections.defaultdict(list)
    for way, size, speed in re.findall(r"^@speed (\S+) (\d+) (\d+)$", done.stdout, re.MULTILINE):
        speeds[int(size), way].append(int(speed))
    return speeds


def readable(size):
    """A size in bytes, KiB or MiB."""
    return f"{size >> 20} MiB" if size >> 20 else f"{size >> 10} KiB" if size >> 10 else f"{size} B"


def main():
    """Prints the table."""
    options = parse_arguments()
    speeds = measure(options.rounds, options.mib)
    ways = list(dict.fromkeys(way for _, way in speeds))
    print(f"{options.rounds} rounds, GB/s\n{'':<8}" + "".join(f"{way:>16}" for way in ways))
    for size in dict.fromkeys(size for size, _ in speeds):
        medians = {way: statistics.median(speeds[size, way]) for way in ways}
        print(f"{readable(size):<8}" + "".join(f"{medians[way] / 1000:>9.1f} x{medians[way] / medians[BASELINE]:<5.2f}" for way in ways))
    return 0


if __name__ == "__main__":
    sys.exit(main())
