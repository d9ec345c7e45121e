# SPDX-License-Identifier: GPL-3.0-or-later
"""Tacet asks before a guarded file is changed: for each way to change one, for every program, and also when nobody answers."""

import pytest

from tests.kernel.guest_run import CONTENT, Case

ON = "echo other > other; agent guard 1; "
OFF = "; agent guard 0; echo; echo content:; cat secret 2>/dev/null"
WAYS = {
    "write": "change write secret",
    "append": "change append secret",
    "truncate-open": "change truncate-open secret",
    "truncate": "change truncate secret",
    "unlink": "change unlink secret",
    "rename": "change rename secret other",
    "exchange": "change exchange secret other",
    "exchange-back": "change exchange other secret",
}
BEFORE = CONTENT.strip()
LEAVES = {"truncate-open": b"", "truncate": BEFORE[:3], "unlink": b"", "rename": b"other", "exchange": b"other",
          "exchange-back": b"other"}
REMOVES = 16


def content(outcome):
    """The content of the file at the end."""
    return outcome.output.partition("content:\n")[2].strip().encode()


def asked(outcome):
    """The questions about changes."""
    return [line for line in outcome.questions if " sink=5 " in line]


def cases(action):
    """One case for each way, with this answer."""
    return [Case(name, ON + script + OFF, action) for name, script in WAYS.items()]


@pytest.mark.parametrize("case", cases("block"), ids=str)
def test_block(case, outcome):
    assert len(asked(outcome)) == 1, outcome.describe()
    assert " EPERM\n" in outcome.output and content(outcome) == BEFORE, outcome.describe()


@pytest.mark.parametrize("case", cases("allow"), ids=str)
def test_allow(case, outcome):
    (question,) = asked(outcome)
    assert "comm=change" in question and "origin=/mnt/case/secret" in question, outcome.describe()
    assert question.endswith(" target=/mnt/case/secret"), outcome.describe()
    assert f" flags={REMOVES if 'truncate' not in case.name and case.name not in ('write', 'append') else 0} " in question, \
        outcome.describe()
    assert " 0\n" in outcome.output and content(outcome) == LEAVES.get(case.name, BEFORE), outcome.describe()


@pytest.mark.parametrize("case", cases("scrub")[:1] + cases("takeover")[-1:], ids=str)
def test_there_is_nothing_scrubbed_to_write(case, outcome):
    assert " EPERM\n" in outcome.output and content(outcome) == BEFORE, outcome.describe()


@pytest.mark.parametrize("case", cases("quit")[:1], ids=str)
def test_quit(case, outcome):
    assert "write 0" not in outcome.output and "EPERM" not in outcome.output and content(outcome) == BEFORE, outcome.describe()


UNASKED = {
    "read": ON + "cat secret > /dev/null; change away secret elsewhere; mv elsewhere secret" + OFF,
    "not-guarded": "change write secret; echo more >> secret; rm secret",
    "other-category": "agent guard 2; change write secret; rm secret",
    "no-longer": ON + "agent guard 0; change write secret; rm secret",
    "unmarked": ON + "change write other; echo x > new; mv other new; rm new",
}


@pytest.mark.parametrize("case", [Case(name, script) for name, script in UNASKED.items()], ids=str)
def test_nobody_is_asked(case, outcome):
    assert not outcome.questions and "EPERM" not in outcome.output, outcome.describe()


PROGRAMS = {
    "shell": "echo new > secret",
    "sed": "sed -i s/anna/bob/ secret",
    "cp": "cp other secret",
    "dd": "dd if=other of=secret conv=notrunc",
    "mv": "mv -f other secret",
    "reader": "read line < secret; echo ${#line} >> secret",
}


@pytest.mark.parametrize("case", [Case(name, ON + script + OFF) for name, script in PROGRAMS.items()], ids=str)
def test_programs_are_blocked(case, outcome):
    """sed raises a second question: when it cannot replace the old file, it removes its new one, which has the label too."""
    assert len(asked(outcome)) == (2 if case.name == "sed" else 1) and content(outcome) == BEFORE, outcome.describe()


@pytest.mark.parametrize("case", [Case(name, ON + script + OFF, "allow") for name, script in PROGRAMS.items()], ids=str)
def test_programs_are_allowed(case, outcome):
    assert len(asked(outcome)) == 1 and content(outcome) not in (b"", BEFORE), outcome.describe()


