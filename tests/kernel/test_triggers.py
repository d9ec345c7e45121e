# SPDX-License-Identifier: GPL-3.0-or-later
"""Every way to get at a labelled file's bytes is noticed: what the process then sends is asked about."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_scrubbed, leaks

TRIGGERS = [
    "read", "pread", "readv", "preadv", "preadv2", "mmap-private", "mmap-shared", "sendfile", "splice", "tee",
    "copy_file_range", "fork", "exec", "passed-file", "passed-pipe", "thread", "clone-by-content",
    "into-shared-page", "into-shared-file",
]
LATE = ["labelled-while-open", "labelled-while-mapped", "labelled-by-child"]
SCRUBBED = ["read", "preadv", "mmap-shared", "splice", "exec", "passed-pipe", "into-shared-page", "labelled-while-mapped"]
REFUSED = ["vmsplice", "io_uring", "io_uring-thread", "io_uring-pending", "aio"]


def script(trigger):
    """The case's script. The late triggers label the file only while the program runs."""
    return ("agent unlabel secret\n" if trigger in LATE else "") + f"leak {trigger} write secret"


@pytest.mark.parametrize("case", [Case(name, script(name)) for name in TRIGGERS + LATE], ids=str)
def test_blocked(case, outcome):
    assert_blocked(outcome)


@pytest.mark.parametrize("case", [Case(name, script(name), "allow") for name in TRIGGERS + LATE], ids=str)
def test_allowed(case, outcome):
    assert_allowed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, script(name), "scrub") for name in SCRUBBED], ids=str)
def test_scrubbed(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, script(name)) for name in REFUSED], ids=str)
def test_refused_reads_give_nothing(case, outcome):
    assert not leaks(outcome.received), f"LEAK\n{outcome.describe()}"


@pytest.mark.parametrize("case", [Case(name, script(name), labelled=False) for name in REFUSED], ids=str)
def test_refused_reads_work_without_labels(case, outcome):
    if case.name != "io_uring-pending":
        assert leaks(outcome.received), outcome.describe()
    assert not outcome.questions, outcome.describe()
