#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what clearing freed memory costs: programs that are not covered, programs that were chosen, and everything.

Counts the guest's instructions, on one processor. The states take turns: without the module, scope "off", scope "chosen" with none of these
programs, beside a chosen program that sleeps, with all of them, and "everything". `fork` starts 150 programs, `sort` sorts 60,000 lines,
`files` copies and removes 400 files, `pipe` moves 24 MiB, `database` fills a table, and `network` sends messages of 1 byte to 64 KiB to and
fro between two processes, by TCP. Goals: 1.01 for programs that are not covered, 1.02 for pages of those that are.
"""

import argparse
import collections
import os
import re
import statistics
import sys

from tests.kernel.guest_run import GuestRun

STATES = ("native", "off", "others", "beside", "chosen", "everything")
WORK = ("fork", "sort", "files", "pipe", "database", "network")
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
measure() {{
    local begin=$EPOCHREALTIME
    do_$2 > /dev/null
    echo "@cost $1 $2 $((${{EPOCHREALTIME/./}} - ${{begin/./}}))"
}}
all() {{ bash -c "$(declare -f); for name in {work}; do measure $1 \\$name; done"; }}
programs=$(for name in bash env true sort cp rm dd cat sqlite3 python3; do readlink -f "$(command -v $name)"; done)
cp "$(command -v sleep)" sleeper
all warm
for round in {{1..{rounds}}}; do
    all native
    insmod /tacet.ko linger_seconds=0; all off
    memory policy chosen /no/such/program; all others
    memory policy chosen $PWD/sleeper; ./sleeper 100000 & sleep 1; all beside; kill $!
    memory policy chosen $programs; all chosen
    memory policy everything; all everything
    memory policy off; sleep 3
    unload || exit
done
"""


def main():
    """0, or 2 when the guest failed."""
    parser = argparse.ArgumentParser(prog="./dev bench clearing")
    parser.add_argument("--kernel", choices=os.environ["TACET_KERNELS"].split(), default=os.environ["TACET_KERNELS"].split()[-1])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    guest = GuestRun(options.kernel, "clearing", timeout=1800, programs=True, counts_instructions=True)
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
