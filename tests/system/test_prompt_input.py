# SPDX-License-Identifier: GPL-3.0-or-later
"""The prompt takes no key that was meant for another window, on X11 and on Wayland: a person types, and it appears meanwhile."""

import pytest

from guest import Guest
from guest_input import SCREEN_WIDTH
from tests.system.conftest import PICTURES
from tests.system.leak_oracle import Secret
from tests.system.prompt import Prompt
from tests.system.remote import Remote
from tests.system.scene import Scene
from tests.system.tacet_cli import Tacet
from tests.system.widgets import CentredScreen, Screen
from thorough import daily

NEWEST_KERNEL_ONLY = True
UPLOAD = "curl -sS -m 300 -T salaries.csv http://remote/"
TYPED = "/home/anna/typed"
WINDOW = "promptWindow"


@pytest.fixture(scope="module", params=daily(["x11", "wayland"], "x11"))
def desk(request, kernel):
    """A desktop of each kind, with the program that shows its widgets and the second host."""
    with Guest(kernel, desktop=request.param) as machine:
        screen = (CentredScreen if request.param == "wayland" else Screen)(machine)
        remote = Remote(machine)
        remote.start()
        yield machine, screen, remote
        screen.close()
        assert machine.faults() == []


@pytest.fixture
def scene(desk):
    """A marked file of anna's, and a terminal in which she types into a file."""
    machine, screen, remote = desk
    stage = Scene(machine, remote, Tacet(machine), Prompt(machine, screen), screen, Secret())
    machine.wait_for(stage.app_is_agent, what="the app")
    stage.open()
    stage.label()
    machine.run(f"rm -f {TYPED}; systemd-run --user --quiet --collect --unit=typing qterminal -e 'sh -c \"cat > {TYPED}\"'",
                session=True, check=True)
    machine.wait_for(lambda: machine.run(f"test -e {TYPED}").returncode == 0, what="the terminal")
    type_until_it_arrives(machine)
    yield stage
    machine.run("systemctl --user stop typing", session=True)
    stage.close()


def typed(machine):
    """What came to the terminal, line by line."""
    return machine.read(TYPED)


def type_until_it_arrives(machine):
    """The terminal has the keyboard once a line arrives."""
    def arrives():
        machine.type("here\n")
        return "here" in typed(machine)
    machine.wait_for(arrives, what="the keyboard")


def ask(scene, longer=False):
    """Starts an upload and waits for the prompt, with the pointer in a corner; returns the upload. `longer`: the program waits ten
    minutes for the answer, as it does for a person who reads."""
    scene.guest.move(SCREEN_WIDTH - 1, 0)
    attempt = scene.start(UPLOAD)
    if longer:
        scene.tacet.extend(scene.tacet.wait_question())
    scene.prompt.wait()
    return attempt


def is_open(scene):
    """Whether the question still waits, and nothing was sent."""
    scene.assert_nothing_leaked()
    return len(scene.tacet.questions()) == 1 and scene.decisions() == []


def test_typing_answers_nothing(desk, scene):
    """Who types "yes send it" while the prompt appears types it where it was meant to go, and answers nothing."""
    machine, screen, *_ = desk
    # Typing may take a busy machine over a minute.
    attempt = ask(scene, longer=True)
    machine.screenshot(PICTURES / f"prompt-{machine.desktop}.png")
    machine.type("yes send it\n  a\n")
    machine.key("alt", "a")
    machine.key("esc")
    machine.key("esc")
    machine.type("\nlast\n")
    machine.wait_for(lambda: typed(machine).endswith("last\n"), what="the last line")
    assert "yes send it\n  a\n" in typed(machine)
    assert is_open(scene) and screen.shows(WINDOW) and attempt.running()
    screen.click("blockButton", WINDOW)
    assert attempt.finish().returncode != 0
    assert scene.decisions() == [("answered", "block")]


@pytest.mark.nightly
def test_keys_count_after_a_click(desk, scene):
    """A click gives the prompt the keyboard. Space and Enter do not allow; Esc puts it into the tray, and a second one blocks."""
    machine, screen, *_ = desk
    attempt = ask(scene)
    before = scene.tacet.questions()[0]["expires"]
    scene.prompt.take_keyboard()
    machine.key("tab")
    machine.key("tab")
    machine.wait_for(lambda: "focused" in screen.find("allowButton", WINDOW).states, what="the keyboard on Allow")
    machine.screenshot(PICTURES / f"prompt-clicked-{machine.desktop}.png")
    machine.key("spc")
    machine.key("ret")
    assert is_open(scene) and screen.shows(WINDOW)
    # Reading gave the program more time, in the kernel too.
    assert 500_000_000 < scene.tacet.questions()[0]["expires"] - before < 600_000_000
    assert "stopped" in screen.find("countdownText", WINDOW).text
    machine.key("esc")
    screen.wait_gone("", WINDOW)
    assert is_open(scene) and attempt.running()
    machine.run(["tacet-app"], session=True, check=True)
    scene.prompt.wait()
    scene.prompt.take_keyboard()
    machine.key("esc")
    screen.wait_gone("", WINDOW)
    assert attempt.finish().returncode != 0
    assert scene.decisions() == [("answered", "block")]
