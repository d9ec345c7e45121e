# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the screen (PPM, as QEMU saves it), pixel by pixel."""


class Picture:
    """The file's content; colour(x, y) is (red, green, blue)."""

    def __init__(self, path):
        kind, size, most, self._pixels = path.read_bytes().split(b"\n", 3)
        assert (kind, most) == (b"P6", b"255"), path
        self.width, self.height = map(int, size.split())

    def colour(self, x, y):
        """The pixel's colour."""
        start = 3 * (y * self.width + x)
        return tuple(self._pixels[start:start + 3])
