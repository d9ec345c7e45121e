#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases that stand in a file (JSON: name -> shell command) and writes their exit statuses to another.

usage: run_cases.py MODE SECONDS CASES STATUSES. MODE: plain; watched: with the reading end of a pipe with derived data open;
paired: each program reads the marked file first. A case that takes longer than SECONDS has the status "late"."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path("/home/anna/torture")


def surroundings(mode):
    """The environment, and the descriptors that are passed on."""
    environment = {**os.environ, "LANG": "C.UTF-8"}
    if mode == "paired":
        return {**environment, "LD_PRELOAD": str(HERE / "read_marked.so")}, ()
    if mode == "watched":
        reading, writing = os.pipe()
        subprocess.run(["cat", HERE / "marked"], stdout=writing, check=True)
        os.close(writing)
        return environment, (reading,)
    return environment, ()


def run(command, seconds, environment, passed):
    """The exit status, or "late"."""
    # Each case has a folder of its own: processes of an earlier case may still run in theirs.
    scratch = tempfile.mkdtemp(dir=SCRATCH)
    environment = {**environment, "HOME": scratch, "TMPDIR": scratch}
    with open("/dev/null", "r+b") as nothing, subprocess.Popen(
            ["bash", "-c", command], cwd=scratch, stdin=nothing, stdout=nothing, stderr=nothing, env=environment, pass_fds=passed,
            start_new_session=True) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return "late"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            shutil.rmtree(scratch, ignore_errors=True)


def main():
    """See the module."""
    mode, seconds, cases, statuses = sys.argv[1], float(sys.argv[2]), *map(pathlib.Path, sys.argv[3:])
    environment, passed = surroundings(mode)
    SCRATCH.mkdir(exist_ok=True)
    found = {name: run(command, seconds, environment, passed) for name, command in json.loads(cases.read_text()).items()}
    statuses.write_text(json.dumps(found))


main()
