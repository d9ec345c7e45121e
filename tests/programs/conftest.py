# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop of a module's tests, and the look at what a private program left behind."""

import pytest

from tests.programs.home import changes, listing
from tests.programs.stage import open_stage


@pytest.fixture(scope="module")
def machine():
    """The desktop for all tests of a module."""
    with open_stage() as guest:
        yield guest


@pytest.fixture
def unchanged(machine):
    """Nothing in anna's home, nor in the folders for temporary files, is afterwards other than before."""
    before = listing(machine)
    yield
    assert changes(before, listing(machine)) == []
