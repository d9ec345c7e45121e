#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing freed memory costs: programs that are not covered, programs that were chosen, and everything.

Counts the guest's instructions, on one processor. The states take turns: without the module, scope "off", scope "chosen" with none of these
programs, beside a chosen program that has slept for a while, with all of them, and "everything". `fork` starts 150 programs, `sort` sorts 60,000 lines,
`files` copies and removes 400 files, `pipe` moves 24 MiB, `database` fills a table, and `network` sends messages of 1 byte to 64 KiB to and
fro between two processes, by TCP. `build` builds a part of a kernel module with Debian's compiler and headers. Goals: 1.01 for programs that are not covered, 1.02 for pages of those that are.
"""

import argparse
import collections
import os
import re
import shlex
import statistics
import subprocess
import sys

from tests.kernel.guest_run import TREE, GuestRun, build_directory

STATES = ("native", "off", "others", "beside", "chosen", "everything")
WORK = ("fork", "sort", "files", "pipe", "database", "network", "build")
# What building a kernel module takes, from the build chroot. The guest has the C library and make.
COMPILER = """
cd /
version=$(awk -v series={kernel} '$1 == series {{ print $2 }}' etc/tacet-kernels)
gcc=$(realpath "$(gcc -print-prog-name=cc1)")
programs=$(for name in gcc as ld ar nm objcopy objdump strip make; do type -P $name; done)
files=$(for name in $programs $gcc "$(gcc -print-prog-name=collect2)"; do echo $name; ldd $name | grep -oE '/[^ ]+'; done
    ls /usr/bin/x86_64-linux-gnu-{{gcc,as,ld,ar,nm,objcopy,objdump,strip}})
common=usr/src/linux-headers-${{version%-amd64}}-common
tar -c -f {archive} --exclude=dt-bindings $( (ls $files; realpath $files) | sed -E 's#^/(usr/)?#usr/#' | sort -u) usr/lib/linux-kbuild-* \
    $(gcc -print-file-name=include | sed 's#^/##') usr/src/linux-headers-$version $common/{{include,scripts,Makefile,arch/x86}} usr/lib/modules/$version/build
"""
SCRIPT = """
source /guest.sh
mkdir -p /run/work; cd /run/work || exit
mkdir from; for i in {{1..400}}; do head -c 3000 /dev/urandom > from/$i; done
for i in {{1..60000}}; do echo $((i * 7919 % 60013)) line $i; done > lines
do_fork() {{ local i; for i in {{1..150}}; do /usr/bin/env true; done; }}
do_sort() {{ sort -n lines > sorted; rm sorted; }}
do_files() {{ cp -r from to; rm -r to; }}
do_pipe() {{ dd if=/dev/zero bs=64k count=384 2>/dev/null | cat > /dev/null; }}
do_database() {{ sqlite3 :memory: "with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) select count(*) from (select hex(i) h from n order by h)"; }}
cat > network.py << 'END'
import os, socket
listener = socket.create_server(("127.0.0.1", 0))
if not os.fork():
    client = socket.create_connection(listener.getsockname())
    for size in [1, 64, 1024, 4096, 16384, 65536] * 20:
        client.sendall(bytes(size))
        while size:
            size -= len(client.recv(size))
    os._exit(0)
server = listener.accept()[0]
while data := server.recv(65536):
    server.sendall(data)
END
do_network() {{ python3 network.py; }}
tar -x -f /compiler.tar -C / --skip-old-files; mkdir kernel; tar -x -f /module.tar -C kernel
do_build() {{ find kernel -name '*.o' -delete; make -s -C /lib/modules/$(uname -r)/build M=$PWD/kernel base/work.o label/xattr.o memory/owner.o; }}
measure() {{
    local begin=$EPOCHREALTIME
    do_$2 > /dev/null
    echo "@cost $1 $2 $((${{EPOCHREALTIME/./}} - ${{begin/./}}))"
}}
all() {{ bash -c "$(declare -f); for name in {work}; do measure $1 \\$name; done"; }}
programs=$(for name in bash env true sort cp rm dd cat sqlite3 python3 make gcc as; do readlink -f "$(command -v $name)"; done
    realpath "$(gcc -print-prog-name=cc1)")
cp "$(command -v sleep)" sleeper
all warm
for round in {{1..{rounds}}}; do
    all native
    insmod /tacet.ko linger_seconds=0; all off
    memory policy chosen /no/such/program; all others
    memory policy chosen $PWD/sleeper; ./sleeper 100000 & sleep 22; all beside; kill $!
    memory policy chosen $programs; all chosen
    memory policy everything; all everything
    memory policy off; sleep 3
    unload || exit
done
"""


def pack(kernel):
    """Packs compiler and headers, and this module's source; returns the archives."""
    compiler, module = (build_directory() / f"{name}-{kernel}.tar" for name in ("compiler", "module"))
    command = COMPILER.format(kernel=kernel, archive=shlex.quote(str(compiler)))
    subprocess.run([TREE / "dev", "shell", "--", "bash", "-euc", command], check=True)
    subprocess.run(["tar", "-c", "-f", module, "-C", TREE / "kernel", "."], check=True)
    return {compiler: "/compiler.tar", module: "/module.tar"}


def main():
    """0, or 2 when the guest failed."""
    parser = argparse.ArgumentParser(prog="./dev bench clearing")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[-1])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    guest = GuestRun(options.kernel, "clearing", memory="2G", timeout=3000, programs=True, counts_instructions=True,
                     copies=pack(options.kernel))
    guest.run(SCRIPT.format(rounds=options.rounds, work=" ".join(WORK)))
    costs = collections.defaultdict(list)
    for state, name, microseconds in re.findall(r"^@cost (\S+) (\S+) (\d+)\r?$", guest.output, re.MULTILINE):
        costs[state, name].append(int(microseconds))
    if not costs["everything", WORK[-1]]:
        print(guest.output + guest.console, file=sys.stderr)
        return 2
    print(f"kernel {options.kernel}, thousands of instructions natively, and ratios to it; medians of {options.rounds} rounds")
    print(f"{'':10}" + "".join(f"{state:>12}" for state in STATES))
    for name in WORK:
        native, *others = (statistics.median(costs[state, name]) for state in STATES)
        print(f"{name:10}{native:12.0f}" + "".join(f"{other / native:12.3f}" for other in others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
