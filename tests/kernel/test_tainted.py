# SPDX-License-Identifier: GPL-3.0-or-later
"""An original that has lost its doppelganger: files that it writes are labelled, and everything that it sends is asked about."""

import pytest

from tests.kernel.guest_run import Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_scrubbed

# {loss} happens between the reading and the sending.
HELD = """
{{ {victim}; }} &
victim=$!
until [[ -e held ]]; do sleep 0.02; done
{loss}
touch go
wait $victim
"""
KILL = "kill -9 $(agent doubles); sleep 0.1"
STOP = "kill -STOP $(agent doubles)"
OUTPUTS = ["write", "sendmsg", "sendto-addressed", "pwrite", "mapped-file", "child", "thread", "spawn", "vfork", "sendfile", "splice"]


def lost(name, victim, action="block", loss=KILL):
    """A case whose process loses its doppelganger."""
    return Case(name, HELD.format(victim=victim, loss=loss), action)


def held(output, action="block", loss=KILL, prefix="killed-"):
    """The leaking program."""
    return lost(prefix + output, f"leak held {output} secret", action, loss)


@pytest.mark.parametrize("case", [held(output) for output in OUTPUTS], ids=str)
def test_blocked(case, outcome):
    assert_blocked(outcome)
    assert outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [held(output, "allow") for output in OUTPUTS], ids=str)
def test_allowed(case, outcome):
    assert_allowed(outcome)


@pytest.mark.parametrize("case", [held(output, "scrub") for output in ("write", "sendmsg", "sendto-addressed")], ids=str)
def test_scrubbed(case, outcome):
    assert_scrubbed(outcome)


@pytest.mark.parametrize("case", [held("write", loss=STOP, prefix="stopped-")], ids=str)
def test_stopped_doppelganger(case, outcome):
    assert_blocked(outcome)
    assert outcome.tainted, outcome.describe()


BURST = """
leak read handling-signals secret &
victim=$!
until [[ -e handles ]]; do sleep 0.02; done
kill -STOP $(agent doubles)
kill -USR1 $victim
wait $victim
"""


@pytest.mark.parametrize("case", [Case("signals-in-a-burst", BURST)], ids=str)
def test_more_signals_than_the_ring_holds(case, outcome):
    """The ring is never written beyond its room, of which the kernel would warn."""
    assert_blocked(outcome)
    assert any("signal-not-mirrored" in line for line in outcome.tainted), outcome.describe()


@pytest.mark.parametrize("case", [lost("pipe", "leak held stdout secret | nc remote 9"),
                                  lost("pipe-three", "leak held stdout secret | cat | cat | nc remote 9"),
                                  lost("file", "leak held stdout secret > copy; nc remote 9 < copy")], ids=str)
def test_goes_on_to_readers(case, outcome):
    assert_blocked(outcome)


@pytest.mark.parametrize("case", [Case("marked", HELD.format(victim="leak held stdout secret > copy", loss=KILL)
                                       + "echo categories $(agent show copy)")], ids=str)
def test_what_it_writes_is_labelled(case, outcome):
    assert "categories 1" in outcome.output, outcome.describe()


def made(output):
    """What a file is labelled that this output makes without the doppelganger."""
    return Case(f"made-{output}", HELD.format(victim=f"leak held {output} secret", loss=KILL) + "echo bytes $(stat -c %s small) categories $(agent show small)")


@pytest.mark.parametrize("case", [made("lone-zero")], ids=str)
def test_lone_zero_labels_nothing(case, outcome):
    """Every program with GSettings makes dconf's file of changes two bytes long, and maps it. All would be followed."""
    assert "bytes 2 categories 0" in outcome.output and outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [made("lone-byte"), made("zero-at-place")], ids=str)
def test_byte_and_its_place_are_labelled(case, outcome):
    assert "categories 1" in outcome.output and outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [Case("permissions", HELD.format(
    victim="bash -c 'read line < secret; touch held; until [[ -e go ]]; do sleep 0.02; done; install -m 640 /dev/null made'", loss=KILL)
    + "echo status $? mode $(stat -c %a made)")], ids=str)
def test_access_control_lists_are_set(case, outcome):
    assert "status 0 mode 640" in outcome.output, outcome.describe()
    assert outcome.tainted, outcome.describe()


@pytest.mark.parametrize("case", [Case("signalled", "{ leak held write secret; } & until [[ -e held ]]; do sleep 0.02; done\n"
                                       "for s in TERM INT HUP USR1; do kill -$s $(agent doubles); done; sleep 0.1; touch go; wait $!")],
                         ids=str)
def test_signals_to_the_doppelganger_do_no_harm(case, outcome):
    assert_blocked(outcome)
