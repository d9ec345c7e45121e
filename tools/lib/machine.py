# SPDX-License-Identifier: GPL-3.0-or-later
"""One QEMU process: its command line's common part, its run directory, its serial lines, its end."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from qmp import Qmp

QEMU = str(pathlib.Path(__file__).resolve().parent / "qemu")
# Five-level page tables would only slow the emulated boot (by a tenth). Without ERMS, FSRM and FSRS kernel and programs copy and clear by
# words: emulated, `rep movsb` is ten times as slow as that, which it is not on a real processor.
CPU = "max,la57=off,erms=off,fsrm=off,fsrs=off"


class MachineError(RuntimeError):
    """QEMU did not start, or the guest did not do what was waited for."""


def accelerator():
    """QEMU's -accel value: software emulation, unless TACET_ACCELERATOR=kvm asks for the processor's help."""
    chosen = os.environ.get("TACET_ACCELERATOR", "tcg")
    return "kvm" if chosen == "kvm" else "tcg,thread=multi,tb-size=1024"


class Machine:
    """A QEMU with a run directory of its own, so that any number can run at a time.

    Serial lines are files in the run directory: serial0 is the kernel's console, further ones are the caller's.
    `counts_instructions`: one processor, whose clock advances by 1 ns with each instruction, so that times are repeatable.
    """

    def __init__(self, memory="2G", processors=2, serials=1, counts_instructions=False):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="tacet-"))
        self.process = None
        self._qmp = None
        emulation = ["-accel", accelerator(), "-smp", str(processors)]
        if counts_instructions:
            emulation = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1"]
        self.arguments = [
            QEMU, "qemu-system-x86_64", "-M", "q35,sata=off,smbus=off,i8042=off", *emulation,
            "-cpu", CPU, "-m", memory, "-no-user-config", "-nodefaults", "-no-reboot",
            "-qmp", f"unix:{self.directory}/qmp,server=on,wait=off",
        ]
        for number in range(serials):
            self.arguments += ["-chardev", f"file,id=serial{number},path={self.serial(number)}",
                               "-serial", f"chardev:serial{number}"]

    def serial(self, number):
        """The file that receives what the guest writes to serial line `number`."""
        return self.directory / f"serial{number}"

    @property
    def qmp(self):
        """The control connection, opened on first use."""
        if self._qmp is None:
            self._qmp = Qmp(self.directory / "qmp")
        return self._qmp

    def start(self, *more):
        """Starts QEMU with the common arguments and `more`."""
        with open(self.directory / "qemu.log", "wb") as log:
            self.process = subprocess.Popen([*self.arguments, *more], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def running(self):
        """Whether the QEMU process is alive."""
        return self.process is not None and self.process.poll() is None

    def is_aborted(self):
        """Whether QEMU ended itself with an assertion, as its emulation of several processors does now and then while a kernel boots."""
        return self.process is not None and self.process.poll() == -signal.SIGABRT

    def qemu_log(self):
        """The messages of QEMU itself."""
        return (self.directory / "qemu.log").read_text(errors="replace")

    def console(self):
        """The console's text so far."""
        path = self.serial(0)
        return path.read_text(errors="replace").replace("\r", "") if path.exists() else ""

    def wait(self, timeout):
        """Waits for QEMU to end by itself; False when it still runs after `timeout` seconds."""
        try:
            self.process.wait(timeout)
            return True
        except subprocess.TimeoutExpired:
            return False

    def is_before_kernel(self):
        """Whether the first processor is in the firmware, or in the part of the kernel that unpacks it: in ring 0 at a low address."""
        registers = self.qmp.command("human-monitor-command", **{"command-line": "info registers"})
        address, ring = re.search(r"RIP=([0-9a-f]+)", registers), re.search(r"CPL=(\d)", registers)
        return bool(address and ring) and int(address[1], 16) < 1 << 47 and ring[1] == "0"

    def kill(self):
        """Pulls the plug."""
        if self._qmp:
            self._qmp.close()
            self._qmp = None
        if self.running():
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def remove(self):
        """Ends QEMU and removes the run directory. When QEMU ended itself with an assertion, the driver is told."""
        if self.is_aborted() and "TACET_QEMU_ABORTS" in os.environ:
            with open(os.environ["TACET_QEMU_ABORTS"], "a", encoding="utf-8") as told:
                told.write(self.qemu_log())
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)


class Follower:
    """Copies what is appended to a file to a binary stream, when asked."""

    def __init__(self, path, output):
        self._path, self._output, self._file = path, output, None

    def copy(self):
        """Copies what came since the last call; True when there was something."""
        if self._file is None:
            if not self._path.exists():
                return False
            # Closed with the follower.
            self._file = open(self._path, "rb")  # noqa: SIM115
        data = self._file.read()
        if data:
            self._output.write(data)
            self._output.flush()
        return bool(data)


def follow_until(condition, followers, deadline):
    """Copies the followers' files until `condition()` or the deadline (monotonic seconds); returns the condition."""
    while True:
        done = condition()
        for follower in followers:
            follower.copy()
        if done or time.monotonic() > deadline:
            return done
        time.sleep(0.02)
