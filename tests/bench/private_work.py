# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the guest, privately or not: works on files in a new folder of the home directory and prints "@row NAME SECONDS".

usage: private_work.py files|bonnie|large|programs
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

FILES, PER_DIRECTORY = 10_000, 100


def row(name, work):
    """Times a piece of work, as a person would: until it returns."""
    began = time.monotonic()
    work()
    print("@row", name, f"{time.monotonic() - began:.4f}", flush=True)


def paths(folder):
    """The folder of the small files."""
    return [folder / str(number // PER_DIRECTORY) / str(number) for number in range(FILES)]


def create(files):
    """Makes the small files, of 1 to 4 KiB each."""
    for number, path in enumerate(files):
        if number % PER_DIRECTORY == 0:
            path.parent.mkdir()
        path.write_bytes(b"x" * (1024 + number % 3072))


def files(folder):
    """PrivExec's test: 10,000 small files."""
    every = paths(folder)
    row("create-10k", lambda: create(every))
    row("read-10k", lambda: [path.read_bytes() for path in every])
    row("stat-10k", lambda: [path.stat() for path in every])
    row("rewrite-10k", lambda: [path.write_bytes(b"y" * 2048) for path in every])
    row("delete-10k", lambda: shutil.rmtree(folder))


def bonnie(folder, size=256, files="4:4096:512:8"):
    """bonnie++ over so many MiB and files as its -n says, its numbers turned to ms for each KiB, or each operation."""
    words = ["bonnie++", "-q", "-d", folder, "-s", str(size), "-r", str(size // 2), "-n", files, "-m", "guest"]
    if os.geteuid() == 0:
        words += ["-u", "root"]
    line = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip().split(",")
    # bonnie++ 2.00's columns: K/s, or operations a second; "+++++" is too quick to tell.
    for name, column in (("block-write", 11), ("block-rewrite", 13), ("block-read", 17), ("seeks", 19), ("seq-create", 28),
                         ("seq-stat", 30), ("seq-delete", 32), ("random-create", 34), ("random-stat", 36), ("random-delete", 38)):
        if line[column].replace(".", "").isdigit():
            print("@row", f"bonnie-{name}", f"{1000 / float(line[column]):.6f}", flush=True)


def large(folder):
    """bonnie++ over a file half as large again as the machine's memory, and no small files."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    bonnie(folder, memory * 3 // 2, "0")


SOURCE = "#include <stdio.h>\n" + "".join(f"int f{n}(int x) {{ return x * {n} + {n} % (x | 1); }}\n" for n in range(600))
PROGRAMS = {
    "gcc": "gcc -O2 -c -o code.o code.c",
    "tar": "tar -cf doc.tar /usr/share/doc",
    "gzip": "gzip -k -c words >words.gz",
    "zstd": "zstd -q -f words -o words.zst",
    "sort": "sort words >sorted",
    "grep": "grep -rl copyright /usr/share/doc >found || true",
    "python3": "python3 -c 'import json; json.dump(list(range(300000)), open(\"numbers\", \"w\"))'",
    "perl": "perl -ne '$n{length $_}++; END { print scalar keys %n }' words >lengths",
    "sqlite3": "sqlite3 base 'create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000) "
               "insert into t select x, hex(x * x) from c; select count(*) from t where b like \"3%\";' >count",
    "rsync": "rsync -a /usr/share/zoneinfo zones",
    "zip": "zip -q -r zones.zip /usr/share/zoneinfo",
}


def programs(folder):
    """Run times of programs that people have, from start to end."""
    os.chdir(folder)
    pathlib.Path("code.c").write_text(SOURCE)
    pathlib.Path("words").write_text("".join(f"{number * 7919 % 100003} word {number}\n" for number in range(200_000)))
    for name, line in PROGRAMS.items():
        row(name, lambda line=line: subprocess.run(["sh", "-c", line], check=True))


if __name__ == "__main__":
    place = pathlib.Path(tempfile.mkdtemp(dir=pathlib.Path.home()))
    {"files": files, "bonnie": bonnie, "large": large, "programs": programs}[sys.argv[1]](place)
    shutil.rmtree(place, ignore_errors=True)