# The shell has a doppelganger when it writes. Both go on alike afterwards.
PAIRED = "{ read line; read line; echo again >> secret; echo $?; } < secret; echo constant > /dev/tcp/10.77.0.2/9"


@pytest.mark.parametrize("case", [Case("paired", ON + PAIRED + OFF, action) for action in ("block", "allow")], ids=str)
def test_pair_goes_on(case, outcome):
    assert len(outcome.questions) == 1 and not outcome.tainted and outcome.received == b"constant\n", outcome.describe()
    assert (b"again" in content(outcome)) == (case.action == "allow"), outcome.describe()


TWICE = "for i in 1 2 3; do echo $i >> secret; done; change append secret"


@pytest.mark.parametrize("case", [Case("twice", ON + TWICE + OFF, "allow")], ids=str)
def test_answer_holds_for_the_process(case, outcome):
    assert len(asked(outcome)) == 2 and content(outcome) == BEFORE + b"\n1\n2\n3", outcome.describe()


LATER = "echo 1 >> secret; echo 2 >> secret; sleep 11; echo 3 >> secret"


@pytest.mark.parametrize("case", [Case("later", ON + LATER + OFF, "allow", timeout=40)], ids=str)
def test_this_once_does_not_last(case, outcome):
    assert len(asked(outcome)) == 2 and content(outcome) == BEFORE + b"\n1\n2\n3", outcome.describe()


FORBIDDEN = "chmod 755 .; setpriv --reuid 1234 --clear-groups change unlink secret; chmod 1777 .; setpriv --reuid 1234 change unlink secret"


@pytest.mark.parametrize("case", [Case("forbidden", ON + FORBIDDEN + OFF, "allow")], ids=str)
def test_what_the_kernel_refuses_is_not_asked(case, outcome):
    assert "unlink EACCES" in outcome.output and "unlink EPERM" in outcome.output, outcome.describe()
    assert not outcome.questions and content(outcome) == BEFORE, outcome.describe()


# The guarded file is in the upper layer.
OVER = ("mkdir up work low merged; mv secret up; ln -s up/secret secret; "
        "mount -t overlay -o lowerdir=low,upperdir=up,workdir=work over merged; ")
OVER_OFF = OFF + "; for tries in {1..100}; do ! umount merged 2>/dev/null || break; sleep 0.02; done"
OVER_CASES = [Case(f"over-{name}", f"{OVER}{ON}cp other merged/other; cd merged; {script}; cd ..{OVER_OFF}") for name, script in WAYS.items()
              if name != "truncate-open"]


@pytest.mark.parametrize("case", OVER_CASES, ids=str)
def test_through_an_overlay(case, outcome):
    assert len(asked(outcome)) == 1, outcome.describe()
    assert " EPERM\n" in outcome.output and content(outcome) == BEFORE, outcome.describe()


# The directory is free meanwhile, and the second attempt does not wait again.
SILENCE = ("agent policy 1500 2000; " + ON + "change unlink secret & sleep 0.3; echo x > new; rm new; echo free; wait; "
           "change unlink secret")


@pytest.mark.parametrize("case", [Case("silence", SILENCE + OFF, "silence")], ids=str)
def test_silence_blocks_and_locks_nothing(case, outcome):
    assert outcome.output.index("free") < outcome.output.index("unlink EPERM"), outcome.describe()
    assert outcome.output.count("unlink EPERM") == 2 and content(outcome) == BEFORE, outcome.describe()
    assert any(line.startswith("missed comm=change") for line in outcome.events), outcome.describe()


@pytest.mark.parametrize("case", [Case("alone", ON + "change write secret" + OFF, "none", timeout=8)], ids=str)
def test_without_daemon_blocked(case, outcome):
    assert "write EPERM" in outcome.output and content(outcome) == BEFORE, outcome.describe()


KILLED = """
change unlink secret & change=$!
until grep -q question /run/agent.log; do sleep 0.02; done
kill -9 $change
wait $change
sleep 0.2"""


@pytest.mark.parametrize("case", [Case("killed", ON + KILLED + OFF, "silence")], ids=str)
def test_killed_while_it_waits(case, outcome):
    assert any(line.startswith("event type=2 ") for line in outcome.events), outcome.describe()
    assert content(outcome) == BEFORE, outcome.describe()
