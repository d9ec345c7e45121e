# SPDX-License-Identifier: GPL-3.0-or-later
"""What `./dev test` consists of: lint, the native tests, and the collected tests in groups of which each has guests of its own.

usage: plan.py [--all] [--since COMMIT] COLLECTED, as tools/test calls it with what pytest collected."""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

import jobs
from jobs import Job

TREE = pathlib.Path(__file__).resolve().parents[2]
# A guest waits for something in a good part of its time: three use two processors better than two.
WORKERS = 3
GUESTS = ("tools/lib", "tools/guest", "tools/packages", "tools/kernel", "tools/shell", "dev")
PROGRAMS = ("app", "backend", "dbus", "docs/man", "packaging", "polkit", "resources", "meson.build", "meson_options.txt")
# Folder -> what its tests depend on. Those of the tools read files everywhere, and take seconds.
PATHS = {
    "tools/tests": ("",),
    "tests/kernel": ("kernel", "tests/kernel", *GUESTS),
    "tests/leaks": ("kernel", "tests/kernel", "tests/leaks", *GUESTS),
    "tests/system": ("kernel", "tests", *PROGRAMS, *GUESTS),
    "tests/forensics": ("kernel", "tests", *PROGRAMS, *GUESTS),
}
# These are collected, so that an error in them is told early, and run by ./dev nightly. Of the other folders it has the tests with its mark.
NIGHTLY = {"tests/escapes", "tests/servers", "tests/programs", "tests/secrets", "tests/torture"}
# Files of tests/kernel with few cases.
FEW = {"test_control.py", "test_erase.py", "test_mounts.py", "test_observers.py", "test_page_cache.py", "test_preload.py", "test_realignment.py",
       "test_stuck_memory.py", "test_takeover.py"}
USUAL = {"tools/tests": 10, "tests/kernel": 60, "tests/leaks": 400, "tests/system": 900, "tests/forensics": 600}
PYTEST = ("/usr/bin/python3", "-m", "pytest", "-p", "pytest_tacet", "-p", "no:cacheprovider", "-ra", "-m", "not nightly")


def native_jobs():
    """Those without a guest."""
    # Guests keep time, and lint does not: it takes what they leave of the processors.
    return [Job("lint", ("nice", "-n", "15", str(TREE / "tools/lint")), usual=800),
            Job("native", (str(TREE / "tools/lib/native-tests"),), ("kernel/uapi", "tests/unit", "tests/bus", "tests/app",
                                                                    "tools/lib", "tools/packages", *PROGRAMS))]


def group_of(file):
    """The name of the job that a test file belongs to, without its kernel. The tests of a job share their guests: a file has
    guests of its own only in tests/kernel, where they boot fast, and only when it has many tests."""
    folder, name = os.path.split(file)
    if folder == "tests/kernel":
        return f"{folder}/few" if name in FEW else file
    if folder == "tests/system":
        return f"{folder}/{'private' if name.startswith('test_private') else 'others'}"
    return folder


def jobs_of(collected, kernels):
    """The jobs for the lines `FILE::TEST[PARAMETERS]` of `pytest --collect-only -q`, in the order of the lines."""
    tests = []
    for line in collected:
        match = re.match(r"([^:\s]+)::(.*)$", line)
        folder = match and os.path.dirname(match[1])
        if folder and folder not in NIGHTLY:
            if folder not in PATHS:
                raise ValueError(f"no row in PATHS for {folder}: its tests would not run")
            kernel = next((each for each in kernels if re.search(rf"[\[-]{re.escape(each)}[\]-]", match[2])), None)
            tests.append((group_of(match[1]), kernel, match[1], line))
    with_kernel = {group for group, kernel, _, _ in tests if kernel}
    files, elsewhere = collections.defaultdict(dict), collections.defaultdict(list)
    for group, kernel, file, line in tests:
        # Once is enough for what needs no kernel: beside the tests on the newest.
        beside = not kernel and group in with_kernel
        if beside:
            elsewhere[group].append(line)
        files[group, kernels[-1] if beside else kernel][file] = None
    return [Job(f"{group} {kernel}" if kernel else group,
                command(names, kernel, [] if kernel == kernels[-1] else elsewhere[group]), *folder_of(names))
            for (group, kernel), names in files.items()]


def command(files, kernel, elsewhere):
    """pytest for these files on this kernel, without the tests that run elsewhere."""
    options = ["--kernel", kernel] if kernel else []
    for test in elsewhere:
        options += ["--deselect", test]
    return (*PYTEST, "--rootdir", str(TREE), *(str(TREE / file) for file in files), *options)


def folder_of(files):
    """What the tests of these files depend on, and how long they usually take."""
    folder = os.path.dirname(next(iter(files)))
    return PATHS[folder], USUAL[folder]


def git(*arguments):
    """The lines that git prints about the tree."""
    return subprocess.run(["git", "-C", TREE, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def parse(arguments):
    """The options."""
    parser = argparse.ArgumentParser(prog="plan.py")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--since", metavar="COMMIT")
    parser.add_argument("collected", type=pathlib.Path)
    return parser.parse_args(arguments)


def main(arguments):
    """Runs what is to run; returns the exit status."""
    options = parse(arguments)
    kernels = os.environ["TACET_KERNELS"].split()
    everything = native_jobs() + jobs_of(options.collected.read_text().splitlines(), kernels)
    selected = everything
    if options.since:
        changed = git("diff", "--name-only", options.since) + git("ls-files", "--others", "--exclude-standard")
        selected = jobs.touched(everything, changed)
    salt = (pathlib.Path(os.environ["TACET_CHROOT_ROOT"]) / "etc/tacet-kernels").read_text()
    contents = jobs.Contents(TREE, git("ls-files", "--cached", "--others", "--exclude-standard"), salt)
    marks = jobs.Marks(pathlib.Path(os.environ["TACET_CACHE"]) / "green", contents)
    waiting, kept = [], 0
    for job in selected:
        passed = None if options.all else marks.passed(job)
        if passed is None:
            waiting.append(job)
        else:
            kept += passed
            print(f"green  {job.name}: {passed} passed before, with this content")
    return run(waiting, marks, kept)


def run(waiting, marks, kept):
    """Runs the queue, marks what is green, prints the tables and the sum."""
    times = jobs.Times(TREE / "out/test-times.json")

    def ended(result):
        times.note(result)
        jobs.keep_output(result, TREE / "out/jobs")
        if result.status == 0 and result.failed == 0:
            marks.note(result)
        print(jobs.describe(result), flush=True)

    results = jobs.run_queue(jobs.longest_first(waiting, times), WORKERS, ended)
    print(jobs.slowest(results))
    if kept:
        print(f"not run again: {kept} tests that were green for the same content; --all runs them")
    failed = sum(result.failed for result in results)
    print(f"{sum(result.passed for result in results)} passed, {failed} failed")
    if named := jobs.failures(results):
        print(named)
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
