# SPDX-License-Identifier: GPL-3.0-or-later
"""What a guest's kernel log tells."""

from kernel_log import faults, waiting

STACKS = """[   19.909000] task:kworker/0:1     state:I stack:0     pid:11    tgid:11
[   19.909001] Call Trace:
[   19.909002]  <TASK>
[   19.909003]  __schedule+0x528/0x1060
[   19.909004]  worker_thread+0x27/0xa0
[   19.909223] task:sleep           state:S stack:0     pid:141   tgid:141   ppid:1
[   19.909237] Call Trace:
[   19.909242]  <TASK>
[   19.909248]  __schedule+0x528/0x1060
[   19.910318]  hrtimer_nanosleep+0x86/0x100
[   19.910330]  ? __pfx_hrtimer_wakeup+0x10/0x10
[   19.910373]  do_syscall_64+0xea/0x640
"""


def test_programs_that_wait_are_shown_with_their_calls():
    assert waiting(STACKS) == ["sleep (S): __schedule < hrtimer_nanosleep < do_syscall_64"]


def test_faults_are_found_in_their_order():
    assert faults("[1] fine\n[2] WARNING: at a\n[3] Oops: b\n") == ["[2] WARNING: at a", "[3] Oops: b"]
