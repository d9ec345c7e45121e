# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what doppelgangers cost servers: transfers, throughput and memory, marked under each policy and not marked, in one boot.

--instructions counts the guest's instructions instead, on one processor: "ms" are then millions of them, and the same each time. A
boot takes minutes then.

A client on the other host fetches files of anna's, of 1 KiB to 1 MiB, one after the other (TightLip's figures 3 to 5), then one of
64 KiB by 1 to 64 clients at a time (figures 6 and 7). Shown are medians over the rounds, with the ratio to `unmarked`; and the pages
that only doppelgangers have, for each file that was fetched (table 2). The server starts anew for each policy:

unmarked   the file is not marked
continuous marked, all that differs is allowed: a doppelganger goes on beside the server
scrubbed   marked, the scrubbed copy is sent
takeover   marked, the server goes on with scrubbed data and has no doppelganger from then on (TightLip's optimized swap)
paper      what TightLip says of it, for all three of its policies or (pages) for continuous; it had no nginx
"""

import argparse
import collections
import os
import pathlib
import re
import statistics
import sys

from guest import Guest
from tests.servers.servers import FOLDER, SSH_OPTIONS, WAYS, image
from tests.system.tacet_cli import Tacet

TESTS = pathlib.Path(__file__).resolve().parents[1]
POLICIES = {"unmarked": None, "continuous": "allow", "scrubbed": "scrub", "takeover": "takeover"}
SIZES = [1, 4, 16, 64, 256, 1024]  # KiB
CLIENTS = [1, 4, 16, 64]
CLIENTS_SIZE = 64
HTTP = {"apache": ("apache prefork", "http://10.77.0.1/t/{file}"), "nginx": ("nginx", "http://10.77.0.1:8080/{file}")}
# Clients that fetch one file and open a connection of their own for it.
FETCHES = {"sshd": ("sshd cat", ["ssh", *SSH_OPTIONS.split(), "-p", "2222", "anna@10.77.0.1", "cat", FOLDER + "/{file}"]),
           "nfs": ("nfs-ganesha", ["nfs-cat", "nfs://10.77.0.1/t/{file}?version=4&nfsport=8080&autoreconnect=0"])}
SERVERS = [*HTTP, *FETCHES]
# Prints the seconds of each fetch. The first is left out: it also pays for everything that is started only once.
FETCH_LOOP = """import subprocess, sys, time
for number in range(int(sys.argv[1]) + 1):
    began = time.monotonic()
    got = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=True).stdout
    if number:
        print("@row", time.monotonic() - began, len(got))
"""
# (server, end of the row's name) -> TightLip's figure: "within" in sections 6.1 and 6.2; table 2, which is for 600 files.
PAPER = {("apache", "ms"): "within x1.05", ("sshd", "ms"): "within x1.10", ("nfs", "ms"): "within x1.30",
         ("apache", "requests/s"): "within x0.95", ("apache", "file"): f"{852 / 600:.2f}", ("sshd", "file"): f"{76277 / 600:.2f}",
         ("nfs", "file"): f"{58 / 600:.2f}"}
# KiB that only the doppelgangers have: they are what the module's thread has adopted.
OWN_MEMORY = """adopter=$(pgrep -x tacet_adopter) && for pid in $(pgrep -P "$adopter"); do
    sed -n 's/^Private_Dirty: *\\([0-9]*\\) kB/@own \\1/p' "/proc/$pid/smaps_rollup"
