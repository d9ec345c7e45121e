# SPDX-License-Identifier: GPL-3.0-or-later
"""Private sessions: pages that they swap out or free cannot be found, end with the session, and are closed to others. Each search
that finds nothing stands beside one that finds the same from outside a session."""

import pytest

from tests.kernel.session_run import COMMON, PAGES, ROUNDS, STAMPS, numbers, start

SWAP = COMMON + """
private format /dev/vda && private on /dev/vda
within plain private fill 1 {mib} >> /run/log/plain; pid=$!
wait_for filled /run/log/plain
reclaim plain
echo "@plain-disk $(private count /dev/vda 1)"
tell $pid /run/log/plain @fill1
kill -9 $pid; cat /run/log/plain
private off /dev/vda
dd if=/dev/zero of=/dev/vda bs=1M count=256 conv=fsync 2>/dev/null

private format /dev/vda
swap=$(private map swap tacet-swap /dev/vda "/dev/vda 0")
private map again tacet-swap /dev/vda "/dev/vda 0" 2>/dev/null && echo "@second-table made"
dd if=/dev/zero of=$swap bs=4k count=1 seek=9 oflag=direct 2>/dev/null && echo "@plain-write done"
private on $swap || exit
holder=$(private hold $cgroup/outer/private)
within outer/private private fill 2 {mib} >> /run/log/private; private=$!
within public private fill 3 {mib} >> /run/log/public; public=$!
wait_for filled /run/log/private; wait_for filled /run/log/public
reclaim outer/private; reclaim public
echo "@swapped $(private count /dev/vda 2 3)"
echo "@swapped-target $(private count $swap 2 3)"
echo "@info $(private info $holder 100)"
echo "@status $(private status swap)"
echo freezer > /sys/power/pm_test; echo disk > /sys/power/state 2>/dev/null && echo "@hibernate done"
dmesg | grep 'no hibernation' | sed 's/.*tacet: /@veto /'
tell $private /run/log/private @fill2; tell $public /run/log/public @fill3
cat /run/log/private /run/log/public | sed 's/^@fill\\(.\\) /@intact\\1 /'
"""

END = """
within outer/private private fill 4 {mib} >> /run/log/private4; private4=$!
wait_for filled /run/log/private4
reclaim outer/private; reclaim public
: > /run/log/private; : > /run/log/public
kill -9 $holder
while kill -0 $holder 2>/dev/null; do sleep 0.02; done; sleep 0.3
tell $private4 /run/log/private4 @fill4; tell $public /run/log/public @fill3
cat /run/log/private4 /run/log/public
sleep 7 # Memory that outlives its session by more than linger_seconds is cleared, too.
kill -9 $private $private4 $public; wait $private $private4 $public 2>/dev/null
for i in 1 2 3; do echo 3 > /proc/sys/vm/drop_caches; done
echo "@memory $(private count /proc/kcore 2 4 3)"
echo "@end-status $(private status swap)"
echo disk > /sys/power/state && echo "@hibernate-afterwards done"
private off $swap; private unmap swap
unload && echo "@unloaded yes"
"""

REMOVED = COMMON + """
private format /dev/vda
swap=$(private map swap tacet-swap /dev/vda "/dev/vda 0")
private on-discard $swap || exit
mkdir /run/store; mount -t tmpfs -o size=100M tmpfs /run/store
holder=$(private hold $cgroup/outer/private)
within outer/private private fill 2 {mib} /run/store/file; wait $!
rmdir $cgroup/outer/private || echo "@rmdir failed"
reclaim outer
echo "@removed-info $(private info $holder 100)"
echo "@removed-disk $(private count /dev/vda 2)"
# A process outside of the session swaps the page in and is charged for it. Then the page is swapped out again.
within public private verify 2 {mib} /run/store/file > /run/log/stranger; wait $!
cat /run/log/stranger
reclaim public; reclaim outer
echo "@again-info $(private info $holder 100)"
echo "@again-disk $(private count /dev/vda 2)"
kill -9 $holder
while kill -0 $holder 2>/dev/null; do sleep 0.02; done; sleep 0.3
echo "@kept-status $(private status swap)"
within public private verify 2 {mib} /run/store/file > /run/log/stranger; wait $!
sed 's/@/@ended-/' /run/log/stranger
umount /run/store; private off $swap; private unmap swap
unload && echo "@unloaded yes"
"""

