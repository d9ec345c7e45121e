#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing freed heap memory costs real programs, natively in the build chroot.

Each does its work with glibc as it is, with libtacet-heap.so preloaded, and with glibc's own `malloc.perturb` without its cache of
freed blocks (with the cache it would leave small blocks as they are). Then come LLVM's hardened allocator Scudo, which clears nothing
when it is freed, and the library above it. The states take turns; the numbers are medians of the processor time, user and system,
and the ratio to plain glibc. Goal: 1.02 on average, 1.05 at most.
"""

import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "backend/heap/libtacet-heap.so"
# Debian has it in this package only, which is not in the build chroot.
PACKAGES = "libclang-rt-19-dev"
SCUDO = "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.scudo_standalone-x86_64.so"
STATES = {"glibc": {}, "tacet-heap": {"LD_PRELOAD": LIBRARY},
          "perturb": {"GLIBC_TUNABLES": "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"},
          "scudo": {"LD_PRELOAD": SCUDO}, "tacet+scudo": {"LD_PRELOAD": f"{LIBRARY} {SCUDO}"}}
SOURCE = """#include <map>
#include <regex>
#include <string>
#include <iostream>
int main(int n, char** v) { std::map<std::string, std::regex> all; for (int i = 0; i < n; ++i) all[v[i]] = std::regex(v[i]);
  for (auto& [k, r] : all) std::cout << k << std::regex_match(k, r); }
"""
PERL = ("my %h; for my $i (1..2000000) { $h{'key' . $i % 250000} .= 'value ' . $i; } my $n = 0; "
        "for (sort keys %h) { $n += length join ',', split / /, $h{$_}; } print $n;")
PYTHON = ("import json\nrows = [{'name': 'row %d' % i, 'text': 'x' * (i % 700), 'list': list(range(i % 30))} for i in range(40000)]\n"
          "for _ in range(3): text = json.dumps(rows); rows = json.loads(text)\nprint(len(text))")
SQLITE = ("import sqlite3\nd = sqlite3.connect(':memory:'); d.execute('create table t (a integer, b text)')\n"
          "d.executemany('insert into t values (?, ?)', ((i * 7919 % 100003, 'text %d' % i * 9) for i in range(200000)))\n"
          "d.execute('create index i on t (b)')\n"
          "print(d.execute('select count(*), max(b) from (select a, group_concat(b) b from t group by a % 5000)').fetchone()[0])")
BASH = "for ((i = 0; i < 150000; i++)); do word=\"${word:0:200}$i\"; list=($word $i ${#word}); done; echo ${#list}"


def work(folder):
    """name -> command line."""
    data = folder / "data"
    data.write_bytes(b"".join(b"%d %d\n" % (i * 7919 % 1000003, i) for i in range(1_500_000)))
    (folder / "source.cpp").write_text(SOURCE, encoding="ascii")
    return {
        "gcc (C++, optimized)": ["g++", "-O2", "-c", "-o", str(folder / "object"), str(folder / "source.cpp")],
        "perl (hashes, strings)": ["perl", "-e", PERL],
        "python3 (json)": ["python3", "-c", PYTHON],
        "sqlite (insert, index, group)": ["python3", "-c", SQLITE],
        "gzip": ["sh", "-c", f"gzip -c {data}"],
        "sort": ["env", "LC_ALL=C", "sort", "--parallel=1", str(data)],
        "bash (strings, arrays)": ["bash", "-c", BASH],
        "xz": ["sh", "-c", f"head -c 8000000 {data} | xz -c"],
    }


def processor_time(line, variables):
    """Seconds of the command and its children."""
    before = os.times()
    subprocess.run(line, env=os.environ | variables, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def measure(rounds):
    """(work, state) -> seconds of each round. Runs in the chroot, in the build's directory."""
    costs = collections.defaultdict(list)
    library = str(pathlib.Path(LIBRARY).resolve())
    states = {state: {name: value.replace(LIBRARY, library) for name, value in variables.items()} for state, variables in STATES.items()}
    with tempfile.TemporaryDirectory() as folder:
        lines = work(pathlib.Path(folder))
        for _ in range(rounds):
            for name, line in lines.items():
                for state, variables in states.items():
                    costs[name, state].append(processor_time(line, variables))
    return costs


def show(costs, rounds):
    """Prints the table."""
    print(f"{rounds} rounds, processor seconds\n{'':<32}{'glibc':>8}" + "".join(f"{state:>18}" for state in list(STATES)[1:]))
    ratios = collections.defaultdict(list)
    for name in dict.fromkeys(name for name, _ in costs):
        values = {state: statistics.median(costs[name, state]) for state in STATES}
        cells = ""
        for state in list(STATES)[1:]:
            ratios[state].append(values[state] / values["glibc"])
            cells += f"{values[state]:>11.2f} x{ratios[state][-1]:<5.3f}"
        print(f"{name:<32}{values['glibc']:>8.2f}{cells}")
    print(f"{'mean of the ratios':<40}" + "".join(f"{'':>11} x{statistics.mean(ratios[state]):<5.3f}" for state in list(STATES)[1:]))


def main():
    """Prints the table, from inside the chroot."""
    parser = argparse.ArgumentParser(prog="./dev bench heap")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--objects", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.objects:
        os.chdir(options.objects)
        show(measure(options.rounds), options.rounds)
        return 0
    script = (f"source tools/lib/load.sh; prepare_chroot; prepare_packages; "
              f'in_chroot_with {PACKAGES} python3 "$tree/tests/bench/heap.py" --objects "$build/objects" --rounds {options.rounds}')
    return subprocess.run(["bash", "-c", script], cwd=TREE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
