# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the documents' pictures of programs that run privately beside the public desktop. usage: pictures.py FOLDER [NAME...]

As the tests, with TACET_KERNELS and PYTHONPATH=tools/lib."""

import pathlib
import sys
import time

from tests.programs.programs import FOLDER
from tests.programs.stage import open_stage
from tests.programs.window import ProgramWindow
from tests.programs.window_programs import WINDOWS
from tests.system.tacet_cli import Tacet

SHOWN = ("firefox", "libreoffice", "thunderbird")


def open_public(guest):
    """A file manager of the desktop on the left, under what comes."""
    guest.run(["systemd-run", "--user", "--quiet", "--collect", "--unit=public-files", "pcmanfm-qt", FOLDER], session=True, check=True)
    guest.wait_for(lambda: guest.run("xdotool search --onlyvisible --class pcmanfm-qt windowsize 560 620 windowmove 10 20",
                                     session=True).returncode == 0, 120, "the file manager")


def take(guest, program, path):
    """One program's private window over a part of the desktop."""
    with ProgramWindow(guest, Tacet(guest), program) as window:
        guest.run(f"xdotool search --name '^Private: {program.name}$' windowsize 900 640 windowmove 340 70", session=True, check=True)
        window.wait()
        time.sleep(10)  # For toolbars and the like, whose end nothing tells.
        picture = guest.screenshot(path)
    guest.put(picture, "/root/picture.png")
    guest.run("magick picture.png -resize 960x -dither none -colors 200 -strip small.png", cwd="/root", check=True)
    guest.get("/root/small.png", picture)
    print(picture, picture.stat().st_size)


def main():
    """Takes the named, or the three."""
    folder = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or SHOWN
    with open_stage() as guest:
        open_public(guest)
        for program in WINDOWS:
            if program.name in names:
                take(guest, program, folder / f"private-{program.name}.png")


if __name__ == "__main__":
    main()
