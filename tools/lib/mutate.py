# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows which lines no test guards: breaks 40 drawn ones, one at a time, in a copy of the tree, and runs the tests of that part
until the first that fails. The kernel's lines and the daemon's go side by side, each in a copy of its own.

usage: mutate.py [--seed N] [--count N] [--minutes N] [--survivors], as tools/mutate calls it."""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

from guard_lines import applied, found_again, mutations_of

TREE = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("TACET_CACHE", "/nonexistent"))
TABLE = TREE / "docs/results/mutations.md"
# The simulated kernel serves the unit tests.
LEFT_OUT = "simulated_link"
SOURCES = {"kernel": ["kernel/**/*.c"], "daemon": [f"backend/{part}/**/*.cpp" for part in ("daemon", "session", "names", "scrub", "lookup")]}
# A test file that takes longer hangs, which is seen as well as a failure.
FILE_SECONDS = 900
BUILD_SECONDS = 1200
SURVIVED = "survived"
NOT_BUILT = "does not build"
HEAD = """# Mutations

`./dev mutate` lists the lines of kernel and daemon that guard something: checks, locks, refusals, comparisons. It draws some of
them by a seed and breaks one at a time. Then the tests of that part run on the newest kernel, until the first that fails. A line
whose break no test sees has *survived*. `./dev mutate --survivors` tries the survivors again, with tests that came since.

{facts}

| line | kind | was | became | before | after |
|---|---|---|---|---|---|
"""

# The first word that begins a path decides; the tests come nearest first. What is not named here follows in the usual order.
NEAREST = [
    ("kernel/label/shadow", ["overlays", "programs", "outputs"]),
    ("kernel/label/overlay", ["overlays"]),
    ("kernel/label", ["propagation", "programs", "control", "triggers"]),
    ("kernel/memory", ["memory", "session"]),
    ("kernel/session", ["session"]),
    ("kernel/sink", ["programs", "outputs", "propagation"]),
    ("kernel/question/guard", ["guard"]),
    ("kernel/question", ["verdicts", "programs", "guard"]),
    ("kernel/event", ["verdicts", "control", "programs"]),
    ("kernel/control", ["control", "programs", "fuzz"]),
    ("kernel/channel", ["propagation", "tainted"]),
    ("kernel/call", ["programs", "innocents"]),
    ("kernel/engine/merge", ["merge"]),
    ("kernel/engine/realign", ["realignment"]),
    ("kernel/engine/takeover", ["takeover"]),
    ("kernel/engine/hook", ["session", "guard", "propagation"]),
    ("kernel/engine/output", ["outputs", "verdicts"]),
    ("kernel/engine", ["outputs", "innocents", "triggers"]),
    ("kernel/pair", ["innocents", "tainted", "outputs", "propagation"]),
]
KERNEL_TESTS = ["outputs", "innocents", "triggers", "verdicts", "control", "propagation", "tainted", "guard", "overlays", "merge",
                "realignment", "takeover", "programs", "session", "fuzz", "lifecycle"]
SYSTEM_TESTS = [
    ("backend/session", ["private", "private_files", "private_bus"]),
    ("backend/daemon/sessions", ["private"]),
    ("backend/daemon/names", ["names"]),
    ("backend/names", ["names"]),
    ("backend/daemon/labels", ["guarded_files", "daemon"]),
    ("backend/daemon/breaches", ["prompt", "daemon"]),
    ("backend", ["daemon", "scenario"]),
]


def first_that_begins(table, path):
    """The row's value for a path."""
    return next((names for prefix, names in table if path.startswith(prefix)), [])


def kernel_tests(path):
    """The files of tests for a file of the module, nearest first."""
    near = first_that_begins(NEAREST, path)
    names = near + [name for name in KERNEL_TESTS if name not in near]
    return [f"tests/kernel/test_{name}.py" for name in names] + ["tests/leaks"]


def daemon_tests(path):
    """The same for a file of the daemon and its helpers: those without a guest first."""
    return ["unit", "bus"] + [f"tests/system/test_{name}.py" for name in first_that_begins(SYSTEM_TESTS, path)]


