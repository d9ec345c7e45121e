# SPDX-License-Identifier: GPL-3.0-or-later
"""Private sessions on a Wayland desktop: windows in rootful Xwayland, the clipboard by wl-clipboard's programs."""

import pytest

from guest import Guest
from tests.system.conftest import PICTURES
from tests.system.picture import Picture
from tests.system.private_session import PrivateSession, looks_into
from tests.system.tacet_cli import Tacet
from tests.system.test_private_display import FRAME_COLOUR, STAMP

NEWEST_KERNEL_ONLY = True
STRIP = 16


@pytest.fixture(scope="module")
def wayland(kernel):
    """The Wayland desktop."""
    with Guest(kernel, desktop="wayland") as machine:
        yield machine
        assert machine.faults() == []


@pytest.fixture
def session(wayland):
    """A private FeatherPad whose window is there."""
    with PrivateSession(wayland, Tacet(wayland), ["featherpad"]) as started:
        wayland.wait_for(lambda: started.first_window("featherpad"), 120, "FeatherPad's window")
        yield started


@pytest.mark.nightly
def test_window(wayland, session):
    """The window shows, with a frame and the session's name; the program's window has the rest."""
    assert wayland.run("pgrep -x Xephyr").returncode != 0
    width, height = session.root_size()

    def fills():
        x, y, wide, high = session.first_window("featherpad")
        return (x, wide, y + high) == (4, width - 8, height - 4) and 4 + STRIP <= y <= 4 + STRIP + 32
    wayland.wait_for(fills, what="the maximised window")
    wayland.wait_for(lambda: count_colour(wayland) >= 2 * 4 * height + (4 + STRIP) * width // 2, what="the frame")
    wayland.screenshot(PICTURES / "private-wayland.png")
    assert "Private: Kestrel" in session.inside("xwininfo -root -tree").stdout


def count_colour(wayland):
    """How many pixels of the screen have the frame's colour."""
    screen = Picture(wayland.screenshot(PICTURES / "private-wayland.ppm", kind="ppm"))
    return sum(screen.colour(x, y) == FRAME_COLOUR for y in range(screen.height) for x in range(screen.width))


@pytest.mark.nightly
def test_closed_to_others(wayland, session):
    """Neither the display nor the desktop's is open to the other side, and there is no way for images past the border."""
    assert "Authorization required" in wayland.run(f"DISPLAY={session.display} xwininfo -root", session=True).stderr
    names = session.run_in("ls /run/user/1000").stdout.split()
    assert "xauthority" in names and not {"wayland-0", "tacet", "systemd"} & set(names)
    assert session.run_in("env | grep -i -c wayland").stdout.strip() == "0"
    extensions = session.inside("xdpyinfo -queryExtensions").stdout
    assert "RANDR" in extensions and "MIT-SHM" not in extensions and "DRI3" not in extensions


@pytest.mark.nightly
def test_key_is_closed_to_others(wayland, session):
    """As on X11, no program of the person's looks into those that have the display's key."""
    brokers = session.brokers()
    assert len(brokers) == 2 and [looks_into(wayland, process) for process in brokers] == [set(), set()]


@pytest.mark.nightly
def test_clipboard(wayland, session):
    """Nothing crosses by itself; text crosses both ways when the person asks."""
    keep = ["systemd-run", "--user", "--quiet", "--collect", "--wait", "--pipe", "--property=KillMode=process", "bash", "-c"]

    def outside(line):
        return wayland.run([*keep, line], session=True, check=True).stdout

    outside(f"printf Outer{STAMP} | wl-copy >/dev/null 2>&1")
    assert session.inside("xclip -o -selection clipboard", check=False).stdout == ""
    session.inside(f"printf Inner{STAMP} | xclip -selection clipboard >/dev/null 2>&1")
    assert outside("wl-paste --no-newline") == f"Outer{STAMP}"
    outside(f"tacet session paste {session.id}")
    assert session.inside("xclip -o -selection clipboard -t UTF8_STRING").stdout == f"Outer{STAMP}"
    session.inside(f"printf Later{STAMP} | xclip -selection clipboard >/dev/null 2>&1")
    outside(f"tacet session copy {session.id}")
    assert outside("wl-paste --no-newline") == f"Later{STAMP}"


@pytest.mark.nightly
def test_title_and_closing(wayland, session):
    """Task bars show the session's name. Closing the window closes the program's, which asks about unsaved text."""
    assert "org.tacet.Private: Private: Kestrel" in wayland.run("wlrctl toplevel list", session=True, check=True).stdout
    session.inside("xdotool search --onlyvisible --class featherpad windowactivate --sync type unsaved")
    wayland.wait_for(lambda: session.window("*Untitled"), what="the changed text")
    wayland.run("wlrctl toplevel close app_id:org.tacet.Private", session=True, check=True)
    wayland.wait_for(lambda: len(session.windows("featherpad")) > 1, what="the program's question")
    wayland.screenshot(PICTURES / "private-closing-wayland.png")
    assert not session.is_over()
    session.inside("xdotool key alt+d")
    wayland.wait_for(session.is_over, 15, "the session's end")


@pytest.mark.nightly
def test_ends_with_its_display(wayland, session):
    """When the server goes, the session goes with it."""
    wayland.run(f"pkill -9 -f 'Xwayland {session.display} '", check=True)
    wayland.wait_for(session.is_over, 15, "the session's end")
