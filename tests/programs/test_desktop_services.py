# SPDX-License-Identifier: GPL-3.0-or-later
"""What a desktop has beside its programs, in a session with a display: an input method, a screen reader, the portal's file chooser.

On the newest kernel only, in the programs' image."""

import shlex

import pytest

from tests.programs.documents import NOTES, TOOLS
from tests.programs.programs import FOLDER
from tests.system.private_session import PrivateSession
from tests.system.tacet_cli import Tacet

FCITX = """[Groups/0]
Name=Default
Default Layout=us
DefaultIM=pinyin

[Groups/0/Items/0]
Name=keyboard-us

[Groups/0/Items/1]
Name=pinyin

[GroupOrder]
0=Default
"""
PROFILE = "/home/anna/.config/fcitx5/profile"


@pytest.fixture(scope="module")
def pinyin(machine):
    """Chinese by Pinyin is what anna has chosen in both input methods."""
    machine.write(PROFILE, FCITX, user="anna")
    machine.run(["gsettings", "set", "org.freedesktop.ibus.general", "preload-engines", "['libpinyin']"], session=True, check=True)


def session(machine, script, *options):
    """A private shell script in FOLDER."""
    return PrivateSession(machine, Tacet(machine), ["env", "-C", FOLDER, "bash", "-c", script], *options)


def wait_for_window(private, title):
    """Waits for a window of the session, and gives it the keys."""
    private.guest.wait_for(lambda: private.inside(f"xdotool search --onlyvisible --name {shlex.quote(title)} windowactivate --sync",
                                                  check=False).returncode == 0, 180, f"a window {title!r}")


@pytest.mark.parametrize(("method", "daemon", "switch"), [("fcitx", "fcitx5", "key ctrl+space sleep 1"), ("ibus", "ibus-daemon", "")])
def test_input_method(machine, pinyin, unchanged, method, daemon, switch):
    """The person's input method runs in the session: letters become Chinese characters there, and are saved."""
    names = {"XMODIFIERS": f"@im={method}", "GTK_IM_MODULE": method}
    # As a desktop does it, for all programs of the person's.
    machine.run(["systemctl", "--user", "set-environment", *(f"{name}={value}" for name, value in names.items())], session=True, check=True)
    with session(machine, "exec mousepad notes.txt") as private:
        machine.wait_for(lambda: daemon in private.helpers(), 60, "the input method")

        def written():
            wait_for_window(private, "notes.txt - Mousepad$")
            private.inside(f"xdotool key ctrl+End {switch} type --delay 200 nihao; sleep 2; xdotool key space key --delay 300 ctrl+s")
            return "你好" in private.run_in(f"cat {FOLDER}/notes.txt").stdout

        machine.wait_for(written, 180, "the characters")
    assert machine.read(f"{FOLDER}/notes.txt") == NOTES
    machine.run(["systemctl", "--user", "unset-environment", *names], session=True, check=True)


def test_screen_reader(machine, unchanged):
    """Orca reads a window of the session. Whatever it says goes to the speech dispatcher of the session."""
    with session(machine, "exec mousepad notes.txt", "--screen-reader", "on") as private:
        machine.wait_for(lambda: "orca" in private.helpers(), 60, "the screen reader")
        wait_for_window(private, "notes.txt - Mousepad$")
        machine.wait_for(lambda: "speech-dispatch" in private.helpers(), 120, "its voice")


def test_file_chooser(machine, unchanged):
    """The portal's file chooser is the session's own: it shows the session's files, and a file of the session's is chosen."""
    # Should keys get lost, and another file be chosen, it is asked again.
    script = f"echo merlin >only-here; while python3 {TOOLS}/choose_file.py >>chosen; do :; done"
    with session(machine, script) as private:

        def chosen():
            wait_for_window(private, "Choose a bird")
            private.inside(f"xdotool sleep 2 key ctrl+l sleep 1 key ctrl+a type --delay 60 {FOLDER}/only-here; sleep 2; xdotool key Return", check=False)
            return f"file://{FOLDER}/only-here" in private.run_in(f"cat {FOLDER}/chosen").stdout.splitlines()

        machine.wait_for(chosen, 180, "the chosen file")
