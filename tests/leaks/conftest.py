# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the catalogues: those of the module's tests, in a guest with Debian's programs."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "kernel"))

from case_fixtures import outcome, outcomes_of  # noqa: E402,F401

outcomes = outcomes_of(HERE, name="leaks", programs=True)
