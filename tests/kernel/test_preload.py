# SPDX-License-Identifier: GPL-3.0-or-later
"""The heap library gets into chosen programs, and they notice nothing else of it."""

import pytest

from tests.kernel.guest_run import GuestRun

SCRIPT = """
source /guest.sh
insmod /tacet.ko linger_seconds=2 || exit
umount /mnt; mkdir -p /run/case/lib; mount -t tmpfs tmpfs /run/case; cd /run/case || exit; chmod 755 .
mkdir lib; cp /bin/libtacet-heap.so lib; ln -s libtacet-heap.so lib/libtacet-heap-once.so
for name in chosen second other raised; do cp /bin/begin $name; done; cp /bin/memory static; cp /bin/begin32 thirty-two
chmod u+s raised; printf '#!/run/case/chosen tell\\n' >script; chmod 755 script
export LIBRARY=$PWD/lib/libtacet-heap-once.so
# A program that has a linker of its own, as one that brings an older C library.
mkdir /lib65; cp /lib64/ld-linux-x86-64.so.2 /lib65; sed 's|/lib64/ld-linux|/lib65/ld-linux|' chosen >bringing; chmod 755 bringing
choose() { memory policy chosen $PWD/chosen $PWD/second $PWD/raised $PWD/static $PWD/thirty-two $PWD/bringing; }
# both NAME PREFIX... -- WORD...: tells whether the chosen program begins as the other one does, but for the library.
both() {
    local name=$1 prefix=(); shift
    while [[ $1 != -- ]]; do prefix+=("$1"); shift; done; shift
    "${prefix[@]}" ./other tell "$@" >other.out 2>other.err; local status=$?
    "${prefix[@]}" ./chosen tell "$@" >chosen.out 2>chosen.err
    echo "@status-$name $status $?"
    sed -i 's/chosen/other/' chosen.out; cmp other.out chosen.out >&2 && echo "@$name $(wc -l <chosen.out), $(tr '\\n' ' ' <other.err)then $(tail -n 1 chosen.err)"
}
anna() { setpriv --reuid=1000 --regid=1000 --clear-groups "$@"; }
choose
both plain env -i A=1 B=2 C= -- first 'second one' ''
both empty env -i --
printf 'V%s=value\\n' $(seq 3000) >many; mapfile -t many <many
both many env -i "${many[@]}" -- $(seq 20000)
both shallow prlimit --stack=65536 env -i A=1 -- $(seq 50)
both traced strace -f -o /dev/null env -i A=1 -- word
both own env -i LD_PRELOAD=/none.so A=1 --
both session env -i LD_PRELOAD=$PWD/lib/libtacet-heap.so A=1 --
both user setpriv --reuid=1000 --regid=1000 --clear-groups env -i A=1 --
both inside unshare -Ur env -i A=1 --
echo "@script $(env -i ./script 2>&1 >/dev/null)"
echo "@child $(env -i ./chosen exec ./other tell 2>&1 | tr '\\n' ' ')"
echo "@second $(env -i ./chosen exec ./second tell 2>&1 | tr '\\n' ' ')"
echo "@raised $(anna env -i ./raised tell 2>&1 | tr '\\n' ' ')"
echo "@bringing $(env -i ./bringing tell 2>&1 >/dev/null)"
./static tag >/dev/null; echo "@static $?"; ./thirty-two; echo "@thirty-two $?"
for program in ./chosen ./other; do
    tag=$(memory tag); $program heap $tag met & until [[ -e met ]]; do sleep 0.05; done
    echo "@heap-$program $(memory count $tag)"; rm met; wait
done

chmod 600 lib/libtacet-heap.so; both unreadable setpriv --reuid=1000 --regid=1000 --clear-groups env -i --; chmod 755 lib/libtacet-heap.so
chown 1000 lib/libtacet-heap.so; both foreign env -i --; chown 0 lib/libtacet-heap.so
LIBRARY=$PWD/none.so choose; both missing env -i --
LIBRARY=$PWD/lib choose; both folder env -i --
(unset LIBRARY; choose); both unset env -i --
# Programs that are killed while they begin.
choose
for i in $(seq 200); do env -i "${many[@]:0:500}" ./chosen tell >/dev/null 2>&1 & pid=$!; kill -9 $pid; done 2>/dev/null; wait 2>/dev/null
unload && echo "@unloaded yes"
"""


@pytest.fixture(scope="module")
def seen(kernel):
    """One guest in which programs begin; returns the lines that begin with @, as name -> rest."""
    return GuestRun(kernel, "preload", memory="512M", timeout=240).told_by(SCRIPT)


@pytest.mark.parametrize("name", ["plain", "empty", "many", "shallow", "traced", "user", "inside"])
def test_chosen_programs_load_it(seen, name):
    """Arguments, environment and auxiliary vector are those of the same program that is not chosen."""
    assert seen.get(name, "").endswith("loaded 0 then loaded 1") and seen[f"status-{name}"] == "0 0", seen["output"]


def test_all_words_arrive(seen):
    # One line for each argument and variable, and one for the auxiliary vector.
    assert seen["plain"].startswith("7,") and seen["many"].startswith("23001,"), seen["output"]


@pytest.mark.parametrize("name", ["unreadable", "foreign", "missing", "folder", "unset"])
def test_without_a_library_they_start_as_always(seen, name):
    assert seen.get(name, "").endswith("loaded 0 then loaded 0") and seen[f"status-{name}"] == "0 0", seen["output"]


def test_a_preload_of_their_own_stays(seen):
    assert "then" in seen["own"] and seen["own"].endswith("loaded 0"), seen["output"]
    assert seen["session"].endswith("loaded 1 then loaded 1"), seen["output"]


def test_programs_that_they_start(seen):
    """They are chosen or not for themselves."""
    assert "loaded 0" in seen["child"] and "variable" not in seen["child"], seen["output"]
    assert "loaded 1" in seen["second"] and "variable" not in seen["second"], seen["output"]


def test_programs_that_cannot_load_it(seen):
    assert "loaded 0" in seen["raised"] and "ERROR" not in seen["raised"], seen["output"]
    assert (seen["static"], seen["thirty-two"], seen["script"]) == ("0", "7", "loaded 1"), seen["output"]
    assert seen["bringing"] == "loaded 0", seen["output"]


def test_heap_of_a_living_program(seen):
    assert int(seen["heap-./chosen"]) == 0 and int(seen["heap-./other"]) > 500, seen["output"]


def test_module_unloads(seen):
    assert seen["unloaded"] == "yes", seen["output"]
