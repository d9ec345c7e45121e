# SPDX-License-Identifier: GPL-3.0-or-later
"""Freed memory of programs that are no session's. Counts of nothing stand beside those of a program that is not chosen, or of the same one
without the policy."""

import pytest

from tests.kernel.guest_run import GuestRun
from thorough import amount

WAYS = amount(["exit", "late", "shared", "pipe", "socket", "map", "large", "huge"],
              ["exit", "kill", "child", "exec", "early", "late", "shared", "pipe", "socket", "map", "large", "early-large", "huge"])
STACKS = ["first-asleep", "first-running", "thread-asleep", "thread-running", "thread-ended"]
MESSAGES = ["stream", "datagram", "tcp", "udp", "netlink", "netlink-large", "stream-unread", "tcp-unread", "queue", "attribute"]
# A terminal gives lines, or each byte at once.
TERMINALS = ["cooked", "raw"]
# An attribute is no message to anybody: it lies in a file.
TAKEN = [way for way in MESSAGES if way != "attribute"]
LIVING = ["running", "asleep", "vfork", "red-zone", "coroutine", "handler"]
SCRIPT = """
source /guest.sh
insmod /tacet.ko linger_seconds=2 || exit
umount /mnt; mkdir -p /run/case; mount -t tmpfs tmpfs /run/case; cd /run/case || exit
mkdir huge; mount -t hugetlbfs none huge
echo secret > labelled; agent label labelled; echo 4 > /proc/sys/vm/nr_hugepages
agent policy 300 500
cp /bin/memory chosen; cp /bin/memory other
# lose NAME PROGRAM WAY: makes a tag, loses stamps with it, and notes it for told.
lose() {{ local tag; tag=$(memory tag); tags+=($tag); names+=($1-$3); $2 put $3 $tag ${{4:-labelled}} || [[ $? == 137 ]] || failed+="$1-$3 "; }} 2>/dev/null
told() {{ [[ -z $failed ]] || echo "@failed $failed"; local i=0 number; sync; for number in $(memory count ${{tags[@]}}); do echo "@${{names[i++]}} $number"; done; tags=() names=(); }}
# settle: a processor may keep a few pages for itself for a second.
settle() {{ sleep 1.5; }}
# A control is counted at once, as its memory is soon used again.
settle_for() {{ [[ $1 == ./other ]] || settle; }}
# Memory is soon used again, so that each is counted for itself.
lose_all() {{ local way; for way in {ways}; do lose $1 $2 $way; settle_for $2; told; done; }}

lose_all off ./other
# Another program gives the huge page back.
tag=$(memory tag); ./other put huge-file $tag huge/file; rm huge/file; echo "@huge-file-./other $(memory count $tag)"
ip link set lo up
for way in {messages}; do tag=$(memory tag); ./other give $way $tag ./other; echo "@given-other-$way $(memory count $tag)"; done
memory policy sensitive $PWD/chosen
for way in early late early-large; do lose sensitive ./chosen $way; settle; told; done
lose public ./chosen exit; told
# Programs that ran before they were chosen. They give memory back while they live. The file of one is replaced, as by an update.
cp chosen replaced; cp chosen new
for case in other:later other:lazy chosen:later chosen:lazy replaced:later; do
    program=./${{case%:*}}
    tag=$(memory tag); $program put unmap-${{case#*:}} $tag ran & until [[ -e ran ]]; do sleep 0.05; done; [[ $case != replaced:* ]] || mv new replaced
    memory policy chosen $PWD/chosen $PWD/replaced; rm ran; until [[ -e ran ]]; do sleep 0.05; done
    settle_for $program; echo "@ran-$case $(memory count $tag)"; rm ran; wait $!; memory policy sensitive
done
memory policy chosen $PWD/chosen
# The kernel moves small pages together, and what they held stays in the old place.
echo never > /sys/kernel/mm/transparent_hugepage/enabled
for program in ./other ./chosen; do
    tag=$(memory tag); $program put unmap-later $tag ran & until [[ -e ran ]]; do sleep 0.05; done
    echo 1 > /proc/sys/vm/compact_memory; settle_for $program; echo "@moved-$program-in-use $(memory count $tag)"
    rm ran; until [[ -e ran ]]; do sleep 0.05; done; settle_for $program; echo "@moved-$program $(memory count $tag)"; rm ran; wait $!
done
echo always > /sys/kernel/mm/transparent_hugepage/enabled
lose_all chosen ./chosen; lose other ./other exit; told
# Nothing may be left of what was typed, as its memory is soon used again. So it is looked for while it waits in the terminal, too.
printf '#!/bin/bash\\nsleep 6; exec ./other drain\\n' > slow; chmod 755 slow
tag=$(memory tag); memory terminal $tag ./slow & sleep 3; echo "@typing $(memory count $tag)"; wait $!
# What comes from others lies in pages that nobody who is covered has allocated.
for program in ./other ./chosen; do
    tag=$(memory tag); remote-exec memory send $tag & $program receive 10.77.0.2; wait; settle_for $program; echo "@received-$program $(memory count $tag)"
    tag=$(memory tag); memory pour $tag | $program drain; settle_for $program; echo "@piped-$program $(memory count $tag)"
    tag=$(memory tag); memory terminal $tag $program; settle_for $program; echo "@typed-$program $(memory count $tag)"
    # It passes on what it reads, and has no copy of its own.
    tag=$(memory tag); $program pass $tag /dev/vda ./other; settle_for $program; echo "@file-passed-$program $(memory count $tag)"
    tag=$(memory tag); remote-exec memory send $tag & for try in {{1..200}}; do {{ exec 7<>/dev/tcp/10.77.0.2/4711; }} 2>/dev/null && break; sleep 0.1; done
    $program pass $tag - ./other <&7; exec 7<&-; wait; settle_for $program; echo "@message-passed-$program $(memory count $tag)"
done
# Messages to a program that is not chosen, which frees them, and from one. One sender lives on.
for way in {messages}; do
    tag=$(memory tag); ./chosen give $way $tag ./other; settle; echo "@given-chosen-$way $(memory count $tag)"
done
for way in {taken}; do
    tag=$(memory tag); ./other give $way $tag ./chosen; settle; echo "@taken-chosen-$way $(memory count $tag)"
done
for program in ./other ./chosen; do
    tag=$(memory tag); tags+=($tag); names+=(given-$program-living); $program give tcp $tag ./other $program-lives & until [[ -e $program-lives ]]; do sleep 0.05; done
done
sleep 5.5; told; rm ./*-lives
# Memory that a program which is not chosen has allocated, and shares.
for program in ./other ./chosen; do
    tag=$(memory tag); memory reuse $tag $program reused & until [[ -e reused ]]; do sleep 0.05; done; echo "@reused-$program $(memory count $tag)"; rm reused; wait $!
    tag=$(memory tag); memory share $tag $program; settle_for $program; echo "@shared-$program $(memory count $tag)"
done
# A terminal that lives on. One of its ends is a chosen program's.
for program in ./other ./chosen; do for mode in {terminals}; do
    tag=$(memory tag); memory terminal $tag $program open $mode & until [[ -e open ]]; do sleep 0.05; done
    settle_for $program; echo "@read-$mode-$program $(memory count $tag)"; rm open; wait $!
    tag=$(memory tag); $program terminal $tag ./other open $mode & until [[ -e open ]]; do sleep 0.05; done
    settle_for $program; echo "@written-$mode-$program $(memory count $tag)"; rm open; wait $!
done; done
tag=$(memory tag); ./chosen put huge-file $tag huge/file; rm huge/file; echo "@huge-file-./chosen $(memory count $tag)"
# What a process gives back while it lives, and what it gives back after the policy has ended.
for program in ./other ./chosen; do
    tag=$(memory tag); $program put free $tag met & until [[ -e met ]]; do sleep 0.05; done; settle_for $program; echo "@freed-$program $(memory count $tag)"; rm met; wait $!
done
tag=$(memory tag); ./chosen put unmap $tag living & until [[ -e living ]]; do sleep 0.05; done
settle; echo "@given-back $(memory count $tag)"; rm living; wait $!
tag=$(memory tag); ./chosen put swap $tag held & pid=$!; until [[ -e held ]]; do sleep 0.05; done
memory policy off; kill -9 $pid; wait $pid; settle; echo "@policy-ended $(memory count $tag)"; rm held

# What functions left on the stacks of threads that live on, and what only looks like that.
memory policy chosen $PWD/chosen
./chosen living alive & living=$!
for program in ./chosen ./other; do
    for way in {stacks}; do
        tag=$(memory tag); tags+=($tag); names+=(stack-$program-$way); $program stack $way $tag $program-$way & losers+=" $!"
        until [[ -e $program-$way ]]; do sleep 0.05; done
    done
done
sleep 6; told; rm *-asleep *-running *-ended; sleep 4; rm alive; wait $living; echo "@living $?"
kill -9 $losers 2>/dev/null; wait $losers 2>/dev/null
for program in ./other ./chosen; do
    tag=$(memory tag); $program put names $tag met & until [[ -e met ]]; do sleep 0.1; done; left=$(memory count $tag)
    rm met; wait $!; settle; echo "@names-$program $left $(memory count $tag)"
done

# A core has what is in use, and nothing that functions have left on the stacks of the process's threads.
echo core-%e > /proc/sys/kernel/core_pattern
for program in ./chosen ./other; do
    left=$(memory tag) used=$(memory tag); (ulimit -c unlimited; exec $program crash $left $used) 2>/dev/null
    settle; echo "@core-$program $(memory count $left $used) $(stat -c %s core-*)"; rm core-*
done

# Pages that go to swap and come again.
private format /dev/vda; swap=$(private map swap tacet-swap /dev/vda "/dev/vda 0"); private on $swap
memory policy chosen $PWD/chosen
cgroup=/sys/fs/cgroup; echo +memory > $cgroup/cgroup.subtree_control; mkdir $cgroup/away; echo 0 > $cgroup/away/memory.zswap.max 2>/dev/null
for program in ./chosen ./other; do
    tag=$(memory tag)
    (echo $BASHPID > $cgroup/away/cgroup.procs; exec $program put swap $tag swapped) & until [[ -e swapped ]]; do sleep 0.05; done
    for i in 1 2 3 4; do echo 8M > $cgroup/away/memory.reclaim; done 2>/dev/null
    settle; echo "@out-$program $(memory count $tag)"; private status swap
    rm swapped; wait $!; settle; echo "@in-$program $(memory count $tag)"
done
private off $swap; private unmap swap

# A layer that is off, beside the same with the others on.
SPARED=1 memory policy chosen $PWD/chosen; lose no-pages ./chosen exit; told
SPARED=2 memory policy chosen $PWD/chosen; lose no-buffers ./chosen socket; told; lose no-buffers ./chosen exit; settle; told
SPARED=4 memory policy chosen $PWD/chosen; lose no-stacks ./chosen exit
tag=$(memory tag); tags+=($tag); names+=(no-stacks-stack); ./chosen stack thread-asleep $tag slept & until [[ -e slept ]]; do sleep 0.05; done
sleep 6; told; rm slept; wait $!

keep_page() {{ local tag; tag=$(memory tag); ./other put kept-page $tag met & until [[ -e met ]]; do sleep 0.05; done; echo "@$1-kept-page $(memory count $tag)"; rm met; wait $!; }}
keep_page other
memory policy everything
lose_all everything ./chosen; keep_page everything
memory policy off
sleep 5; lose again ./chosen exit; told
memory bad
# The policy ends with the module.
memory policy chosen $PWD/chosen; ./chosen put swap 1 kept & until [[ -e kept ]]; do sleep 0.05; done
unload && echo "@unloaded yes"; rm kept; wait
"""


