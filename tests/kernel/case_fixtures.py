# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of tests that are cases: all that a folder has for a kernel run in one guest, when the first of them is needed."""

import pytest

from tests.kernel.guest_run import Case, run_cases


def key_of(module, case):
    """Names a case among all modules' cases."""
    return f"{module.__name__.rpartition('.')[2].removeprefix('test_')}/{case}"


def selected(session, folder, kernel):
    """Key -> Case of what was selected for this kernel of a folder's tests."""
    chosen = {}
    for item in session.items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        case = parameters.get("case")
        if isinstance(case, Case) and parameters["kernel"] == kernel and item.path.parent == folder:
            chosen[key_of(item.module, case)] = case
    return chosen


def outcomes_of(folder, **guest):
    """Makes the fixture with the outcomes of all cases, key -> Outcome; `guest`: arguments for run_cases()."""
    @pytest.fixture(scope="session")
    def outcomes(request, kernel):
        return run_cases(kernel, selected(request.session, folder, kernel), **guest)
    return outcomes


@pytest.fixture
def outcome(request, outcomes, case):
    """The Outcome of this test's case. It fails here when the case did not end, or upset the kernel."""
    result = outcomes.get(key_of(request.module, case))
    if result is None:
        nothing = outcomes.get("")
        pytest.fail("the case did not run\n" + (nothing.describe() if nothing else ""))
    assert not result.trouble, result.describe()
    assert result.watched == 0, f"tasks are still watched\n{result.describe()}"
    return result
