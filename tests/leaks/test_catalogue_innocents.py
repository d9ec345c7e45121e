# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of innocents: what does not come from the labelled file arrives, nobody is asked, and no doppelganger is lost
but where the program's way depends on what it reads."""

import pytest

from tests.kernel.oracle import assert_innocent
from tests.leaks import catalogue_innocents

NEWEST_KERNEL_ONLY = True
INNOCENTS = catalogue_innocents.INNOCENTS
FALSE_ALARMS = catalogue_innocents.FALSE_ALARMS
# A thread's turn ends after 40 ms without a call. On a busy machine these may need longer, and are asked about then, as the limits tell.
TIMED = ("python-pool", "python-pool-order")


def rows(diverges):
    """The rows whose doppelganger is lost, or is not."""
    return [pytest.param(row, marks=pytest.mark.nightly) if row.name in TIMED else row for row in INNOCENTS if bool(row.diverges) == diverges]


def assert_read(case, outcome):
    """Without this a program that does not run, or reads nothing, would pass."""
    assert bool(outcome.followed) == case.reads, f"the labelled file was {'not ' * case.reads}read\n{outcome.describe()}"


@pytest.mark.parametrize("case", rows(diverges=False), ids=str)
def test_innocent(case, outcome):
    assert_innocent(outcome, case.message)
    assert_read(case, outcome)


@pytest.mark.parametrize("case", rows(diverges=True), ids=str)
def test_innocent_that_diverges(case, outcome):
    outcome.events = [line for line in outcome.events if line not in outcome.tainted]
    assert_innocent(outcome, case.message)
    assert_read(case, outcome)


@pytest.mark.parametrize("case", FALSE_ALARMS, ids=str)
def test_false_alarm(case, outcome):
    """A defect that is known. A row about which nobody is asked any more belongs to the innocents."""
    assert outcome.questions, f"nobody was asked: no false alarm any more\n{outcome.describe()}"
    assert case.message not in outcome.received, outcome.describe()
    assert_read(case, outcome)
