# SPDX-License-Identifier: GPL-3.0-or-later
"""A program of the table in a private session with a display: its windows' titles, and the documents' colour on the screen."""

import re
import tempfile
import time

from tests.programs.programs import FOLDER
from tests.system.private_session import PrivateSession

# The documents' colour and its neighbours: the upper halves of the three bytes. Films come near only.
COLOUR = bytes((0xD0, 0x30, 0x80))
UPPER_HALVES = bytes(value & 0xF0 for value in range(256))
ENOUGH = 10_000


class ProgramWindow(PrivateSession):
    """Started in FOLDER under the program's name."""

    def __init__(self, guest, tacet, program):
        self.program = program
        super().__init__(guest, tacet, ["env", "-C", FOLDER, "sh", "-c", f"exec {program.command}"], name=program.name)

    def processes(self):
        """The numbers of the session's programs."""
        return self._processes("programs")

    def titles(self):
        """The titles of all windows."""
        return re.findall(r'^ +0x[0-9a-f]+ "(.*)": \(', self.inside("LC_ALL=C.UTF-8 xwininfo -root -tree", check=False).stdout, re.M)

    def shown(self):
        """How many pixels of the screen have the documents' colour."""
        with tempfile.NamedTemporaryFile(suffix=".ppm") as file:
            self.guest.screenshot(file.name, kind="ppm")
            pixels = file.read().split(b"\n", 3)[3]
        # The search may also match bytes of two neighbouring pixels, which adds only a few.
        return pixels.translate(UPPER_HALVES).count(COLOUR)

    def wait(self, seconds=600):
        """Waits for the window, and what it is to show."""
        self.guest.wait_for(self.is_there, seconds, f"a window {self.program.title!r}")
        assert not self.is_over(), "the program has ended"
        if self.program.shows:
            self.guest.wait_for(lambda: self.shown() > ENOUGH, 120, "the document's colour on the screen")

    def is_there(self):
        """Whether there is the window, or no session any more. Asked seldom: the emulated machine has other work."""
        time.sleep(1.5)
        return any(re.search(self.program.title, title) for title in self.titles()) or self.is_over()
