# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches a guest from outside for what a program left: its whole physical memory, its disk with the swap on it; and from inside
the journal and the people's homes."""

import collections
import hashlib
import mmap
import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
PLACES = ("memory", "disk", "journal", "homes")


def prefix(seed):
    """How each stamp of a run begins, as leave_stamps.py makes them."""
    return hashlib.sha256(seed.encode()).hexdigest()[:16]


def count_in(image, seeds):
    """Counter of (seed, kind) in what is read from `image`, bytes or a map of a file."""
    names = {prefix(seed).encode(): seed for seed in seeds}
    # A stamp whose end something else has overwritten has no kind.
    pattern = re.compile(b"(" + b"|".join(names) + b")-([a-z][a-z-]{8})?")
    return collections.Counter((names[match[1]], (match[2] or b"part").decode().rstrip("-")) for match in pattern.finditer(image))


def count_in_file(path, seeds):
    """The same for a file, however large."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
        return count_in(image, seeds)


def save_memory(guest, path):
    """Writes the guest's physical memory to a file while the guest stands still. With 2 GiB all of it begins at address 0."""
    qmp = guest.machine.qmp
    qmp.command("stop")
    try:
        size = qmp.command("query-memory-size-summary")["base-memory"]
        qmp.command("pmemsave", val=0, size=size, filename=str(path))
    finally:
        qmp.command("cont")


class Search:
    """Looks for the stamps of some runs in a guest."""

    def __init__(self, guest):
        self.guest = guest
        self.image = guest.machine.directory / "memory"

    def count(self, seeds):
        """Place -> Counter of (seed, kind)."""
        # Pages that wait to be written would reach the disk some time, so they count.
        self.guest.run("sync", check=True)
        found = {"journal": self._count_printed("journalctl --no-pager -a -o export", seeds),
                 "homes": self._count_printed("find /home /root /tmp /var /run /dev/shm -xdev -printf '%p %l\\n' -type f"
                                              " -exec getfattr -d --absolute-names {} + -exec grep -ahoE '[0-9a-f]{16}-[a-z]+' {} +"
                                              " 2>/dev/null", seeds)}
        # The image and the states below the disk are older than the runs.
        found["disk"] = count_in_file(self.guest.machine.directory / "disk.qcow2", seeds)
        save_memory(self.guest, self.image)
        found["memory"] = count_in_file(self.image, seeds)
        self.image.unlink()
        return found

    def where(self, seeds):
        """The people's files and names of files with these stamps, with what is around: lines to read."""
        names = "|".join(map(prefix, seeds))
        line = (f"find /home /root /tmp /var /run /dev/shm -xdev -printf '%p %l\\n' | grep -E '{names}'; "
                f"grep -arsoE '.{{0,80}}({names}).{{0,40}}' /home /root /tmp /var /run /dev/shm")
        return self.guest.run(line).stdout.splitlines()

    def _count_printed(self, line, seeds):
        # The output goes to this machine, so that printing leaves no more stamps in the guest's memory.
        printed = subprocess.run(self.guest.ssh_arguments(line), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, timeout=600)
        return count_in(printed.stdout, seeds)

    def keys(self):
        """The AES-256 keys whose schedules are in the guest's memory, as hexadecimal."""
        save_memory(self.guest, self.image)
        done = subprocess.run([aes_schedules(), self.image], stdout=subprocess.PIPE, text=True, check=True)
        self.image.unlink()
        return {line.split()[1] for line in done.stdout.splitlines()}

    def count_keys(self, keys):
        """How often these keys are anywhere in memory, with or without a schedule."""
        save_memory(self.guest, self.image)
        with open(self.image, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as image:
            pattern = re.compile(b"|".join(re.escape(bytes.fromhex(key)) for key in keys), re.DOTALL)
            found = sum(1 for _ in pattern.finditer(image))
        self.image.unlink()
        return found


def aes_schedules():
    """The program that finds keys, compiled in the build chroot when it is older than its source."""
    source = HERE / "aes_schedules.c"
    program = pathlib.Path(os.environ["TACET_BUILD"]) / "aes_schedules"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([TREE / "dev", "shell", "--", "gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source],
                       check=True)
    return program
