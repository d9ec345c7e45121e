# SPDX-License-Identifier: GPL-3.0-or-later
"""Boots the image, and keeps the state of a booted machine so that the next start takes seconds instead of half a minute.

A state is a frozen disk (qcow2 over the image) and QEMU's migration stream; every run gets its own overlay over the disk.
"""

import fcntl
import os
import shutil
import socket
import subprocess
import sys
import time

from boot import AS_DEBIAN, PARAMETERS
from kernel_log import around_first_fault, tail
from machine import CPU, QEMU, Machine, MachineError
from ssh import Ssh

READY_MARK = {None: "system-ready", "x11": "desktop-ready", "wayland": "desktop-ready"}

MEMORY = "2G"
# fbcon: no text console on the screen. virtio-gpu warns when that is drawn after a reboot has broken its queue (virtio_dev_shutdown()).
KERNEL_ARGUMENTS = f"root=/dev/vda rw console=ttyS0 fbcon=map:1 loglevel=5 net.ifnames=0 {PARAMETERS} panic=-1"


# A kernel that is silent for so long before it starts systemd hangs: QEMU's emulation of several processors does that now and then.
SILENT_SECONDS = 90


class SilentKernel(MachineError):
    """The kernel hangs, or QEMU ends itself, before any program runs, so that no module of ours can be at fault."""


class GuestMachine(Machine):
    """A Machine with the image's devices; its second serial line carries the marks that tell what is up."""

    def _is_before_systemd(self):
        """Whether no program but the kernel has spoken on the console."""
        return "systemd" not in self.console()

    def ready_marks(self):
        """The marks that the guest has written so far."""
        path = self.serial(1)
        return path.read_text(errors="replace").split() if path.exists() else []

    def wait_ready(self, desktop, timeout, seen=()):
        """Waits for the mark that the system, or the desktop, is up; only marks after those in `seen` count."""
        wanted = {"system-ready", READY_MARK[desktop]}
        end = time.monotonic() + timeout
        said, heard = 0, time.monotonic()
        while not wanted <= set(self.ready_marks()[len(seen):]):
            size = self.serial(0).stat().st_size if self.serial(0).exists() else 0
            if size != said:
                said, heard = size, time.monotonic()
            if time.monotonic() > heard + SILENT_SECONDS and self._is_before_systemd():
                raise SilentKernel(f"the kernel is silent for {SILENT_SECONDS} s\n" + tail(self.console()))
            if self.is_aborted() and self._is_before_systemd():
                raise SilentKernel("QEMU ended itself\n" + self.qemu_log())
            if not self.running() or "desktop-failed" in self.ready_marks()[len(seen):]:
                raise MachineError("the guest or its desktop ended while starting\n" + self.qemu_log() + tail(self.console()))
            if time.monotonic() > end:
                raise MachineError(f"the guest is not up after {timeout} s\n" + tail(self.console()))
            time.sleep(0.05)


