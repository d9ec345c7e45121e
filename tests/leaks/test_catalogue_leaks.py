# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of leaks: each is asked about and, blocked, gives nothing away; without the label each does leak."""

import pytest

from tests.leaks import catalogue_channels, catalogue_encodings, catalogue_languages, catalogue_limits, catalogue_moments, catalogue_partial
from tests.leaks.judge import assert_blocked, assert_leaks, assert_refused
from thorough import daily

NEWEST_KERNEL_ONLY = True
LEAKS = [row for catalogue in (catalogue_languages, catalogue_encodings, catalogue_partial, catalogue_channels, catalogue_moments)
         for row in catalogue.LEAKS]
# Every fifth of the other catalogues, too.
DAILY = [*catalogue_channels.LEAKS, *catalogue_moments.LEAKS, *LEAKS[::5]]
REFUSED = catalogue_channels.REFUSED
LIMITS = catalogue_limits.LIMITS
NAMES = [row.name for row in LEAKS + REFUSED + LIMITS]
assert len(set(NAMES)) == len(NAMES), sorted(name for name in NAMES if NAMES.count(name) > 1)


@pytest.mark.parametrize("case", daily(LEAKS, *DAILY), ids=str)
def test_blocked(case, outcome):
    assert_blocked(case, outcome)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused(case, outcome):
    assert_refused(case, outcome)


@pytest.mark.nightly
@pytest.mark.parametrize("case", LIMITS, ids=str)
def test_beyond_the_limits(case, outcome):
    """As docs/user/limits.md says: a row that no longer leaks belongs to the others."""
    assert case.limit, "no reason is given"
    assert not outcome.questions, f"asked: no limit any more\n{outcome.describe()}"
    assert case.shown_by(outcome.received), f"nothing arrived: no limit any more\n{outcome.describe()}"


@pytest.mark.nightly
@pytest.mark.parametrize("case", [row.without_label() for row in LEAKS + REFUSED + LIMITS], ids=str)
def test_leaks_without_label(case, outcome):
    assert_leaks(case, outcome)
