# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists anna's home and the folders for temporary files, each entry with properties that change when a byte does."""

FOLDERS = "/home/anna /tmp /var/tmp /dev/shm"
# Public programs of the desktop and of the machine write these files meanwhile.
PUBLIC = r"^/(home/anna/\.(config/lxqt|cache/openbox)|tmp/(\.X|systemd-private-)|var/tmp/systemd-private-)"
# Path, kind, size, mode, owner, mtime, ctime, target of a link.
LINE = r"%p\t%y %s %m %u %T@ %C@ %l\n"


def listing(guest):
    """{path: its properties as find prints them}. A folder has no times here: its entries tell more."""
    lines = guest.run(f"find {FOLDERS} -xdev \\( -type d -printf '%p\\t%y %m %u\\n' \\) -o -printf '{LINE}' | grep -vP '{PUBLIC}'",
                      check=True).stdout.splitlines()
    return dict(line.split("\t", 1) for line in lines)


def changes(before, after):
    """The paths that came, went or changed."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
