# SPDX-License-Identifier: GPL-3.0-or-later
"""Nobody waits, or goes without, because of another: real users, each with an account of his own."""
import pathlib
import re
import subprocess
import threading
import time

import pytest

from tests.bus.conftest import USER, CallError
from tests.bus.test_labels import failures_of

OTHER = USER + 1
RULE = {"verdict": "block", "duration": "always", "executable": "/usr/bin/curl"}
MEBIBYTE = 1 << 20
# A person notices more than this.
AT_ONCE = 1
# A call may come after so many of another user's, of whom 64 may be waiting.
BEFORE = 16


def megabytes(daemon):
    """What the daemon has had in memory at most."""
    status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def error_of(user):
    return user.replies.get(timeout=30)["error"]


def test_dialogs_that_one_leaves_open_deny_nobody_elses_rule(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    polkit.SimulateHang(True)
    user, other = connect(), connect(OTHER)
    for number in range(70):
        user.send("Rules", "Add", "a{sv}", RULE | {"host": f"host{number}.example"})
    # Those for which there is no room are refused; the others wait for their dialog.
    assert {error_of(user) for _ in range(70 - 16)} <= {"org.freedesktop.DBus.Error.AccessDenied", "org.tacet.Error.TooMany"}
    polkit.SimulateHang(False)
    assert other.call("Rules", "Add", "a{sv}", RULE) > 0
    assert len(other.call("Rules", "List")) == 1


def test_label_calls_that_one_leaves_open_are_no_bar_to_others(daemon, connect, polkit, files):
    polkit.AllowUnknown(True)
    polkit.SimulateHang(True)
    user, other = connect(), connect(OTHER)
    path, hers = files(), files("hers.txt", uid=OTHER)
    for _ in range(40):
        user.send("Labels", "Remove", "as", [path])
    assert failures_of(other, "Add", [hers], "finance") == {}


def test_calls_that_wait_are_limited(daemon, connect, polkit, files):
    """Also where they need no dialog."""
    polkit.AllowUnknown(True)
    polkit.SimulateHang(True)
    user = connect()
    for _ in range(200):
        user.send("Labels", "Remove", "as", [files()])
    refused = {error_of(user) for _ in range(200 - 16)}
    # The last one is the bus's own, for calls of one connection.
    assert refused <= {"org.tacet.Error.TooMany", "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.LimitsExceeded"}
    with pytest.raises(Exception, match="Empty|^$"):
        user.replies.get(timeout=0.3)


def test_large_calls_cost_no_memory(daemon, connect, files):
    user, other = connect(), connect(OTHER)
    hers = files("hers.txt", uid=OTHER)
    failures_of(other, "Add", [hers], "finance")
    for _ in range(20):
        user.send("Labels", "Add", "ass", {"repeat": ["/x" * 12], "times": MEBIBYTE // 2}, "finance")
        assert error_of(user) == "org.tacet.Error.TooMany"
    # One of them is read as a whole, and none is kept.
    assert megabytes(daemon) < 150
    assert failures_of(other, "Add", [hers], "keys") == {}


@pytest.mark.parametrize(
    "call",
    [("Labels", "Show", "s", {"repeat": "x", "times": MEBIBYTE}), ("Labels", "Add", "ass", [{"repeat": "x", "times": MEBIBYTE}], "finance"),
     ("Labels", "Add", "ass", ["/x"], {"repeat": "x", "times": MEBIBYTE}), ("Labels", "Guard", "as", {"repeat": ["x" * 1000], "times": 1000}),
     ("Rules", "Add", "a{sv}", {"verdict": {"repeat": "x", "times": MEBIBYTE}}),
     ("Breaches", "Answer", "tssa{sv}", 1, {"repeat": "x", "times": MEBIBYTE}, "once", {})],
)
def test_malformed_calls_are_refused_and_hold_up_nobody(daemon, connect, call):
    user, other = connect(), connect(OTHER)
    for _ in range(40):
        user.send(*call)
    started = time.monotonic()
    other.call("Labels", "List", "uu", 0, 100)
    assert time.monotonic() - started < AT_ONCE
    assert {error_of(user) for _ in range(40)} <= {"org.tacet.Error.TooMany", "org.tacet.Error.InvalidCategory"}


def test_words_of_a_client_come_back_short(daemon, connect):
    user = connect()
    with pytest.raises(CallError, match="InvalidCategory"):
        user.call("Labels", "Guard", "as", [{"repeat": "x", "times": 60_000}])


def test_many_connections_hold_up_nobody_else(daemon, connect, files):
    """A call of another user waits for a few of those that one user has waiting, not for all."""
    user, other = connect(), connect(OTHER)
    failures_of(user, "Add", [files(f"{number}.txt") for number in range(1000)], "finance")
    flood = subprocess.Popen(["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "python3",
                              str(pathlib.Path(__file__).with_name("flood_process.py")), "40"], stdout=subprocess.PIPE, text=True)
    answered = []
    try:
        assert flood.stdout.readline() == "flooding\n"
        threading.Thread(target=answered.extend, args=(flood.stdout,), daemon=True).start()
        time.sleep(1)
        before = len(answered)
        for _ in range(10):
            assert other.call("Labels", "List", "uu", 0, 100) == [[], 0]
        assert len(answered) - before < 10 * BEFORE
        assert flood.poll() is None and answered
    finally:
        flood.kill()
        flood.wait()


def test_rules_have_an_end_before_anybody_is_asked_for_a_password(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    user, other = connect(), connect(OTHER)
    for number in range(1000):
        user.call("Rules", "Add", "a{sv}", RULE | {"host": f"host{number}.example"})
    polkit.SimulateHang(True)
    with pytest.raises(CallError, match="TooMany"):
        user.call("Rules", "Add", "a{sv}", RULE | {"host": "one.more.example"})
    polkit.SimulateHang(False)
    assert other.call("Rules", "Add", "a{sv}", RULE) > 0
