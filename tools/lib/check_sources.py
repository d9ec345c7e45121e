# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks rules of the house style that no compiler knows: SPDX lines, the dependency rule, no registry host, no version tests.

usage: check_sources.py FILE... (paths relative to the tree, which is the working directory)
"""

import pathlib
import posixpath
import re
import sys

from layers import INCLUDE_ROOTS, MAY_IMPORT, MAY_INCLUDE

SOURCE = re.compile(r"\.(c|h|cpp|hpp|py|sh)$|meson\.build$|Kbuild$|Makefile$")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
# Public archive and registry hosts; mirrors come from the machine's own configuration.
REGISTRY = re.compile(r"\b(deb\.debian|security\.debian|ftp\.[a-z]+\.debian|archive\.ubuntu|pypi|pythonhosted|npmjs|crates)\.(org|com|io)\b")
LICENCE = re.compile(r"^\W*SPDX-License-Identifier: ([\w.() -]+?)\s*(?:\*/|-->)?$", re.MULTILINE)
INODE_REFERENCE = re.compile(r"\b(ihold|igrab)\(")
IMPORT = re.compile(r"^\s*(?:from|import) (tests\.[\w.]+)", re.MULTILINE)
CHANGED_PATH = re.compile(r"^\s*sys\.path\b", re.MULTILINE)
CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if", re.MULTILINE)
VERSION_TEST = re.compile(r"LINUX_VERSION_CODE|\bKERNEL_VERSION\(")


def missing_spdx(path, text):
    """An SPDX line belongs in the first three lines of every source file."""
    if SOURCE.search(path) and "SPDX-License-Identifier:" not in "\n".join(text.split("\n", 3)[:3]):
        yield "no SPDX line in the first three lines"


def missing_licence(_path, text):
    """The text of each licence that a file names is in LICENSES."""
    for expression in LICENCE.findall(text):
        for name in re.split(r"\s+(?:AND|OR|WITH)\s+", re.sub("[()]", "", expression).strip()):
            if not pathlib.Path("LICENSES", f"{name}.txt").is_file():
                yield f"names the licence {name}, whose text is not in LICENSES"


def bare_inode(path, text):
    """A reference to an inode that outlives its file system is a BUG() in the kernel: base/inode.c takes all."""
    if path.startswith("kernel/") and path != "kernel/base/inode.c":
        for name in INODE_REFERENCE.findall(text):
            yield f"calls {name}(), which only kernel/base/inode.c may"


def folder_of(path):
    """The folder of the table that a file belongs to: the longest that holds it; None when no row covers it."""
    folder = posixpath.dirname(path)
    while folder and folder not in MAY_INCLUDE:
        folder = posixpath.dirname(folder)
    return folder or None


def find_included(path, included):
    """The file of the tree that an include of path means; None when it is none of ours, such as a system or a generated header."""
    for root in (posixpath.dirname(path), *INCLUDE_ROOTS.get(path.split("/", 1)[0], ())):
        candidate = posixpath.normpath(posixpath.join(root, included))
        if not candidate.startswith("..") and pathlib.Path(candidate).is_file():
            return candidate
    return None


def wrong_include(path, text):
    """The table of layers.py."""
    if not path.endswith((".c", ".h", ".cpp", ".hpp")) or path.split("/", 1)[0] not in INCLUDE_ROOTS:
        return
    folder = folder_of(path)
    if folder is None:
        yield "no row of tools/lib/layers.py covers this folder"
        return
    for included in INCLUDE.findall(text):
        target = find_included(path, included)
        other = target and folder_of(target)
        if target and other != folder and other not in MAY_INCLUDE[folder]:
            yield f"includes {included}: {folder} may not include {other or posixpath.dirname(target)}"


def wrong_import(path, text):
    """The table of layers.py for the Python package tests/."""
    folder = posixpath.dirname(path)
    if not path.endswith(".py") or not path.startswith("tests/"):
        return
    for module in IMPORT.findall(text):
        other = "/".join(module.split(".")[:2])
        if other != folder and other not in MAY_IMPORT.get(folder, ()):
            yield f"imports {module}: {folder} may not import from {other}"


def changed_path(path, text):
    """Modules are found by pyproject.toml and the driver; a file that changes sys.path hides another of the same name."""
    if path.endswith(".py") and CHANGED_PATH.search(text):
        yield "changes sys.path"


def unknown_folders():
    """Rows of the tables, or folders named in one, that the tree does not have."""
    named = {folder for table in (MAY_INCLUDE, MAY_IMPORT) for row in table.items() for folder in (row[0], *row[1])}
    return [f"tools/lib/layers.py: {folder} is no folder" for folder in sorted(named) if not pathlib.Path(folder).is_dir()]


def registry_host(_path, text):
    """No file names a registry host."""
    for number, line in enumerate(text.splitlines(), 1):
        if REGISTRY.search(line):
            yield f"line {number} names a registry host"


def version_test(path, text):
    """Kernels are told apart by their features, and only in kernel/compat/."""
    if path.startswith("kernel/") and not path.startswith("kernel/compat/") and VERSION_TEST.search(text):
        yield "tests the kernel's version outside kernel/compat/"


def condition(path, text):
    """What differs between kernels stands in kernel/compat/, so that the module's code reads the same for all of them."""
    if path.startswith("kernel/") and path.endswith(".c") and not path.startswith("kernel/compat/") and CONDITION.search(text):
        yield "has an #if outside kernel/compat/"


RULES = (missing_spdx, missing_licence, wrong_include, wrong_import, changed_path, registry_host, version_test, condition,
         bare_inode)


def findings(path, text):
    """All that the rules say about one file, as lines."""
    return [f"{path}: {finding}" for rule in RULES for finding in rule(path, text)]


def main(paths):
    """Prints the findings; 1 when there are any."""
    lines = unknown_folders()
    for path in paths:
        try:
            lines += findings(path, pathlib.Path(path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
    print("".join(line + "\n" for line in lines), end="", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
