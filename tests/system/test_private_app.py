# SPDX-License-Identifier: GPL-3.0-or-later
"""Private sessions by the window program, with the pointer and the keyboard: launcher, page, panic key, "Open privately"."""

import pytest

from tests.system.conftest import PICTURES

NEWEST_KERNEL_ONLY = True
STAMP = "Heron31Cobalt"


@pytest.fixture
def private(scene):
    """The scene; afterwards no session is left and the windows are closed."""
    yield scene
    scene.tacet.run("session", "end", "--all", person=True, check=False)
    if scene.screen.shows("mainWindow"):
        scene.screen.close_window("mainWindow")


def wait_sessions(scene, count):
    """Waits until the daemon lists this many sessions in order; returns them."""
    def listed():
        sessions = scene.tacet.json("session", "list")
        done = len(sessions) == count and all(session["state"] == "running" for session in sessions)
        return [sessions] if done else None

    return scene.guest.wait_for(listed, 120, f"{count} private sessions")[0]


@pytest.mark.nightly
def test_launcher_page_and_panic_key(private, kernel):
    """The launcher finds a program as one types and runs it privately; the page lists it; the panic key ends it."""
    guest, screen = private.guest, private.screen
    guest.run(["tacet-app", "--run-privately"], session=True, check=True)
    screen.click("programSearch", "launcherDialog")
    guest.type("feather")
    screen.click("keepCheck", "launcherDialog")
    guest.screenshot(PICTURES / kernel / "private-launcher.png")
    screen.click("launchButton", "launcherDialog")
    screen.wait_gone("", "launcherDialog")
    (session,) = wait_sessions(private, 1)
    assert session["application"].lower() == "featherpad"
    guest.wait_for(lambda: guest.run("pgrep -x featherpad").returncode == 0, what="the editor")
    guest.run(["tacet-app", "--show", "sessions"], session=True, check=True)
    screen.find("endAllButton", "mainWindow")
    assert "1 private session" in screen.texts("mainWindow")
    guest.screenshot(PICTURES / kernel / "private-sessions.png")
    guest.key("ctrl", "alt", "shift", "p")
    guest.wait_for(lambda: private.tacet.json("session", "list") == [], 30, "the panic key to end the session")
    screen.find("firstStepButton", "mainWindow")
    assert guest.run("pgrep -x featherpad").returncode != 0


@pytest.mark.nightly
def test_document_opens_privately(private):
    """A document's default program opens it in a session, also when the window program does not run yet."""
    guest = private.guest
    guest.run(f"runuser -u anna -- sh -c 'echo {STAMP} >{private.folder}/letter.txt'", check=True)
    private.stop_app()
    try:
        guest.run(["systemd-run", "--user", "--quiet", "--collect", f"--working-directory={private.folder}", "tacet-app",
                   "--run-privately", "letter.txt"], session=True, check=True)
        wait_sessions(private, 1)
        found = guest.wait_for(lambda: guest.run("pgrep -af letter.txt | grep -v tacet").stdout, what="the document's program")
        assert f"{private.folder}/letter.txt" in found
    finally:
        private.tacet.run("session", "end", "--all", person=True, check=False)
        private.start_app()
