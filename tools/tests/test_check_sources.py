# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of check_sources has text that it refuses and text that it lets pass; the table of layers is tried on a small tree."""

import pathlib

import pytest

import check_sources
from check_sources import findings, unknown_folders

SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
FILES = [
    "kernel/uapi/tacet.h", "kernel/base/blob.h", "kernel/label/set.h", "kernel/engine/deep/follow.h",
    "backend/common/result.h", "backend/cli/client.h", "backend/session/mount.h", "backend/daemon/core/rule.h",
    "backend/daemon/rules/rule_book.h", "backend/daemon/breaches/breach_service.h", "backend/daemon/daemon.h", "app/gui/tray.h",
    "app/base/agent.h",
]


@pytest.fixture(autouse=True)
def small_tree(tmp_path, monkeypatch):
    """A tree with one header in each of some folders."""
    for name in [*FILES, "LICENSES/GPL-3.0-or-later.txt", "LICENSES/GPL-2.0-only.txt", "LICENSES/Linux-syscall-note.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SPDX)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("path, included, words", [
    ("backend/daemon/core/rule.cpp", "daemon/rules/rule_book.h", "backend/daemon/core may not include backend/daemon/rules"),
    ("backend/daemon/rules/rule_book.cpp", "daemon/breaches/breach_service.h", "may not include backend/daemon/breaches"),
    ("backend/daemon/rules/rule_book.cpp", "daemon/daemon.h", "may not include backend/daemon"),
    # By a relative path, and from a folder deeper than the row that covers it.
    ("backend/daemon/rules/rule_book.cpp", "../breaches/breach_service.h", "may not include backend/daemon/breaches"),
    ("backend/daemon/core/deep/rule.cpp", "../../rules/rule_book.h", "may not include backend/daemon/rules"),
    ("backend/session/main.cpp", "daemon/core/rule.h", "backend/session may not include backend/daemon/core"),
    ("backend/daemon/main.cpp", "cli/client.h", "may not include backend/cli"),
    ("backend/common/result.cpp", "daemon/core/rule.h", "backend/common may not include"),
    ("backend/daemon/core/rule.cpp", "../../../kernel/label/set.h", "may not include kernel/label"),
    ("backend/cli/client.cpp", "../../app/base/agent.h", "may not include app/base"),
    ("app/gui/tray.cpp", "../../backend/daemon/core/rule.h", "may not include backend/daemon/core"),
    ("app/base/agent.cpp", "gui/tray.h", "app/base may not include app/gui"),
    ("kernel/base/blob.c", "label/set.h", "kernel/base may not include kernel/label"),
    ("kernel/label/set.c", "engine/deep/follow.h", "kernel/label may not include kernel/engine"),
])
def test_refused_include(path, included, words):
    found = findings(path, SPDX + f'#include "{included}"\n')
    assert len(found) == 1 and words in found[0]


@pytest.mark.parametrize("path, included", [
    ("backend/daemon/core/rule.cpp", "daemon/core/rule.h"),
    ("backend/daemon/core/rule.cpp", "common/result.h"),
    ("backend/daemon/breaches/breach_service.cpp", "daemon/rules/rule_book.h"),
    ("backend/daemon/main.cpp", "daemon/daemon.h"),
    ("backend/daemon/core/rule.cpp", "vector"),
    ("backend/session/mount.cpp", "tacet.h"),
    ("app/gui/tray.cpp", "base/agent.h"),
    ("app/base/agent.cpp", "common/result.h"),
    ("kernel/engine/deep/follow.c", "label/set.h"),
    ("kernel/label/set.c", "base/blob.h"),
])
def test_passed_include(path, included):
    assert findings(path, SPDX + f'#include "{included}"\n') == []


@pytest.mark.parametrize("path, imported", [
    ("tests/system/test_daemon.py", "from tests.programs.stage import open_stage"),
    ("tests/kernel/test_outputs.py", "import tests.leaks.row"),
    ("tests/bus/test_cli.py", "    from tests.system import prompt"),
])
def test_refused_import(path, imported):
    found = findings(path, SPDX.replace("//", "#") + imported + "\n")
    assert len(found) == 1 and "may not import from tests/" in found[0]


@pytest.mark.parametrize("path, imported", [
    ("tests/leaks/row.py", "from tests.kernel.oracle import leaks"),
    ("tests/system/test_prompt.py", "from tests.system.prompt import Prompt"),
    ("tests/system/test_prompt.py", "from guest import Guest"),
    ("tools/lib/plan.py", "import jobs"),
])
def test_passed_import(path, imported):
    assert findings(path, SPDX.replace("//", "#") + imported + "\n") == []


def test_missing_licence():
    text = "# SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT\n"
    assert findings("tools/lib/plan.py", text) == ["tools/lib/plan.py: names the licence MIT, whose text is not in LICENSES"]


def test_changed_path():
    assert findings("tests/kernel/conftest.py", SPDX.replace("//", "#") + "sys.path.insert(0, 'x')\n") \
           == ["tests/kernel/conftest.py: changes sys.path"]


def test_file_without_row():
    assert any("no row" in line for line in findings("backend/cellar/wine.cpp", SPDX))


def test_row_without_folder(monkeypatch):
    monkeypatch.setattr(check_sources, "MAY_IMPORT", {})
    monkeypatch.setattr(check_sources, "MAY_INCLUDE", {"backend/common": ["backend/crypto"], "backend/attic": []})
    assert [line.split(": ")[1] for line in unknown_folders()] == ["backend/attic is no folder", "backend/crypto is no folder"]
    pathlib.Path("backend/crypto").mkdir()
    pathlib.Path("backend/attic").mkdir()
    assert unknown_folders() == []


@pytest.mark.parametrize("path, text, words", [
    ("backend/core/rule.cpp", "int x;\n", "SPDX"),
    ("README.md", "get it from pypi" + ".org\n", "registry host"),
    ("kernel/label.c", SPDX + "#if KERNEL_VERSION(7,0,0)\n", "kernel's version"),
    ("kernel/label/label.c", SPDX + "#ifdef CONFIG_X86\nint x;\n#endif\n", "#if outside"),
    ("kernel/label/label.c", SPDX + " #  ifndef A\n", "#if outside"),
])
def test_refused(path, text, words):
    assert any(words in line for line in findings(path, text))


@pytest.mark.parametrize("path, text", [
    ("kernel/compat/compat.h", SPDX + "#if KERNEL_VERSION(7,0,0)\n"),
    ("kernel/compat/lookup.c", SPDX + "#if 1\n"),
    ("kernel/label/label.h", SPDX + "#ifndef LABEL_H\n"),
    ("kernel/label/label.c", SPDX + "/* if */ int iff;\n"),
    ("README.md", "plain words\n"),
])
def test_passed(path, text):
    assert findings(path, text) == []


def test_references_to_inodes_are_taken_in_one_file():
    text = SPDX.replace("GPL-3.0-or-later", "GPL-2.0-only") + "void f(struct inode *inode)\n{\n\tihold(inode);\n}\n"
    assert any("calls ihold()" in line for line in findings("kernel/channel/channel.c", text))
    assert not any("ihold" in line for line in findings("kernel/base/inode.c", text))