@pytest.fixture(scope="module")
def seen(kernel):
    """One guest in which programs lose stamps; returns the lines that begin with @, as name -> rest."""
    return GuestRun(kernel, "memory", memory="512M", timeout=480).told_by(
        SCRIPT.format(ways=" ".join(WAYS), stacks=" ".join(STACKS), messages=" ".join(MESSAGES), taken=" ".join(TAKEN),
                      terminals=" ".join(TERMINALS)))


def numbers(seen, scope, ways=tuple(WAYS)):
    """How many stamps were left, by way."""
    return {way: int(seen[f"{scope}-{way}"]) for way in ways}


def test_programs_did_what_they_should(seen):
    assert "failed" not in seen, seen["output"]


def test_without_a_policy_stamps_stay(seen):
    assert min(numbers(seen, "off").values()) > 100, seen["output"]
    assert int(seen["again-exit"]) > 100, seen["output"]


def test_sensitive_programs_leave_nothing(seen):
    """They have read a labelled file, before or after the stamps were written. The same program without it is no matter of this scope."""
    assert set(numbers(seen, "sensitive", ("early", "late", "early-large")).values()) == {0}, seen["output"]
    assert int(seen["public-exit"]) > 100, seen["output"]


def test_chosen_programs_leave_nothing(seen):
    assert set(numbers(seen, "chosen").values()) == {0} and int(seen["other-exit"]) > 100, seen["output"]


