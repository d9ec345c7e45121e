# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests of other projects come to the same results in programs that are watched, and in programs that have a doppelganger.

For `./dev catalogue torture`; the table goes to out/torture-KERNEL.txt. In an image of its own."""

import json
import pathlib
import subprocess

import pytest

from guest import LIBRARY, Guest, image_directory
from tests.system.tacet_cli import Tacet
from tests.torture.suites import PLACE, SUITES, packages

HERE = pathlib.Path(__file__).resolve().parent
NEWEST_KERNEL_ONLY = True
OUT = HERE.parents[1] / "out"
MODES = ("plain", "watched", "paired")
# A case whose results differ is run again this many times, so that chance does not count as a difference.
AGAIN = 2


@pytest.fixture(scope="module")
def machine(kernel):
    """The guest for all tests; its kernel log must stay clean."""
    image = image_directory(packages(), "TACET_TORTURE_IMAGE")
    printed = subprocess.run([LIBRARY / "print-sources", *(suite.source for suite in SUITES if suite.source)],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    sources = pathlib.Path(printed.split()[-1])
    with Guest(kernel, desktop="x11", image=image, memory="4G") as guest:
        guest.run("pkill -x tacet-app")
        guest.put(HERE / "in_guest", PLACE)
        for suite in SUITES:
            if suite.source:
                guest.put(sources / suite.source, f"{PLACE}/{suite.source}")
        for program in ("recho", "zecho", "printenv", "xcase", "read_marked.so"):
            guest.put(sources / "built" / program, f"{PLACE}/{program}")
        # Perl's own tests look for its modules beside them.
        guest.run(f"cd {PLACE}; ln -s /usr/bin/perl perl/t/perl; rm -rf perl/lib; mkdir perl/lib; cp -rsn /usr/share/perl/5.40/. "
                  "/usr/lib/x86_64-linux-gnu/perl/5.40/. perl/lib/; chown -R anna: .; "
                  "for i in $(seq 100); do echo \"anna,$i,secret\"; done > marked; chown anna: marked", check=True)
        tacet = Tacet(guest)
        tacet.label(f"{PLACE}/marked")
        tacet.run("rule", "add", "allow")
        yield guest
        guest.check_kernel_log()


@pytest.fixture(scope="module")
def table(kernel):
    """Adds lines to the table."""
    path = OUT / f"torture-{kernel}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"kernel {kernel}\n")

    def add(*lines):
        with path.open("a") as file:
            file.writelines(line + "\n" for line in lines)

    return add


def run(guest, suite, mode, cases):
    """name -> (status, digest of the output) of each case."""
    commands = {case: suite.command.format(case=case) for case in cases}
    guest.write("/run/cases", json.dumps(commands))
    guest.run("rm -f /run/results; install -o anna /dev/null /run/results")
    guest.run(f"python3 {PLACE}/run_cases.py {mode} {suite.seconds} /run/cases /run/results", user="anna",
              timeout=60 + len(cases) * suite.seconds, check=True)
    return {case: tuple(result) for case, result in json.loads(guest.run("cat /run/results", check=True).stdout).items()}


def agrees(result, plain):
    """Whether a result is one of those without Tacet. The output counts where it is the same in all of these."""
    if len({output for _, output in plain}) > 1:
        return result[0] in {status for status, _ in plain}
    return result in plain


def test_paired_programs_have_doppelgangers(machine):
    """Else the comparison below would say nothing."""
    count = "sleep 9 >/dev/null 2>&1 & sleep 3; pgrep -P $(pgrep -x tacet_adopter) | wc -l; kill %1"
    assert int(machine.run(count).stdout) == 0
    assert int(machine.run(f"LD_PRELOAD={PLACE}/read_marked.so {count}").stdout) == 1


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_suite(machine, table, suite):
    """No case has, each time, another result than without Tacet, but for those that are declared."""
    cases = machine.run(f"cd {PLACE}; {suite.listing}", check=True).stdout.split()
    results = {mode: run(machine, suite, mode, cases) for mode in MODES}
    repeated = run(machine, suite, "plain", cases)
    plain = {case: {result, repeated[case]} for case, result in results["plain"].items()}
    differing, once = {}, {}
    for mode in MODES[1:]:
        suspects = once[mode] = [case for case in cases if not agrees(results[mode][case], plain[case])]
        for _ in range(AGAIN):
            for case, result in run(machine, suite, "plain", suspects).items():
                plain[case].add(result)
            again = run(machine, suite, mode, suspects)
            suspects = [case for case in suspects if not agrees(results[mode][case], plain[case]) and not agrees(again[case], plain[case])]
        differing[mode] = {case: suite.declared.get(case) for case in suspects}
    passed = sum(status == 0 for status, _ in results["plain"].values())
    compared = sum(len({output for _, output in of_case}) == 1 for of_case in plain.values())
    table(f"{suite.name}: {len(cases)} cases, {passed} passed without Tacet; the output of {compared} is always the same, and is compared")
    for mode, suspects in differing.items():
        table(f"  {mode}: {len(suspects)} with another result each time",
              *(f"    {case}: {results[mode][case]} instead of {', '.join(map(str, plain[case]))} ({reason or 'not declared'})"
                for case, reason in suspects.items()),
              f"  {mode}: {len(set(once[mode]) - set(suspects))} with another result once",
              *(f"    {case}: {results[mode][case]}" for case in once[mode] if case not in suspects))
    assert len(cases) > 50 and passed > len(cases) / 3, (len(cases), passed)
    assert all(all(suspects.values()) for suspects in differing.values()), differing
