# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may include whom: for each folder with C or C++ files the folders whose files it may include, besides its own.

A file belongs to the longest folder here that holds it. Each part of the tree has a table of its own, so that two people who
change two parts do not meet. A folder that is not in the tree is a finding, and so is a file that no row covers.
"""


def in_order(base, *layers):
    """Rows for layers of which each may include only those named before it, in the same group or in an earlier one."""
    rows, below = {}, []
    for layer in layers:
        rows[f"{base}/{layer}"] = [f"{base}/{other}" for other in below]
        below.append(layer)
    return rows


KERNEL_LAYERS = ("uapi", "compat", "base", "call", "memory", "session", "event", "label", "sink", "question", "pair", "channel", "engine")
KERNEL = in_order("kernel", *KERNEL_LAYERS) | {"kernel": [f"kernel/{layer}" for layer in KERNEL_LAYERS]}

COMMON = ["backend/contract", "backend/common"]
DAEMON_BASE = [*COMMON, "backend/daemon/loop", "backend/daemon/core"]
# A slice is one feature: its object on the bus, its service, its store. It stands on these, and on the slices that its row adds.
SLICE_BASE = [*DAEMON_BASE, "backend/daemon/lookups", "backend/daemon/store", "backend/daemon/kernel_link", "backend/daemon/bus"]
SLICES = ["log", "rules", "labels", "names", "breaches", "protection", "sessions", "memory"]
BACKEND = {
    "backend/precompiled": [],
    "backend/heap": [],
    "backend/lifetime": [],
    "backend/contract": [],
    "backend/common": ["backend/contract", "backend/heap"],
    "backend/launchers": COMMON,
    "backend/scrub": COMMON,
    "backend/lookup": [*COMMON, "kernel/uapi"],
    "backend/names": COMMON,
    "backend/box": COMMON,
    "backend/stamps": [*COMMON, "kernel/uapi"],
    "backend/session": [*COMMON, "kernel/uapi"],
    "backend/cli": [*COMMON, "backend/launchers"],
    "backend/daemon/loop": COMMON,
    "backend/daemon/core": [*COMMON, "backend/daemon/loop"],
    "backend/daemon/lookups": DAEMON_BASE,
    "backend/daemon/store": COMMON,
    "backend/daemon/kernel_link": [*DAEMON_BASE, "kernel/uapi"],
    "backend/daemon/bus": DAEMON_BASE,
    "backend/daemon/log": SLICE_BASE,
    "backend/daemon/names": DAEMON_BASE,
    "backend/daemon/memory": SLICE_BASE,
    "backend/daemon/rules": SLICE_BASE,
    "backend/daemon/sessions": SLICE_BASE,
    "backend/daemon/labels": [*SLICE_BASE, "backend/daemon/log"],
    "backend/daemon/protection": [*SLICE_BASE, "backend/daemon/log", "backend/daemon/names"],
    "backend/daemon/breaches": [*SLICE_BASE, "backend/daemon/log", "backend/daemon/names", "backend/daemon/rules",
                                "backend/daemon/labels"],
    "backend/daemon": [*SLICE_BASE, *(f"backend/daemon/{name}" for name in SLICES)],
}

# Of backend/ the app uses what needs neither D-Bus library nor Qt. Each folder of app/gui is one feature, and app/gui joins them.
GUI_BASE = [*COMMON, "app/base", "app/gui/common"]
GUI_FEATURES = [f"app/gui/{feature}" for feature in
                ("prompt", "files", "memory", "rules", "activity", "sessions", "window", "tray", "notifications")]
APP = {
    "app/base": [*COMMON, "backend/launchers"],
    "app/gui/common": [*COMMON, "app/base"],
    "app/gui/prompt": GUI_BASE,
    "app/gui/files": GUI_BASE,
    "app/gui/memory": GUI_BASE,
    "app/gui/rules": GUI_BASE,
    "app/gui/activity": [*GUI_BASE, "app/gui/rules"],
    "app/gui/sessions": GUI_BASE,
    "app/gui/window": [*GUI_BASE, "app/gui/files", "app/gui/memory", "app/gui/rules", "app/gui/activity", "app/gui/sessions"],
    "app/gui/tray": [*GUI_BASE, "app/gui/sessions"],
    "app/gui/notifications": GUI_BASE,
    "app/gui": [*GUI_BASE, *GUI_FEATURES],
    "app": [*GUI_BASE, *GUI_FEATURES, "app/gui"],
}

TESTS = {
    "tests/unit": list(BACKEND),
    "tests/bus": list(BACKEND),
    "tests/app": list(APP),
    "tests/kernel": list(KERNEL),
    "tests/leaks": ["kernel/uapi", "tests/kernel", "tests/kernel/programs"],
    "tests/bench": ["kernel/uapi", "tests/kernel"],
    "tests/forensics": ["kernel/uapi"],
    "tests/secrets": [],
    "tests/torture": [],
}

# Python: whose modules the tests of a folder may import, besides its own and those of tools/lib.
MAY_IMPORT = {
    "tests/bench": ["tests/kernel", "tests/programs", "tests/servers", "tests/system"],
    "tests/bus": [],
    "tests/escapes": [],
    "tests/forensics": [],
    "tests/kernel": [],
    "tests/leaks": ["tests/kernel"],
    "tests/programs": ["tests/system"],
    "tests/secrets": ["tests/forensics"],
    "tests/servers": ["tests/system"],
    "tests/system": [],
    "tests/torture": ["tests/system"],
}

MAY_INCLUDE = KERNEL | BACKEND | APP | TESTS

# Where the compiler looks for a file, besides the folder of the file that includes it.
INCLUDE_ROOTS = {
    "kernel": ["kernel", "kernel/uapi"],
    "backend": ["backend", "kernel/uapi"],
    "app": ["app", ".", "backend"],
    "tests": ["backend", "app", ".", "kernel", "kernel/uapi", "tests/kernel"],
}