ACCESS = COMMON + """
mkdir $cgroup/other
chmod 755 /run
anna() {{ local group=$1; shift; within $group setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }}
try() {{ anna $2 private access $member > /run/log/try; wait $!; echo "@$1 $(< /run/log/try)"; }}
anna outer/private unshare -Ur private idle x; member=$!
anna plain private idle x; outsider=$!
sleep 0.5
try control plain
holder=$(private hold $cgroup/outer/private $cgroup/other)
try outside plain
try inside outer/private
try other-session other
within plain private access $member > /run/log/try; wait $!; echo "@administrator $(< /run/log/try)"
self=$member member=$outsider; try outwards outer/private
# A process has memory with stamps, and then comes into the session, or does not.
arrive() {{
    local tag pid; tag=$(memory tag); within public memory put swap $tag /run/log/met-$1; pid=$!
    for ((tries = 0; tries < 600; tries++)); do [[ ! -e /run/log/met-$1 ]] || break; sleep 0.05; done
    [[ $1 = outside ]] || echo $pid > $cgroup/outer/private/cgroup.procs
    sleep 0.5; rm /run/log/met-$1; wait $pid; sleep 1.5; echo "@arrival-$1 $(memory count $tag)"
}}
arrive outside; arrive inside
for side in public outer/private; do
    name=${{side##*/}}; tags+=($(memory tag)); within $side memory stack thread-asleep ${{tags[-1]}} /run/log/lost-$name; losers+=" $!"
    for ((tries = 0; tries < 600; tries++)); do [[ ! -e /run/log/lost-$name ]] || break; sleep 0.05; done
done
sleep 6; echo "@stacks $(memory count ${{tags[@]}})"; kill -9 $losers
member=$self
# Processes that end a moment after a session are taken for its own. So the one outside ends before.
for side in public outer/private; do
    tag=$(memory tag); within $side memory put socket-held $tag /run/log/held; survivor=$!
    for ((tries = 0; tries < 600; tries++)); do [[ ! -e /run/log/held ]] || break; sleep 0.05; done
    [[ $side == public ]] || {{ kill -9 $holder; sleep 0.5; }}
    rm /run/log/held; wait $survivor; [[ $side == public ]] || sleep 1.5; left+=" $(memory count $tag)"
done
echo "@survivors $left"
try afterwards plain
kill -9 $member $outsider
unload && echo "@unloaded yes"
"""

