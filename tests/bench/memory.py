#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing freed memory costs, layer by layer: the tables of the benches zeroing, heap, clearing and stacks, one after
the other."""

import argparse
import subprocess
import sys

BENCHES = {"zeroing": "ways of zeroing a block, by its size", "heap": "the heap, natively", "clearing": "pages and buffers of the kernel, in a guest",
           "stacks": "stacks of threads, in a guest"}


def main():
    """0, or the status of the first bench that failed."""
    parser = argparse.ArgumentParser(prog="./dev bench memory")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name, what in BENCHES.items():
        print(f"\n{name}: {what}", flush=True)
        done = subprocess.run([sys.executable, "-m", f"tests.bench.{name}", "--rounds", str(options.rounds)], check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
