# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is not in `./dev test`, longest since last green first, within the hours given; the table is its memory.

usage: nightly.py [HOURS] [--only NAME], as tools/nightly calls it."""

import argparse
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
TABLE = TREE / "docs/results/nightly.md"
DEV = "./dev"
NEVER = "never"
HEAD = """# Nightly

`./dev nightly [HOURS]` writes this table and reads it: what was green longest ago runs first. A suite that did not end in the time
that was left is `cut off`.

| suite | verdict | date | commit | minutes | last green |
|---|---|---|---|---|---|
"""


@dataclasses.dataclass
class Row:
    """What is known of a suite."""
    suite: str
    verdict: str = "not run"
    date: str = NEVER
    commit: str = ""
    minutes: int = 0
    green: str = NEVER


def suites(kernels):
    """Name -> command. Each command's status is the verdict."""
    found = {}
    for kernel in kernels:
        # ./dev test has a part of these three.
        found[f"leaks {kernel}"] = [DEV, "catalogue", "leaks", "--kernel", kernel]
        found[f"system {kernel}"] = ["env", "TACET_EVERY_KERNEL=1", DEV, "test", "--kernel", kernel, "-k", "system"]
        found[f"module {kernel}"] = ["env", "TACET_THOROUGH=1", DEV, "test", "--kernel", kernel, "-k", "kernel"]
        found[f"as Debian boots {kernel}"] = ["env", "TACET_BOOT=debian", DEV, "test", "--kernel", kernel, "-k",
                                               "test_outputs or test_verdicts or test_innocents or test_session or test_lifecycle or test_scenario"]
        for desktop in ("x11", "wayland"):
            found[f"escapes {kernel} {desktop}"] = [DEV, "catalogue", "escapes", "--kernel", kernel, "--desktop", desktop]
        found[f"servers {kernel}"] = [DEV, "catalogue", "servers", "--kernel", kernel]
        found[f"secrets {kernel}"] = [DEV, "catalogue", "secrets", "--kernel", kernel]
        found[f"soak of clearing {kernel}"] = ["env", "TACET_SOAK_SECONDS=7200", DEV, "test", "--kernel", kernel, "-k", "test_soak"]
        found[f"torture {kernel}"] = [DEV, "catalogue", "torture", "--kernel", kernel]
        found[f"forensics {kernel}"] = [DEV, "forensics", "--kernel", kernel]
        found[f"forensics with init_on_free {kernel}"] = [DEV, "forensics", "--with-init-on-free", "--kernel", kernel]
        found[f"bench interposition {kernel}"] = [DEV, "bench", "interposition", "--kernel", kernel]
        found[f"bench private {kernel}"] = [DEV, "bench", "private", "--kernel", kernel]
        found[f"bench servers {kernel}"] = [DEV, "bench", "servers", "--kernel", kernel]
    # Among them the store's recovery over 200 lives.
    found["native storms"] = ["env", "TACET_THOROUGH=1", DEV, "test", "--quick"]
    # These choose the newest kernel themselves.
    found["programs"] = [DEV, "catalogue", "programs", "-k", "not test_hour"]
    found["desktop hour"] = [DEV, "catalogue", "programs", "-k", "test_hour"]
    found["bench swap"] = [DEV, "bench", "swap"]
    found["bench heap"] = [DEV, "bench", "heap", "--instructions"]
    found["bench clearing"] = [DEV, "bench", "clearing"]
    found["bench stacks"] = [DEV, "bench", "stacks"]
    found["sanitized kernel"] = [DEV, "test", "--sanitize"]
    found["mounts, sanitized, a thousand"] = ["env", "TACET_THOROUGH=1", DEV, "test", "--sanitize", "-k", "mount_storm"]
    found["fuzz, sanitized, half an hour"] = ["env", "TACET_FUZZ_SECONDS=1800", DEV, "test", "--sanitize", "-k", "fuzz"]
    found["soak of clearing, sanitized"] = ["env", "TACET_SOAK_SECONDS=1800", DEV, "test", "--sanitize", "-k", "test_soak"]
    found["files compile alone"] = [DEV, "test", "--includes"]
    found["clang-tidy"] = [DEV, "lint", "--tidy"]
    found["all tests on a busy machine"] = [DEV, "test", "--all", "--busy"]
    return found


def read(text):
    """Suite -> Row, from the table."""
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 6 and cells[4].isdigit():
            rows[cells[0]] = Row(*cells[:4], int(cells[4]), cells[5])
    return rows


def write(rows):
    """The table's text, by name."""
    lines = [f"| {row.suite} | {row.verdict} | {row.date} | {row.commit} | {row.minutes} | {row.green} |"
             for row in sorted(rows.values(), key=lambda row: row.suite)]
    return HEAD + "\n".join(lines) + "\n"


def in_order(names, rows):
    """Never green first, then by the date of the last green run; among equals what was not even tried lately."""
    def age(name):
        row = rows.get(name, Row(name))
        return ("" if row.green == NEVER else row.green, "" if row.date == NEVER else row.date)
    return sorted(names, key=age)


def fits(row, left_seconds):
    """Whether a suite may be begun: one that was run before has its time."""
    return row.minutes * 60 <= left_seconds


def run(command, seconds, log):
    """The verdict of a command that has so long."""
    with open(log, "wb") as output:
        process = subprocess.Popen(command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            return "green" if process.wait(timeout=seconds) == 0 else "red"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            return "cut off"
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        finally:
            process.wait()


def noted(row, verdict, commit, seconds, now):
    """The row after a run. A cut-off run says nothing about how long the suite takes."""
    minutes = row.minutes if verdict == "cut off" else max(1, round(seconds / 60))
    return Row(row.suite, verdict, now, commit, minutes, now if verdict == "green" else row.green)


def commit_of_tree():
    """The commit, with a plus sign when files differ from it."""
    return subprocess.run(["git", "-C", TREE, "describe", "--always", "--dirty=+", "--exclude=*"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()


def main(arguments):
    """Runs what fits; returns the exit status: 1 when a suite was red."""
    parser = argparse.ArgumentParser(prog="./dev nightly")
    parser.add_argument("hours", nargs="?", type=float, default=8.0)
    parser.add_argument("--only", metavar="NAME", help="suites whose name contains it")
    options = parser.parse_args(arguments)
    end = time.monotonic() + options.hours * 3600
    rows = read(TABLE.read_text()) if TABLE.exists() else {}
    commands = suites(os.environ["TACET_KERNELS"].split())
    rows = {name: rows.get(name, Row(name)) for name in commands}
    red = False
    logs = pathlib.Path(os.environ["TACET_CACHE"]) / "logs"
    commit = commit_of_tree()
    for name in in_order(commands, rows):
        left = end - time.monotonic()
        if (options.only and options.only not in name) or left < 60 or not fits(rows[name], left):
            continue
        began = time.monotonic()
        log = logs / f"nightly-{name.replace(' ', '-').replace(',', '')}.log"
        print(f"{name} ...", flush=True)
        verdict = run(commands[name], left, log)
        red = red or verdict == "red"
        rows[name] = noted(rows[name], verdict, commit, time.monotonic() - began, time.strftime("%Y-%m-%d %H:%M"))
        print(f"{name}: {verdict}, {rows[name].minutes} min; its output: {log}", flush=True)
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        TABLE.write_text(write(rows))
    return int(red)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