done"""


def parse_arguments():
    """The bench's own arguments."""
    kernels = os.environ["TACET_KERNELS"].split()
    parser = argparse.ArgumentParser(prog="./dev bench servers")
    parser.add_argument("--kernel", choices=kernels, default=kernels[-1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=100, help="for each size; by ssh and NFS a tenth of it")
    parser.add_argument("--instructions", action="store_true", help="count them")
    parser.add_argument("servers", nargs="*", default=SERVERS)
    options = parser.parse_args()
    if set(options.servers) - set(SERVERS):
        parser.error(f"servers are {', '.join(SERVERS)}")
    return options


class Bench:
    """The guest, and what was measured in it."""

    def __init__(self, guest, options):
        self._guest, self._options = guest, options
        self._tacet = Tacet(guest)
        # (server, row, policy) -> values: ms for a transfer, requests a second, KiB.
        self.values = collections.defaultdict(list)

    def prepare(self):
        """Files of random printable lines, each once marked and once not."""
        self._guest.run(f"remote-exec true; pkill -x tacet-app; systemctl stop apache2 nginx lighttpd vsftpd smbd nmbd nfs-ganesha; mkdir -p -m 777 {FOLDER}", check=True)
        for size in SIZES:
            for name in (f"marked-{size}", f"unmarked-{size}"):
                self._guest.run(f"base64 </dev/urandom | head -c {size << 10} >{FOLDER}/{name}", user="anna", check=True)
            self._tacet.label(f"{FOLDER}/marked-{size}")

    def measure(self, server, policy):
        """One round with a server that starts under that policy."""
        way = next(way for way in WAYS if way.name == {**HTTP, **FETCHES}[server][0])
        self._tacet.remove_rules()
        if POLICIES[policy]:
            self._tacet.run("rule", "add", POLICIES[policy], "--any-file", "--any-executable", "--any-host")
        self._guest.run("systemctl stop tacet-server apache2; systemctl reset-failed tacet-server")
        self._guest.run(way.start, check=True)
        self._guest.run(f"for i in $(seq 300); do ss -Hltn sport = :{way.port} | grep -q . && exit; sleep 0.1; done; exit 1", check=True)
        mark = "unmarked" if policy == "unmarked" else "marked"
        for size in SIZES:
            self._note(server, f"{size} KiB, ms", policy, self._transfer(server, f"{mark}-{size}"))
        if server in HTTP:
            for clients in CLIENTS:
                self._note(server, f"{clients} clients, requests/s", policy, self._throughput(server, f"{mark}-{CLIENTS_SIZE}", clients))
        if policy != "unmarked":
            self._note(server, "pages for each file", policy, self._pages(server))
        self._guest.run("systemctl stop tacet-server apache2")

    def _note(self, server, row, policy, value):
        self.values[server, row, policy].append(value)
        print(f"{server}, {policy}, {row}: {value:.2f}", file=sys.stderr, flush=True)

    def _pages(self, server):
        """Pages of the doppelgangers that exist now, divided by the number of fetched files; sshd's live as long as their connection."""
        files = len(SIZES) * self._options.requests + sum(max(self._options.requests, 2 * clients) for clients in CLIENTS)
        if server == "nfs":
            files = len(SIZES) * (self._fetches() + 1)
        if server != "sshd":
            return self._own_pages() / files
        words = ["ssh", *SSH_OPTIONS.split(), "-p", "2222", "anna@10.77.0.1", f"cat {FOLDER}/marked-{CLIENTS_SIZE}; exec sleep 1000"]
        connection = self._guest.popen(words, remote=True)
        assert len(connection.stdout.read(CLIENTS_SIZE << 10)) == CLIENTS_SIZE << 10
        pages = self._own_pages()
        self._guest.run("pkill -x sleep")
        connection.kill()
        connection.communicate()
        return pages

    def _own_pages(self):
        return sum(map(int, re.findall(r"^@own (\d+)$", self._guest.run(OWN_MEMORY).stdout, re.MULTILINE))) / 4

    def _transfer(self, server, file):
        if server in HTTP:
            return float(self._ab(server, file, 1, r"^Time per request: +(\S+) \[ms\] \(mean\)$"))
        fetch = [word.format(file=file) for word in FETCHES[server][1]]
        words = ["python3", "-c", FETCH_LOOP, self._fetches(), *fetch]
        rows = re.findall(r"^@row (\S+) (\d+)$", self._guest.run(words, remote=True, check=True, timeout=600).stdout, re.MULTILINE)
        assert {int(length) for _, length in rows} == {int(file.split("-")[1]) << 10}, rows
        return 1000 * statistics.mean(float(seconds) for seconds, _ in rows)

    def _fetches(self):
        return max(self._options.requests // 10, 1)

    def _throughput(self, server, file, clients):
        return float(self._ab(server, file, clients, r"^Requests per second: +(\S+) "))

    def _ab(self, server, file, clients, pattern):
        url = HTTP[server][1].format(file=file)
        number = max(self._options.requests, 2 * clients)
        text = self._guest.run(["ab", "-q", "-n", number, "-c", clients, url], remote=True, check=True, timeout=600).stdout
        assert re.search(r"^Failed requests: +0$", text, re.MULTILINE) and "Non-2xx" not in text, text
        return re.search(pattern, text, re.MULTILINE).group(1)


def print_table(values, policies):
    """A row for each measure, a column with its ratio to unmarked for each policy."""
    print(f"{'':<44}" + "".join(f"{policy:>20}" for policy in [*policies, "paper"]))
    for server, row in dict.fromkeys((server, row) for server, row, _ in values):
        medians = {policy: statistics.median(values[server, row, policy]) for policy in policies if values.get((server, row, policy))}
        base = medians.get("unmarked")
        cells = [f"{medians[policy]:.2f}" + (f" x{medians[policy] / base:.2f}" if base else "") if policy in medians else "-"
                 for policy in policies]
        cells.append(next((figure for (name, end), figure in PAPER.items() if name == server and row.endswith(end)), "-"))
        print(f"{server + ', ' + row:<44}" + "".join(f"{cell:>20}" for cell in cells))


def main():
    """Prints the table."""
    options = parse_arguments()
    with Guest(options.kernel, desktop="x11", image=image(), counts_instructions=options.instructions) as guest:
        bench = Bench(guest, options)
        bench.prepare()
        for _ in range(options.rounds):
            for server in options.servers:
                for policy in POLICIES:
                    bench.measure(server, policy)
        faults = guest.faults()
    how = "one emulated processor, 1 ns for each instruction," if options.instructions else "two emulated processors"
    print(f"kernel {options.kernel}, {options.rounds} rounds, {how} for server, doppelganger and client")
    print_table(bench.values, list(POLICIES))
    return f"the kernel's log: {faults}" if faults else 0


if __name__ == "__main__":
    sys.exit(main())
