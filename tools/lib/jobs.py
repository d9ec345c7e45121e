# SPDX-License-Identifier: GPL-3.0-or-later
"""A queue of test jobs, longest first. What was green for the same content is not run again; each job's time is kept."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

SHOWN_LINES = 60


@dataclasses.dataclass(frozen=True)
class Job:
    """A command, and the paths of the tree that decide what comes of it."""
    name: str
    command: tuple
    paths: tuple = ("",)
    # Seconds, on a machine that never ran it.
    usual: float = 60


@dataclasses.dataclass
class Result:
    """What came of a job."""
    job: Job
    status: int
    seconds: float
    passed: int
    failed: int
    output: str
    # What a person is to know though it is no failure.
    told: str = ""


def covers(path, changed):
    """Whether a path of a job is the changed file, or a folder above it. The empty path is the whole tree."""
    return not path or changed == path or changed.startswith(path.rstrip("/") + "/")


def touched(jobs, changed):
    """The jobs whose paths hold one of the changed files."""
    return [job for job in jobs if any(covers(path, name) for path in job.paths for name in changed)]


class Contents:
    """Hashes of a tree's files, each read once. `salt` is what jobs depend on outside the tree, such as the kernels' versions."""

    def __init__(self, tree, files, salt=""):
        self._tree = pathlib.Path(tree)
        self._files = sorted(files)
        self._salt = salt
        self._hashes = {}

    def _hash(self, name):
        if name not in self._hashes:
            path = self._tree / name
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            mode = os.access(path, os.X_OK)
            self._hashes[name] = f"{name} {mode} {hashlib.sha256(data).hexdigest()}"
        return self._hashes[name]

    def key(self, job):
        """Changes when the job's command, or any file below its paths, changes."""
        parts = [self._salt, json.dumps([job.name, job.command])]
        parts += [self._hash(name) for name in self._files if any(covers(path, name) for path in job.paths)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


class Marks:
    """One small file for each job that was green: the key of the content, and how many tests passed."""

    def __init__(self, directory, contents):
        self._directory = pathlib.Path(directory)
        self._contents = contents

    def _path(self, job):
        return self._directory / f"{job.name.replace('/', '_')}-{self._contents.key(job)}"

    def passed(self, job):
        """How many tests of the job passed for this content; None when it was never green for it."""
        try:
            return int(self._path(job).read_text())
        except (OSError, ValueError):
            return None

    def note(self, result):
        """Keeps that the job was green. Its older mark goes: content that comes back is tested again."""
        self._directory.mkdir(parents=True, exist_ok=True)
        prefix = result.job.name.replace("/", "_") + "-"
        for old in self._directory.iterdir():
            if re.fullmatch(re.escape(prefix) + "[0-9a-f]{24}", old.name):
                old.unlink()
        self._path(result.job).write_text(f"{result.passed}\n")


class Times:
    """Seconds of each job in a JSON file, which outlives a run of other jobs."""

    def __init__(self, path):
        self._path = pathlib.Path(path)
        try:
            self._seconds = json.loads(self._path.read_text())
        except (OSError, ValueError):
            self._seconds = {}

    def expected(self, job):
        """How long the job took the last time, or usually takes."""
        return self._seconds.get(job.name, job.usual)

    def note(self, result):
        """Keeps what it took now."""
        self._seconds[result.job.name] = round(result.seconds, 1)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(dict(sorted(self._seconds.items())), indent=1) + "\n")


def keep_output(result, directory):
    """Writes all that the job printed into a file of its name, in place of that of its last run."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{result.job.name.replace('/', '_').replace(' ', '-')}.log").write_text(result.output)


def longest_first(jobs, times):
    """The order of the queue."""
    return sorted(jobs, key=lambda job: (-times.expected(job), job.name))


def count(output, status):
    """(passed, failed) as pytest or meson counted them. A job that fails without a count is one failed test."""
    passed = failed = 0
    summaries = re.findall(r"^=* ?((?:\d+ \w+,? ?)+in [\d.]+s.*)$", output, re.MULTILINE)
    if summaries:
        numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summaries[-1])}
        passed = numbers.get("passed", 0)
        failed = sum(numbers.get(word, 0) for word in ("failed", "error", "errors", "skipped"))
    else:
        numbers = {word: int(number) for word, number in re.findall(r"^(Ok|Fail|Timeout|Skipped): +(\d+)", output, re.MULTILINE)}
        passed = numbers.pop("Ok", 1 if status == 0 and not numbers else 0)
        failed = sum(numbers.values())
    return passed, failed or int(status != 0)


def run_job(job):
    """Runs a job to its end; once more when it failed after QEMU itself had ended with an assertion."""
    began = time.monotonic()
    told = ""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", prefix="tacet-aborts-") as aborts:
        # pytest cuts the reason of a failure off at the width of a terminal.
        environment = dict(os.environ, TACET_QEMU_ABORTS=aborts.name, COLUMNS="200")
        for _ in range(2):
            done = subprocess.run(job.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", env=environment, check=False)
            message = aborts.read().strip()
            if not done.returncode or not message:
                break
            told = f"QEMU ended itself, so the job ran twice: {message}"
    passed, failed = count(done.stdout, done.returncode)
    return Result(job, done.returncode, time.monotonic() - began, passed, failed, done.stdout, told)


def run_queue(jobs, workers, ended, run=run_job):
    """Runs the jobs in their order, so many at a time; `ended` gets each result, one at a time. Returns all."""
    waiting, results, lock, errors = list(jobs), [], threading.Lock(), []

    def work():
        while True:
            with lock:
                if not waiting or errors:
                    return
                job = waiting.pop(0)
            try:
                result = run(job)
                with lock:
                    results.append(result)
                    ended(result)
            except Exception as error:  # pylint: disable=broad-exception-caught
                # Told by the caller's thread: a worker that ends silently would leave jobs that nobody runs.
                errors.append(error)
                return

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def describe(result):
    """What a person reads when a job has ended: a line, and when it failed the end of its output."""
    good = result.status == 0 and result.failed == 0
    line = f"{'ok    ' if good else 'FAILED'} {result.job.name}: {result.passed} passed, {result.failed} failed, {result.seconds:.0f} s"
    if result.told:
        line += f"\n    {result.told}"
    if good:
        return line
    return "\n".join([line] + ["    " + text for text in result.output.splitlines()[-SHOWN_LINES:]])


def slowest(results, number=20):
    """The table of the slowest jobs."""
    rows = sorted(results, key=lambda result: -result.seconds)[:number]
    return "\n".join([f"the {len(rows)} slowest jobs:"] + [f"{row.seconds:7.0f} s  {row.job.name}" for row in rows])


def failures(results):
    """Each failed test by name, with pytest's reason or meson's line: the last thing printed, since logs lose their middle."""
    rows = []
    for result in results:
        if result.status or result.failed:
            named = re.findall(r"^(?:FAILED|ERROR) (.*)$|^ *\d+/\d+ (.*(?:FAIL|TIMEOUT) .*)$", result.output, re.MULTILINE)
            rows += [f"{result.job.name}: {(pytest or meson)[:300]}" for pytest, meson in named] or [f"{result.job.name}: no test is named"]
    return "\n".join(["what failed:"] + rows) if rows else ""