def test_programs_that_ran_before_they_were_chosen(seen):
    """What it has written anew, after the kernel was free to take the pages, and after its file was replaced, too."""
    assert {int(seen[f"ran-{case}"]) for case in ("chosen:later", "chosen:lazy", "replaced:later")} == {0}, seen["output"]
    assert min(int(seen[f"ran-other:{way}"]) for way in ("later", "lazy")) > 100, seen["output"]


def test_memory_that_the_kernel_moved(seen):
    """Compaction leaves copies of what a program has that is not chosen. A chosen one's stamps are only in the pages that it has."""
    stamps = int(seen["moved-./chosen-in-use"])
    assert int(seen["moved-./other-in-use"]) > stamps > 100_000, seen["output"]
    assert int(seen["moved-./other"]) > 1000 and int(seen["moved-./chosen"]) == 0, seen["output"]


@pytest.mark.parametrize("way", ["received", "piped", "typed", "file-passed", "message-passed"])
def test_memory_that_others_allocated(seen, way):
    """From another host, from a program that is not chosen by a pipe, or at a terminal. What is passed on goes through a pipe to such a one."""
    assert int(seen[f"{way}-./chosen"]) == 0 and int(seen["typing" if way == "typed" else f"{way}-./other"]) > 100, seen["output"]


