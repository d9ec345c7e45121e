# SPDX-License-Identifier: GPL-3.0-or-later
"""The nightly table is read as it was written, orders what runs next, and holds a verdict for each end of a suite."""

import nightly
from nightly import Row


def test_table_is_read_as_written():
    rows = {"leaks 7.2": Row("leaks 7.2", "red", "2026-11-24 01:02", "abc+", 40, "2026-11-20 10:00"), "swap": Row("swap")}
    assert nightly.read(nightly.write(rows)) == rows


def test_longest_since_green_first():
    rows = {"new": Row("new", green="2026-11-24 01:00", date="2026-11-24 01:00"),
            "old": Row("old", green="2026-11-02 01:00", date="2026-11-02 01:00"),
            "red": Row("red", date="2026-11-24 02:00")}
    assert nightly.in_order(["new", "old", "red", "unseen"], rows) == ["unseen", "red", "old", "new"]


def test_what_does_not_fit_is_left():
    assert nightly.fits(Row("a", minutes=10), 600)
    assert not nightly.fits(Row("a", minutes=11), 600)


def test_verdicts(tmp_path):
    log = tmp_path / "log"
    assert nightly.run(["sh", "-c", "echo cause"], 10, log) == "green"
    assert log.read_text() == "cause\n"
    assert nightly.run(["false"], 10, log) == "red"
    assert nightly.run(["sleep", "60"], 0.2, log) == "cut off"


def test_green_date_stays_when_red():
    row = nightly.noted(Row("a", green="before"), "red", "c", 120, "now")
    assert (row.green, row.date, row.minutes) == ("before", "now", 2)
    assert nightly.noted(row, "green", "c", 60, "later").green == "later"
    assert nightly.noted(row, "cut off", "c", 9999, "later").minutes == 2


def test_every_suite_is_a_verb_that_exists():
    for command in nightly.suites(["6.12", "7.2"]).values():
        verb = command[command.index(nightly.DEV) + 1]
        assert (nightly.TREE / "tools" / verb).is_file()
