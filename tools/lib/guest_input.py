# SPDX-License-Identifier: GPL-3.0-or-later
"""Real input events for a guest: pointer and keyboard through QEMU's virtual devices."""

import time

SCREEN_WIDTH, SCREEN_HEIGHT = 1280, 800
NAMES = {
    " ": "spc", "\n": "ret", "\t": "tab", "-": "minus", "=": "equal", "[": "bracket_left", "]": "bracket_right",
    ";": "semicolon", "'": "apostrophe", "`": "grave_accent", "\\": "backslash", ",": "comma", ".": "dot", "/": "slash",
}
SHIFTED = dict(zip('~!@#$%^&*()_+{}:"|<>?', "`1234567890-=[];'\\,./", strict=True))


class Input:
    """Mixed into Guest, which gives `qmp`."""

    def move(self, x, y):
        """Moves the pointer to a pixel."""
        self.qmp("input-send-event", events=[
            {"type": "abs", "data": {"axis": "x", "value": x * 0x7FFF // (SCREEN_WIDTH - 1)}},
            {"type": "abs", "data": {"axis": "y", "value": y * 0x7FFF // (SCREEN_HEIGHT - 1)}},
        ])

    def click(self, x, y, button="left", times=1):
        """Moves the pointer to a pixel and clicks there."""
        self.move(x, y)
        time.sleep(0.1)
        for _ in range(times):
            for down in (True, False):
                self.qmp("input-send-event", events=[{"type": "btn", "data": {"down": down, "button": button}}])
                time.sleep(0.05)

    def key(self, *names):
        """Presses keys together, by QEMU's names: key("ctrl", "q"), key("ret"), key("alt", "f4")."""
        self.qmp("send-key", keys=[{"type": "qcode", "data": name} for name in names], **{"hold-time": 30})
        time.sleep(0.06)

    def type(self, text):
        """Types ASCII text on a US keyboard."""
        for character in text:
            plain = SHIFTED.get(character, character.lower())
            shift = character in SHIFTED or character.isupper()
            self.key(*(["shift"] if shift else []), NAMES.get(plain, plain))
