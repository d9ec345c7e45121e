# SPDX-License-Identifier: GPL-3.0-or-later
"""What a labelled file gives up is overwritten on the disk. Files without a label are the control, and what is in use stays whole."""

import pytest

from tests.kernel.guest_run import GuestRun
from thorough import daily

# File system -> the KiB of its disk, and how it is made. Only the larger guest has XFS.
MADE = {"ext4": (16384, "mke2fs -q -t ext4"), "xfs": (327680, "modprobe xfs; mkfs.xfs -q")}
LOST = ["delete", "replace", "unmount", "unknown", "many", "sparse", "open", "link", "links", "frozen"]
# What is kept of the file by each way that gives up a part of it, of 16 KiB at the beginning.
SHORTENED = {"opened": ":", "name": "head -c 16384", "descriptor": "head -c 16384", "punch": "tail -c +16385", "zero": "tail -c +16385",
             "mapped": "tail -c +16385"}
SCRIPT = """
source /guest.sh
insmod /tacet.ko || exit
modprobe brd rd_nr=1 rd_size=SIZE; MAKE /dev/ram0; mkdir /disk; mount /dev/ram0 /disk; cd /disk
memory policy sensitive
# make NAME LABEL: a file of 1,000 words that occur nowhere else, on the disk.
make() { word=word-$1-$2-$RANDOM$RANDOM; file=/disk/$1-$2; yes $word | head -n 1000 >$file; cp $file /run/copy; sync; [[ $2 == public ]] || agent label $file; }
# left: how many of the words are on the disk.
left() { sync; echo 3 >/proc/sys/vm/drop_caches; tr -d '\\000' </dev/ram0 | grep -a -o $word | wc -l; }
# The shell reads no labelled file itself: it would have a doppelganger.
same() { (cmp -s $1 /run/copy) && echo same; }
# settle LABEL: waits until a labelled file is overwritten, for some ten seconds at most.
settle() { local i; sleep 0.7; [[ $1 == labelled ]] && for i in {1..10}; do [[ $(left) != 0 ]] || break; sleep 0.7; done; }
again() { cd /; umount /disk || return; mount /dev/ram0 /disk; cd /disk; }
lose() {
    make $1 $2
    case $1 in
        delete) rm $file ;;
        replace) echo new >new; mv new $file ;;
        unmount) rm $file; cd /; umount /disk || return; echo "@$1-$2 $(left)"; mount /dev/ram0 /disk; cd /disk; return ;;
        unknown) again || return; rm $file ;;
        many) mkdir several; for i in {1..40}; do cp $file several/$i; done; [[ $2 == public ]] || agent label several/*; sync; rm -r several $file ;;
        sparse) truncate -s 200G $file; yes $word | head -n 1000 | dd of=$file bs=1M seek=100k conv=notrunc 2>/dev/null; sync; rm $file ;;
        open) (exec 9<>$file; rm $file; sleep 1; echo "@$1-$2-held $(left) $(same /proc/self/fd/9)") ;;
        link) ln $file other; rm $file; again || return; echo "@$1-$2-held $(left) $(same other)"; rm other ;;
        links) ln $file other; rm $file other ;;
        frozen) rm $file; fsfreeze --freeze /disk; sleep 1; fsfreeze --unfreeze /disk ;;
    esac
    settle $2; echo "@$1-$2 $(left)"
}
for way in LOST; do lose $way public; lose $way labelled; done
# part WAY LABEL KEPT...: says how many of the words are on the disk, and how many the file should have.
part() {
    make $1 $2; ${@:3} </run/copy >/run/kept
    if [[ $1 == opened ]]; then : >$file; else shorten $1 $file || return; fi
    echo "@$1-$2 $(left) $(grep -c $word /run/kept) $( (tr -d '\\000' <$file | cmp -s - /run/kept) && echo same)"; rm $file; sleep 0.3
}
PARTS
# Whoever may not remove it changes nothing.
mkdir -m 1777 sticky; make refused labelled; mv $file sticky/file; echo anna:x:1000:1000::/:/bin/sh >>/etc/passwd; su anna -c "rm -f $PWD/sticky/file" 2>/dev/null
sleep 1; echo "@refused $(left) $(same sticky/file)"
su anna -c "truncate -s 0 $PWD/sticky/file; : >>$PWD/sticky/file" 2>/dev/null; echo "@refused-truncation $(left) $(same sticky/file)"
make collapse labelled; shorten collapse $file 2>/dev/null; echo "@collapse $(left) $(same $file)"; rm $file; sleep 1
make immutable labelled; shorten immutable $file && echo "@immutable $(left) $(same $file)" || echo "@immutable $(left) truncated"
memory policy off; make off labelled; rm $file; sleep 1; echo "@off $(left)"; memory policy sensitive
make unload labelled; (exec 9<>$file; rm $file; sleep 5; echo "@open-while-unloaded $(same /proc/self/fd/9)") & sleep 0.5
for i in {1..5}; do ! unload >/dev/null || break; done; [[ -e /sys/module/tacet ]] || echo "@unloaded yes"
wait
""".replace("LOST", " ".join(LOST)).replace(
    "PARTS", "\n".join(f"part {way} {label} {kept}" for way, kept in SHORTENED.items() for label in ("public", "labelled")))


@pytest.fixture(scope="module", params=daily(MADE, "ext4"))
def seen(kernel, request):
    """One guest in which files are removed; returns the lines that begin with @, as name -> rest."""
    size, make = MADE[request.param]
    # The sanitized kernel has the driver built in, so that modprobe cannot set its size.
    run = GuestRun(kernel, f"erase-{request.param}", append=f"brd.rd_size={size}", memory="1G", timeout=480, programs=request.param == "xfs")
    return run.told_by(SCRIPT.replace("SIZE", str(size)).replace("MAKE", make))


@pytest.mark.parametrize("way", LOST)
def test_nothing_is_left_on_the_disk(seen, way):
    assert int(seen[f"{way}-public"]) >= 500, seen["output"]
    assert int(seen[f"{way}-labelled"]) == 0, seen["output"]


@pytest.mark.parametrize("way", ["open", "link"])
def test_what_is_in_use_stays(seen, way):
    assert seen[f"{way}-labelled-held"] == "1000 same", seen["output"]


@pytest.mark.parametrize("way", SHORTENED)
def test_what_a_file_gives_up_is_not_left(seen, way):
    left, kept, *same = seen[f"{way}-public"].split()
    assert int(left) >= int(kept) + 300 and same, seen["output"]
    left, kept, *same = seen[f"{way}-labelled"].split()
    # A word that lies in two places of the disk is not found.
    assert int(left) <= int(kept) and same, seen["output"]


@pytest.mark.parametrize("try_", ["refused", "refused-truncation", "collapse"])
def test_what_is_refused_changes_nothing(seen, try_):
    assert seen[try_] == "1000 same", seen["output"]


def test_immutable(seen):
    # XFS truncates such a file for whoever had opened it before.
    assert seen["immutable"] in ("1000 same", "0 truncated"), seen["output"]


def test_policy_off(seen):
    assert int(seen["off"]) >= 500, seen["output"]


def test_module_unloads_meanwhile(seen):
    assert seen["unloaded"] == "yes" and seen["open-while-unloaded"] == "same", seen["output"]
