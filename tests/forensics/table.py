# SPDX-License-Identifier: GPL-3.0-or-later
"""./dev forensics: what private runs leave on a machine, however they end, beside what the same program leaves when it is not
private, on that machine and on one that does without Tacet."""

import argparse
import collections
import dataclasses
import os
import sys

from guest import Guest
from tests.forensics.runs import ENDS, MISHAPS, Run
from tests.forensics.search import PLACES, Search, count_in_file

# Switches off all that Tacet changes on the machine as a whole.
WITHOUT = "systemd.mask=tacet-swap.service module_blacklist=tacet"
# These kinds are in memory or on disk afterwards. This shows that the search finds them.
FOUND_WITHOUT = {"file", "name", "xattr", "deleted", "link", "heap", "stack", "swap", "shm", "pipe", "bus", "syslog", "x", "clipboard"}


@dataclasses.dataclass
class Findings:
    """Counts of stamps by (place, kind), for each way to run; keys of the private runs and how often they were found."""

    private: collections.Counter
    public: collections.Counter
    without: collections.Counter
    after_power_off: collections.Counter
    keys: int = 0
    keys_left: int = 0
    swapped: int = 0
    faults: list = dataclasses.field(default_factory=list)
    where: list = dataclasses.field(default_factory=list)

    @property
    def kinds(self):
        """All kinds of stamps that were found anywhere."""
        return sorted({kind for counts in (self.private, self.public, self.without) for _, kind in counts})


def by_place(found, seeds):
    """Counter of (place, kind) for runs taken together."""
    counts = collections.Counter()
    for place, counter in found.items():
        for (seed, kind), count in counter.items():
            if seed in seeds:
                counts[place, kind] += count
    return counts


def run_privately(guest, search, way, keys):
    """A private run that ended in the way; adds its keys."""
    run = Run(guest, private=True)
    before = search.keys()
    run.start()
    keys |= search.keys() - before
    run.end(way)
    return run


def cut_power(guest, display):
    """Remains of a private run on the disk after a power cut: (place, kind) -> count. `display`: whether it has one."""
    run = Run(guest, private=True, display=display)
    run.start()
    guest.machine.process.kill()
    guest.machine.process.wait()
    return by_place({"disk": count_in_file(guest.machine.directory / "disk.qcow2", [run.seed])}, {run.seed})


def public_run(guest, ends=True):
    """The same program, not private; `ends`: whether it has ended. One that still runs stays in memory: Tacet encrypts the swap,
    where the search would not see its heap."""
    run = Run(guest, private=False)
    run.start(squeeze=ends)
    if ends:
        run.end()
    return run


def run_without(kernel):
    """What the same program leaves on a machine that does without Tacet: (place, kind) -> count; and the faults in its kernel's log."""
    with Guest(kernel, desktop="x11", append=WITHOUT) as guest:
        run = public_run(guest)
        return by_place(Search(guest).count([run.seed]), {run.seed}), guest.faults()


def measure(kernel, ways, append="", control=True):
    """Findings of runs that end in these ways; `append`: further kernel parameters for the private ones. `control`: the public program
    ends before them, and another one runs on a machine without Tacet, which boots for it. Else the public one still runs when all is
    searched, so that it has every kind of stamp."""
    keys = set()
    with Guest(kernel, desktop="x11", append=append) as guest:
        search = Search(guest)
        public = public_run(guest, ends=control)
        private = [run_privately(guest, search, way, keys) for way in ways]
        keys_left = search.count_keys(keys) if keys else 0
        found = search.count([run.seed for run in (*private, public)])
        left = by_place(found, {run.seed for run in private})
        where = search.where([run.seed for run in private]) if left else []
        faults = guest.faults()
        after_power_off = cut_power(guest, display="suspend" not in ways)
    without, more_faults = run_without(kernel) if control else (collections.Counter(), [])
    return Findings(left, by_place(found, {public.seed}), without, after_power_off,
                    len(keys), keys_left, min(run.swapped for run in private), faults + more_faults, where)


def show(kernel, ways, found):
    """Prints the table."""
    print(f"\nkernel {kernel}: stamps found after private runs / a public one / one on a machine without Tacet")
    print(f"private runs ended by: {', '.join(ways)}")
    print(f"{'':<12}" + "".join(f"{place:>22}" for place in PLACES))
    for kind in found.kinds:
        cells = (f"{found.private[place, kind]} / {found.public[place, kind]} / {found.without[place, kind] if found.without else '-'}" for place in PLACES)
        print(f"{kind:<12}" + "".join(f"{cell:>22}" for cell in cells))
    print(f"power cut during a private run: {sum(found.after_power_off.values())} on the disk")
    print(f"AES-256 keys of the private runs: {found.keys}; copies in memory afterwards: {found.keys_left}")
    print(f"swapped out of each private run: at least {found.swapped >> 20} MiB")
    print(*(f"kernel log: {line}" for line in found.faults), *(f"left privately: {line}" for line in found.where), sep="\n", end="")


def main():
    """Status 1 when something private was found."""
    kernels = os.environ["TACET_KERNELS"].split()
    parser = argparse.ArgumentParser(prog="./dev forensics")
    parser.add_argument("--kernel", action="append", choices=kernels, help="only this series (repeatable)")
    parser.add_argument("--end", action="append", choices=ENDS | MISHAPS, help="only this way to end (repeatable)")
    parser.add_argument("--with-init-on-free", action="store_true",
                        help="with the kernel parameter by which the kernel itself clears all memory of the machine when it is freed")
    options = parser.parse_args()
    append = "init_on_free=1" if options.with_init_on_free else ""
    clean = True
    for kernel in options.kernel or kernels:
        ways = sorted(options.end or ENDS | MISHAPS, key=list(ENDS | MISHAPS).index)
        found = measure(kernel, ways, append)
        print(f"\nwith the parameter {append}" if append else "")
        show(kernel, ways, found)
        if missed := FOUND_WITHOUT - {kind for _, kind in found.without}:
            print(f"the search does not find these, which a machine without Tacet has: {', '.join(sorted(missed))}")
            clean = False
        clean = clean and not (found.private or found.after_power_off or found.keys_left or found.faults)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
