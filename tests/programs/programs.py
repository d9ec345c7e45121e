# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that are tried privately: what each needs, what it does, and how one sees that it did."""

import dataclasses
import typing

FOLDER = "/home/anna/Documents/kestrel"
STAMP = "Kestrel55Umber"
# The log of requests on the second host.
ASKED = "/run/remote/asked"


@dataclasses.dataclass(frozen=True)
class Command:
    """A program without windows: `script` runs in FOLDER, and all that it prints must match `expected`."""

    name: str
    packages: tuple[str, ...]
    script: str
    expected: str
    seconds: int = 120


@dataclasses.dataclass(frozen=True)
class Window:
    """A program with windows: `command` runs in FOLDER; then a window's title matches `title`, and where `shows` is set the
    colour of the documents is on the screen. `does` acts further and asserts."""

    name: str
    packages: tuple[str, ...]
    command: str
    title: str
    shows: bool = False
    does: typing.Callable | None = None


def packages(programs):
    """The Debian packages that programs need, in the order that names an image."""
    return sorted({package for program in programs for package in program.packages})