EDGES = COMMON + """
chmod 755 /run
modprobe -a vsock af_alg unix_diag
holder=$(private hold $cgroup/outer/private)
within public private sockets x > /run/log/public; wait $!; echo "@public-sockets $(< /run/log/public)"
within outer/private private sockets x > /run/log/private; wait $!; echo "@private-sockets $(< /run/log/private)"

private listen /run/log/outside > /run/log/heard & outside=$!
within outer/private private listen /run/log/inside > /run/log/heard-inside; inside=$!
within plain private listen /run/log/allowed > /run/log/heard-allowed; allowed=$!
for log in heard heard-inside heard-allowed; do wait_for listening /run/log/$log; done
reach() {{ echo "@reach-$1 $(private reach /run/log/$2 $cgroup/$3)"; }}
private allow $holder 100 /run/log/allowed.stream
reach control outside public; reach outwards outside outer/private
reach own inside outer/private; reach inwards inside public; reach allowed allowed outer/private
for ((tries = 0; tries < 200; tries++)); do (($(grep -c before /run/log/heard) < 2)) || break; sleep 0.05; done
echo "@heard $(sort /run/log/heard | uniq -c | tr -s '\\n ' ' ')"
listed() {{ within $1 setpriv --reuid $2 --regid 1000 --clear-groups private listed /run/log/$3 > /run/log/listed; wait $!; cat /run/log/listed; }}
for reader in public:1000 outer/private:1000 plain:0; do
    echo "@listed-${{reader%:*}} $(listed ${{reader%:*}} ${{reader#*:}} inside) $(listed ${{reader%:*}} ${{reader#*:}} outside)"
done
kill -9 $outside $inside $allowed

mkdir /run/read-only; mkfifo -m 666 /run/log/fifo
mount --bind /run/log /run/read-only; mount -o remount,bind,ro /run/read-only
timeout 20 cat /run/log/fifo > /run/log/came & reader=$!
within outer/private bash -c 'echo private > /run/read-only/fifo' 2> /run/log/refused; wait $!
within public bash -c 'echo public > /run/read-only/fifo'; wait $!; wait $reader
echo "@fifo $(< /run/log/came) $(grep -c 'Permission denied' /run/log/refused)"
within outer/private bash -c 'mkfifo /run/log/own; cat /run/log/own & echo own > /run/log/own; wait' > /run/log/came; wait $!
echo "@own-fifo $(< /run/log/came)"

printf '#!/bin/bash\ncat > /run/log/core-$1; echo "$@" >> /run/log/handled\n' > /run/handler; chmod 755 /run/handler
echo '|/run/handler %e' > /proc/sys/kernel/core_pattern; echo 4 > /proc/sys/kernel/core_pipe_limit
echo 1 > /proc/sys/debug/exception-trace
for name in told unnamed after-exec; do cp $(command -v private) /run/$name; done
within public /run/told crash x; wait $!
within outer/private /run/unnamed crash x; wait $!
within outer/private bash -c 'ulimit -c unlimited; exec /run/after-exec crash x'; wait $!; echo "@ended $?"
echo "@cores $(cd /run/log; ls core-* | tr '\\n' ' ')"
echo "@handled $(< /run/log/handled)"
echo "@logged $(dmesg | grep -c told) $(dmesg | grep -cE 'unnamed|after-exec')"
anna() {{ local group=$1; shift; within $group setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }}
mkdir /run/lower /run/layers /run/merged; mount -t tmpfs lower /run/lower; mount -t tmpfs layers /run/layers
mkdir /run/layers/upper /run/layers/work; echo text > /run/lower/file; chown -R 1000 /run/lower
mount -t overlay -o lowerdir=/run/lower,upperdir=/run/layers/upper,workdir=/run/layers/work overlay /run/merged
# From inside the merged tree is watched, as a file manager does.
for side in public:lower outer/private:merged; do
    log=/run/log/news-${{side##*:}}; : > $log; chmod 666 $log
    anna ${{side%:*}} private watch /run/${{side##*:}} >> $log; watchers+=" $!"; wait_for watching $log
done
for group in outer/private public; do
    for side in lower merged; do echo -- $group >> /run/log/news-$side; done
    anna $group cat /run/merged/file > /dev/null; wait $!; sleep 0.5
done
for side in lower merged; do echo "@news-$side $(tr '\\n' ' ' < /run/log/news-$side)"; done
touch /run/log/outside; chmod 644 /run/log/outside
# As bubblewrap mounts a tree of the session, and as tacet-session mounts one of outside.
for name in bound distant; do echo text > /run/merged/$name; mkdir /run/$name; mount -o bind /run/merged /run/$name; done
mount -o remount,bind,ro /run/bound; mount -o remount,bind,ro,noatime /run/distant
for group in public outer/private; do
    anna $group private locks /run/merged/file /run/read-only/outside /run/bound/bound /run/distant/distant > /run/log/locks; wait $!; echo "@locks-${{group##*/}} $(< /run/log/locks)"
done
# wakes WAITER'S-GROUP TREE WAKER'S-GROUP TREE
wakes() {{
    local waiter; anna $1 private wait /run/$2/file > /run/log/woken; waiter=$!; wait_for waiting /run/log/woken
    anna $3 private wake /run/$4/file > /run/log/wakes; wait $!; kill -9 $waiter; wait $waiter 2>/dev/null; cat /run/log/wakes
}}
echo "@wakes $(wakes public lower public merged) $(wakes public lower outer/private merged) $(wakes outer/private merged public lower)" \
    "$(wakes outer/private merged outer/private merged)"
kill -9 $watchers; wait $watchers 2>/dev/null; umount /run/merged /run/layers /run/lower

mount -t securityfs security /sys/kernel/security
echo 'profile denied /run/denied-* {{ file, capability, signal, audit deny /run/log/denied r, }}' | apparmor_parser -K -q
echo secret > /run/log/denied
# The outsider's reports come after the member's would have come.
echo 1 > /proc/sys/kernel/yama/ptrace_scope; echo 0 > /proc/sys/kernel/printk_ratelimit
for group in outer/private public; do
    name=refused-${{group##*/}}; cp $(command -v private) /run/$name
    within $group /run/$name filtered x; wait $!
    cp /run/$name /run/denied-${{group##*/}}; within $group /run/denied-${{group##*/}} verify 2 1 /run/log/denied > /dev/null; wait $!
    anna $group /run/$name idle x; idle=$!; wait_for idle-$idle-2 /proc/net/unix
    anna $group /run/$name access $idle > /dev/null; wait $!
    kill -9 $idle
done
for ((tries = 0; tries < 200; tries++)); do
    dmesg > /run/log/reports
    ! grep -q "type=1326.*refused-public" /run/log/reports || ! grep -q "attempted by.*refused-public" /run/log/reports ||
        ! grep -q "DENIED.*denied-public" /run/log/reports || break
    sleep 0.05
done
for name in public private; do
    echo "@refused-$name $(grep -c "audit: type=1326.*refused-$name" /run/log/reports) $(grep -c "attempted by.*refused-$name" /run/log/reports)" \
        "$(grep -c "futex_wake_op: refused-$name" /run/log/reports) $(grep -c "refused-$name[[].*bad frame" /run/log/reports)" \
        "$(grep -c 'apparmor="DENIED".*denied-'$name /run/log/reports)"
done

within outer/private bash -c 'sleep 4711 & echo $! > /run/log/member; wait'; wait_for . /run/log/member; member=$(< /run/log/member)
words='p=/proc/'$member'; x=$(tr "\\0" " " < $p/cmdline); echo "$(< $p/comm) $(sed -n s/Name:.//p $p/status) $(cut -d" " -f2 $p/stat) $(head -1 $p/sched | cut -d" " -f1) $(cat $p/attr/current 2>/dev/null) $(for page in timers timens_offsets; do (: < $p/$page) 2>/dev/null && printf $page,; done) $x" > /run/log/words'
: > /run/log/words; chmod 666 /run/log/words
anna public bash -c "$words"; wait $!; echo "@names-outside $(< /run/log/words)"
anna outer/private bash -c "$words"; wait $!; echo "@names-inside $(< /run/log/words)"
within public bash -c "$words"; wait $!; echo "@names-administrator $(< /run/log/words)"
anna public bash -c "${{words//$member/self}}"; wait $!; echo "@names-own $(< /run/log/words)"
kill -9 $member
# Whoever starts a private program has named it, and is no member.
for name in tacet other; do
    cp $(command -v sleep) /run/$name; anna public /run/$name 47111; pid=$!; wait_for $name /proc/$pid/comm
    for reader in anna within; do $reader public bash -c "tr '\\0' ' ' < /proc/$pid/cmdline > /run/log/words"; wait $!; echo "@arguments-$name-$reader <$(< /run/log/words)>"; done
    kill $pid
done
# Each is killed when its own group has no more memory; then the other is listed, too.
for group in public outer/private; do echo 20M > $cgroup/$group/memory.max; echo 0 > $cgroup/$group/memory.swap.max; done
for name in greedy glutton; do cp $(command -v private) /run/$name; done
within public /run/greedy fill 1 100 > /dev/null; wait $!
echo "@killed-public $(dmesg | grep -c 'Killed process.*greedy')"
within outer/private /run/glutton fill 1 100 > /dev/null; wait $!
echo "@killed-private $(dmesg | grep -c 'Killed process.*(private)') $(dmesg | grep -c glutton)"
kill -9 $holder; sleep 0.5
unload && echo "@unloaded yes"
"""

