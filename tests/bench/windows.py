#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how long ten programs with windows take to start, and some for a piece of work, natively and privately.

A start ends when the document's window is seen; it includes that of the session and its display. The time of a piece of work begins
inside of the session. Natively and privately take turns in one boot, after a native round that does not count and makes the programs'
settings, which the private ones find. Medians of all rounds, in seconds, with the ratio to native. Goal for the work: that of PrivExec's table VI, whose ten
programs took 1.033 of native on average, 1.055 at most.
"""

import argparse
import collections
import re
import shlex
import statistics
import sys

from tests.programs.programs import FOLDER
from tests.programs.stage import open_stage
from tests.programs.window_programs import WINDOWS

NAMES = ("firefox", "libreoffice", "gimp", "okular", "mpv", "thunderbird", "inkscape", "geany", "filezilla", "evince")
WORK = {
    "firefox": "firefox-esr --headless --screenshot page.png http://remote/firefox",
    "libreoffice": "soffice --headless --convert-to pdf notes.fodt",
    "gimp": "gimp -i --batch-interpreter=python-fu-eval -b "
            + shlex.quote("import gi; gi.require_version('Gimp', '3.0'); from gi.repository import Gimp, Gio; "
                          "i = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.file_new_for_path('kestrel.png')); "
                          "[i.scale(n, n) for n in (900, 1200, 600, 1500)]; "
                          "Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, i, Gio.file_new_for_path('big.png'), None)") + " --quit",
    "inkscape": "inkscape --export-type=png --export-width=2000 --export-filename=big.png kestrel.svg",
    "mpv": "mpv --untimed --no-audio --vo=x11 kestrel.mkv",
    "ffmpeg": "ffmpeg -v error -y -i kestrel.mkv -c:v mpeg4 -c:a flac again.mkv",
    "imagemagick": "magick kestrel.png -resize 2000x -blur 0x4 blurred.png",
}
PRIVATE = ("tacet", "run", "--")
OUTPUT = "/run/user/1000/seen"
NOW = "cut -d' ' -f1 /proc/uptime"
SECONDS = 600


def shown(program):
    """A shell script that starts the program and prints when its window is there."""
    return (f"{program.command} >/dev/null 2>&1 & until xdotool search --onlyvisible --name {shlex.quote(program.title)} >/dev/null 2>&1; "
            f"do sleep 0.1; done; {NOW}; sleep 1000")


def worked(line):
    """A shell script that does a piece of work and prints how it went, when it began, and when it was done."""
    return f"{NOW}; {line} >/dev/null 2>&1; echo status $?; {NOW}"


def timed(guest, prefix, script, times):
    """Runs a script of anna's on her desktop; returns the seconds between the last of so many times that it prints and the first, or its start."""
    line = [*prefix, "sh", "-c", script]
    began = float(guest.run(f"rm -f {OUTPUT}; {NOW}", check=True).stdout)
    guest.run(["systemd-run", "--user", "--quiet", "--collect", "--unit=bench", f"--working-directory={FOLDER}",
               "-p", f"StandardOutput=file:{OUTPUT}", *line], session=True, check=True)
    try:
        def printed():
            # systemd makes the file only after the unit counts as started.
            found = re.findall(r"^\d+\.\d+$", guest.run(["cat", OUTPUT]).stdout, re.M)
            return found if len(found) == times else None

        seen = guest.wait_for(printed, SECONDS, script)
        assert times == 1 or "status 0\n" in guest.read(OUTPUT), (script, guest.read(OUTPUT))
        return float(seen[-1]) - (float(seen[0]) if times == 2 else began)
    finally:
        guest.run("as-anna tacet session end --all; as-anna systemctl --user stop bench")
        guest.wait_for(lambda: guest.run("pgrep -f '[x]dotool search|[s]leep 1000'").returncode != 0, 60, "the program to go")


def measure(guest, rounds, names):
    """(name, state) -> seconds of each round."""
    scripts = {f"start {name}": (shown(next(program for program in WINDOWS if program.name == name)), 1) for name in NAMES if name in names}
    scripts |= {f"work {name}": (worked(line), 2) for name, line in WORK.items() if name in names}
    costs = collections.defaultdict(list)
    for number in range(rounds + 1):
        for name, (script, times) in scripts.items():
            for state, prefix in (("native", ()), ("private", PRIVATE))[:2 if number > 0 else 1]:
                seconds = timed(guest, prefix, script, times)
                print(f"round {number}: {name}, {state}: {seconds:.2f} s", file=sys.stderr)
                if number > 0:
                    costs[name, state].append(seconds)
    return costs


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="./dev bench windows")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", help="of programs; all of them take hours")
    options = parser.parse_args()
    if unknown := set(options.names) - {*NAMES, *WORK}:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    with open_stage() as guest:
        costs = measure(guest, options.rounds, options.names or [*NAMES, *WORK])
    print(f"{options.rounds} rounds, two emulated processors\n{'':<20}{'native':>10}{'private':>10}{'more':>8}{'ratio':>8}")
    for name in dict.fromkeys(name for name, _ in costs):
        native, private = (statistics.median(costs[name, state]) for state in ("native", "private"))
        print(f"{name:<20}{native:>10.2f}{private:>10.2f}{private - native:>8.2f}{private / native:>8.2f}")


if __name__ == "__main__":
    sys.exit(main())
