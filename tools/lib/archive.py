# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes cpio archives (newc) that the kernel unpacks over the cached initramfs."""

import os
import pathlib
import stat


class Archive:
    """An archive under construction; parent directories are added by themselves."""

    def __init__(self):
        self._parts, self._directories, self._inode = [], set(), 1

    def add_bytes(self, destination, data, mode=0o755):
        """Adds a regular file at the absolute path `destination`."""
        path = pathlib.PurePosixPath("/" + destination.lstrip("/"))
        self._add_parents(path)
        self._entry(str(path)[1:], stat.S_IFREG | mode, data)

    def add_path(self, source, destination):
        """Adds a file, a link or a whole directory of the host."""
        source = pathlib.Path(source)
        if source.is_dir() and not source.is_symlink():
            for child in sorted(source.iterdir()):
                self.add_path(child, f"{destination.rstrip('/')}/{child.name}")
        elif source.is_symlink():
            path = pathlib.PurePosixPath("/" + destination.lstrip("/"))
            self._add_parents(path)
            self._entry(str(path)[1:], stat.S_IFLNK | 0o777, os.readlink(source).encode())
        else:
            if destination.endswith("/"):
                destination += source.name
            self.add_bytes(destination, source.read_bytes(), stat.S_IMODE(source.stat().st_mode))

    def write(self, path):
        """Writes the archive, with its trailer."""
        self._entry("TRAILER!!!", 0, b"")
        pathlib.Path(path).write_bytes(b"".join(self._parts))

    def _add_parents(self, path):
        for parent in reversed(path.parents):
            name = str(parent)[1:]
            if name and name not in self._directories:
                self._directories.add(name)
                self._entry(name, stat.S_IFDIR | 0o755, b"")

    def _entry(self, name, mode, data):
        encoded = name.encode() + b"\0"
        fields = (self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
        header = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        self._parts += [header, b"\0" * (-len(header) % 4), data, b"\0" * (-len(data) % 4)]
        self._inode += 1
