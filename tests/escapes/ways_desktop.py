# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways by the display: clipboards, windows, keys and pictures, between the session's display and the desktop's."""

from tests.escapes.way import Way, polling, python

COPIES = {"x11": "printf %s $STAMP | xclip -selection {0}", "wayland": "printf %s $STAMP | wl-copy {1} || printf %s $STAMP | xclip -selection {0}"}
PASTES = {"x11": "timeout 3 xclip -o -selection {0}", "wayland": "timeout 3 wl-paste -n {1}"}
WINDOWS = {"x11": "xwininfo -root -tree", "wayland": "wlrctl window list; xwininfo -root -tree"}
WINDOW = "xev -name $STAMP >/dev/null & sleep 4; kill %1"
# Every display, with no key and with each that can be found.
DISPLAYS = ("for display in /tmp/.X11-unix/X*; do for key in /nowhere ~/.Xauthority /proc/[0-9]*/root/run/user/1000/xauthority; do "
            "DISPLAY=:${display##*X} XAUTHORITY=$key timeout 1 xwininfo -root -tree 2>/dev/null; done; done")


def ways(desktop):
    """The rows for this kind of desktop."""
    copies, pastes = COPIES[desktop], PASTES[desktop]
    selections = [("clipboard", "clipboard", ""), ("selection", "primary", "--primary")]
    rows = [Way(f"{name} is copied to", copies.format(*words) + "; sleep 6", witness=polling(pastes.format(*words))) for name, *words in selections]
    rows += [Way(f"{name} is pasted from", f"sleep 1; ({pastes.format(*words)}; timeout 2 xclip -o -selection {words[0]}) | grep -q outside && echo through",
                 witness=f"printf outside | {copies.split(' | ', 1)[1].split(' ||')[0].format(*words)}; echo ready; sleep 8", inside=True) for name, *words in selections]
    rows += [
        Way("window's title", WINDOW, witness=polling(WINDOWS[desktop])),
        Way("window's picture, on its display", WINDOW, witness=polling(DISPLAYS)),
        Way("property of the screen", "xprop -root -f ESCAPE 8s -set ESCAPE $STAMP", witness=polling("xprop -root ESCAPE"), undo="as-anna xprop -root -remove ESCAPE"),
        Way("display of the desktop", "DISPLAY=:0 xwininfo -root && echo through", inside=True),
        Way("display of the desktop, with its key", "for key in ~/.Xauthority /tmp/xauth* /run/user/1000/*; do DISPLAY=:0 XAUTHORITY=$key xwininfo -root && echo through; done", inside=True),
        Way("display's abstract socket", python(r"socket.socket(socket.AF_UNIX).connect('\0/tmp/.X11-unix/X0'); print('through')"), inside=True,
            control="none: not every server listens there"),
        Way("pointer of the desktop", "sleep 1; for i in {1..5}; do xdotool mousemove $((100 + i * 40)) 300; sleep 0.3; done",
            witness="at() { xdotool getmouselocation --shell | head -2 | tr '\\n' ' '; }; echo ready; before=$(at); for i in {1..60}; do test \"$(at)\" = \"$before\" || echo $STAMP; sleep 0.1; done",
            control="anna" if desktop == "x11" else "none: an X program moves no pointer of Wayland's"),
        Way("accessibility bus", python("""
import glob
for path in glob.glob("/run/user/1000/at-spi/*"):
    socket.socket(socket.AF_UNIX).connect(path)
    print("through")"""), inside=True, setup="as-anna gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus --method org.a11y.Bus.GetAddress"),
    ]
    if desktop == "wayland":
        rows += [Way("Wayland's socket", python("socket.socket(socket.AF_UNIX).connect('/run/user/1000/wayland-0'); print('through')"), inside=True),
                 Way("picture of the screen", "grim /tmp/picture.png && echo through", inside=True)]
    return rows
