# SPDX-License-Identifier: GPL-3.0-or-later
"""How much `./dev test` does: a part of what `./dev nightly` does, which sets TACET_THOROUGH for storms and runs the tests that are
marked with pytest.mark.nightly."""

import os

import pytest


def amount(usual, thorough):
    """One of the two."""
    return thorough if os.environ.get("TACET_THOROUGH") else usual


def daily(values, *chosen):
    """A test's parameters: `./dev test` has the chosen ones of the values, ./dev nightly all. ValueError when one is no value."""
    if unknown := set(chosen) - set(values):
        raise ValueError(f"not among the values: {unknown}")
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.nightly) for value in values]
