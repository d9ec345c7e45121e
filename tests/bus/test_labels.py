# SPDX-License-Identifier: GPL-3.0-or-later
import os
import time

import pytest

from tests.bus.conftest import USER, CallError


def failures_of(user, method, paths, *more):
    signature = "ass" if more else "as"
    return {path: name for path, name, _ in user.call("Labels", method, signature, paths, *more)}


def test_own_file_is_labelled_listed_and_shown(daemon, connect, files):
    user, path = connect(), files()
    assert failures_of(user, "Add", [path], "finance") == {}
    listed, total = user.call("Labels", "List", "uu", 0, 100)
    assert total == 1
    assert (listed[0]["path"], listed[0]["categories"], listed[0]["uid"]) == (path, ["finance"], USER)
    assert user.call("Labels", "Show", "s", path)["categories"] == ["finance"]


def test_shadow_has_the_size_and_white_space_of_the_file(daemon, connect, files):
    user, path = connect(), files(content="name, 4711\nother\t12\n")
    failures_of(user, "Add", [path], "finance")
    for _ in range(100):
        if user.call("Labels", "Show", "s", path)["shadow"]:
            break
        time.sleep(0.05)
    shadows = list((daemon.state / "shadow").iterdir())
    assert [shadow.read_text() for shadow in shadows] == ["xxxxx xxxx\nxxxxx\txx\n"]
    assert (daemon.state / "shadow").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "make, error",
    [
        (lambda files, directory: files() + "-absent", "org.tacet.Error.NotFound"),
        (lambda files, directory: os.path.dirname(files()), "org.tacet.Error.NotRegular"),
        (lambda files, directory: "relative", "org.tacet.Error.InvalidPath"),
        (lambda files, directory: files(uid=0), "org.tacet.Error.NotOwner"),
        (lambda files, directory: "/root/.bashrc", "org.tacet.Error.NotOwner"),
        (lambda files, directory: "/dev/null", "org.tacet.Error.NotRegular"),
        (lambda files, directory: "/" + "x" * 5000, "org.tacet.Error.InvalidPath"),
    ],
)
def test_bad_path_is_told_and_changes_nothing(daemon, connect, polkit, files, tmp_path, make, error):
    user, path = connect(), make(files, tmp_path)
    assert failures_of(user, "Add", [path], "finance") == {path: error}
    assert user.call("Labels", "List", "uu", 0, 100) == [[], 0]


def test_link_to_another_users_file_is_refused(daemon, connect, polkit, files, tmp_path):
    user, target = connect(), files(uid=0)
    link = os.path.join(os.path.dirname(target), "link")
    os.symlink(target, link)
    assert failures_of(user, "Add", [link], "finance") == {link: "org.tacet.Error.NotOwner"}


def test_another_users_file_with_authority(daemon, connect, polkit, files):
    polkit.SetAllowed(["org.tacet.tacet1.label-others"])
    user, path = connect(), files(uid=0)
    assert failures_of(user, "Add", [path], "finance") == {}


@pytest.mark.parametrize("category, error", [("", "InvalidCategory"), ("secret", "InvalidCategory")])
def test_unknown_category(daemon, connect, files, category, error):
    with pytest.raises(CallError, match=error):
        connect().call("Labels", "Add", "ass", [files()], category)


def test_more_than_ten_thousand_paths(daemon, connect):
    with pytest.raises(CallError, match="org.tacet.Error.TooMany"):
        connect().call("Labels", "Add", "ass", ["/x"] * 10001, "finance")


def test_ten_thousand_files_do_not_hold_up_a_question(daemon, connect, files):
    user, agent = connect(), connect()
    agent.register()
    paths = [files(f"{number}.txt") for number in range(10000)]
    user.send("Labels", "Add", "ass", paths, "finance")
    time.sleep(0.3)
    started = time.monotonic()
    daemon.ask(1)
    agent.asked()
    assert time.monotonic() - started < 1
    assert user.replies.get(timeout=60) == {"reply": []}
    assert user.call("Labels", "List", "uu", 0, 1)[1] == 10000


def test_module_absent(daemon, connect, files):
    daemon.set_module(False)
    user = connect()
    with pytest.raises(CallError, match="org.tacet.Error.ModuleAbsent"):
        user.call("Labels", "Add", "ass", [files()], "finance")
    assert user.call("Protection", "List") and True


def test_unmarking_needs_authority(daemon, connect, polkit, files):
    user, path = connect(), files()
    failures_of(user, "Add", [path], "finance")
    with pytest.raises(CallError, match="AccessDenied"):
        user.call("Labels", "Remove", "as", [path])
    assert user.call("Labels", "Show", "s", path)["categories"] == ["finance"]
    polkit.SetAllowed(["org.tacet.tacet1.label-remove"])
    assert failures_of(user, "Remove", [path]) == {}
    assert user.call("Labels", "List", "uu", 0, 100) == [[], 0]
    assert list((daemon.state / "shadow").iterdir()) == []


def test_others_do_not_see_it(daemon, connect, files):
    path = files()
    failures_of(connect(), "Add", [path], "finance")
    other = connect(1001)
    assert other.call("Labels", "List", "uu", 0, 100) == [[], 0]
    with pytest.raises(CallError, match="org.tacet.Error.NotOwner"):
        other.call("Labels", "Show", "s", path)


def test_labels_survive_a_killed_daemon(daemon, connect, files):
    path = files()
    failures_of(connect(), "Add", [path], "health")
    daemon.kill()
    daemon.start()
    listed, _ = connect().call("Labels", "List", "uu", 0, 100)
    assert listed[0]["categories"] == ["health"]
