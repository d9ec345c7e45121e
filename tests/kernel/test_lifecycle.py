# SPDX-License-Identifier: GPL-3.0-or-later
"""Loading, unloading, and many pairs whose halves are killed and stopped at random, with slab debugging."""

import os

import pytest

from kernel_log import faults
from tests.kernel.guest_run import GuestRun
from tests.kernel.oracle import leaks
from thorough import amount

PAIRS, ROUNDS = amount(150, 1000), amount(8, 100)

UNLOAD = """
source /guest.sh
mkdir -p /mnt/case && cd /mnt/case || exit
for i in file file{{1..5}}; do echo hello > $i; done
for i in {{1..{rounds}}}; do
    insmod /tacet.ko || exit
    agent label file file{{1..5}}
    # A shell that held a pipe's end while derived data goes in would stay watched. This one holds none.
    bash -c "cat file > /dev/null; cat file3 file4 | cat > copy$((i % 3))"
    [[ $(agent info | sed -n 's/^armed_files //p') != 0 ]] || echo "round $i: nothing armed"
    unload || {{ echo "round $i: not unloaded"; break; }}
    ((i != 5)) || first=$(slab)
done
echo "@rounds $i"
echo "@slab $first $(slab)"
insmod /tacet.ko
# A driver that goes and comes again has its hooks again: the loop driver takes no labelled file.
truncate -s 8192 image plain; agent label image
for i in 1 2 3; do
    modprobe loop; losetup /dev/loop7 image && driver+=taken || driver+=refused
    losetup /dev/loop7 plain && losetup -d /dev/loop7 || driver+=broken
    rmmod loop
done
echo "@driver $driver"
rm image plain
# A process that waits in the opening of a FIFO goes on waiting when the module has gone.
mkfifo fifo; cat fifo > came & reader=$!
until grep -qE 'fifo_open|wait_for_partner' /proc/$reader/wchan; do sleep 0.05; done
unload && echo hello > fifo || kill $reader; wait $reader
echo "@fifo $(cat came)"
# And one that waits while it maps a file which somebody may write to.
modprobe loop; truncate -s 8M image; mke2fs -q -t ext4 image; mkdir frozen; mount -t ext4 -o loop image frozen; echo x > frozen/file
insmod /tacet.ko
echo x > plain; stuck frozen/file plain & mapper=$!; until [[ -e ready ]]; do sleep 0.05; done
until grep -q mmap /proc/$mapper/wchan; do sleep 0.05; done
unload && echo "@mapping unloaded"; stuck frozen; wait $mapper; umount frozen
insmod /tacet.ko
agent label file
bash -c 'read -r x < file; echo paired > /run/paired; while [[ ! -e /run/go ]]; do sleep 0.05; done' & shell=$!
until [[ -e /run/paired ]]; do sleep 0.02; done
rmmod tacet 2>/dev/null && echo "@busy unloaded" || echo "@busy refused"
echo "@doubles $(agent doubles | wc -l)"
touch /run/go; wait $shell
unload && echo "@then unloaded"
"""

STRESS = """
source /guest.sh
insmod /tacet.ko || exit
start_receiver
mkdir -p /mnt/case && cd /mnt/case || exit
for i in {{1..60}}; do echo "name Sphinx77Quartz $i"; done > secret
agent label secret
agent policy 300 500
agent=$(agent serve block /run/agent.log)
stress {pairs} {seed}
echo "@stress $?"
kill $agent
sleep 0.5
echo "@watched $(watched_tasks)"
echo "@doubles $(agent doubles | wc -l)"
echo "@pairs $(agent info | sed -n 's/^pairs //p')"
echo "@received $(received)"
agent info
cd /
unload
echo "@modules $(grep -c '^tacet ' /proc/modules)"
"""


def values(run):
    """The lines that begin with @, as name -> rest."""
    return dict(line[1:].split(" ", 1) for line in run.output.splitlines() if line.startswith("@") and " " in line)


def check_log(run):
    """Nothing in the kernel's log, and the guest ended by itself."""
    assert run.status == 0, run.describe()
    assert not faults(run.console), run.console


@pytest.fixture(scope="module")
def unloading(kernel):
    """Loads and unloads the module again and again."""
    return GuestRun(kernel, "unload", append="slub_debug=FZPU", timeout=600).run(UNLOAD.format(rounds=ROUNDS))


def test_unloads_again_and_again(unloading):
    check_log(unloading)
    assert values(unloading)["rounds"] == str(ROUNDS), unloading.output


def test_driver_comes_again(unloading):
    check_log(unloading)
    assert values(unloading)["driver"] == "refused" * 3, unloading.output


def test_unloads_under_the_opening_of_a_fifo(unloading):
    assert values(unloading)["fifo"] == "hello", unloading.output


def test_unloads_under_a_mapping(unloading):
    """A second look at the file awaits the process on its way to user mode, and is cancelled."""
    assert values(unloading)["mapping"] == "unloaded", unloading.output


def test_leaves_no_memory_behind(unloading):
    first, last = map(int, values(unloading)["slab"].split())
    assert last - first < 2000, unloading.output


def test_refuses_to_unload_under_a_watched_task(unloading):
    found = values(unloading)
    # The shell's child has a doppelganger too.
    assert found["doubles"] != "0", unloading.output
    assert (found["busy"], found["then"]) == ("refused", "unloaded"), unloading.output


@pytest.fixture(scope="module")
def stressed(kernel):
    """Kills, stops and continues halves of pairs."""
    return GuestRun(kernel, "stress", append="slub_debug=FZPU", timeout=900).run(STRESS.format(pairs=PAIRS, seed=os.getpid()))


def test_no_half_hangs(stressed):
    check_log(stressed)
    assert values(stressed)["stress"] == "0", stressed.output


def test_the_pairs_were_made(stressed):
    # Fewer pairs than programs: some are killed before they read. More pairs: others have children.
    assert int(values(stressed)["pairs"]) >= PAIRS * 3 / 4, stressed.output


def test_nothing_leaked(stressed):
    received = bytes.fromhex(values(stressed)["received"])
    assert not leaks(received), stressed.output


def test_nothing_is_left(stressed):
    found = values(stressed)
    assert (found["watched"], found["doubles"], found["modules"]) == ("0", "0", "0"), stressed.output
