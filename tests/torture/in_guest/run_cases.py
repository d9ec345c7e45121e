#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases that stand in a file (JSON: name -> shell command) and writes their results to another.

A result is [exit status, digest of the output]. Numbers and the case's folder are left out of the digest.

usage: run_cases.py MODE SECONDS CASES RESULTS. MODE: plain; watched: with the reading end of a pipe with derived data open;
paired: each program reads the marked file first. A case that takes longer than SECONDS has the status "late"."""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = pathlib.Path("/home/anna/torture")
# Output beyond this is not read.
OUTPUT_MAX = 4 << 20


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
    """[Exit status or "late", digest of the output]."""
    # Each case has a folder of its own: processes of an earlier case may still run in theirs.
    scratch = tempfile.mkdtemp(dir=SCRATCH)
    environment = {**environment, "HOME": scratch, "TMPDIR": scratch}
    with open("/dev/null", "rb") as nothing, tempfile.TemporaryFile(dir=SCRATCH) as output, subprocess.Popen(
            ["bash", "-c", command], cwd=scratch, stdin=nothing, stdout=output, stderr=output, env=environment, pass_fds=passed,
            start_new_session=True) as process:
        try:
            status = process.wait(seconds)
            output.seek(0)
            return [status, digest(output.read(OUTPUT_MAX).replace(scratch.encode(), b""))]
        except subprocess.TimeoutExpired:
            return ["late", ""]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            shutil.rmtree(scratch, ignore_errors=True)


def digest(output):
    """A few characters that tell outputs apart, but for numbers in them."""
    return hashlib.sha256(re.sub(rb"0x[0-9a-f]+|[0-9]+", b"#", output)).hexdigest()[:12]


def main():
    """See the module."""
    mode, seconds, cases, results = sys.argv[1], float(sys.argv[2]), *map(pathlib.Path, sys.argv[3:])
    environment, passed = surroundings(mode)
    SCRATCH.mkdir(exist_ok=True)
    found = {name: run(command, seconds, environment, passed) for name, command in json.loads(cases.read_text()).items()}
    results.write_text(json.dumps(found))


main()
