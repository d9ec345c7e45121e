# SPDX-License-Identifier: GPL-3.0-or-later
"""Clearing under load: processes that come and go, messages, memory that runs short, swap, files that leave the page cache, the policy that changes.
./dev nightly does it for two hours on each kernel."""

import os

import pytest

from tests.kernel.guest_run import GuestRun

SECONDS = int(os.environ.get("TACET_SOAK_SECONDS", "60"))
SCRIPT = """
source /guest.sh
insmod /tacet.ko linger_seconds=2 || exit
ip link set lo up
umount /mnt; mkdir -p /run/soak; mount -t tmpfs tmpfs /run/soak; cd /run/soak || exit; cp /bin/memory chosen; cp /bin/memory other; cp /bin/begin begin; cp /bin/libtacet-heap.so .; echo 4 >/proc/sys/vm/nr_hugepages
export LIBRARY=$PWD/libtacet-heap.so; agent policy 300 500
private format /dev/vda; swap=$(private map swap tacet-swap /dev/vda "/dev/vda 0"); private on $swap
cgroup=/sys/fs/cgroup; echo +memory >$cgroup/cgroup.subtree_control; mkdir $cgroup/short; echo 24M >$cgroup/short/memory.max
end=$((SECONDS + DURATION))
# repeat NAME COMMAND...: does it again and again, and tells how often.
repeat() { local name=$1 count=0; shift; while ((SECONDS < end)); do "$@"; ((count++)); done >/dev/null 2>&1; echo "@$name $count"; }
fork_storm() { local i; for i in $(seq 40); do ./chosen tag & ./other tag & done; wait; }
heaps() { local tag; tag=$(memory tag); rm -f met; ./begin heap $tag met & until [[ -e met ]]; do sleep 0.05; done; rm met; wait $!; }
losses() { local way; for way in exit kill child exec shared pipe socket map large huge; do ./chosen put $way $RANDOM; done; }
pressure() { (echo $BASHPID >$cgroup/short/cgroup.procs; head -c 40M /dev/urandom | tail -c 36M | ./chosen drain); }
messages() { local way; for way in stream datagram tcp udp netlink netlink-large stream-unread tcp-unread queue; do ./chosen give $way $RANDOM ./other; ./other give $way $RANDOM ./chosen; done; ./chosen give attribute $RANDOM ./other; }
free_pages() { rm -f free; ./chosen put free $RANDOM free & until [[ -e free ]]; do sleep 0.05; done; rm free; wait $!; }
files() { memory file $RANDOM soaked; agent label soaked; cat soaked; sync; echo 1 >/proc/sys/vm/drop_caches; rm soaked; }
terminals() { local mode; for mode in cooked raw; do rm -f open; memory terminal $RANDOM ./chosen open $mode & until [[ -e open ]]; do sleep 0.05; done; rm open; wait $!; done; memory pour $RANDOM | ./chosen drain; }
policies() { local scope; for scope in chosen everything sensitive off chosen; do memory policy $scope $PWD/chosen $PWD/begin; sleep 1; done; }
memory policy chosen $PWD/chosen $PWD/begin
repeat forks fork_storm & repeat heaps heaps & repeat losses losses & repeat pressure pressure & repeat messages messages & repeat free free_pages & repeat files files & repeat terminals terminals &
repeat policies policies &
wait
memory policy chosen $PWD/chosen; tag=$(memory tag); ./chosen put exit $tag; sleep 1.5; echo "@left $(memory count $tag)"
echo "@swapped $(sed -n 's/pswpout //p' /proc/vmstat)"; private off $swap; private unmap swap
memory policy off; sleep 4; unload && echo "@unloaded yes"
""".replace("DURATION", str(SECONDS))
KINDS = ("forks", "heaps", "losses", "pressure", "messages", "free", "files", "terminals", "policies")


@pytest.mark.nightly
def test_soak(kernel):
    """Each kind of work goes on to the end, nothing is left afterwards, and the kernel has nothing to complain about."""
    found = GuestRun(kernel, "soak", memory="768M", timeout=SECONDS + 240).told_by(SCRIPT)
    print(f"{SECONDS} s on {kernel}: " + ", ".join(f"{found[kind]} times {kind}" for kind in KINDS))
    assert all(int(found[kind]) > 0 for kind in (*KINDS, "swapped")), found["output"]
    assert found["left"].strip() == "0" and found["unloaded"] == "yes", found["output"]