@pytest.mark.parametrize("way", MESSAGES)
def test_messages_that_others_free(seen, way):
    assert int(seen[f"given-chosen-{way}"]) == 0 and int(seen[f"given-other-{way}"]) >= 10, seen["output"]


@pytest.mark.parametrize("way", TAKEN)
def test_messages_that_others_send(seen, way):
    assert int(seen[f"taken-chosen-{way}"]) == 0 and int(seen[f"given-other-{way}"]) >= 10, seen["output"]


def test_message_that_a_living_program_sent(seen):
    """The kernel keeps the page from which a thread sends, for what it sends next."""
    assert int(seen["given-./chosen-living"]) == 0 and int(seen["given-./other-living"]) >= 10, seen["output"]


@pytest.mark.parametrize("what", ["reused", "shared"])
def test_memory_that_a_program_shares(seen, what):
    """A page that a pipe keeps, and shared memory. Another program has allocated them, and gives them back."""
    assert int(seen[f"{what}-./chosen"]) == 0 and int(seen[f"{what}-./other"]) > 100, seen["output"]


@pytest.mark.parametrize("mode", TERMINALS)
@pytest.mark.parametrize("use", ["read", "written"])
def test_terminal_that_lives_on(seen, use, mode):
    """It keeps what was typed at one end and read at the other, until it is overwritten."""
    assert int(seen[f"{use}-{mode}-./chosen"]) == 0 and int(seen[f"{use}-{mode}-./other"]) > 100, seen["output"]


