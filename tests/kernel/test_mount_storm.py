# SPDX-License-Identifier: GPL-3.0-or-later
"""File systems come and go at random beside pairs, and the module with them: nothing is left, and labels are in force afterwards."""

import os

import pytest

from tests.kernel.guest_run import GuestRun
from tests.kernel.oracle import leaks
from tests.kernel.test_lifecycle import check_log, values
from thorough import amount

STEPS = amount(30, 1000)
SEED = int(os.environ.get("TACET_SEED", os.getpid()))

# `place` is a folder that file systems are mounted on. Every step takes one of them at random.
STORM = """
source /guest.sh
insmod /tacet.ko || exit
start_receiver
pairs=()
modprobe -a loop overlay brd
mke2fs -q -t ext4 /dev/ram0 8192
mkdir -p /mnt/case/place{{1..4}} && cd /mnt/case || exit
chmod 755 .
echo "name Sphinx77Quartz01" > secret
chmod 644 secret
agent label secret
agent policy 300 500
agent=$(agent serve block /run/agent.log)
RANDOM={seed}

# A program in a pair that goes on while other steps are made. Some keep a file of the place open.
pair() {{
    case $((RANDOM % 4)) in
        0) (cat secret > $place/copy; sleep 0.$((RANDOM % 9))) ;;
        1) ([[ -e $place/fifo ]] || mkfifo $place/fifo; timeout 1 cat $place/fifo > /dev/null & timeout 1 bash -c "cat secret > $place/fifo"; wait) ;;
        2) (exec 3> $place/open; read -r x < secret; echo "$x" >&3; sleep 0.$((RANDOM % 9)); echo "$x" >&3) ;;
        3) (read -r x < secret; echo "$x" | timeout 1 nc remote 9) ;;
    esac 2> /dev/null &
    pairs+=($!)
}}

mount_one() {{
    case $((RANDOM % 6)) in
        0) mount -t tmpfs tmpfs $place ;;
        1) mount /dev/ram0 $place ;;
        2) mount --bind . $place ;;
        3) mkdir -p layers/{{upper,work,lower}}; cp secret layers/lower/below
           mount -t overlay -o lowerdir=layers/lower,upperdir=layers/upper,workdir=layers/work overlay $place ;;
        4) truncate -s 4M image$step; mke2fs -q image$step; mount -o loop image$step $place; rm image$step ;;
        5) setpriv --reuid 1000 --regid 1000 --clear-groups timeout 2 unshare -Urm bash -c "
               mount -t tmpfs tmpfs /tmp; mkfifo /tmp/fifo; cat /tmp/fifo > /dev/null & cat secret > /tmp/fifo; cp secret /tmp/copy" &
           pairs+=($!) ;;
    esac 2> /dev/null
}}

reload() {{
    ((${{#pairs[@]}} == 0)) || wait "${{pairs[@]}}"
    pairs=()
    kill $agent
    unload || echo "@stuck $step"
    insmod /tacet.ko || exit
    agent label secret
    agent policy 300 500
    agent=$(agent serve block /run/agent.log)
    reloads=$((reloads + 1))
}}

reloads=0
for ((step = 1; step <= {steps}; step++)); do
    place=place$((RANDOM % 4 + 1))
    case $((RANDOM % 16)) in
        [0-4]) mount_one ;;
        [5-9]) pair ;;
        1[0-2]) umount $place 2> /dev/null ;;
        13) umount -l $place 2> /dev/null ;;
        14) echo 2 > /proc/sys/vm/drop_caches ;;
        15) reload ;;
    esac
done
reload
for place in place{{1..4}}; do while umount -l $place 2> /dev/null; do :; done; done
# Where timeout ended too early, its children wait at a FIFO, in a mount namespace with copies of all mounts.
for process in /proc/[0-9]*; do
    [[ $(readlink $process/ns/mnt) == "$(readlink /proc/self/ns/mnt)" || $(cat $process/comm) != @(cat|bash) ]] ||
        kill -9 ${{process#/proc/}}
done
for ((i = 0; i < 100 * ${{TACET_SLOWNESS:-1}}; i++)); do [[ -z $(losetup -a) ]] && break; sleep 0.1; done
echo "@steps $((step - 1)) $reloads"
echo "@loops $(losetup -a | wc -l)"
# The disk can be taken by nobody who still has its file system.
echo "@free $(mke2fs -q -F -t ext4 /dev/ram0 8192 2>&1 && echo yes)"
echo "@storm $(received)"
timeout 20 nc remote 9 < secret
echo "@after $(received)"
echo "@asked $(grep -c question /run/agent.log)"
kill $agent
sleep 0.5
echo "@watched $(watched_tasks)"
cd /
unload
echo "@modules $(grep -c '^tacet ' /proc/modules)"
"""


@pytest.fixture(scope="module")
def storm(kernel):
    """One run; TACET_SEED repeats it."""
    print(f"TACET_SEED={SEED}")
    return GuestRun(kernel, "mount-storm", append="slub_debug=FZPU ramdisk_size=16384", timeout=60 + 4 * STEPS).run(STORM.format(steps=STEPS, seed=SEED))


def test_upsets_nothing(storm):
    check_log(storm)
    found = values(storm)
    steps, reloads = map(int, found["steps"].split())
    assert steps == STEPS and reloads and "stuck" not in found, storm.output


def test_leaves_nothing_behind(storm):
    found = values(storm)
    assert (found["loops"], found["free"], found["watched"], found["modules"]) == ("0", "yes", "0", "0"), storm.output


def test_is_in_force_afterwards(storm):
    found = values(storm)
    assert int(found["asked"]), storm.output
    for part in ("storm", "after"):
        assert not leaks(bytes.fromhex(found.get(part, ""))), storm.output
