# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the module's tests: all cases of a kernel run in one guest, when the first of them is needed."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from guest_run import Case, run_cases  # noqa: E402

# No other kernel injects failures.
collect_ignore = [] if "-sanitized" in os.environ["TACET_KERNELS"] else ["test_allocation_failures.py"]


def key_of(module, case):
    """Names a case among all modules' cases."""
    return f"{module.__name__.removeprefix('test_')}/{case}"


@pytest.fixture(scope="session")
def outcomes(request, kernel):
    """Name -> Outcome of every case that was selected for this kernel."""
    chosen = {}
    for item in request.session.items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        case = parameters.get("case")
        if isinstance(case, Case) and parameters["kernel"] == kernel:
            chosen[key_of(item.module, case)] = case
    return run_cases(kernel, chosen)


@pytest.fixture
def outcome(request, outcomes, case):
    """What came of this test's case; it fails here when it did not run to its end, or upset the kernel."""
    result = outcomes.get(key_of(request.module, case))
    if result is None:
        nothing = outcomes.get("")
        pytest.fail("the case did not run\n" + (nothing.describe() if nothing else ""))
    assert not result.trouble, result.describe()
    assert result.watched == 0, f"tasks are still watched\n{result.describe()}"
    return result
