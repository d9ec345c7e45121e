# SPDX-License-Identifier: GPL-3.0-or-later
"""File systems with a FIFO that has held derived data are unmounted at once and for good, as without the module."""

import pytest

from tests.kernel.guest_run import Case

USED = "mkfifo way/fifo; cat way/fifo > /dev/null & cat secret > way/fifo; wait $!"
TMPFS = f"mkdir way; mount -t tmpfs tmpfs way; {USED}; umount way && echo unmounted"
DISK = f"""
modprobe loop; truncate -s 4M image; mke2fs -q image; mkdir way; mount -t ext4 -o loop image way
device=$(awk '$2 == "/mnt/case/way" {{ print $1 }}' /proc/mounts); ls /sys/fs/ext4 | grep -q ${{device#/dev/}} && echo mounted
{USED}; umount way && echo unmounted
ls /sys/fs/ext4 | grep -q ${{device#/dev/}} || echo gone
"""
# Any user may do so in a namespace of her own.
ANNA = f"""
chmod 755 .; chmod 644 secret; mkdir -m 777 /tmp/anna; cd /tmp/anna
setpriv --reuid 1000 --regid 1000 --clear-groups unshare -Urm bash -c '
    mkdir way; mount -t tmpfs tmpfs way; cp -s /mnt/case/secret .; {USED}; umount way && echo unmounted'
cd /; rm -rf /tmp/anna
"""
# The name is gone as well, and only the reader has the FIFO.
UNLINKED = "mkdir way; mount -t tmpfs tmpfs way; mkfifo way/fifo; cat way/fifo > /dev/null & exec 3> way/fifo; rm way/fifo\n" \
           "cat secret >&3; exec 3>&-; wait $!; umount way && echo unmounted"
NAMESPACE = f"unshare -m bash -c 'mkdir way; mount -t tmpfs tmpfs way; {USED}'; echo unmounted"


@pytest.mark.parametrize("case", [Case("tmpfs", TMPFS), Case("disk", DISK), Case("user-namespace", ANNA),
                                  Case("unlinked", UNLINKED), Case("namespace-ends", NAMESPACE)], ids=str)
def test_unmounts(case, outcome):
    """The kernel would report busy inodes, which fails every test here."""
    assert "unmounted" in outcome.output and outcome.followed, outcome.describe()
    assert case.name != "disk" or ("mounted\n" in outcome.output and "gone" in outcome.output), outcome.describe()
