# SPDX-License-Identifier: GPL-3.0-or-later
"""Each check of ./dev lint that is a program of its own refuses a file that breaks it, and passes the same file unbroken."""

import os
import pathlib
import shutil
import subprocess

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
SPDX = "SPDX-License-Identifier: GPL-3.0-or-later"
GOOD_C = f"/* {SPDX} */\nstatic int twice(int x)\n{{\n\treturn 2 * x;\n}}\n"
GOOD_CPP = f"// {SPDX}\nint twice(int x)\n{{\n    return 2 * x;\n}}\n"
FILES = {
    # label: (path, good, bad)
    "clang-format": [("kernel/base/a.c", GOOD_C, GOOD_C.replace("\treturn", "    return")),
                     ("backend/common/a.cpp", GOOD_CPP, GOOD_CPP.replace("    return", "\treturn")),
                     ("app/base/a.cpp", GOOD_CPP, GOOD_CPP.replace("int x", "int  x")),
                     ("tests/kernel/a.c", GOOD_C, GOOD_C.replace("\treturn", "    return")),
                     ("tests/app/a.cpp", GOOD_CPP, GOOD_CPP.replace("int x", "int  x"))],
    "shellcheck": [("tools/a", f"#!/bin/sh\n# {SPDX}\necho \"$1\"\n", f"#!/bin/sh\n# {SPDX}\nrm -r $1/*\n")],
    "XML": [("dbus/a.xml", "<node/>\n", "<node>\n")],
    "prose": [("docs/a.md", "# A\n\nThis is a sentence.\n", "# A\n\nSee [this](gone.md).\n")],
}
CASES = [(label, *file) for label, files in FILES.items() for file in files]


def shell(steps):
    """Bash with the driver's code; (status, output)."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TACET_")}
    done = subprocess.run(["bash", "-c", f"source {TREE}/tools/lib/load.sh; prepare_chroot; {steps}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, text=True, check=False)
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def small_tree():
    """A tree of checkers and settings only, where the chroot sees it."""
    _, output = shell('printf "%s" "$build"')
    place = pathlib.Path(output) / "lint-test"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(TREE / "tools/lib", place / "tools/lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TREE / "LICENSES", place / "LICENSES")
    for name in (".clang-format", "kernel/.clang-format", "app/.clang-format", "tests/kernel/.clang-format", "tests/app/.clang-format",
                 ".clang-tidy"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TREE / name, place / name)
    yield place
    shutil.rmtree(place)


def findings(place):
    """What lint-tree prints. Its status tells nothing: this tree lacks much."""
    return shell(f'in_chroot env TACET_TREE={place} "$tools/lib/lint-tree"')[1]


@pytest.mark.parametrize("label, path, good, bad", CASES, ids=[case[1] for case in CASES])
def test_file_that_breaks_it(small_tree, label, path, good, bad):
    file = small_tree / path
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        file.write_text(good)
        assert path not in findings(small_tree)
        file.write_text(bad)
        output = findings(small_tree)
        assert path in output and label in output.rpartition("lint failed: ")[2]
    finally:
        file.unlink()


@pytest.mark.parametrize("bad, rule", [
    ("import os\n", "F401"),
    ("def f(x=[]):\n    return x + unknown\n", "F821"),
])
def test_python_that_breaks_ruff(tmp_path, bad, rule):
    steps = f'prepare_ruff; "$ruff" check --no-cache --output-format concise --config {TREE}/pyproject.toml {tmp_path}'
    (tmp_path / "a.py").write_text('"""Nothing."""\n')
    assert shell(steps)[0] == 0
    (tmp_path / "a.py").write_text(bad)
    status, output = shell(steps)
    assert status == 1 and rule in output


def test_code_that_breaks_clang_tidy(small_tree):
    steps = f"in_chroot clang-tidy --quiet --config-file={small_tree}/.clang-tidy {small_tree}/a.cpp -- -std=c++20"
    (small_tree / "a.cpp").write_text(GOOD_CPP)
    status, output = shell(steps)
    assert status == 0, output
    (small_tree / "a.cpp").write_text("int f(int* p) { return p ? *p : *p; }\n")
    status, output = shell(steps)
    assert status == 1 and "bugprone" in output or "misc-" in output, output