@pytest.mark.parametrize("what", ["huge-file", "freed"])
def test_memory_that_the_kernel_need_not_clear(seen, what):
    """A huge page that another program gives back to the pool, and pages that the kernel takes only when memory is short."""
    assert int(seen[f"{what}-./chosen"]) == 0 and int(seen[f"{what}-./other"]) > 100, seen["output"]


def test_memory_given_back_by_a_living_process(seen):
    assert seen["given-back"].strip() == "0" and seen["policy-ended"].strip() == "0", seen["output"]


def test_stacks_of_living_threads(seen):
    """After five seconds, whether a thread sleeps or runs. The same program that is not chosen keeps what its functions left.
    The red zone stays, and so do holes in the frames of the functions that run."""
    assert max(numbers(seen, "stack-./chosen", STACKS).values()) < 16, seen["output"]
    assert min(numbers(seen, "stack-./other", STACKS).values()) > 500, seen["output"]


def test_memory_in_use_beside_stacks(seen):
    """Frames of callers, a vfork child's below its parent, the red zone, what lies below a coroutine's stack or a signal handler's."""
    assert seen["living"] == "0" and {way: seen[f"living-{way}"] for way in LIVING} == dict.fromkeys(LIVING, "whole"), seen["output"]


def test_core_has_only_what_is_in_use(seen):
    """Of the stacks, that is: frames of functions that have returned are cleared before the core is written. A few holes stay."""
    for program, least, most in (("chosen", 0, 64), ("other", 5000, 50000)):
        left, used, size = map(int, seen[f"core-./{program}"].split())
        assert least <= left <= most and used > 4000 and size > 1 << 16, seen["output"]


def test_stacks_in_the_kernel(seen, kernel):
    """The calls of a hundred processes leave names there, but on the sanitized kernel, whose frames are larger. Nothing is left when
    those of a chosen program have ended."""
    living, ended = (int(seen[f"names-./{program}"].split()[at]) for program, at in (("other", 0), ("chosen", 1)))
    assert ended == 0 and living >= (0 if kernel.endswith("-sanitized") else 5), seen["output"]


def test_swapped_pages_stay_a_matter_of_clearing(seen):
    # A few pages may not have gone to swap.
    assert int(seen["out-./chosen"]) < 3000 and seen["in-./chosen"].strip() == "0", seen["output"]
    assert int(seen["in-./other"]) > 100, seen["output"]


def test_everything_leaves_nothing(seen):
    """Also in a page that a pipe of a living program keeps."""
    assert int(seen["everything-kept-page"]) == 0 and int(seen["other-kept-page"]) > 100, seen["output"]
    assert set(numbers(seen, "everything").values()) == {0}, seen["output"]


def test_layer_that_is_off_is_not_cleared(seen):
    """And the others are."""
    for name, stays in (("no-pages-exit", True), ("no-buffers-socket", True), ("no-buffers-exit", False),
                        ("no-stacks-exit", False), ("no-stacks-stack", True)):
        assert int(seen[name]) > 100 if stays else seen[name].strip() == "0", seen["output"]


def test_bad_requests_are_refused(seen):
    found = {name: result for name, result in seen.items() if name.startswith("bad-")}
    expected = dict.fromkeys(("scope", "layer", "reserved", "library-relative", "library-two", "library-long", "relative", "no-end", "empty-path", "long", "many", "many-tags", "no-tags"), "EINVAL")
    expected |= {"pointer": "EFAULT", "library-pointer": "EFAULT", "tags-pointer": "EFAULT", "unknown-tag": "ENOENT"}
    assert found == {f"bad-{name}": result for name, result in expected.items()}, seen["output"]


def test_module_unloads_with_a_policy(seen):
    assert seen["unloaded"] == "yes", seen["output"]
