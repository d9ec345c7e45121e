# SPDX-License-Identifier: GPL-3.0-or-later
"""What a red team found: each row is asked about or refused, and leaks without the label."""

import pytest

from tests.leaks.catalogue_redteam import LEAKS, REFUSED
from tests.leaks.judge import assert_blocked, assert_leaks, assert_refused

NEWEST_KERNEL_ONLY = True


@pytest.mark.parametrize("case", LEAKS, ids=str)
def test_blocked(case, outcome):
    assert_blocked(case, outcome)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused(case, outcome):
    assert_refused(case, outcome)


@pytest.mark.parametrize("case", [row.without_label() for row in LEAKS + REFUSED], ids=str)
def test_leaks_without_label(case, outcome):
    assert_leaks(case, outcome)
