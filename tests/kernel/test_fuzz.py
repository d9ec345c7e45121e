# SPDX-License-Identifier: GPL-3.0-or-later
"""Random requests of the device and of sessions, sound and spoiled, from two threads. TACET_FUZZ_SECONDS=3600 and TACET_FUZZ_SEED=N
make it longer, or repeat what another run did."""

import os

import pytest

from tests.kernel.guest_run import GuestRun
from tests.kernel.test_lifecycle import check_log, values

SECONDS = int(os.environ.get("TACET_FUZZ_SECONDS", "20"))
SEED = int(os.environ.get("TACET_FUZZ_SEED", os.getpid()))
REQUESTS = ("info", "label-set", "label-get", "verdict", "policy", "flush", "reopen", "session", "session-info", "session-key")

FUZZ = """
source /guest.sh
insmod /tacet.ko || exit
start_receiver
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/one /sys/fs/cgroup/two /mnt/case && cd /mnt/case || exit
echo "@seed {seed}"
fuzz {seconds} {seed} /sys/fs/cgroup/one /sys/fs/cgroup/two
echo "@fuzz $?"
echo "@watched $(watched_tasks)"
cd /
unload && echo "@unloaded yes"
"""


@pytest.fixture(scope="module")
def fuzzed(kernel):
    """One guest, under slab debugging."""
    return GuestRun(kernel, "fuzz", append="slub_debug=FZPU", timeout=300 + SECONDS).run(FUZZ.format(seconds=SECONDS, seed=SEED))


def test_upsets_nothing(fuzzed):
    check_log(fuzzed)
    found = values(fuzzed)
    assert (found["fuzz"], found["watched"], found["unloaded"]) == ("0", "0", "yes"), fuzzed.output


def test_was_no_mere_noise(fuzzed):
    """Each request went well now and then."""
    found = values(fuzzed)
    assert all(int(found[f"well-{request}"]) for request in REQUESTS), fuzzed.output
