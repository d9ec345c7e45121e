#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing freed heap memory costs real programs, natively in the build chroot.

Each does its work with glibc as it is, with libtacet-heap.so preloaded, and with glibc's own `malloc.perturb` without its cache of
freed blocks (with the cache it would leave small blocks as they are). Then come LLVM's hardened allocator Scudo, which clears nothing
when it is freed, and the library above it. The states take turns; the numbers are the least processor time of a round, user and
system, as what disturbs only adds to it, and the ratio to plain glibc. Goal: 1.02 on average, 1.05 at most.

`--instructions` has Callgrind count the instructions of a twentieth of the work instead, once, with the library and without it. They do
not scatter, but a program's own misses of caches and branches are not in them.
"""

import argparse
import collections
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "backend/heap/libtacet-heap.so"
# Debian has Scudo in this package only. Neither is in the build chroot.
PACKAGES = "libclang-rt-19-dev valgrind"
SCUDO = "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.scudo_standalone-x86_64.so"
STATES = {"glibc": {}, "tacet-heap": {"LD_PRELOAD": LIBRARY},
          "perturb": {"GLIBC_TUNABLES": "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"},
          "scudo": {"LD_PRELOAD": SCUDO}, "tacet+scudo": {"LD_PRELOAD": f"{LIBRARY} {SCUDO}"}}
COUNTED = ["glibc", "tacet-heap"]
# Callgrind takes each byte of a string instruction for an instruction, so that glibc clears and copies by vectors.
COUNTING = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000",
            "PERL_HASH_SEED": "0", "PYTHONHASHSEED": "0"}
SOURCE = """#include <map>
#include <regex>
#include <string>
#include <iostream>
int main(int n, char** v) { std::map<std::string, std::regex> all; for (int i = 0; i < n; ++i) all[v[i]] = std::regex(v[i]);
  for (auto& [k, r] : all) std::cout << k << std::regex_match(k, r); }
"""
PERL = ("my %h; for my $i (1..COUNT) { $h{'key' . $i % (COUNT / 8)} .= 'value ' . $i; } my $n = 0; "
        "for (sort keys %h) { $n += length join ',', split / /, $h{$_}; } print $n;")
PYTHON = ("import json\nrows = [{'name': 'row %d' % i, 'text': 'x' * (i % 700), 'list': list(range(i % 30))} for i in range(COUNT)]\n"
          "for _ in range(3): text = json.dumps(rows); rows = json.loads(text)\nprint(len(text))")
SQLITE = ("import sqlite3\nd = sqlite3.connect(':memory:'); d.execute('create table t (a integer, b text)')\n"
          "d.executemany('insert into t values (?, ?)', ((i * 7919 % 100003, 'text %d' % i * 9) for i in range(COUNT)))\n"
          "d.execute('create index i on t (b)')\n"
          "print(d.execute('select count(*), max(b) from (select a, group_concat(b) b from t group by a % 5000)').fetchone()[0])")
BASH = "for ((i = 0; i < COUNT; i++)); do word=\"${word:0:200}$i\"; list=($word $i ${#word}); done; echo ${#list}"


def work(folder, part):
    """name -> command line. Each does 1/part of its work, but gcc all of it."""
    def amount(program, count):
        return program.replace("COUNT", str(count // part))

    data = folder / "data"
    data.write_bytes(b"".join(b"%d %d\n" % (i * 7919 % 1000003, i) for i in range(1_500_000 // part)))
    (folder / "source.cpp").write_text(SOURCE, encoding="ascii")
    return {
        "gcc (C++, optimized)": ["g++", "-O2", "-c", "-o", str(folder / "object"), str(folder / "source.cpp")],
        "perl (hashes, strings)": ["perl", "-e", amount(PERL, 2_000_000)],
        "python3 (json)": ["python3", "-c", amount(PYTHON, 40_000)],
        "sqlite (insert, index, group)": ["python3", "-c", amount(SQLITE, 200_000)],
        "gzip": ["sh", "-c", f"gzip -c {data}"],
        "sort": ["env", "LC_ALL=C", "sort", "--parallel=1", str(data)],
        "bash (strings, arrays)": ["bash", "-c", amount(BASH, 150_000)],
        "xz": ["sh", "-c", f"head -c {8_000_000 // part} {data} | xz -c"],
    }


def processor_time(line, variables):
    """Seconds of the command and its children."""
    before = os.times()
    subprocess.run(line, env=os.environ | variables, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def instructions(line, variables):
    """Millions, of the command and its children. Hashes are the same in each run."""
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/%p", *line],
                              env=os.environ | variables | COUNTING, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=True).stderr
    return sum(int(count) for count in re.findall(r"Collected : (\d+)", told)) / 1e6


def measure(cost, states, rounds, part):
    """(work, state) -> cost of each round. Runs in the chroot, in the build's directory."""
    costs = collections.defaultdict(list)
    library = str(pathlib.Path(LIBRARY).resolve())
    with tempfile.TemporaryDirectory() as folder:
        lines = work(pathlib.Path(folder), part)
        for _ in range(rounds):
            for name, line in lines.items():
                for state in states:
                    costs[name, state].append(
                        cost(line, {key: value.replace(LIBRARY, library) for key, value in STATES[state].items()}))
    return costs


def show(costs, states, title):
    """Prints the table."""
    others = list(states)[1:]
    print(f"{title}\n{'':<32}{'glibc':>8}" + "".join(f"{state:>18}" for state in others))
    ratios = collections.defaultdict(list)
    for name in dict.fromkeys(name for name, _ in costs):
        values = {state: min(costs[name, state]) for state in states}
        cells = ""
        for state in others:
            ratios[state].append(values[state] / values["glibc"])
            cells += f"{values[state]:>11.2f} x{ratios[state][-1]:<5.3f}"
        print(f"{name:<32}{values['glibc']:>8.2f}{cells}")
    print(f"{'mean of the ratios':<40}" + "".join(f"{'':>11} x{statistics.mean(ratios[state]):<5.3f}" for state in others))


def main():
    """Prints the table, from inside the chroot."""
    parser = argparse.ArgumentParser(prog="./dev bench heap")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--objects", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.objects:
        os.chdir(options.objects)
        if options.instructions:
            show(measure(instructions, COUNTED, 1, 20), COUNTED, "millions of instructions")
        else:
            show(measure(processor_time, STATES, options.rounds, 1), STATES, f"{options.rounds} rounds, processor seconds")
        return 0
    words = f"--rounds {options.rounds}{' --instructions' if options.instructions else ''}"
    script = (f"source tools/lib/load.sh; prepare_chroot; prepare_packages; "
              f'in_chroot_with "{PACKAGES}" python3 "$tree/tests/bench/heap.py" --objects "$build/objects" {words}')
    return subprocess.run(["bash", "-c", script], cwd=TREE, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
