# SPDX-License-Identifier: GPL-3.0-or-later
"""A private run leaves nothing in memory or on disk, however it ends; the same program, not private, leaves all kinds of traces."""

import pytest

from tests.forensics.table import measure, show

NEWEST_KERNEL_ONLY = True
# ./dev nightly has all ways to end a session, on each kernel.
WAYS = ["kill -9 tacet-session"]
# The same program leaves these kinds when it is not private. On a machine without Tacet it leaves more, as ./dev nightly shows.
FOUND_PUBLIC = {"file", "name", "xattr", "deleted", "link", "swap", "shm", "pipe", "clipboard"}


@pytest.fixture(scope="module")
def found(kernel):
    """One search after runs that ended in each of these ways."""
    findings = measure(kernel, WAYS, control=False)
    show(kernel, WAYS, findings)
    return findings


def test_search_finds_what_a_public_run_leaves(found):
    assert {kind for _, kind in found.public} >= FOUND_PUBLIC, found.public


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
