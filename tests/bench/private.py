#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of a private session: files, bonnie++, programs, and the start, natively and with each store, in one boot.

The states take turns; medians of all rounds are shown, in seconds (bonnie++: ms for each KiB or operation, nan where it was
too quick to tell), with the ratio to native. "dm-crypt" and "null-cipher" are no sessions: file systems as the disk store's,
on a loop device, encrypted as there and by a cipher that does nothing. What the disk store takes beyond them is Tacet's. "overlay"
is none, either: an overlay over the whole tree, written in memory as the memory store is. The part "large" is bonnie++ with a file half as large again as the machine's memory, which only the stores on disk can hold.
A processor without AES instructions, as this emulation, makes encryption slow. Goals: the memory store not slower than native on
any row, but for small reads at most 1.02 of the overlay; the disk store as dm-crypt, programs 2% on average, a session starts within 200 ms.
"""

import argparse
import collections
import math
import os
import pathlib
import re
import statistics
import sys

from guest import Guest, image_directory

TREE = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["bonnie++", "dmsetup", "gcc", "libc6-dev", "rsync", "zstd"]
WORK = "/usr/local/lib/private_work.py"
STATES = {"native": [], "memory": ["tacet", "run", "--display", "none", "--store", "memory", "--"],
          "disk": ["tacet", "run", "--display", "none", "--store", "disk", "--size", "2G", "--"],
          "dm-crypt": ["env", "HOME=/srv/dm-crypt"], "null-cipher": ["env", "HOME=/srv/null-cipher"],
          "overlay": ["chroot", "--userspec=anna:anna", "/srv/overlay", "env", "HOME=/home/anna"]}
# dm-crypt's table without the devices. The disk store has the same, with a key of its own.
CIPHERS = {"dm-crypt": f"aes-xts-plain64 {'42' * 64}", "null-cipher": "cipher_null-ecb -"}
# Makes a file of 2 GiB a device, encrypts it, and mounts what mkfs makes of it for the disk store.
MOUNT = """set -e
truncate -s 2G /var/tmp/{name}
loop=$(losetup --show --direct-io=on --sector-size 4096 -f /var/tmp/{name})
echo "0 $(blockdev --getsz $loop) crypt {cipher} 0 $loop 0 1 sector_size:4096" | dmsetup create {name}
mkfs.ext4 -q -F -m 0 -E lazy_itable_init=1,nodiscard -O ^resize_inode,^has_journal /dev/mapper/{name}
mkdir /srv/{name}
mount -o noatime,noinit_itable /dev/mapper/{name} /srv/{name}
chown anna: /srv/{name}
"""
OVERLAY = """set -e
mkdir /srv/written /srv/overlay
mount -t tmpfs -o size=50%,huge=within_size written /srv/written
mkdir /srv/written/upper /srv/written/work
mount -t overlay -o lowerdir=/,upperdir=/srv/written/upper,workdir=/srv/written/work overlay /srv/overlay
for folder in proc dev tmp; do mount --bind /$folder /srv/overlay/$folder; done
"""


def parse_arguments():
    """The bench's own arguments."""
    kernels = os.environ["TACET_KERNELS"].split()
    parser = argparse.ArgumentParser(prog="./dev bench private")
    parser.add_argument("--kernel", choices=kernels, default=kernels[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", default="2G", help="the guest's")
    parser.add_argument("--state", action="append", choices=STATES, help="only these (repeatable)")
    parser.add_argument("parts", nargs="*", default=["start", "files", "bonnie", "programs"], help="start, files, bonnie, programs, large")
    return parser.parse_args()


def measure(guest, state, part):
    """name -> seconds of one run as anna. Only root can change its root."""
    line = start_line(STATES[state]) if part == "start" else [*STATES[state], "python3", WORK, part]
    done = guest.run(line, session=state != "overlay", check=True, timeout=3600)
    return {name: float(value) for name, value in re.findall(r"^@row (\S+) (\S+)$", done.stdout, re.MULTILINE)}


def start_line(prefix):
    """Times a program that does nothing, twice: the app has kept a spare place for the first one, and not yet for the second."""
    code = ("import subprocess, sys, time; time.sleep(10)\n"
            "for name in 'start', 'start-again':\n"
            "    began = time.monotonic(); subprocess.run(sys.argv[1:], check=True); print('@row', name, time.monotonic() - began)")
    return ["python3", "-c", code, *prefix, "true"]


def print_table(costs, states):
    """A row for each piece of work, a column with its ratio for each state."""
    print(f"{'':<24}" + "".join(f"{state:>18}" for state in states))
    for name in dict.fromkeys(name for _, name in costs):
        values = [statistics.median(costs[state, name] or [math.nan]) for state in states]
        print(f"{name:<24}" + "".join(f"{value:>11.4f} x{value / values[0]:<5.2f}" for value in values))


def main():
    """Prints the table."""
    options = parse_arguments()
    states = options.state or (["native", "disk", *CIPHERS] if "large" in options.parts else ["native", "overlay", "memory", "disk"])
    costs = collections.defaultdict(list)
    with Guest(options.kernel, desktop="x11", image=image_directory(PACKAGES, "TACET_BENCH_IMAGE"), memory=options.memory) as guest:
        guest.put(TREE / "tests/bench/private_work.py", WORK)
        for name in CIPHERS.keys() & set(states):
            guest.run(MOUNT.format(name=name, cipher=CIPHERS[name]), check=True, timeout=300)
        if "overlay" in states:
            guest.run(OVERLAY, check=True)
        for _ in range(options.rounds):
            for part in options.parts:
                for state in states:
                    for name, value in measure(guest, state, part).items():
                        costs[state, name].append(value)
    print(f"kernel {options.kernel}, {options.rounds} rounds, two emulated processors, {options.memory} of memory")
    print_table(costs, states)


if __name__ == "__main__":
    sys.exit(main())
