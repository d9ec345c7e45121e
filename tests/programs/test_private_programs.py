# SPDX-License-Identifier: GPL-3.0-or-later
"""Real programs run privately: they start, they do what they are for, and anna's home is afterwards as it was before.

docs/user/programs.md says what was seen. On the newest kernel only, in an image of its own, with the programs' packages."""

import pathlib
import re
import shlex

import pytest

from tests.programs.command_programs import COMMANDS
from tests.programs.programs import ASKED, FOLDER
from tests.programs.window import ProgramWindow
from tests.programs.window_programs import WINDOWS
from tests.system.tacet_cli import Tacet

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "out" / "pictures" / "programs"


@pytest.mark.parametrize("program", COMMANDS, ids=lambda program: program.name)
def test_command(machine, unchanged, program):
    """A program without windows prints what it must."""
    line = shlex.join(["tacet", "run", "--display", "none", "--", "bash", "-c", program.script])
    done = machine.run(line, session=True, cwd=FOLDER, timeout=3 * program.seconds)
    assert re.fullmatch(program.expected, done.stdout), (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("program", WINDOWS, ids=lambda program: program.name)
def test_window(machine, unchanged, program):
    """A program with windows shows its document, and does what else is its work."""
    with ProgramWindow(machine, Tacet(machine), program) as window:
        try:
            window.wait()
            if program.does:
                program.does(window)
        finally:
            machine.screenshot(PICTURES / f"{program.name}.png")


@pytest.fixture
def firefox_outside(machine):
    """A Firefox of anna's that runs outside, and has its profile open."""
    machine.run(["systemd-run", "--user", "--quiet", "--collect", "--unit=firefox", "firefox-esr", "--headless", "http://remote/outside"],
                session=True, check=True)
    machine.wait_for(lambda: "GET /outside" in machine.read(ASKED), 300, "the browser outside")
    yield
    assert machine.run("systemctl --user stop firefox && rm -rf ~/.mozilla ~/.config/mozilla ~/.cache/mozilla", session=True).returncode == 0


def test_profile_is_in_use_outside(machine, firefox_outside):
    """A program whose files are open outside starts in a session, too, and shows its page."""
    firefox = next(program for program in WINDOWS if program.name == "firefox")
    with ProgramWindow(machine, Tacet(machine), firefox) as window:
        try:
            window.wait()
        finally:
            machine.screenshot(PICTURES / "profile-in-use.png")