class Lane:
    """A copy of the tree, with build results of its own, in which one part is broken and tested."""

    def __init__(self, part, minutes):
        self.part = part
        self.minutes = minutes
        # The copy's cache: what Debian made is shared, what Tacet's packages made is not, as the main cache drops old entries.
        self._home = CACHE / "mutate" / part
        self._tree = self._home / "tree"
        self._environment = dict(os.environ, XDG_CACHE_HOME=str(self._home / "cache"), PYTHONPATH=f"{self._tree}/tools/lib:{self._tree}",
                                 PYTHONDONTWRITEBYTECODE="1", PYTEST_ADDOPTS=f"-o faulthandler_timeout={FILE_SECONDS}")
        for name in ("TACET_TREE", "TACET_CACHE", "TACET_BUILD", "TACET_CHROOT_ROOT"):
            self._environment.pop(name, None)
        self._kernel = os.environ["TACET_KERNELS"].split()[-1]
        self.log = CACHE / "logs" / f"mutate-{part}.log"

    def prepare(self):
        """Makes the copy, builds it, and sees that what is nearest to a mutant is green without one."""
        cache = self._home / "cache/tacet"
        cache.mkdir(parents=True, exist_ok=True)
        for entry in CACHE.iterdir():
            if entry.name.startswith(("chroot-", "base-image-", "initramfs-", "programs-")) and not (cache / entry.name).exists():
                (cache / entry.name).symlink_to(entry)
        self._tree.mkdir(parents=True, exist_ok=True)
        subprocess.run(["rsync", "-a", "--checksum", "--delete", "--exclude=/.git", "--exclude=/out", f"{TREE}/", f"{self._tree}/"],
                       check=True)
        self.log.write_text("")
        steps = "prepare_packages; tools/lib/native-tests" if self.part == "daemon" else f"build_module {self._kernel}"
        if self._shell(steps, BUILD_SECONDS) != 0:
            raise SystemExit(f"the {self.part} is not green without a mutation; see {self.log}")

    def verdict(self, mutation):
        """What the tests say of a mutation: what saw it, SURVIVED, or NOT_BUILT."""
        place = self._tree / mutation.path
        text = place.read_text()
        place.write_text(applied(mutation, text))
        try:
            return self._tried(mutation.path)
        finally:
            place.write_text(text)

    def _tried(self, path):
        began = time.monotonic()
        if self._build() != 0:
            return NOT_BUILT
        with_image = False
        tests = kernel_tests(path) if self.part == "kernel" else daemon_tests(path)
        for number, test in enumerate(tests):
            if time.monotonic() - began > self.minutes * 60:
                return f"{SURVIVED} {number} of {len(tests)}"
            if test.startswith("tests/system") and not with_image:
                with_image = True
                self._shell("prepare_packages; prepare_image", BUILD_SECONDS)
            start = self.log.stat().st_size
            status = self._run(test)
            if status != 0:
                return f"{test}{self._failed(start, status)}"
        return f"{SURVIVED} {len(tests)} of {len(tests)}"

    def _build(self):
        if self.part == "kernel":
            return self._shell(f"build_module {self._kernel}", BUILD_SECONDS)
        return self._shell('rsync -a --checksum "$tree/backend/" "$build/package/tacet/backend/"; in_chroot ninja -C "$build/objects"',
                           BUILD_SECONDS)

    def _run(self, test):
        if test in ("unit", "bus"):
            return self._shell(f'in_chroot meson test -C "$build/objects" --no-rebuild --print-errorlogs {test}', FILE_SECONDS)
        image = "prepare_image; export TACET_IMAGE=$image; " if test.startswith("tests/system") else ""
        return self._shell(f"{image}/usr/bin/python3 -m pytest -x -q --rootdir $tree -p pytest_tacet -p no:cacheprovider "
                           f"--kernel {self._kernel} $tree/{test}", FILE_SECONDS)

    def _failed(self, start, status):
        if status is None:
            return " (no end)"
        with open(self.log, errors="replace") as log:
            log.seek(start)
            match = re.search(r"^FAILED \S+?::(\S+)|^ERROR \S+?::(\S+)|^\[  FAILED  \] (\w+\.\w+)", log.read(), re.MULTILINE)
        name = match and next(group for group in match.groups() if group)
        return f" {name}" if name else ""

    def _shell(self, steps, seconds):
        """Bash with the shared shell code, in namespaces that end with it; its status, or None when it did not end in time."""
        command = f"set -euo pipefail; cd {self._tree}; source tools/lib/load.sh; prepare_chroot; {steps}"
        with open(self.log, "ab") as log:
            process = subprocess.Popen(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", command],
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment,
                                       start_new_session=True)
            try:
                return process.wait(timeout=seconds)
            except BaseException as error:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    return None
                raise


def part_of(path):
    """Whose tests judge a file."""
    return "kernel" if path.startswith("kernel/") else "daemon"


def all_mutations():
    """Every guarding line of kernel and daemon."""
    found = []
    for patterns in SOURCES.values():
        for pattern in patterns:
            for file in sorted(TREE.glob(pattern)):
                if LEFT_OUT not in file.name:
                    found += mutations_of(str(file.relative_to(TREE)), file.read_text())
    return found


