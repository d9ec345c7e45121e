# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the catalogues: those of the module's tests, in a guest with Debian's programs. And the catalogues' tables."""

import pathlib

import pytest

from tests.kernel.case_fixtures import outcome, outcomes_of  # noqa: F401
from tests.leaks.catalogue_table import Table

HERE = pathlib.Path(__file__).resolve().parent
outcomes = outcomes_of(HERE, name="leaks", programs=True)
TABLE = Table(HERE.parents[1] / "out")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Notes what came of each row."""
    report = (yield).get_result()
    if call.when == "call" or report.failed:
        row = item.callspec.params
        TABLE.note(row["kernel"], item.originalname, row["case"], item.funcargs.get("outcome"), report.passed)


def pytest_sessionfinish():
    """Writes the tables."""
    TABLE.write()
