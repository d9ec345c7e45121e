# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of check_sources has text that it refuses and text that it lets pass."""

import pytest

from check_sources import findings

SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"


@pytest.mark.parametrize("path, text, words", [
    ("backend/core/rule.cpp", "int x;\n", "SPDX"),
    ("backend/core/rule.cpp", SPDX + '#include "store/database.h"\n', "core may include only"),
    ("backend/store/database.cpp", SPDX + '#include "bus/labels.h"\n', "store may include only"),
    ("backend/store/database.cpp", SPDX + '#include "../kernel/label.h"\n', "kernel/uapi"),
    ("app/gui/tray.cpp", SPDX + '#include "../backend/core/rule.h"\n', "dbus"),
    ("app/base/agent.cpp", SPDX + '#include "gui/tray.h"\n', "app/base"),
    ("README.md", "get it from pypi" + ".org\n", "registry host"),
    ("kernel/label.c", SPDX + "#if KERNEL_VERSION(7,0,0)\n", "kernel's version"),
])
def test_refused(path, text, words):
    assert any(words in line for line in findings(path, text))


@pytest.mark.parametrize("path, text", [
    ("backend/core/rule.cpp", SPDX + '#include "core/rule.h"\n#include "util/result.h"\n#include <vector>\n'),
    ("backend/service/main.cpp", SPDX + '#include "store/database.h"\n#include "bus/labels.h"\n'),
    ("backend/kernel_link/device.cpp", SPDX + '#include "kernel/uapi/tacet.h"\n'),
    ("app/gui/tray.cpp", SPDX + '#include "base/agent.h"\n'),
    ("kernel/compat/compat.h", SPDX + "#if KERNEL_VERSION(7,0,0)\n"),
    ("README.md", "plain words\n"),
])
def test_passed(path, text):
    assert findings(path, text) == []
