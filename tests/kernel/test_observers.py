# SPDX-License-Identifier: GPL-3.0-or-later
"""Tracers and audit see each call of a program that has a doppelganger, once, and none of the doppelganger's."""

import pytest

from tests.kernel.guest_run import Case

CONNECT = 42
# The program connects after it has read, so that the module makes the call.
TRACED = f"""
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
cd /sys/kernel/tracing; echo > trace; echo 1 > events/raw_syscalls/enable
(cd /mnt/case && leak read write secret)
echo 0 > events/raw_syscalls/enable
echo "entered $(grep -c 'leak-.*sys_enter: NR {CONNECT} ' trace) left $(grep -c 'leak-.*sys_exit: NR {CONNECT} = 0' trace)"
"""
AUDITED = f"""
echo 0 > /proc/sys/kernel/printk_ratelimit # else the kernel drops records
audit on {CONNECT} || exit
dmesg -c > /run/before
leak read write secret
audit off {CONNECT}
dmesg > /run/log; cat /run/log
echo "records $(grep -c 'type=1300 .* syscall={CONNECT} success=yes .* comm="leak"' /run/log)"
"""


@pytest.mark.parametrize("case", [Case("traced", TRACED, action) for action in ("block", "allow")], ids=str)
def test_tracers_see_each_call_once(case, outcome):
    assert outcome.questions and "entered 1 left 1\n" in outcome.output, outcome.describe()


@pytest.mark.parametrize("case", [Case("audited", AUDITED, action) for action in ("block", "allow")], ids=str)
def test_audit_records_each_call_once(case, outcome):
    assert outcome.questions and "records 1\n" in outcome.output, outcome.describe()