KEY = COMMON + """
holder=$(private hold $cgroup/outer/private)
private key $holder 100
kill -9 $holder
sleep 0.5
unload && echo "@unloaded yes"
"""

MANY = COMMON + """
private bad $cgroup/outer/private
mkdir $cgroup/bare; mkdir $cgroup/bare/child
private hold $cgroup/bare/child 2>/dev/null && echo "@no-controller done"
for i in {{1..65}}; do mkdir $cgroup/many$i; done
private hold $cgroup/many{{1..65}} 2>/run/log/many || sed 's/.*: /@limit /' /run/log/many
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
probes() {{ grep -c folio_migrate_flags /sys/kernel/tracing/enabled_functions; }}
# The probes go when no page belongs to a session any more, and come with the next session.
seen=
for i in 1 2 3; do
    holder=$(private hold $cgroup/many1); seen+=$(probes)
    kill -9 $holder
    for ((tries = 0; tries < 400; tries++)); do [[ $(probes) != 0 ]] || break; sleep 0.05; done
    seen+=$(probes)
done
echo "@probes $seen"
for ((i = 1; i <= {rounds}; i++)); do
    ((i % 10)) || mkdir -p $cgroup/round$i
    holder=$(private hold $cgroup/many$((i % 50 + 1)))
    within many$((i % 50 + 1)) private fill 2 1 > /run/log/fill; pid=$!
    ((i % 3)) || wait_for filled /run/log/fill
    kill -9 $holder $pid; wait $pid 2>/dev/null
    ((i != 10)) || first=$(slab)
done
echo "@rounds $((i - 1))"
sleep 0.5
echo "@slab $first $(slab)"
rmdir $cgroup/many* && echo "@groups removed"
unload && echo "@unloaded yes"
insmod /tacet.ko && unload && echo "@again yes"
"""


