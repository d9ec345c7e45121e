# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks rules of the house style that no compiler knows: SPDX lines, the dependency rule, no registry host, no version tests.

usage: check_sources.py FILE... (paths relative to the tree, which is the working directory)
"""

import pathlib
import re
import sys

SOURCE = re.compile(r"\.(c|h|cpp|hpp|py|sh)$|meson\.build$|Kbuild$|Makefile$")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
# Who may include whom inside backend/, apart from the own folder.
EVERYONE = {"util"}
OUTER = {"util", "core"}
MAY_INCLUDE = {
    "util": set(), "core": EVERYONE, "bus": OUTER, "store": OUTER, "crypto": OUTER, "kernel_link": OUTER, "names": OUTER, "session": OUTER,
}
UNRESTRICTED = {"service"}
# Public archive and registry hosts; mirrors come from the machine's own configuration.
REGISTRY = re.compile(r"\b(deb\.debian|security\.debian|ftp\.[a-z]+\.debian|archive\.ubuntu|pypi|pythonhosted|npmjs|crates)\.(org|com|io)\b")
VERSION_TEST = re.compile(r"LINUX_VERSION_CODE|\bKERNEL_VERSION\(")


def missing_spdx(path, text):
    """An SPDX line belongs in the first three lines of every source file."""
    if SOURCE.search(path) and "SPDX-License-Identifier:" not in "\n".join(text.split("\n", 3)[:3]):
        yield "no SPDX line in the first three lines"


def wrong_include(path, text):
    """The dependency rule of the house style."""
    parts = pathlib.PurePosixPath(path).parts
    if not path.endswith((".c", ".h", ".cpp", ".hpp")):
        return
    for included in INCLUDE.findall(text):
        first = pathlib.PurePosixPath(included).parts[0]
        reason = None
        if parts[0] == "backend" and len(parts) > 2:
            reason = backend_reason(parts[1], first, included)
        elif parts[0] == "app" and re.search(r"(^|/)(backend|kernel)/", included):
            reason = "app shares only dbus/*.xml with the others"
        elif parts[:2] == ("app", "base") and first == "gui":
            reason = "app/base knows nothing of app/gui"
        if reason:
            yield f"includes {included}: {reason}"


def backend_reason(folder, first, included):
    """Why a file of backend/FOLDER may not include this; None when it may."""
    if re.search(r"(^|/)app/", included):
        return "backend knows nothing of app"
    if re.search(r"(^|/)kernel/(?!uapi/)", included):
        return "backend shares only kernel/uapi with the kernel"
    ours = {entry.name for entry in pathlib.Path("backend").iterdir() if entry.is_dir()} if pathlib.Path("backend").is_dir() else set()
    if first not in ours | set(MAY_INCLUDE) | UNRESTRICTED or first == folder or folder in UNRESTRICTED:
        return None
    if folder in MAY_INCLUDE:
        return None if first in MAY_INCLUDE[folder] else f"{folder} may include only {sorted(MAY_INCLUDE[folder]) or 'itself'}"
    return "only service sees the service" if first in UNRESTRICTED else None


def registry_host(_path, text):
    """No file names a registry host."""
    for number, line in enumerate(text.splitlines(), 1):
        if REGISTRY.search(line):
            yield f"line {number} names a registry host"


def version_test(path, text):
    """Kernels are told apart by their features, and only in kernel/compat/."""
    if path.startswith("kernel/") and not path.startswith("kernel/compat/") and VERSION_TEST.search(text):
        yield "tests the kernel's version outside kernel/compat/"


RULES = (missing_spdx, wrong_include, registry_host, version_test)


def findings(path, text):
    """All that the rules say about one file, as lines."""
    return [f"{path}: {finding}" for rule in RULES for finding in rule(path, text)]


def main(paths):
    """Prints the findings; 1 when there are any."""
    lines = []
    for path in paths:
        try:
            lines += findings(path, pathlib.Path(path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
    print("".join(line + "\n" for line in lines), end="", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
