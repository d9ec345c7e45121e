# SPDX-License-Identifier: GPL-3.0-or-later
"""Which programs reach which: every channel between processes, from private to public, the other way, within a session, between two."""

import pathlib
import secrets
import shlex

import pytest

NEWEST_KERNEL_ONLY = True
PEER = "/usr/local/lib/ipc_peer.py"
SOURCE = pathlib.Path(__file__).resolve().parent / "in_guest/ipc_peer.py"
CHANNELS = ["socket stream", "socket datagram", "abstract stream", "abstract datagram", "fifo", "file", "sysv shm", "sysv msg",
            "sysv sem", "posix shm", "posix mq", "process_vm_writev", "/proc/PID/mem", "keyring", "session bus", "ptrace", "signal"]
# The errors that the calls document. "No such name" counts too: the sender does not see the receiver.
REFUSED = {"EPERM", "EACCES", "ECONNREFUSED", "ENOENT", "ESRCH", "ENXIO"}
# A private sender writes to its own copy, and emits on its own bus: it is not told that nobody listens.
OWN_COPY = {"file", "session bus"}
# No session has keys at all.
NO_KEYS = {"keyring"}


def receive(name):
    """The command of a receiving end."""
    return ["python3", PEER, "receive", name]


def private(words):
    """The same, privately."""
    return ["tacet", "run", "--display", "none", "--", *words]


def both_ends(name):
    """A receiver and, when it is ready, a sender, in one shell; the receiver's output is in `received`."""
    return ["bash", "-c", f"{shlex.join(receive(name))} >/tmp/got & until grep -q ready /tmp/got; do sleep 0.1; done; "
            f"read -r _ pid address </tmp/got; python3 {PEER} send {name} $pid $address; sleep 2; kill -9 $!; pkill dbus-monitor; cat /tmp/got"]


class Ends:
    """Runs the ends in the guest."""

    def __init__(self, guest):
        self.guest = guest

    def start(self, name, words):
        """Starts a receiver; returns its pid as the machine sees it, and its page's address."""
        self.log = f"/run/user/1000/ipc-{name}.log"
        self.guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--unit=ipc-{name}", "-p", f"StandardOutput=file:{self.log}",
                        *words], session=True, check=True)
        self.guest.wait_for(lambda: "ready" in self.guest.read(self.log), 60, "the receiver")
        pid = self.guest.run(f"pgrep -f '[i]pc_peer.py receive {name}' | tail -n 1", check=True).stdout.strip()
        return pid, self.guest.read(self.log).split()[2]

    def stop(self, name):
        """Ends the receiver; returns what it has got."""
        self.guest.run("sleep 1")
        got = self.guest.read(self.log)
        self.guest.run(["systemctl", "--user", "stop", f"ipc-{name}"], session=True)
        self.guest.run(["tacet", "session", "end", "--all"], session=True)
        return got


@pytest.fixture(scope="module")
def ends(guest):
    """The ends' program is in the guest."""
    guest.put(SOURCE, PEER)
    return Ends(guest)


def outcomes(text):
    """Channel -> what the sender was told."""
    return {channel: line[len(channel) + 1:] for line in text.splitlines() for channel in CHANNELS if line.startswith(channel + " ")}


def arrivals(text):
    """The channels on which something arrived."""
    return {line[4:] for line in text.splitlines() if line.startswith("got ")}


def across(ends, receiver, sender):
    """Channel -> (what the sender was told, whether it arrived), between two that are started on their own."""
    name = "n" + secrets.token_hex(3)
    pid, address = ends.start(name, receiver(receive(name)))
    told = outcomes(ends.guest.run(sender(["python3", PEER, "send", name, pid, address]), session=True).stdout)
    arrived = arrivals(ends.stop(name))
    assert set(told) == set(CHANNELS)
    return {channel: (told[channel], channel in arrived) for channel in CHANNELS}


def show(title, matrix):
    """Prints the results, for readers of the test's output."""
    print(title, *(f"  {channel:<20}{told:<14}{'arrived' if arrived else '-'}" for channel, (told, arrived) in matrix.items()), sep="\n")


def assert_closed(title, matrix, silent, arriving=()):
    """Nothing arrives but what may, and the sender is told so, except where it writes to what is its own."""
    show(title, matrix)
    assert {channel for channel, (_, arrived) in matrix.items() if arrived} == set(arriving)
    assert {channel: told for channel, (told, _) in matrix.items() if told not in REFUSED and channel not in silent} == {}


@pytest.mark.nightly
def test_public_to_public(ends):
    """The control: everything arrives (ptrace and writing to memory only as far as the machine lets siblings do that)."""
    matrix = across(ends, lambda words: words, lambda words: words)
    show("public to public", matrix)
    assert {channel for channel, (_, arrived) in matrix.items() if arrived} >= set(CHANNELS) - {"ptrace"}


def test_private_to_public(ends):
    """A private program reaches nobody outside."""
    assert_closed("private to public", across(ends, lambda words: words, private), OWN_COPY)


def test_public_to_private(ends):
    """Nobody outside reaches into a session, except that its person's programs may signal it; they have a bus and keys of their own."""
    matrix = across(ends, private, lambda words: words)
    assert_closed("public to private", matrix, OWN_COPY | NO_KEYS | {"signal"}, {"signal"})


@pytest.mark.nightly
def test_other_session(ends):
    """Two sessions do not know of each other."""
    assert_closed("one session to another", across(ends, private, private), OWN_COPY)


@pytest.mark.nightly
def test_same_session(ends):
    """Within a session everything goes, but for keys."""
    name = "n" + secrets.token_hex(3)
    done = ends.guest.run(private(both_ends(name)), session=True)
    matrix = {channel: (told, channel in arrivals(done.stdout)) for channel, told in outcomes(done.stdout).items()}
    show("same session", matrix)
    assert {channel for channel, (_, arrived) in matrix.items() if not arrived} <= NO_KEYS, done.stderr
