# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that holds the lock of its memory for ever, and maps a file, holds up nobody who labels that file or writes to it."""

import pytest

from tests.kernel.guest_run import Case

STUCK = """
modprobe -a loop overlay; truncate -s 8M image; mke2fs -q -t ext4 image; mkdir frozen; mount -t ext4 -o loop image frozen; echo x > frozen/file
mkdir upper work lower both; cp /run/plain lower/file; cp /run/plain plain; mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay both
stuck frozen/file {file} & until [[ -e ready ]]; do sleep 0.05; done; sleep 0.3
timeout 1 cat /proc/$!/cmdline > /dev/null || echo held
{act} && echo done
stuck frozen; wait $!; umount frozen both
"""
ACTS = {"label": "timeout 5 agent label {file}", "write": "timeout 5 bash -c 'cat secret >> {file}'"}


def cases():
    """Each act on a file of a disk and of an overlay."""
    return [Case(f"{act}-{kind}", STUCK.format(file=file, act=command.format(file=file)), timeout=30)
            for act, command in ACTS.items() for kind, file in (("disk", "plain"), ("overlay", "both/file"))]


@pytest.mark.parametrize("case", cases(), ids=str)
def test_holds_up_nobody(case, outcome):
    words = outcome.output.split()
    assert "held" in words, f"the lock was free, so that this shows nothing\n{outcome.describe()}"
    assert "done" in words, outcome.describe()
