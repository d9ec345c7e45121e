# SPDX-License-Identifier: GPL-3.0-or-later
"""The windows of private sessions: they show, they fill their display, and nothing crosses its border unasked."""

import shlex

import pytest

from tests.system.conftest import PICTURES
from tests.system.picture import Picture
from tests.system.private_session import PrivateSession, geometry, looks_into
from thorough import daily

NEWEST_KERNEL_ONLY = True
FRAME = 4
FRAME_COLOUR = (0x9B, 0x3F, 0xD9)
STAMP = "Osprey31Linden"
MEBIBYTE = 1 << 20


@pytest.fixture
def open_private(scene):
    """Starts a private session with a display: open_private(command line, name=...)."""
    sessions = []

    def start(command, *options, **more):
        sessions.append(PrivateSession(scene.guest, scene.tacet, shlex.split(command), *options, **more))
        return sessions[-1]

    yield start
    for session in sessions:
        session.__exit__()


@pytest.fixture
def editor(open_private, scene):
    """A private FeatherPad whose window is there."""
    session = open_private("featherpad")
    scene.guest.wait_for(lambda: session.first_window("featherpad"), 120, "FeatherPad's window")
    return session


def outer_window(scene, name="Kestrel"):
    """(x, y, width, height) on anna's desktop of a private session's window, None without."""
    found = scene.guest.run(["xwininfo", "-name", f"Private: {name}"], session=True)
    return geometry(found.stdout) if found.returncode == 0 else None


def fills(session, window):
    """Whether a window has all of the display but the frame, and perhaps a slim title."""
    width, height = session.root_size()
    x, y, wide, high = window
    return (x, wide) == (FRAME, width - 2 * FRAME) and y + high == height - FRAME and FRAME <= y <= FRAME + 32


