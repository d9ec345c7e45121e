# SPDX-License-Identifier: GPL-3.0-or-later
"""The queue runs everything once, longest first, counts what ran, and trusts a mark only for the same content."""

import sys
import threading

import pytest

from jobs import (
    Contents,
    Job,
    Marks,
    Result,
    Times,
    count,
    describe,
    failures,
    keep_output,
    longest_first,
    run_job,
    run_queue,
    slowest,
    touched,
)
from plan import jobs_of


def job(name, *paths):
    return Job(name, ("true",), paths or ("",))


def result(name, seconds=1.0, passed=1, failed=0, status=0, output=""):
    return Result(job(name), status, seconds, passed, failed, output)


@pytest.mark.parametrize("output, status, numbers", [
    ("===== 12 passed in 3.20s =====", 0, (12, 0)),
    ("=== 2 failed, 5 passed, 1 error in 61.00s (0:01:01) ===", 1, (5, 3)),
    ("3 passed in 0.01s", 0, (3, 0)),
    ("==== 1 passed, 1 skipped in 1.00s ====", 0, (1, 1)),
    ("no tests ran in 0.01s", 5, (0, 1)),
    ("Ok:                 12\nFail:               1\nTimeout:            2\n", 1, (12, 3)),
    ("lint: clean, 9 s", 0, (1, 0)),
    ("killed", -9, (0, 1)),
    ("=== 4 passed in 3.20s ===\nthe guest died", 1, (4, 1)),
])
def test_count(output, status, numbers):
    assert count(output, status) == numbers


def test_longest_first(tmp_path):
    times = Times(tmp_path / "times.json")
    times.note(result("short", 2))
    times.note(result("long", 90))
    times = Times(tmp_path / "times.json")
    assert [each.name for each in longest_first([job("short"), job("new"), job("long")], times)] == ["long", "new", "short"]


def test_mark_holds_for_its_content_only(tmp_path):
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel/a.c").write_text("a")
    (tmp_path / "docs").write_text("words")
    kernel = job("kernel", "kernel")

    def marks(salt=""):
        return Marks(tmp_path / "marks", Contents(tmp_path, ["kernel/a.c", "docs"], salt))

    assert marks().passed(kernel) is None
    marks().note(Result(kernel, 0, 1.0, 7, 0, ""))
    assert marks().passed(kernel) == 7
    (tmp_path / "docs").write_text("other words")
    assert marks().passed(kernel) == 7
    assert marks("another kernel").passed(kernel) is None
    (tmp_path / "kernel/a.c").write_text("b")
    assert marks().passed(kernel) is None


def test_mark_of_another_job_stays(tmp_path):
    marks = Marks(tmp_path / "marks", Contents(tmp_path, []))
    marks.note(result("tests/kernel"))
    marks.note(result("tests/kernel-7.2"))
    marks.note(result("tests/kernel"))
    assert marks.passed(job("tests/kernel-7.2")) == 1


def test_touched_by_a_change():
    jobs = [job("all"), job("kernel", "kernel", "tests/kernel"), job("app", "app")]
    assert [each.name for each in touched(jobs, ["kernel/label/label.c"])] == ["all", "kernel"]
    assert [each.name for each in touched(jobs, ["kernels.md"])] == ["all"]
    assert touched(jobs, []) == []


def test_every_job_runs_once_and_two_at_a_time():
    together, ended = threading.Barrier(2, timeout=10), []

    def run(each):
        if each.name in ("a", "b"):
            together.wait()
        return result(each.name)

    results = run_queue([job(name) for name in "abcde"], 2, ended.append, run)
    assert sorted(each.job.name for each in results) == list("abcde")
    assert len(ended) == 5


def test_worker_that_breaks_is_told():
    def run(each):
        raise OSError(each.name)

    with pytest.raises(OSError):
        run_queue([job("a"), job("b")], 2, lambda _: None, run)


def test_failed_job_shows_its_end():
    done = run_job(Job("x", (sys.executable, "-c", "print('the cause'); raise SystemExit(3)")))
    assert (done.status, done.passed, done.failed) == (3, 0, 1)
    assert "FAILED" in describe(done) and "the cause" in describe(done)
    assert "the cause" not in describe(run_job(Job("y", ("echo", "the cause"))))