@pytest.fixture(scope="module")
def swapped(kernel):
    """One guest that swaps private and public memory, and ends the session meanwhile."""
    return start(kernel, "swap", SWAP + END)


def test_plain_swap_shows_everything(swapped):
    """The control of the searches of the disk."""
    assert int(swapped["plain-disk"]) > STAMPS / 2, swapped["output"]
    assert numbers(swapped["fill1"]) == {"right": PAGES, "wrong": 0, "errors": 0}


def test_swap_holds_no_plain_page(swapped):
    assert swapped["swapped"] == "0 0", swapped["output"]
    # The same number of stamps was there as on plain swap.
    assert numbers(swapped["info"])["swapped"] > PAGES / 2, swapped["output"]
    assert numbers(swapped["status"])["public"] > PAGES / 2, swapped["output"]


def test_only_the_swap_code_reads_what_was_swapped(swapped):
    assert swapped["swapped-target"] == "0 0", swapped["output"]


def test_swapped_data_comes_back(swapped):
    for number in (2, 3):
        assert numbers(swapped[f"intact{number}"]) == {"right": PAGES, "wrong": 0, "errors": 0}, swapped["output"]


def test_refuses_what_is_not_swap(swapped):
    assert "second-table" not in swapped and "plain-write" not in swapped, swapped["output"]
    assert numbers(swapped["status"])["refused"] > 0, swapped["output"]