def cell(text):
    """A cell of the table."""
    return text.replace("|", "\\|")


def row_of(mutation, before, after=""):
    """A line of the table."""
    became = mutation.after.strip() or "(removed)"
    return (f"| {mutation.path}:{mutation.line} | {mutation.kind} | `{cell(mutation.before.strip())}` | `{cell(became)}` "
            f"| {before} | {after} |")


def rows_of(text):
    """The table's rows as lists of six cells."""
    found = []
    for line in text.splitlines():
        cells = [part.strip().replace("\\|", "|") for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 6 and re.search(r":\d+$", cells[0]):
            found.append(cells)
    return found


def is_open(row):
    """Whether no test was seen to notice the break: it survived, or a test that came since was not run on it."""
    verdict = row[5] or row[4]
    return verdict.startswith(SURVIVED) or verdict.endswith("(not run)")


def tried(mutations, minutes, count, ended):
    """Runs the mutations in their order, a lane for each part, until `count` were built; `ended` gets (mutation, verdict)."""
    waiting = {part: [mutation for mutation in mutations if part_of(mutation.path) == part] for part in SOURCES}
    # As many of a part as the first `count` drawn have; one that does not build is replaced by the part's next.
    wanted = {part: sum(part_of(mutation.path) == part for mutation in mutations[:count]) for part in SOURCES}
    lock, errors = threading.Lock(), []

    def work(part):
        try:
            lane = Lane(part, minutes)
            lane.prepare()
            while waiting[part] and wanted[part]:
                mutation = waiting[part].pop(0)
                verdict = lane.verdict(mutation)
                print(f"{mutation.path}:{mutation.line} {mutation.kind}: {verdict}", flush=True)
                if verdict != NOT_BUILT:
                    wanted[part] -= 1
                    with lock:
                        ended(mutation, verdict)
        except BaseException as error:  # pylint: disable=broad-exception-caught
            errors.append(error)

    threads = [threading.Thread(target=work, args=(part,)) for part in SOURCES if wanted[part]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def facts_of(seed, number, rows):
    """What stands above the table."""
    survived = sum(row[4].startswith(SURVIVED) for row in rows)
    left = sum(is_open(row) for row in rows)
    return (f"Seed {seed}, {len(rows)} of {number} guarding lines, {time.strftime('%Y-%m-%d')}. Survivors before: {survived}; "
            f"after: {left}.")


def write(seed, number, rows):
    """Writes the table: rows of six cells."""
    lines = ["| " + " | ".join(cell(text) for text in row) + " |" for row in sorted(rows)]
    TABLE.write_text(HEAD.format(facts=facts_of(seed, number, rows)) + "\n".join(lines) + "\n")


def main(arguments):
    """Draws, runs, writes. Returns 0: a survivor is a finding for a person, not a failure."""
    parser = argparse.ArgumentParser(prog="./dev mutate")
    parser.add_argument("--seed", type=int, default=random.randrange(10000))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=8, help="no further file of tests is begun for a mutation after so long")
    parser.add_argument("--survivors", action="store_true", help="only those of the table, again")
    parser.add_argument("--list", action="store_true", help="only show what was drawn")
    options = parser.parse_args(arguments)
    mutations = all_mutations()
    number = len(mutations)
    rows = []
    if options.survivors:
        text = TABLE.read_text()
        options.seed = int(re.search(r"Seed (\d+)", text)[1])
        rows = rows_of(text)
        mutations = []
        for row in rows:
            path = row[0].rpartition(":")[0]
            if is_open(row):
                became = row[3].strip("`")
                mutation = found_again(path, row[2].strip("`"), "" if became == "(removed)" else became, (TREE / path).read_text())
                if mutation:
                    row[0] = f"{path}:{mutation.line}"
                    mutations.append(mutation)
                else:
                    row[5] = "the line is gone"
        options.count = len(mutations)
    else:
        random.Random(options.seed).shuffle(mutations)
    print(f"seed {options.seed}: {options.count} of {number} guarding lines", flush=True)
    if options.list:
        for mutation in mutations[:options.count]:
            print(row_of(mutation, ""))
        return 0

    def ended(mutation, verdict):
        place = f"{mutation.path}:{mutation.line}"
        known = next((row for row in rows if row[0] == place), None)
        if known:
            known[5] = verdict
        else:
            rows.extend(rows_of(row_of(mutation, verdict)))
        write(options.seed, number, rows)

    tried(mutations, options.minutes, options.count, ended)
    write(options.seed, number, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
