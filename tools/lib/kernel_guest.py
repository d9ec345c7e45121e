# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one command in the small initramfs: its output to stdout, the kernel's console to stderr, its exit code as ours."""

import argparse
import os
import pathlib
import shlex
import sys
import time

from archive import Archive
from boot import PARAMETERS
from kernel_log import around_first_fault, faults, tail, waiting
from machine import Follower, Machine, follow_until
from qmp import QmpError

STATUS_TIMEOUT, STATUS_DIED, STATUS_FAULT = 124, 125, 99
# A panic prints the stacks of all tasks.
PANIC_SECONDS = 30
# A kernel that runs no program for so long hangs: QEMU's emulation of several processors does that now and then.
SILENT_SECONDS = 120
# The factor by which everything takes longer on this kernel. The guest has it in its environment too.
SLOWNESS = int(os.environ.get("TACET_SLOWNESS", "1"))
# The host may stand still while the guest boots. No module of ours is there yet.
QUIET_BOOT = "rcupdate.rcu_cpu_stall_suppress_at_boot=1"


def parse_arguments():
    """The verb's arguments; what stands after -- is the command."""
    parser = argparse.ArgumentParser(prog="./dev kernel")
    parser.add_argument("--kernel-image", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--initramfs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--disk", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--module", help=argparse.SUPPRESS)
    parser.add_argument("--archive", action="append", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--copy", action="append", default=[], metavar="FILE:DEST")
    parser.add_argument("--append", default="", metavar="KERNEL-ARGUMENTS")
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS")
    parser.add_argument("--count-instructions", action="store_true", help="one processor, 1 ns for each instruction")
    parser.add_argument("--quiet", action="store_true", help="do not show the console unless something fails")
    parser.add_argument("--allow-faults", action="store_true", help="a WARNING or Oops in the log is no failure")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.timeout *= SLOWNESS
    return options


def memory_for(size):
    """QEMU's -m for a guest that is to have `size`: a kernel that keeps account of all its memory takes the same again."""
    return size if SLOWNESS == 1 else f"{int(size[:-1]) * 2}{size[-1]}"


def write_overlay(path, options):
    """The archive that this run adds to the cached initramfs: the module, the copied files and the command."""
    archive = Archive()
    command = options.command[0] if len(options.command) == 1 else shlex.join(options.command)
    archive.add_bytes("/run-command", command.encode() + b"\n")
    if options.module:
        archive.add_path(options.module, "/tacet.ko")
    for item in options.copy:
        source, _, destination = item.partition(":")
        if not destination or not pathlib.Path(source).exists():
            sys.exit(f"--copy {item}: write it as an existing FILE, a colon and the absolute DEST")
        archive.add_path(source, destination)
    archive.write(path)


def start(machine, options):
    """Joins the initramfs with this run's part and starts QEMU."""
    overlay, joined = machine.directory / "overlay.cpio", machine.directory / "initramfs"
    write_overlay(overlay, options)
    with open(joined, "wb") as output:
        for part in (options.initramfs, *options.archive, overlay):
            output.write(pathlib.Path(part).read_bytes())
    machine.start(
        "-kernel", options.kernel_image, "-initrd", str(joined), "-display", "none",
        "-drive", f"file={options.disk},format=raw,if=none,id=disk,snapshot=on", "-device", "virtio-blk-pci,drive=disk",
        "-device", "virtio-rng-pci",
        "-append", f"console=ttyS0 quiet panic=-1 unknown_nmi_panic panic_print=1 {QUIET_BOOT} {PARAMETERS} rdinit=/init TACET_SLOWNESS={SLOWNESS} {options.append}")


def show_tasks(machine, followers):
    """Has a guest that does not end print what each of its tasks waits for. An NMI that nobody expects makes the kernel panic."""
    try:
        machine.qmp.command("inject-nmi")
    except (OSError, QmpError) as error:
        print(f"no NMI: {error}", file=sys.stderr)
        return
    follow_until(lambda: not machine.running(), followers, time.monotonic() + PANIC_SECONDS)


def words(machine):
    """What the guest's first program has said: "up", and at its end "exit STATUS"."""
    line = machine.serial(2)
    return line.read_text().split() if line.exists() else []


def comes_up(machine):
    """Waits until the kernel runs a program, or has ended. No module of ours can be at fault when it does neither, or QEMU ends itself."""
    follow_until(lambda: words(machine) or not machine.running(), [], time.monotonic() + SILENT_SECONDS * SLOWNESS)
    return bool(words(machine)) or not (machine.running() or machine.is_aborted())


def run(machine, options):
    """Follows the guest to its end and returns the status to exit with."""
    deadline = time.monotonic() + options.timeout
    console = Follower(machine.serial(0), sys.stderr.buffer)
    output = Follower(machine.serial(1), sys.stdout.buffer)
    followers = [output] if options.quiet else [console, output]
    ended = follow_until(lambda: not machine.running(), followers, deadline)
    if not ended:
        show_tasks(machine, followers)
    machine.kill()
    answer = words(machine)[1:]
    found = [] if options.allow_faults else faults(machine.console())
    status = int(answer[1]) if answer[:1] == ["exit"] else STATUS_DIED
    if not ended and status == STATUS_DIED:
        status = STATUS_TIMEOUT
    if found and status == 0:
        status = STATUS_FAULT
    explain(machine, options, status, found)
    return status


def explain(machine, options, status, found):
    """Says on stderr why a run failed, with the console around its first fault, or its tail, when it was not shown."""
    if options.quiet and (status or found):
        print(around_first_fault(machine.console()) or tail(machine.console(), 60), file=sys.stderr)
    if status == STATUS_TIMEOUT:
        print(f"the guest was ended after {options.timeout:g} s (--timeout)", *waiting(machine.console()), sep="\n", file=sys.stderr)
    if status == STATUS_DIED:
        print("the guest ended without the command's status\n" + machine.qemu_log(), file=sys.stderr)
    for line in found:
        print(f"kernel log: {line}", file=sys.stderr)


def main():
    """Returns the command's status, or 124 timeout, 125 guest died, 99 fault in the kernel log."""
    options = parse_arguments()
    for is_last in (False, True):
        machine = Machine(memory=memory_for(options.memory), serials=3, counts_instructions=options.count_instructions)
        try:
            start(machine, options)
            if comes_up(machine) or is_last:
                return run(machine, options)
            what = "QEMU ended itself" if machine.is_aborted() else "the kernel hangs"
            print(f"{what} before the kernel ran a program; the guest is started once more\n{machine.qemu_log()}{tail(machine.console())}",
                  file=sys.stderr)
        finally:
            machine.remove()
    return STATUS_DIED


if __name__ == "__main__":
    sys.exit(main())