def test_hibernation_is_vetoed(swapped):
    assert "hibernate" not in swapped and "private session" in swapped["veto"], swapped["output"]
    assert swapped["hibernate-afterwards"] == "done", swapped["output"]


def test_swapped_pages_end_with_the_session(swapped):
    private = numbers(swapped["fill4"])
    assert private["errors"] > PAGES / 2 and private["wrong"] == 0, swapped["output"]
    assert numbers(swapped["fill3"]) == {"right": PAGES, "wrong": 0, "errors": 0}, swapped["output"]
    assert numbers(swapped["end-status"])["private"] == 0, swapped["output"]


def test_freed_memory_is_cleared(swapped):
    early, late, public = map(int, swapped["memory"].split())
    assert (early, late) == (0, 0) and public > STAMPS / 10, swapped["output"]


@pytest.fixture(scope="module")
def edges(kernel):
    """One guest where a member and an outsider ask for sockets, and crash."""
    return start(kernel, "edges", EDGES)


def test_members_get_sockets_of_few_families(edges):
    """By number, by io_uring and by the call of 32-bit programs: UNIX, INET, INET6, four protocols of netlink. Vsock shows that the others are there."""
    public, private = attempts(edges["public-sockets"]), attempts(edges["private-sockets"])
    assert public.keys() == private.keys() and len(private) > 150, edges["output"]
    allowed = {f"{way}-{family}-0" for way in ("call", "old-call", "ring") for family in (1, 2, 10, 16)}
    allowed |= {"pair-1-0"} | {f"call-16-{protocol}" for protocol in (0, 4, 15, 16)}
    assert all(private[name] == public[name] for name in allowed), edges["output"]
    assert {private[name] for name in private.keys() - allowed} == {"EAFNOSUPPORT"}, edges["output"]
    assert {public[f"{way}-40-0"] for way in ("call", "old-call", "ring")} == {"done"} == {public["call-16-9"], public["call-16-2"]}, edges["output"]


def test_members_reach_no_socket_of_outside(edges):
    """By path, whichever mount it is on, by name, and without connecting. Their own they reach, those that are allowed, and what they
    were connected to when they came in."""
    every = {"stream", "abstract", "datagram", "unconnected", "before"}
    assert attempts(edges["reach-control"]) == dict.fromkeys(every, "done"), edges["output"]
    assert attempts(edges["reach-outwards"]) == dict.fromkeys(every, "EPERM") | {"before": "done"}, edges["output"]
    assert attempts(edges["reach-own"]) == dict.fromkeys(every, "done") | {"before": "ENOTCONN"}, edges["output"]
    assert attempts(edges["reach-inwards"]) == dict.fromkeys(every, "EPERM") | {"before": "ENOTCONN"}, edges["output"]
    assert attempts(edges["reach-allowed"]) == dict.fromkeys(every, "EPERM") | {"stream": "done", "before": "done"}, edges["output"]
    assert edges["heard"].split() == ["1", "abstract", "2", "before", "1", "datagram", "1", "listening", "1", "stream", "1", "unconnected"], edges["output"]


def test_members_write_to_no_fifo_of_a_read_only_mount(edges):
    """There FIFOs are the outside's. A session's own work."""
    assert edges["fifo"] == "public 1" and edges["own-fifo"] == "own", edges["output"]


def test_members_lock_nothing_of_outside(edges):
    """Others would find it locked: devices, namespaces, processes, the inode behind descriptors without a file, files on a read-only mount.
    What is a session's own can be locked, by flock() and fcntl()."""
    public, private = attempts(edges["locks-public"]), attempts(edges["locks-private"])
    assert set(public.values()) == {"done,done"}, edges["output"]
    assert private == dict.fromkeys(public, "ENOLCK,ENOLCK") | dict.fromkeys(("memory", "pipe", "file", "bound"), "done,done"), edges["output"]


def test_members_wake_nobody_outside(edges):
    """By a futex in a file that both have mapped, the one through an overlay. In one session it works, and outside."""
    assert edges["wakes"] == "1 0 0 1", edges["output"]


