# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of check_prose has text that it refuses and text that it lets pass."""

import pytest

from check_prose import findings, measure

LONG = "A sentence that goes on " + "and on " * 11 + "ends here."
MIDDLE = "This sentence of a document has some words more than a document has on average, sixteen."
PATH = "docs/user/page.md"


@pytest.mark.parametrize("text, words", [
    (LONG, "29 words"),
    (f"| heading |\n|---|\n| {LONG} |\n", "29 words"),
    (f"- one item\n- {LONG}\n", "29 words"),
    (" ".join([MIDDLE] * 8), "on average"),
    ("It runs. What came between.", "fragment"),
    ("Who needs its place least: the oldest.", "fragment"),
    ("- Of several threads one.", "fragment"),
    ("See [the page](missing-page.md).", "missing-page.md"),
    ("It holds (`kernel/no_such_test.py::test_it`).", "no file below tests/"),
    ("It holds (`kernel/test_outputs.py::test_no_such_thing`).", "has no test_no_such_thing"),
])
def test_refused(text, words):
    assert any(words in line for line in findings(PATH, text))


@pytest.mark.parametrize("text", [
    "A short sentence. Another one.",
    "What does it cost? Nothing.",
    "# What it does\n\nIt asks.",
    "| what | who |\n|---|---|\n| Of it | nobody |\n",
    "```\n" + LONG + "\n```\n",
    "`" + LONG + "` is one word.",
    " ".join([MIDDLE] * 7),
    " ".join([MIDDLE] * 8 + ["It is short."] * 8),
    "See [the page](page.md#part), [this](#part) and [the site](https://site.example/a).",
    "It holds (`kernel/test_outputs.py::test_blocked`).",
])
def test_passed(text, tmp_path):
    page = tmp_path / "page.md"
    page.touch()
    assert findings(str(page), text) == []


def test_sentences():
    text = "The first, with kernel 7.2 and `a. B`. The\nsecond (short.) The third! tacetd, e.g. one.\n\n- An item\n  in two lines"
    assert [sentence for _kind, sentence in measure(text)] == [
        "The first, with kernel 7.2 and Code.", "The second (short.", "The third!", "tacetd, e.g. one.", "An item in two lines"]
