# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in anna's home and the folders for temporary files, name for name, with what changes when a byte does."""

FOLDERS = "/home/anna /tmp /var/tmp /dev/shm"
# What public programs of the desktop and of the machine write meanwhile.
PUBLIC = r"^/(home/anna/\.(config/lxqt|cache/openbox)|tmp/(\.X|systemd-private-)|var/tmp/systemd-private-)"
# Kind, size, mode, owner, times of content and of anything, where a link leads.
LINE = r"%p\t%y %s %m %u %T@ %C@ %l\n"


def listing(guest):
    """{path: what find says of it}; a folder without its times, which its entries tell better."""
    lines = guest.run(f"find {FOLDERS} -xdev \\( -type d -printf '%p\\t%y %m %u\\n' \\) -o -printf '{LINE}' | grep -vP '{PUBLIC}'",
                      check=True).stdout.splitlines()
    return dict(line.split("\t", 1) for line in lines)


def changes(before, after):
    """The paths that came, went or changed."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
