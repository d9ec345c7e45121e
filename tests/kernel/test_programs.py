# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests that are written in C: the system-call table, the marshalling, labels and the module's parts without its engine."""

import re
import subprocess

import pytest

from tests.kernel.guest_run import HERE, TREE, build_directory


def run(*command):
    """Runs a command to its end; returns what it printed, which shows when it fails."""
    done = subprocess.run(list(map(str, command)), check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-20000:]
    return done.stdout


def check_tap(output):
    """Each line is good, none was skipped, and there are as many as the plan says."""
    assert not re.findall("^(?:not ok|Bail out!|.*# SKIP).*", output, re.MULTILINE), output
    plan = re.search(r"^1\.\.(\d+)", output, re.MULTILINE)
    assert plan and len(re.findall(r"^ok ", output, re.MULTILINE)) == int(plan[1]) > 0, output


def test_call_table():
    """Each system call has a row that fits it."""
    run(TREE / "dev", "shell", "--", "make", "-s", "-C", HERE / "unit", "check")


def test_marshalling(kernel):
    """Every form of call is copied into the ring and out again, at its limits too."""
    run(HERE / "unit" / "check-marshal", kernel)


@pytest.fixture(scope="session")
def parts(kernel):
    """A directory with tacet_parts.ko and the compiled tests."""
    directory = build_directory() / f"parts-{kernel}"
    run(TREE / "dev", "shell", "--", HERE / "parts" / "build", kernel, directory)
    return directory


@pytest.mark.parametrize(("program", "module"), [
    ("test_label", None), ("test_shadows", "tacet_parts"), ("test_sinks", "tacet_parts"), ("test_questions", "tacet_parts")])
def test_program(kernel, parts, program, module):
    """Runs the program on the file systems that the guest has, beside the module that it is for."""
    copies, options = [f"{parts / program}:/usr/bin/{program}"], []
    if module:
        copies.append(f"{parts / module}.ko:/{module}.ko")
        options.append("--no-module")
    for copy in copies:
        options += ["--copy", copy]
    # The output is shown at the end, because the kernel's messages on the same console would break its lines.
    command = f"insmod /{module or 'tacet'}.ko && {{ {program} /mnt > /run/output; status=$?; cat /run/output; exit $status; }}"
    check_tap(run(TREE / "dev", "kernel", "--kernel", kernel, *options, "--", command))
