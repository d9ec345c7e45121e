# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that has read the secret sends data that does not depend on it, and nobody is asked."""

import pathlib
import re

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_innocent

# The deeds are read from the tables in the program's source, so that none is forgotten.
FILES = sorted((pathlib.Path(__file__).parent / "programs").glob("innocent_*.c"))
DEEDS = sorted({name for file in FILES
                for name in re.findall(r'\{ "([a-z-]+)", [a-z]\w* \}', file.read_text())})

# How many calls the program's own filter judged, of so many.
JUDGED = {"filter": b" 200 100 done", "filter-of-all-threads": b" 800 done", "filter-with-supervisor": b" 20 done",
          "filter-with-signals": b" 20 done", "filter-outlives-watch": b" 200 done"}

# A machine that is so busy that a thread gets no processor for 0.7 of a second, as the kernel's bandwidth control makes it.
THROTTLED = """mkdir -p groups; mount -t cgroup2 none groups; echo +cpu > groups/cgroup.subtree_control; mkdir -p groups/slow
echo 300000 1000000 > groups/slow/cpu.max; echo $$ > groups/slow/cgroup.procs
for i in 1 2 3 4 5; do innocent threads-older-than-pair secret; done
echo $$ > groups/cgroup.procs; rmdir groups/slow; umount groups; echo constant | nc remote 9"""

SHELL = {
    "sum": "sha256sum secret; wc secret; echo constant | nc remote 9",
    "count": "grep -c anna secret; echo constant | nc remote 9",
    "status": "if cmp -s secret /dev/null; then echo same; else echo other; fi; echo constant > /dev/tcp/remote/9",
    "other-file": "cat secret > /dev/null; echo constant > public; nc remote 9 < public",
    "discarded": "cat secret > /dev/null; cat /run/plain | wc -c; echo constant | nc remote 9",
    "variable": "x=$(wc -c < secret); y=$(cat secret); echo constant > /dev/tcp/remote/9",
    "upload": "sha256sum secret; echo constant > public; wget -q -T 5 -O - --post-file public http://10.77.0.2/up",
    "directory": "ls -l secret | wc -c; stat -c %n secret; find . -name secret; echo constant | nc remote 9",
    "only-opened": "exec 3< secret; echo constant > /dev/tcp/remote/9",
    "killed-child": "read -r line < secret; (while :; do :; done) & sleep 0.2; kill -9 $!; wait $!; echo constant > /dev/tcp/remote/9",
    "from-shell": "while read -r line; do n=$((n + 1)); done < secret; echo constant > /dev/tcp/remote/9",
}


@pytest.mark.parametrize("case", [Case(deed, f"innocent {deed} secret") for deed in DEEDS], ids=str)
def test_program(case, outcome):
    assert_innocent(outcome, b"deed %s:" % case.name.encode())
    assert JUDGED.get(case.name, b" done\n") in outcome.received, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, script) for name, script in SHELL.items()], ids=str)
def test_shell(case, outcome):
    assert_innocent(outcome, b"constant")


@pytest.mark.parametrize("case", [Case("throttled", THROTTLED, timeout=60)], ids=str)
def test_busy_machine(case, outcome):
    """Threads keep their order, so that nobody is asked only because the machine is busy."""
    assert_innocent(outcome, b"constant")
    assert outcome.received.count(b" done\n") == 5, outcome.describe()
