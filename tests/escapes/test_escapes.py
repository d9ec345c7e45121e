# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue of ways out of a private session, and into one. `./dev catalogue escapes` runs it and keeps its table.

Each row is tried twice: by a program that is not private, which must get through, and by a private one."""

import os
import pathlib

import pytest

from guest import Guest
from tests.escapes.way import HELD, Attempt
from tests.escapes.ways_desktop import ways as ways_by_the_display
from tests.escapes.ways_files import FILES
from tests.escapes.ways_inward import INWARD
from tests.escapes.ways_network import NETWORK
from tests.escapes.ways_programs import PROGRAMS
from tests.escapes.ways_shared import SHARED
from tests.escapes.ways_traces import TRACES

DESKTOP = os.environ.get("TACET_DESKTOP", "x11")
TABLE = pathlib.Path(__file__).resolve().parents[2] / "out"


@pytest.fixture(scope="session")
def guest(kernel):
    """The desktop with anna logged in; its kernel log must stay clean."""
    with Guest(kernel, desktop=DESKTOP) as machine:
        yield machine
        machine.check_kernel_log()


@pytest.fixture(scope="session")
def table(kernel):
    """Writes a row: the way, what is expected, what was seen."""
    TABLE.mkdir(exist_ok=True)
    with open(TABLE / f"escapes-{kernel}-{DESKTOP}.txt", "w", encoding="utf-8") as file:
        yield lambda *cells: print(" | ".join(cells), file=file, flush=True)


def judge(way, attempt, table):
    """One row: the control gets through, the private program does as is expected."""
    found, told = attempt.try_way(way, private=True)
    seen = ", ".join(sorted(found)) or HELD
    through, control = attempt.try_way(way, private=False) if way.has_control else ({"none"}, "")
    # The script of the control may leave the stamp in files besides.
    if way.witness or way.trace or way.inside:
        through -= {"files"}
    table(f"{way.name:<48}", f"{way.expected:<20}", f"{seen:<20}", "control: " + ((", ".join(sorted(through)) or "NOT THROUGH") if way.has_control else way.control))
    assert through, f"the control did not get through\n{control}"
    assert (seen == HELD) == (way.expected == HELD), f"seen by: {seen}\n{told}"


@pytest.mark.parametrize("way", [*FILES, *PROGRAMS, *TRACES, *NETWORK, *INWARD, *SHARED], ids=str)
def test_way(way, guest, table):
    judge(way, Attempt(guest), table)


@pytest.mark.parametrize("way", ways_by_the_display(DESKTOP), ids=str)
def test_way_by_the_display(way, guest, table):
    judge(way, Attempt(guest, display="nested"), table)
