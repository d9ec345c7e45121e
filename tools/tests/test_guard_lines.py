# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of guard is found and broken; what guards nothing is left alone. The table of ./dev mutate can be read again."""

import pytest

import mutate
from guard_lines import applied, found_again, mutations_of


def only(text):
    """The one mutation of a text."""
    found = mutations_of("kernel/a.c", text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize("text, kind, broken", [
    ("\tif (!capable(CAP_SYS_ADMIN))\n\t\treturn -EPERM;", "refusal", "\tif (false && (!capable(CAP_SYS_ADMIN)))\n\t\treturn -EPERM;"),
    ("    if (fd < 0) {\n        return false;", "refusal", "    if (false && (fd < 0)) {\n        return false;"),
    ("\tif (size > LIMIT)\n\t\tsize = LIMIT;", "comparison", "\tif (size >= LIMIT)\n\t\tsize = LIMIT;"),
    ("\tif (pair)\n\t\tput(pair);", "check", "\tif (!(pair))\n\t\tput(pair);"),
    ("\treturn a && b;", "check", "\treturn a || b;"),
    ("    return uid == owner;", "comparison", "    return uid != owner;"),
    ("    const std::lock_guard lock(mutex_);\n    x = 1;", "lock", "\n    x = 1;"),
])
def test_broken(text, kind, broken):
    mutation = only(text)
    assert mutation.kind == kind
    assert applied(mutation, text) == broken


def test_lock_goes_with_all_that_give_it_back():
    text = "{\n\tmutex_lock(&a);\n\tmutex_lock(&b);\n\tmutex_unlock(&b);\n\tmutex_unlock(&a);\n\tx();\n\tmutex_unlock(&a);\n}\nmutex_unlock(&a);"
    first = mutations_of("kernel/a.c", text)[0]
    assert applied(first, text) == "{\n\n\tmutex_lock(&b);\n\tmutex_unlock(&b);\n\n\tx();\n\n}\nmutex_unlock(&a);"


@pytest.mark.parametrize("text", [
    "\tmutex_lock(&a);\n}",  # given back elsewhere
    "\tif (a &&\n\t    b)\n\t\treturn 0;",  # goes on in the next line
    "\treturn vector<int>{};",
    "\tx = a->b;",
    "\treturn a << 3;",
])
def test_left_alone(text):
    assert mutations_of("kernel/a.c", text) == []


def test_line_that_moved_is_found_again():
    mutation = only("\tif (pair)\n\t\tput(pair);")
    again = found_again("kernel/a.c", mutation.before.strip(), mutation.after.strip(), "int x;\n\n\tif (pair)\n\t\tput(pair);")
    assert again.line == 3
    assert found_again("kernel/a.c", "if (other)", "if (!(other))", "\tif (pair)\n\t\tput(pair);") is None


def test_line_that_changed_is_not_broken():
    with pytest.raises(ValueError, match="not what it was"):
        applied(only("\treturn a && b;"), "\treturn b;")


def test_table_is_read_again():
    mutation = only("\treturn a || b;")
    row = mutate.row_of(mutation, "survived 3 of 3")
    assert mutate.rows_of(row) == [["kernel/a.c:1", "check", "`return a || b;`", "`return a && b;`", "survived 3 of 3", ""]]


def test_every_folder_has_tests():
    """A file of the tree has tests to run, and each of them exists."""
    for mutation in mutate.all_mutations():
        tests = (mutate.kernel_tests if mutate.part_of(mutation.path) == "kernel" else mutate.daemon_tests)(mutation.path)
        assert len(tests) > 2
        assert all((mutate.TREE / test).exists() for test in tests if "/" in test), tests
