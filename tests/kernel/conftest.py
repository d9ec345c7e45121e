# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the module's tests."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from case_fixtures import outcome, outcomes_of  # noqa: E402,F401

# Only the sanitized kernel can inject failures.
collect_ignore = [] if "-sanitized" in os.environ["TACET_KERNELS"] else ["test_allocation_failures.py"]

outcomes = outcomes_of(HERE)
