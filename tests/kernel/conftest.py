# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the module's tests."""

import os
import pathlib

from tests.kernel.case_fixtures import outcome, outcomes_of  # noqa: F401

HERE = pathlib.Path(__file__).resolve().parent
# Only the sanitized kernel can inject failures.
collect_ignore = [] if "-sanitized" in os.environ["TACET_KERNELS"] else ["test_allocation_failures.py"]

outcomes = outcomes_of(HERE)