def test_output_is_kept(tmp_path):
    """A file of the job's name has all that its last run printed."""
    for text in ("first", "second"):
        keep_output(run_job(Job("tests/kernel 7.2", ("echo", text))), tmp_path / "jobs")
    assert [(file.name, file.read_text()) for file in (tmp_path / "jobs").iterdir()] == [("tests_kernel-7.2.log", "second\n")]


@pytest.mark.parametrize("fails, runs", [(1, 2), (2, 2), (0, 1)])
def test_job_in_which_qemu_ended_itself_runs_once_more(tmp_path, fails, runs):
    """`fails`: how many runs end with QEMU's assertion."""
    script = (f"import os, pathlib; log = pathlib.Path('{tmp_path}/runs'); count = len(log.read_text()) if log.exists() else 0\n"
              f"log.write_text('x' * (count + 1))\n"
              f"if count < {fails}: open(os.environ['TACET_QEMU_ABORTS'], 'a').write('Assertion failed'); raise SystemExit(1)\n"
              "print('1 passed in 0.01s')")
    done = run_job(Job("x", (sys.executable, "-c", script)))
    assert len((tmp_path / "runs").read_text()) == runs
    assert (done.status == 0) == (fails < 2)
    assert ("Assertion failed" in describe(done)) == (fails > 0)


def test_job_that_fails_by_itself_runs_once(tmp_path):
    run_job(Job("x", (sys.executable, "-c", f"open('{tmp_path}/runs', 'a').write('x'); raise SystemExit(1)")))
    assert (tmp_path / "runs").read_text() == "x"


def test_slowest_is_sorted():
    assert slowest([result("a", 1), result("b", 5), result("c", 3)], 2).splitlines()[1:] == ["      5 s  b", "      3 s  c"]


def test_jobs_of_collected_tests():
    lines = ["tests/kernel/test_merge.py::test_a[6.12]", "tests/kernel/test_merge.py::test_a[7.2]",
             "tests/kernel/test_merge.py::test_row[7.2-some-row]", "tools/tests/test_jobs.py::test_count[a-1-2]",
             "tests/system/test_names.py::test_x[7.2]", "tests/system/test_private.py::test_y[7.2]",
             "tests/programs/test_hour.py::test_hour[7.2]", "", "6 tests collected in 0.1s"]
    names = sorted(each.name for each in jobs_of(lines, ["6.12", "7.2"]))
    assert names == ["tests/kernel/test_merge.py 6.12", "tests/kernel/test_merge.py 7.2",
                     "tests/system/others 7.2", "tests/system/private 7.2", "tools/tests"]


def test_folder_without_a_row_is_told():
    with pytest.raises(ValueError, match="tests/forget"):
        jobs_of(["tests/forget/test_a.py::test_x[7.2]"], ["6.12", "7.2"])


def test_file_without_kernel_beside_others_is_run():
    lines = ["tests/system/test_a.py::test_x[6.12]", "tests/system/test_b.py::test_y"]
    made = jobs_of(lines, ["6.12", "7.2"])
    assert [(each.name, any(word.endswith("test_b.py") for word in each.command)) for each in made] == [
        ("tests/system/others 6.12", False), ("tests/system/others 7.2", True)]


def test_tests_without_kernel_run_once():
    table = "tests/kernel/test_programs.py::test_call_table"
    lines = [table, "tests/kernel/test_programs.py::test_marshalling[6.12]", "tests/kernel/test_programs.py::test_marshalling[7.2]"]
    assert {each.name[-3:]: table in each.command for each in jobs_of(lines, ["6.12", "7.2"])} == {".12": True, "7.2": False}


def test_failures_are_named_last():
    pytest = Result(Job("p", ()), 1, 1, 4, 1, "FAILED tests/a.py::test_x[7.2] - assert 1 == 2\n1 failed, 4 passed in 2.0s\n")
    meson = Result(Job("m", ()), 1, 1, 4, 1, "1/2 good OK 0.1s\n2/2 bus FAIL 3.2s exit status 1\nFail: 1\n")
    silent = Result(Job("s", ()), 1, 1, 0, 1, "Segmentation fault\n")
    assert failures([pytest, meson, silent, result("good", 1)]).splitlines() == [
        "what failed:", "p: tests/a.py::test_x[7.2] - assert 1 == 2", "m: bus FAIL 3.2s exit status 1", "s: no test is named"]
    assert failures([result("good", 1)]) == ""
