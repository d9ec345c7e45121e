# SPDX-License-Identifier: GPL-3.0-or-later
"""What a chosen program has left in the kernel is read by others long after the last such program has ended."""

import pytest

from tests.kernel.guest_run import GuestRun

# Longer than the probes stay after that, and than the module looks for memory here.
WAIT = 40
SCRIPT = """
source /guest.sh
insmod /tacet.ko linger_seconds=2 || exit
umount /mnt; mkdir -p /run/case; mount -t tmpfs tmpfs /run/case; cd /run/case || exit
cp /bin/memory chosen; cp /bin/memory other; mkfifo pipe; exec 8<>pipe
memory policy chosen $PWD/chosen
for program in ./other ./chosen; do
    # Each for itself, as one of them keeps the module looking for all.
    queued=$(memory tag) queue=$($program put queue $queued)
    [[ $program == ./other ]] || sleep WAIT
    ./other take queue $queue; echo "@queue-$program $(memory count $queued)"
    named=$(memory tag); $program put attributes $named
    [[ $program == ./other ]] || sleep WAIT
    rm attributes; [[ $program == ./other ]] || sleep 1.5; echo "@attribute-$program $(memory count $named)"
    piped=$(memory tag); $program pour $piped >&8 & sleep 1; kill -9 $!; wait $!
    [[ $program == ./other ]] || sleep WAIT
    ./other drain <&8 & sleep 1; kill -9 $!; wait $!; echo "@pipe-$program $(memory count $piped)"
done 2>/dev/null
exec 8<&-; memory policy off; sleep 4; unload && echo "@unloaded yes"
""".replace("WAIT", str(WAIT))


@pytest.mark.nightly
def test_what_others_read_late(kernel):
    seen = GuestRun(kernel, "memory-late", memory="512M", timeout=360).told_by(SCRIPT)
    for what in ("queue", "attribute", "pipe"):
        assert int(seen[f"{what}-./chosen"]) == 0 and int(seen[f"{what}-./other"]) >= 10, seen["output"]
    assert seen["unloaded"] == "yes", seen["output"]
