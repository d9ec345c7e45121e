# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that has forgotten what it read goes on without its doppelganger; one that has not keeps it."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import leaks

MERGED = "merged() { agent info | sed -n 's/^merged //p'; }; before=$(merged); "
TOLD = "; echo merged $(($(merged) - before))"
# Ways to keep what was read, or nothing of it, as tests/kernel/programs/merge.c tells.
FORGETS = ["stack", "heap", "open", "harmless"]
KEEPS = ["kept", "register", "vector", "mapped", "mask", "handler", "base", "altstack"]


def case(how, action="block"):
    """One way to keep something."""
    return Case(how, f"{MERGED} merge secret {how}{TOLD}", action)


@pytest.mark.parametrize("case", [case(how) for how in FORGETS], ids=str)
def test_who_forgets_is_let_go(case, outcome):
    """The stack's free part is cleared. What is read afterwards is asked about anew."""
    assert "merged 1" in outcome.output, outcome.describe()
    assert b"one" in outcome.received and not leaks(outcome.received), outcome.describe()
    assert len(outcome.questions) == 1 and not outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [case(how) for how in KEEPS], ids=str)
def test_who_keeps_is_not(case, outcome):
    assert "merged 0" in outcome.output, outcome.describe()
    assert b"one" in outcome.received and outcome.received.strip() == b"one", outcome.describe()
    assert outcome.questions and not outcome.tainted, outcome.describe()


SCRUBBED = f"{MERGED} merge secret heap{TOLD}"


@pytest.mark.parametrize("case", [Case("heap", SCRUBBED, "takeover")], ids=str)
def test_taken_over_afterwards(case, outcome):
    """The next doppelganger of the same process can take its place."""
    assert "merged 1" in outcome.output, outcome.describe()
    assert outcome.questions and b"xxxx" in outcome.received and not leaks(outcome.received), outcome.describe()


KILLED = """
for i in $(seq 12); do
    merge secret heap & pid=$!
    sleep 1.$((RANDOM % 400 + 200))
    kill -9 $pid
    wait $pid
done
"""


@pytest.mark.parametrize("case", [Case("killed", KILLED, "block", timeout=60)], ids=str)
def test_killed_at_any_moment(case, outcome):
    assert not leaks(outcome.received), outcome.describe()
