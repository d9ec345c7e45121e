# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of labelled files are cleared when they leave the page cache. Files without a label are the control."""

import pytest

from tests.kernel.guest_run import GuestRun

WAYS = ["drop", "advise", "delete", "truncate", "replace", "open", "mapped", "unmount"]
SCRIPT = """
source /guest.sh
insmod /tacet.ko linger_seconds=2 || exit
cd /mnt; mkdir -p /run/tmp; mount -t tmpfs tmpfs /run/tmp; read -r device type < <(awk '$2 == "/mnt" { print $1, $3 }' /proc/mounts)
agent policy 300 500; policy=sensitive; memory policy sensitive
# lose WAY LABEL: makes a file of stamps, takes it out of the page cache, and tells how many were left.
lose() {
    local file=/mnt/$1-$2 tag count; tag=$(memory tag)
    [[ $1 != tmpfs ]] || file=/run/tmp/$1-$2
    memory file $tag $file; [[ $2 == public ]] || agent label $file
    case $1 in
        drop) sync; echo 1 >/proc/sys/vm/drop_caches ;;
        advise) sync; dd if=$file iflag=nocache count=0 2>/dev/null ;;
        delete | tmpfs) rm $file ;;
        truncate) (: >$file) ;;
        replace) echo new >new; mv new $file ;;
        open) (exec 9<>$file; rm $file) ;;
        mapped) hold $file & local pid=$!; until [[ -e mapped ]]; do sleep 0.05; done; rm $file mapped; kill -9 $pid; wait $pid 2>/dev/null ;;
        unmount) cd /; umount /mnt ;;
    esac
    count=$(memory count $tag)
    # A deleted file leaves the page cache once it is overwritten on the disk.
    [[ $2 == public || $policy == off ]] || for i in {1..20}; do [[ ${count// } != 0 ]] || break; sleep 0.5; count=$(memory count $tag); done
    echo "@$1-$2 $count"
    [[ $1 != unmount ]] || mount -t $type $device /mnt; cd /mnt
}
hold() { exec memory hold $1 mapped; }
for way in WAYS tmpfs; do lose $way public; lose $way labelled; done
# In a shell of its own: whoever reads what the program prints has a doppelganger from then on.
tag=$(memory tag); memory file $tag piped; agent label piped; (echo "@pipe $(memory pipe piped)"); sleep 1.5; echo "@piped $(memory count $tag)"
memory file 1 piped; agent label piped; (echo "@pipe-removed $(memory pipe piped removed)")
# It holds for a file that has lost its label, and not without the policy.
tag=$(memory tag); memory file $tag once; agent label once; agent unlabel once; rm once; echo "@unlabelled $(memory count $tag)"
policy=off; memory policy off; lose delete labelled | sed s/delete-labelled/off/; memory policy sensitive
# Files that are read while they shrink.
for i in 1 2 3; do memory file 1 busy; agent label busy; (for j in 1 2 3 4 5 6; do cat busy >/dev/null; done) & (: >busy); rm busy; wait; done 2>/dev/null
# Doppelgangers end a moment after their originals.
for i in {1..5}; do ! unload > /dev/null || break; done; [[ -e /sys/module/tacet ]] || echo "@unloaded yes"
""".replace("WAYS", " ".join(WAYS))


@pytest.fixture(scope="module")
def seen(kernel):
    """One guest in which files leave the page cache; returns the lines that begin with @, as name -> rest."""
    return GuestRun(kernel, "page-cache", memory="512M", timeout=240).told_by(SCRIPT)


@pytest.mark.parametrize("way", [*WAYS, "tmpfs"])
def test_labelled_files_leave_nothing(seen, way):
    assert int(seen[f"{way}-public"]) > 100, seen["output"]
    assert int(seen[f"{way}-labelled"]) == 0, seen["output"]


def test_pages_in_a_pipe_stay_whole(seen):
    """They are cleared when the pipe frees them."""
    assert seen["pipe"] == seen["pipe-removed"] == "0" and int(seen["piped"]) == 0, seen["output"]


def test_scope(seen):
    assert int(seen["unlabelled"]) == 0 and int(seen["off"]) > 100, seen["output"]


def test_module_unloads(seen):
    assert seen["unloaded"] == "yes", seen["output"]
