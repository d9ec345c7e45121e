# SPDX-License-Identifier: GPL-3.0-or-later
import json
import os
import subprocess

import pytest

from tests.bus.conftest import USER


def tacet(*words, uid=USER, cwd="/"):
    command = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", os.environ["TACET_CLI"], *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL, timeout=30)


def test_label_round_trip_with_relative_paths(daemon, polkit, files):
    polkit.AllowUnknown(True)
    path = files()
    directory = os.path.dirname(path)
    assert tacet("label", "add", "--category", "finance", "salaries.csv", cwd=directory).returncode == 0
    assert tacet("label", "show", "./salaries.csv", cwd=directory).stdout == f"{path}: finance\n"
    assert [file["path"] for file in json.loads(tacet("label", "list", "--json").stdout)] == [path]
    assert tacet("label", "remove", path).returncode == 0
    assert tacet("label", "show", path).returncode == 5


def test_recursive_does_not_follow_links(daemon, files):
    inside, outside = files("inside.txt"), files("outside.txt")
    directory = os.path.dirname(inside)
    sub = os.path.join(directory, "sub")
    os.mkdir(sub)
    os.rename(inside, os.path.join(sub, "inside.txt"))
    os.symlink(outside, os.path.join(sub, "link"))
    assert tacet("label", "add", sub).returncode == 1
    assert tacet("label", "add", "--recursive", sub).returncode == 0
    listed = json.loads(tacet("label", "list", "--json").stdout)
    assert [file["path"] for file in listed] == [os.path.join(sub, "inside.txt")]


def test_control_characters_do_not_reach_the_terminal(daemon, files):
    path = files("evil\x1b[31m\n.txt")
    assert tacet("label", "add", path).returncode == 0
    shown = tacet("label", "list").stdout
    assert "\x1b" not in shown and "\\x1b[31m\\x0a.txt" in shown


def test_partial_failure(daemon, files):
    path = files()
    ended = tacet("label", "add", "--json", path, path + "-absent")
    assert ended.returncode == 6
    assert json.loads(ended.stdout)["failures"][0]["error"] == "org.tacet.Error.NotFound"


def test_doctor_and_status(daemon):
    report = json.loads(tacet("doctor", "--json").stdout)
    names = {protection["name"]: protection for protection in report["protections"]}
    assert names["labels"]["enforced"] and names["labels"]["by"].startswith("tacet.ko")
    assert tacet("status").returncode == 0
    daemon.set_module(False)
    ended = tacet("doctor", "--json")
    assert ended.returncode == 7
    labels = [item for item in json.loads(ended.stdout)["protections"] if item["name"] == "labels"]
    assert labels[0]["detail"] == "module-absent" and not labels[0]["enforced"]


def test_doctor_without_daemon(system_bus):
    ended = tacet("doctor", "--json")
    assert ended.returncode == 3
    assert {item["enforced"] for item in json.loads(ended.stdout)["protections"]} == {False}
    assert tacet("status").returncode == 3


def test_rules(daemon, polkit):
    polkit.AllowUnknown(True)
    added = tacet("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "192.0.2.7", "--json")
    number = str(json.loads(added.stdout)["id"])
    assert "/usr/bin/curl" in tacet("rule", "list").stdout
    shown = json.loads(tacet("rule", "show", number, "--json").stdout)
    assert shown["executable"] == "/usr/bin/curl" and shown["id"] == int(number)
    assert "/usr/bin/curl" in tacet("rule", "show", number).stdout
    assert tacet("rule", "remove", number).returncode == 0
    assert tacet("rule", "remove", number).returncode == 5
    assert tacet("rule", "show", number).returncode == 5
    polkit.AllowUnknown(False)
    assert tacet("rule", "add", "block").returncode == 4


def test_breach_is_listed_and_answered(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    connect().register()
    daemon.ask(5)
    daemon.ask(6, executable="/usr/bin/wget")
    assert "/usr/bin/curl" in tacet("breach", "list").stdout
    ended = tacet("breach", "answer", "5", "allow", "--for", "1h", "--json")
    assert json.loads(ended.stdout)["resolved"] == 1
    assert daemon.verdict()["verdict"] == "allow"
    assert tacet("breach", "answer", "5", "allow").returncode == 5
    assert [entry["kind"] for entry in json.loads(tacet("log", "--json").stdout)] == ["answered"]


def test_takeover_is_offered_where_possible(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    connect().register()
    daemon.ask(5)
    assert "takeover" not in tacet("breach", "list").stdout
    refused = tacet("breach", "answer", "5", "takeover")
    assert refused.returncode == 2 and "scrubbed copy" in refused.stderr
    daemon.ask(6, can_take_over=True)
    assert tacet("breach", "list").stdout.count("takeover") == 1
    assert tacet("breach", "answer", "6", "takeover").returncode == 0
    assert daemon.verdict()["verdict"] == "takeover"


def test_watch_tells_questions_and_decisions(daemon, connect, polkit):
    polkit.AllowUnknown(True)
    user = connect()
    user.register()
    watching = subprocess.Popen(
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", os.environ["TACET_CLI"], "watch", "--json"],
        stdout=subprocess.PIPE, text=True,
    )
    daemon.ask(1)
    assert json.loads(watching.stdout.readline())["type"] == "question"
    user.call("Breaches", "Answer", "tssa{sv}", 1, "block", "once", {})
    assert json.loads(watching.stdout.readline())["verdict"] == "block"
    watching.terminate()
    watching.wait()


@pytest.mark.parametrize(
    "words",
    [(), ("nonsense",), ("label", "add"), ("label", "add", "--colour", "x"), ("breach", "answer", "x", "allow"),
     ("rule", "add", "block", "--port", "70000"), ("rule", "add", "block", "--file", "/a", "--label", "finance")],
)
def test_wrong_usage(daemon, words):
    assert tacet(*words).returncode == 2


def test_help_tells_exit_codes():
    ended = tacet("--help")
    assert ended.returncode == 0 and "Exit status" in ended.stdout