def test_crashing_member_leaves_nothing(edges):
    """The handler of cores gets an outsider's, which the kernel's log names, and nothing of a member's, whatever its limits are."""
    assert edges["cores"].split() == ["core-told"] and edges["handled"] == "told", edges["output"]
    named, unnamed = map(int, edges["logged"].split())
    assert named and not unnamed, edges["output"]
    assert edges["ended"] == "139" and edges["unloaded"] == "yes", edges["output"]


def test_watchers_outside_hear_nothing(edges):
    """Of files that a member opens through its overlay, by inotify, fanotify and dnotify. Those of its own session do; an outsider is heard."""
    *_, private, public = edges["news-lower"].split("--")
    assert private.split() == ["outer/private"], edges["output"]
    assert {"inotify", "fanotify", "dnotify"} <= set(public.split()), edges["output"]
    *_, private, public = edges["news-merged"].split("--")
    assert {"inotify", "fanotify"} <= set(private.split()), edges["output"]


def test_refused_member_is_not_named(edges):
    """The log of the kernel names an outsider that breaks its own filter, that Yama or AppArmor refuses something, or that calls wrongly; a
    member never."""
    assert all(int(count) for count in edges["refused-public"].split()) and edges["refused-private"] == "0 0 0 0 0", edges["output"]


def test_sockets_of_members_are_listed_for_nobody(edges):
    """Their names are the program's choice. Members see them, and administrators; outsiders' are seen by all."""
    assert edges["listed-public"] == "0 0 3 3", edges["output"]
    assert edges["listed-outer/private"] == edges["listed-plain"] == "3 3 3 3", edges["output"]


def test_members_have_no_names_outside(edges):
    """In /proc, for other users and other programs of the person's. Members know each other, and administrators all."""
    assert edges["names-outside"].split() == ["private", "private", "(private)"], edges["output"]
    for reader in ("inside", "administrator"):
        assert edges[f"names-{reader}"].split() == ["sleep", "sleep", "(sleep)", "sleep", "unconfined", "timers,timens_offsets,", "sleep", "4711"], edges["output"]
    # Outsiders know each other.
    assert edges["names-own"].startswith("bash sed (cut) head unconfined timers,timens_offsets, tr"), edges["output"]


def test_arguments_of_the_command_line_are_not_seen(edges):
    """Those of a program of another name are."""
    assert edges["arguments-tacet-anna"] == "<>" and edges["arguments-other-anna"] == "</run/other 47111 >", edges["output"]
    assert edges["arguments-tacet-within"] == "</run/tacet 47111 >", edges["output"]


def test_no_member_is_named_when_memory_runs_out(edges):
    """The kernel's log names an outsider that is killed for memory. A member is called "private", wherever it is listed."""
    assert int(edges["killed-public"]) and edges["killed-private"] == "1 0", edges["output"]


@pytest.mark.nightly
def test_key_of_a_store_is_used_by_name_and_never_read(kernel):
    tried = start(kernel, "key", KEY)
    assert tried["without-keyring"] == "ENOKEY" and tried["bad-address"] == "EFAULT", tried["output"]
    assert (tried["named"], tried["two"], tried["found"]) == ("well", "differ", "yes"), tried["output"]
    assert tried["read"] in ("EOPNOTSUPP", "EACCES") and tried["revoked"] in ("EKEYREVOKED", "ENOKEY"), tried["output"]
    assert tried["unloaded"] == "yes", tried["output"]


@pytest.fixture(scope="module")
def removed(kernel):
    """One guest whose session's cgroup is removed while its files are there."""
    return start(kernel, "removed", REMOVED)


