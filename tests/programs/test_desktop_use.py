# SPDX-License-Identifier: GPL-3.0-or-later
"""Marked files are open in five programs while a person works: nobody is asked, and no service of the system or of the desktop
counts as having read them.

TACET_DESKTOP_MINUTES: how long, 5 without it. The table of what was written to the log goes to out/desktop-use.txt."""

import collections
import dataclasses
import os
import pathlib
import re
import time

import pytest

from tests.programs.programs import FOLDER
from tests.programs.stage import open_stage
from tests.programs.window_programs import WINDOWS
from tests.system.scene import DECISIONS
from tests.system.tacet_cli import Tacet

MINUTES = float(os.environ.get("TACET_DESKTOP_MINUTES", "5"))
OUT = pathlib.Path(__file__).resolve().parents[2] / "out"
# Program -> the marked file that it has open, and what the person does there.
OPEN = {
    "geany": ("notes.txt", "key ctrl+End type --delay 60 Pluteus; xdotool key ctrl+s"),
    "mousepad": ("letter.txt", "key Page_Down key ctrl+a key ctrl+c"),
    "evince": ("kestrel.pdf", "key ctrl+plus key Page_Down key ctrl+0"),
    "feh": ("kestrel.png", "key Up key Down"),
    "libreoffice": ("notes.fodt", "key ctrl+End type --delay 60 Pluteus; xdotool key ctrl+s"),
}
# On a busy machine it takes a moment until the selection has its new owner.
COPY = ("echo from the shell | xclip -selection clipboard -loops 1 & "
        "for i in {1..50}; do sleep 0.2; [[ $(xclip -o -selection clipboard) = 'from the shell' ]] && exit; done; exit 1")
# Work that does not depend on the files. It must go on as if nothing were labelled.
WORK = ["curl -sS -f -m 60 -o /dev/null http://remote/page", "logger a line; systemctl --user status --no-pager >/dev/null",
        "notify-send Kestrel 'over the field'", COPY,
        f"ls -l {FOLDER}; cp /usr/share/common-licenses/GPL-3 ~/licence; grep -c software ~/licence",
        "getent hosts remote; busctl --user list >/dev/null; busctl list >/dev/null"]
SERVICES = r"^(systemd.*|\(sd-pam\)|dbus-.*|Xorg|lightdm|polkitd|tacet.*|at-spi.*|pipewire.*|wireplumber|rtkit-daemon|gvfs.*|dconf-service|xdg-.*|.*notif.*|" \
           r"NetworkManager|ModemManager|udisksd|upowerd|avahi-daemon|rsyslogd|cron|sshd.*|openbox|xfce.*|xfwm.*|xfdesktop|panel.*|lxqt.*|nm-.*)$"

# It is followed, as whoever reads a socket is (docs/user/services.md). LibreOffice asks it for printers when its dialogs are made.
FOLLOWED = "cupsd"


@pytest.fixture(scope="module")
def desk():
    """The desktop with the documents marked, and open."""
    with open_stage() as guest:
        tacet = Tacet(guest)
        guest.run("cp notes.txt letter.txt", user="anna", cwd=FOLDER, check=True)
        tacet.label(*sorted({f"{FOLDER}/{file}" for file, _ in OPEN.values()}))
        yield guest, tacet


def windows():
    """The five, as the table of programs starts them, but no two with the same file: each would be told of the other's changes."""
    return [dataclasses.replace(window, command=window.command.replace("notes.txt", OPEN[window.name][0]),
                                title=window.title.replace("notes.txt", OPEN[window.name][0]))
            for window in WINDOWS if window.name in OPEN]


def start(guest, window):
    """Starts a program as the menu would, and waits for its window."""
    guest.run(f"systemd-run --user --quiet --collect --unit=use-{window.name} env -C {FOLDER} sh -c 'exec {window.command}'", session=True, check=True)
    guest.wait_for(lambda: guest.run(["xdotool", "search", "--onlyvisible", "--name", window.title], session=True).stdout.strip(), 300,
                   f"a window {window.title!r}")


def use(guest, window):
    """The person does there what they do."""
    guest.run(f"xdotool search --onlyvisible --name '{window.title}' windowactivate --sync {OPEN[window.name][1]}", session=True, timeout=300)


def test_hour(desk):
    """Nobody is asked, and only the five programs lose a doppelganger."""
    guest, tacet = desk
    before = tacet.last_log()
    for window in windows():
        start(guest, window)
    end, rounds = time.monotonic() + 60 * MINUTES, 0
    while time.monotonic() < end or not rounds:
        for window in windows():
            use(guest, window)
            assert tacet.questions() == []
        for line in WORK:
            done = guest.run(line, session=True, timeout=300)
            assert done.returncode == 0, (line, done.stderr)
        rounds += 1
    guest.screenshot(OUT / "pictures" / "desktop-use.png")
    entries = tacet.log(before)
    told = collections.Counter((entry["kind"], pathlib.Path(entry["executable"]).name or entry["comm"], entry.get("path", ""))
                               for entry in entries)
    (OUT / "desktop-use.txt").write_text("".join(f"{count:5} {' '.join(what)}\n" for what, count in told.most_common()))
    print(f"{rounds} rounds")
    assert [entry for entry in entries if re.match(SERVICES, entry["comm"])] == []
    assert sum(entry["comm"] == FOLLOWED for entry in entries) <= 1
    assert not any(entry["kind"] in DECISIONS for entry in entries), told