def edge_colours(scene):
    """The colours in the middles of the four edges of the private display, as the screen shows them."""
    x, y, width, height = outer_window(scene)
    screen = Picture(scene.guest.screenshot(PICTURES / "private-frame.ppm", kind="ppm"))
    places = [(x + width // 2, y), (x + width // 2, y + height - 1), (x, y + height // 2), (x + width - 1, y + height // 2)]
    return {screen.colour(*place) for place in places}


def close_window(scene):
    """What a person does who closes the session's window."""
    scene.guest.run("xdotool search --name '^Private: Kestrel$' windowactivate --sync key alt+F4", session=True, check=True)


@pytest.mark.nightly
def test_window_fills_its_display(scene, editor):
    """The program's main window fills the display, inside a frame that it cannot cover; dialogs are smaller."""
    assert "openbox" in editor.helpers()
    scene.guest.wait_for(lambda: fills(editor, editor.first_window("featherpad")), what="the maximised window")
    scene.guest.wait_for(lambda: edge_colours(scene) == {FRAME_COLOUR}, what="the frame")
    assert "tacet-private" in scene.guest.run("xprop -name 'Private: Kestrel' WM_CLASS", session=True).stdout
    editor.inside("xdotool search --onlyvisible --class featherpad windowactivate --sync key ctrl+f key ctrl+o")
    scene.guest.wait_for(lambda: editor.inside("xdotool search --onlyvisible --name '^Open'", check=False).stdout, what="a dialog")
    scene.guest.screenshot(PICTURES / "private-featherpad.png")
    assert edge_colours(scene) == {FRAME_COLOUR}


@pytest.mark.nightly
def test_key_is_closed_to_others(scene, editor):
    """No program of the person's looks into those that have the display's key: `tacet run` and the nested server."""
    scene.guest.run(["systemd-run", "--user", "--quiet", "--collect", "--unit=open-to-all", "sleep", "4711"], session=True, check=True)
    control = scene.guest.wait_for(lambda: scene.guest.run("pgrep -f 'bin/sleep [4]711'").stdout.strip(), what="the control")
    assert looks_into(scene.guest, control) == {"memory", "environment", "files", "calls"}
    scene.guest.run("systemctl --user stop open-to-all", session=True)
    brokers = editor.brokers()
    assert len(brokers) == 2 and [looks_into(scene.guest, process) for process in brokers] == [set(), set()]


@pytest.mark.nightly
def test_follows_its_window(scene, editor):
    """When the person resizes the window on the desktop, the display and the program's window follow; when they close it, both go."""
    for size in ((700, 500), (1100, 640)):
        scene.guest.run(["xdotool", "search", "--name", "^Private: Kestrel$", "windowsize", *map(str, size)], session=True, check=True)
        scene.guest.wait_for(lambda size=size: editor.root_size() == size, what=f"a display of {size}")
        scene.guest.wait_for(lambda: fills(editor, editor.first_window("featherpad")), what="the program's window")
        scene.guest.wait_for(lambda: edge_colours(scene) == {FRAME_COLOUR}, what="the frame")
    close_window(scene)
    scene.guest.wait_for(editor.is_over, 15, "the session's end")
    assert outer_window(scene) is None


@pytest.mark.nightly
def test_frame_is_not_covered(scene, editor):
    """A window over the whole display does not cover the frame."""
    editor.inside("xdotool search --onlyvisible --class featherpad windowactivate --sync key F11")
    scene.guest.wait_for(lambda: editor.first_window("featherpad")[2:] == editor.root_size(), what="the full screen")
    scene.guest.wait_for(lambda: edge_colours(scene) == {FRAME_COLOUR}, what="the frame")


def test_closed_to_others(scene, editor, open_private):
    """Without its cookie nobody reads the display, and no session has the socket of another's, or of the desktop's, or shared memory."""
    extensions = editor.inside("xdpyinfo -queryExtensions").stdout
    assert "RANDR" in extensions and "MIT-SHM" not in extensions
    refused = f"DISPLAY={editor.display} xwininfo -root"
    assert "Authorization required" in scene.run(refused).stderr
    assert "Authorization required" in scene.guest.run(refused, user="bela").stderr
    assert editor.inside("xwininfo -root").returncode == 0
    other = open_private("sleep 1000", name="Merlin")
    listed = other.run_in("ls /tmp/.X11-unix; xwininfo -root >/dev/null && echo own")
    assert listed.stdout.split() == [f"X{other.display[1:]}", "own"], listed.stderr
    assert other.run_in(f"XAUTHORITY=/root/key DISPLAY={editor.display} xwininfo -root").returncode != 0
    assert other.run_in("DISPLAY=:0 xwininfo -root").returncode != 0


SELECTIONS = ("clipboard", "primary")


@pytest.fixture
def outside(scene):
    """Runs a shell line in anna's desktop session; what it leaves in the background stays."""
    keep = ["systemd-run", "--user", "--quiet", "--collect", "--wait", "--pipe", "--property=KillMode=process", "bash", "-c"]

    def run(line, check=True):
        return scene.guest.run([*keep, line], session=True, check=check)

    yield run
    scene.guest.run("pkill -x xclip")


def copy_out(outside, session):
    """Anna takes the text in a session's clipboard out."""
    return outside(f"tacet session copy {session.id}", check=False)


def own_selections(run, text):
    """Lets a program own both selections; `run` runs a shell line on one side's display."""
    for selection in SELECTIONS:
        run(f"printf %s {text} | xclip -selection {selection} >/dev/null 2>&1")


def selections(run):
    """The texts of both selections; empty where there is none."""
    return [run(f"xclip -o -selection {selection} 2>/dev/null || true").stdout for selection in SELECTIONS]


@pytest.mark.nightly
def test_clipboards_are_apart(scene, outside, editor):
    """Neither the clipboard nor the selection crosses by itself, and only the clipboard when the person asks."""
    own_selections(outside, "Outer" + STAMP)
    assert selections(editor.inside) == ["", ""]
    own_selections(editor.inside, "Inner" + STAMP)
    assert selections(outside) == ["Outer" + STAMP] * 2
    scene.tacet.run("session", "paste", editor.id, person=True)
    assert selections(editor.inside) == ["Outer" + STAMP, "Inner" + STAMP]
    own_selections(editor.inside, "Later" + STAMP)
    assert selections(outside) == ["Outer" + STAMP] * 2
    assert copy_out(outside, editor).returncode == 0
    assert selections(outside) == ["Later" + STAMP, "Outer" + STAMP]


@pytest.mark.nightly
def test_program_pastes(scene, outside, editor):
    """A program of the session gets what was pasted; what it copies can be taken out, and is there after its end."""
    outside("printf 'Grün\nund ' | xclip -selection clipboard >/dev/null 2>&1")
    scene.tacet.run("session", "paste", editor.id, person=True)
    editor.inside("xdotool search --onlyvisible --class featherpad windowactivate --sync key ctrl+v type more")
    editor.inside("xdotool key ctrl+a key ctrl+c")
    scene.guest.wait_for(lambda: copy_out(outside, editor).returncode == 0 and selections(outside)[0] == "Grün\nund more",
                         what="FeatherPad's text")
    editor.__exit__()
    assert selections(outside)[0] == "Grün\nund more"


def fill_clipboard(run, size):
    """Lets xclip own a text of so many bytes, which it sends in parts."""
    run(f"head -c {size} /dev/zero | tr '\\0' x | xclip -selection clipboard >/dev/null 2>&1")


@pytest.mark.nightly
def test_limits_of_the_clipboard(scene, outside, editor):
    """A long text crosses whole; one over the limit, none, and one for another's session are refused in words."""
    fill_clipboard(outside, MEBIBYTE)
    scene.tacet.run("session", "paste", editor.id, person=True)
    assert editor.inside("xclip -o -selection clipboard | wc -c").stdout.strip() == str(MEBIBYTE)
    fill_clipboard(editor.inside, MEBIBYTE + 1)
    refused = copy_out(outside, editor)
    assert refused.returncode == 1 and "more than 1 MiB" in refused.stderr
    unknown = scene.tacet.run("session", "paste", 100_000, person=True, check=False)
    assert unknown.returncode == 5 and "no private session" in unknown.stderr
    other = scene.guest.run(["tacet", "session", "copy", str(editor.id)], user="bela", env={"XDG_RUNTIME_DIR": "/run/user/1000"})
    assert other.returncode == 5, other.stderr
    assert editor.run_in(f"XDG_RUNTIME_DIR=/run/user/1000 tacet session copy {editor.id}").returncode == 5


CLOSINGS = {
    "window": "as-anna xdotool search --name '^Private: Kestrel$' windowkill",
    "server": "pkill -9 -x Xephyr",
    "tacet run": "kill -9 {client}",
    "frame": "DISPLAY={display} XAUTHORITY=/root/key-{id} xkill -id $(DISPLAY={display} XAUTHORITY=/root/key-{id} xwininfo -root -children"
             r" | sed -nE 's/^ +(0x[0-9a-f]+).* [0-9]+x4\+0\+0 .*/\1/p' | head -n 1); true",  # which loses its own connection too
}


@pytest.mark.parametrize("way", daily(CLOSINGS, "server"))
def test_ends_with_its_display(scene, editor, way):
    """However the window goes, the session goes with it, and the server with the session."""
    scene.guest.run(CLOSINGS[way].format(display=editor.display, id=editor.id, client=editor.client()), check=True)
    scene.guest.wait_for(editor.is_over, 15, "the session's end")
    scene.guest.wait_for(lambda: scene.guest.run("pgrep -x Xephyr").returncode != 0, 5, "the server's end")
    assert scene.guest.run(f"ls /run/user/1000/tacet/display-{editor.id}").returncode != 0 or way == "tacet run"


@pytest.mark.nightly
def test_closing_asks_the_program(scene, editor):
    """A program with unsaved text asks what to do with it, as it does when its own window is closed. Nothing is lost meanwhile."""
    # The window that has the focus is typed into, wherever the pointer is.
    scene.guest.run("xdotool search --name '^Private: Kestrel$' windowactivate --sync mousemove 1 1; sleep 1; xdotool type unsaved", session=True, check=True)
    scene.guest.wait_for(lambda: editor.window("*Untitled"), what="the changed text")
    close_window(scene)
    scene.guest.wait_for(lambda: len(editor.windows("featherpad")) > 1, what="the program's question")
    scene.guest.screenshot(PICTURES / "private-closing.png")
    assert not editor.is_over()
    editor.inside("xdotool key alt+d")
    scene.guest.wait_for(editor.is_over, 15, "the session's end")


@pytest.mark.nightly
def test_closing_twice_ends_what_hangs(scene, editor):
    """A program that does not close is offered to be ended, and only a second time does it."""
    scene.guest.run(f"kill -STOP {editor.main}", check=True)
    close_window(scene)
    offer = "xdotool search --onlyvisible --name 'Kestrel is still open'"
    scene.guest.wait_for(lambda: editor.inside(offer, check=False).stdout, 60, "the offer")
    scene.guest.screenshot(PICTURES / "private-hanging.png")
    assert not editor.is_over()
    close_window(scene)
    scene.guest.wait_for(editor.is_over, 30, "the session's end")


MISSING = {"Xephyr": "xserver-xephyr", "openbox": "openbox"}


@pytest.mark.nightly
@pytest.mark.parametrize("program", MISSING)
def test_says_what_is_missing(scene, program):
    """Without the nested server or the window manager, nothing is started and a sentence says why."""
    hide = f"unshare -m sh -c 'mount --bind /dev/null /usr/bin/{program} && exec runuser -u anna -- env DISPLAY=:0 tacet run true'"
    done = scene.guest.run(hide)
    assert done.returncode == 1 and MISSING[program] in done.stderr and "--display none" in done.stderr


@pytest.mark.nightly
def test_server_is_the_sessions(editor, scene):
    """The server that draws the windows counts as the session's, and other programs of its person do not read its memory."""
    server = scene.guest.run("pgrep -x Xephyr", check=True).stdout.strip()
    assert "tacet-session-" in scene.guest.read(f"/proc/{server}/cgroup")
    # When the session has ended, the module does not refuse a dump of it any more.
    assert scene.guest.run(f"prlimit --pid {server} --core --raw --noheadings -o SOFT,HARD", check=True).stdout.split() == ["1", "1"]
    assert "Permission denied" in scene.run(f"dd if=/proc/{server}/mem bs=1 count=1 skip=4194304").stderr


@pytest.mark.nightly
def test_ends_while_it_is_swapped_out(scene, open_private):
    """Nothing of the session is alive when its swap cannot be read any more: neither the display's server nor its own processes crash."""
    session = open_private("featherpad")
    scene.guest.wait_for(lambda: session.first_window("featherpad"), 120, "FeatherPad's window")
    unit = f"tacet-session-{session.id}.service"
    group = f"/sys/fs/cgroup/user.slice/user-1000.slice/{unit}"
    scene.guest.run(f"for i in 1 2 3 4; do echo 64M >{group}/memory.reclaim; done")
    assert int(scene.guest.read(f"{group}/memory.swap.current")) > 8 << 20
    session.tacet.run("session", "end", session.id)
    scene.guest.wait_for(session.is_over, 30, "the session's end")
    scene.guest.wait_for(lambda: scene.guest.run(["ls", group]).returncode != 0, 30, "the unit's end")
    told = scene.guest.run(f"journalctl --no-pager -b -u {unit} _PID=1 + _TRANSPORT=kernel").stdout
    assert "BUS" not in told and "Failed" not in told and "trap" not in told, told


@pytest.mark.nightly
def test_tells_that_it_starts(scene, open_private):
    """Until the program shows a window the display says so."""
    session = open_private("bash -c 'sleep 10; exec featherpad'")
    notice = "xdotool search --onlyvisible --name '^Starting Kestrel'"
    scene.guest.wait_for(lambda: session.inside(notice, check=False).stdout, what="the notice")
    scene.guest.screenshot(PICTURES / "private-starting.png")
    scene.guest.wait_for(lambda: session.first_window("featherpad"), 120, "FeatherPad's window")
    scene.guest.wait_for(lambda: not session.inside(notice, check=False).stdout, what="the notice to go")


@pytest.mark.nightly
def test_window_goes_with_its_program(scene, open_private):
    """A session that waits for files to be kept has no empty window."""
    open_private("bash -c 'echo kept >~/Documents/kept; sleep 5'", "--keep")
    scene.guest.wait_for(lambda: outer_window(scene), what="the window")
    scene.guest.wait_for(lambda: not outer_window(scene), 60, "the window to go")
    assert [session["state"] for session in scene.tacet.json("session", "list")] == ["waiting"]