def test_pages_outlive_their_cgroup(removed):
    assert "rmdir" not in removed, removed["output"]
    for stage in ("removed", "again"):
        assert removed[f"{stage}-disk"] == "0", removed["output"]
        assert numbers(removed[f"{stage}-info"])["swapped"] > PAGES / 2, removed["output"]
    assert numbers(removed["file2"]) == {"right": PAGES, "wrong": 0, "errors": 0}, removed["output"]
    ended = numbers(removed["ended-file2"])
    assert ended["errors"] > PAGES / 2 and ended["wrong"] == 0, removed["output"]


def test_slots_end_with_the_session(removed):
    found = numbers(removed["kept-status"])
    assert found["private"] == 0 and found["ended"] > PAGES / 2, removed["output"]


def test_discarded_slots_are_nobodys(removed):
    """Each page was written twice, to two slots; of the first the swap code has told that it is free."""
    found = numbers(removed["again-info"])
    assert found["swapped"] < found["written"] * 0.75, removed["output"]


def attempts(text):
    """name=result of each attempt."""
    return dict(item.split("=") for item in text.split())


@pytest.fixture(scope="module")
def access(kernel):
    """One guest where processes of one user try to look into each other."""
    return start(kernel, "access", ACCESS)


def test_outsiders_stay_out(access):
    for allowed in ("control", "inside", "afterwards"):
        assert set(attempts(access[allowed]).values()) == {"done"}, access["output"]
    for refused in ("outside", "other-session"):
        found = attempts(access[refused])
        assert len(found) == 10 and set(found.values()) <= {"EPERM", "EACCES"}, access["output"]


def test_administrator_may_look(access):
    assert attempts(access["administrator"])["ptrace"] == "done", access["output"]


def test_memory_from_before_a_session_is_cleared(access):
    """A process that comes into a session has memory already, as the session's display server does."""
    assert int(access["arrival-inside"]) == 0 and int(access["arrival-outside"]) > 100, access["output"]


def test_stacks_of_members_are_cleared(access):
    """Within five seconds, but for the red zone and holes in frames."""
    outside, inside = map(int, access["stacks"].split())
    assert outside > 1000 and inside < 16, access["output"]


def test_processes_that_outlive_their_session_leave_nothing(access):
    """They end after its descriptor was closed, with messages in their sockets."""
    outside, inside = map(int, access["survivors"].split())
    assert outside > 100 and inside == 0, access["output"]


def test_members_change_nothing_outside(access):
    found = attempts(access["outwards"])
    assert {found[name] for name in ("ptrace", "mem", "vm-writev")} <= {"EPERM", "EACCES"}, access["output"]


@pytest.fixture(scope="module")
def many(kernel):
    """One guest with many sessions, under slab debugging."""
    return start(kernel, "many", MANY, append="slub_debug=FZPU")


REFUSED = {
    "pointer": "EFAULT", "flags": "EINVAL", "reserved": "EINVAL", "no-fd": "EBADF", "not-a-cgroup": "EBADF",
    "root-cgroup": "EINVAL", "short": "EINVAL", "longer": "done", "tail": "E2BIG", "cloexec": "1", "twice": "EBUSY",
    "command": "ENOTTY", "info-pointer": "EFAULT", "info-short": "EINVAL",
    "socket-pointer": "EFAULT", "socket-no-fd": "EBADF", "socket-other-file": "ENOTSOCK", "socket-reserved": "EINVAL", "socket-too-many": "ENOSPC",
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused(many, name):
    assert many[f"bad-{name}"] == REFUSED[name], many["output"]


def test_a_cgroup_without_its_own_controller_is_refused(many):
    assert "no-controller" not in many, many["output"]


def test_probes_come_and_go(many):
    assert many["probes"] == "101010", many["output"]


def test_number_of_sessions_is_limited(many):
    assert many["limit"] == "Too many users", many["output"]


def test_nothing_is_left_of_many(many):
    assert (many["rounds"], many["groups"], many["unloaded"], many["again"]) == (str(ROUNDS), "removed", "yes", "yes"), many["output"]
    first, last = map(int, many["slab"].split())
    assert last - first < 2000, many["output"]
