# SPDX-License-Identifier: GPL-3.0-or-later
"""What one user can do to another: real users, and mounts of their own."""
import os
import queue
import time

import pytest

from tests.bus.conftest import USER, CallError
from tests.bus.test_labels import failures_of

OTHER = USER + 1


def paths_of(user):
    return [file["path"] for file in user.call("Labels", "List", "uu", 0, 100)[0]]


def test_path_that_leads_elsewhere_for_the_caller_is_refused(daemon, connect, files):
    own, another = files("own.txt"), files("another.txt")
    elsewhere = connect(mounts=[(another, own)])
    assert failures_of(elsewhere, "Add", [own], "finance") == {own: "org.tacet.Error.InvalidPath"}
    assert failures_of(connect(), "Add", [own], "finance") == {}


def test_spoofed_path_gives_neither_questions_nor_entries(daemon, connect, polkit, files, tmp_path):
    polkit.SetAllowed(["org.tacet.tacet1.label-remove", "org.tacet.tacet1.answer"])
    victim, path = connect(), files()
    failures_of(victim, "Add", [path], "finance")
    spoofer, hers = connect(OTHER, mounts=[(tmp_path / "home", tmp_path / "home")]), files("hers.txt", uid=OTHER)
    victim.register()
    spoofer.register()
    daemon.derive(path, file=hers, uid=OTHER, person=USER, pid=spoofer.process.pid)
    time.sleep(0.3)
    assert paths_of(victim) == [path]
    assert path not in paths_of(spoofer)
    daemon.ask(1, file=path, uid=33)
    assert victim.asked()["file"] == path
    with pytest.raises(queue.Empty):
        spoofer.asked(timeout=0.5)
    assert spoofer.call("Breaches", "List") == []
    assert failures_of(spoofer, "Remove", [path])[path].endswith("NotOwner")
    assert paths_of(victim) == [path]


def test_file_of_another_mount_namespace_is_found_by_its_writer(daemon, connect, files, tmp_path):
    """The path does not exist here, the file does."""
    (tmp_path / "view").mkdir()
    path = files()
    writer = connect(mounts=[(tmp_path / "home", tmp_path / "view")])
    daemon.derive(tmp_path / "view" / "salaries.csv", file=path, pid=writer.process.pid)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not any(os.path.samefile(found, path) for found in paths_of(writer) if os.path.exists(found)):
        time.sleep(0.05)
    listed, _ = writer.call("Labels", "List", "uu", 0, 10)
    assert [file["presence"] for file in listed] == ["kept"]


def test_file_system_that_hangs_holds_up_its_own_user_only(daemon, connect, files, hanging):
    stuck, other = connect(), connect(OTHER)
    own, hers = files("own.txt"), files("hers.txt", uid=OTHER)
    stuck.send("Labels", "Add", "ass", [str(hanging / "file"), own], "finance")
    slowest = 0
    started = time.monotonic()
    while stuck.replies.empty() and time.monotonic() < started + 20:
        asked = time.monotonic()
        assert failures_of(other, "Add", [hers], "finance") == {}
        slowest = max(slowest, time.monotonic() - asked)
    assert slowest < 1
    # What waited behind it is done.
    assert [path for path, _, _ in stuck.replies.get(timeout=1)["reply"]] == [str(hanging / "file")]
    assert paths_of(stuck) == [own]


@pytest.mark.parametrize("path", ["/tmp/../etc/passwd", "/tmp/./x", "//tmp/x", "/tmp//x", "/tmp/x/", "/proc/1/root/etc/passwd",
                                  "/proc/self/fd/0", "/", "..", "/..", "/" + "x" * 300])
def test_odd_paths_are_no_names(daemon, connect, polkit, path):
    polkit.AllowUnknown(True)
    user = connect()
    assert failures_of(user, "Add", [path], "finance") == {path: "org.tacet.Error.InvalidPath"}
    with pytest.raises(CallError, match="InvalidPath"):
        user.call("Labels", "Show", "s", path)
