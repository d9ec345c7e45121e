# SPDX-License-Identifier: GPL-3.0-or-later
"""A private run leaves nothing in memory or on disk, however it ends. The same program, not private, has all kinds of traces there."""

import pytest

from tests.forensics.leave_stamps import KINDS
from tests.forensics.table import measure, show

NEWEST_KERNEL_ONLY = True
# ./dev nightly has all ways to end a session, on each kernel.
WAYS = ["kill -9 tacet-session"]


@pytest.fixture(scope="module")
def found(kernel):
    """One search after runs that ended in each of these ways."""
    findings = measure(kernel, WAYS, control=False)
    show(kernel, WAYS, findings)
    return findings


def test_search_finds_what_a_public_program_has(found):
    """It still runs. What it leaves when it has ended, ./dev forensics shows."""
    missed = set(KINDS) - {kind for _, kind in found.public}
    assert not missed, found.public


def test_nothing_private_is_left(found):
    assert found.private == {}, "\n".join(found.where)


def test_power_cut_leaves_nothing(found):
    assert found.after_power_off == {}


def test_keys_are_gone(found):
    # XTS has two for each run.
    assert (found.keys, found.keys_left) == (2 * len(WAYS), 0)


def test_memory_went_to_swap(found):
    assert found.swapped > 16 << 20


def test_kernel_log_is_clean(found):
    assert found.faults == []