def free_port():
    """A loopback port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def overlay(path, backing, backing_format):
    """Makes a qcow2 file that holds only what differs from `backing`."""
    subprocess.run([QEMU, "qemu-img", "create", "-q", "-f", "qcow2", "-b", str(backing), "-F", backing_format, str(path)], check=True)


def device_arguments(image, kernel, desktop, disk, window, append):
    """QEMU's arguments for the image's devices, the same for a boot and for a resumed state; and the ssh port."""
    port = free_port()
    session = f"systemd.wants=session-{desktop}.service" if desktop else ""
    return [
        "-kernel", f"{image}/vmlinuz-{kernel}", "-initrd", f"{image}/initrd-{kernel}",
        "-append", f"{KERNEL_ARGUMENTS} {session} {append}",
        "-drive", f"file={disk},format=qcow2,if=none,id=disk,cache=unsafe,discard=unmap", "-device", "virtio-blk-pci,drive=disk",
        "-netdev", f"user,id=network,hostfwd=tcp:127.0.0.1:{port}-:22", "-device", "virtio-net-pci,netdev=network",
        "-device", "virtio-vga,xres=1280,yres=800", "-device", "virtio-tablet-pci", "-device", "virtio-keyboard-pci",
        "-device", "virtio-rng-pci", "-display", "gtk" if window else "none",
    ], port


def boot(image, kernel, desktop, timeout, **more):
    """As boot_once(), and once more when the guest does not get as far as its first program."""
    try:
        return boot_once(image, kernel, desktop, timeout, **more)
    except SilentKernel as error:
        print(f"the machine is started once more: {error}", file=sys.stderr)
        return boot_once(image, kernel, desktop, timeout, **more)


def boot_once(image, kernel, desktop, timeout, window=False, append="", disk=None, memory=MEMORY, counts_instructions=False):
    """Boots the image and waits until it is up; returns the machine and the port of its ssh server."""
    machine = GuestMachine(memory=memory, serials=2, counts_instructions=counts_instructions)
    try:
        if disk is None:
            disk = machine.directory / "disk.qcow2"
            overlay(disk, image / "root.raw", "raw")
        arguments, port = device_arguments(image, kernel, desktop, disk, window, append)
        machine.start(*arguments)
        machine.wait_ready(desktop, timeout)
        return machine, port
    except BaseException:
        machine.remove()
        raise


def open_state(image, kernel, desktop, timeout, window=False, memory=MEMORY):
    """Resumes the saved state of this kind of machine, making it when there is none; as boot() returns."""
    state = prepare_state(image, kernel, desktop, timeout, memory)
    machine = GuestMachine(memory=memory, serials=2)
    try:
        disk = machine.directory / "disk.qcow2"
        overlay(disk, state / "disk.qcow2", "qcow2")
        arguments, port = device_arguments(image, kernel, desktop, disk, window, "")
        machine.start(*arguments, "-incoming", f"exec:cat {state}/memory")
        end = time.monotonic() + timeout
        while machine.qmp.command("query-status")["status"] == "inmigrate":
            if time.monotonic() > end:
                raise MachineError("the saved state does not load; remove " + str(state) + "\n" + machine.qemu_log())
            time.sleep(0.02)
        machine.qmp.command("cont")
        return machine, port
    except BaseException:
        machine.remove()
        raise


def prepare_state(image, kernel, desktop, timeout, memory):
    """The directory of the saved state; makes it under a lock, so that parallel runs boot only once."""
    version = subprocess.run([QEMU, "qemu-system-x86_64", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[3]
    size = ("" if memory == MEMORY else f"-{memory}") + "-debian" * AS_DEBIAN
    state = image / "states" / f"{kernel}-{desktop or 'server'}-{version}-{CPU.replace(',', '-')}{size}"
    if not state.exists():
        state.parent.mkdir(exist_ok=True)
        with open(f"{state}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not state.exists():
                make_state(image, kernel, desktop, timeout, state, memory)
    return state


def make_state(image, kernel, desktop, timeout, state, memory):
    """Boots, lets the machine come to rest, saves memory and disk, and puts both in place at once."""
    partial = state.with_name(state.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    overlay(partial / "disk.qcow2", image / "root.raw", "raw")
    machine, port = boot(image, kernel, desktop, timeout, disk=partial / "disk.qcow2", memory=memory)
    try:
        warm_up(machine, image, port, timeout)
        time.sleep(3 if desktop else 1)
        found = around_first_fault(machine.console())
        if found:
            raise MachineError("the kernel log is not clean after the boot\n" + found)
        save_memory(machine, partial / "memory", timeout)
    finally:
        machine.remove()
    os.rename(partial, state)


def warm_up(machine, image, port, timeout):
    """Brings into memory what every run needs first."""
    ssh = Ssh(machine.directory, image / "key", port)
    ssh.wait(timeout)
    for line in ("remote-exec true; python3 -c pass; tar --version; date; dmesg | tail -n 1; sync", "true"):
        subprocess.run(ssh.arguments(line), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=timeout, check=True)
        ssh.close()


def save_memory(machine, path, timeout):
    """Stops the machine and writes its migration stream; the disk is complete when QEMU has ended."""
    qmp = machine.qmp
    qmp.command("stop")
    qmp.command("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
    qmp.command("migrate", uri=f"exec:cat >{path}")
    end = time.monotonic() + timeout
    while True:
        status = qmp.command("query-migrate").get("status")
        if status == "completed":
            break
        if status in ("failed", "cancelled") or time.monotonic() > end:
            raise MachineError(f"saving the machine's state: {status}")
        time.sleep(0.05)
    qmp.command("quit")
    machine.wait(60)
