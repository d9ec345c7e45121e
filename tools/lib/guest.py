# SPDX-License-Identifier: GPL-3.0-or-later
"""A Debian 13 guest with Tacet installed: start, commands, files, input, pictures, reboot, end.

    with Guest(kernel="6.12", desktop="x11") as guest:
        guest.run(["tacet", "status"], check=True)
        guest.run("tacet label add ~/Documents/a.csv", user="anna", session=True)
        guest.screenshot("out/a.png")
        guest.check_kernel_log()

A guest starts from a saved state of the booted machine (made on first use, kept beside the image), unless `cold=True`.
In the guest: root and the people `anna` (1000, password anna, the desktop's) and `bela` (1001); a second host `remote`
(10.77.0.2; also `remote6`, fd77::2), where `remote=True` runs commands; this machine is 10.77.0.1 and fd77::1 for it.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import time

from guest_input import Input
from kernel_log import around_first_fault
from kernel_log import faults as find_faults
from machine import MachineError
from saved_state import boot, open_state
from ssh import Ssh

LIBRARY = pathlib.Path(__file__).resolve().parent
# How much slower a busy machine may be. Bounds end what would wait for ever, and are for a quiet machine: each is multiplied by it.
SLOWEST = 4 * int(os.environ.get("TACET_SLOWNESS", "1"))


def image_directory(packages=(), variable="TACET_IMAGE"):
    """The image to use: the one named in the environment, or the one that the driver prepares from out/*.deb and Debian's packages."""
    if not os.environ.get(variable):
        done = subprocess.run([LIBRARY / "print-image", *packages], stdout=subprocess.PIPE, text=True, check=True)
        os.environ[variable] = done.stdout.strip()
    return pathlib.Path(os.environ[variable])


class Guest(Input):
    """One running machine. `kernel` is a series ("6.12", "7.2"), `desktop` None, "x11" or "wayland", `memory` as QEMU takes it,
    `counts_instructions` as in Machine."""

    def __init__(self, kernel="6.12", desktop=None, cold=False, image=None, window=False, append="", memory="2G",
                 counts_instructions=False):
        self.kernel, self.desktop, self.cold, self.append = kernel, desktop, cold or bool(append) or counts_instructions, append
        self.image = pathlib.Path(image) if image else image_directory()
        self.counts_instructions = counts_instructions
        self.window, self.memory = window, memory
        self.machine = None
        self._ssh = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    # --- life ---

    def start(self, timeout=300):
        """Starts the machine and waits, `timeout` seconds times SLOWEST at most, until commands can run (and the tray is there)."""
        timeout *= SLOWEST
        started = time.monotonic()
        if self.cold:
            self.machine, port = boot(self.image, self.kernel, self.desktop, timeout, window=self.window, append=self.append,
                                      memory=self.memory, counts_instructions=self.counts_instructions)
        else:
            self.machine, port = open_state(self.image, self.kernel, self.desktop, timeout, window=self.window, memory=self.memory)
        try:
            self._ssh = Ssh(self.machine.directory, self.image / "key", port)
            self._ssh.wait(timeout)
            self.run(["date", "-u", "-s", f"@{time.time():.3f}"], check=True, timeout=60)
        except Exception:
            self.kill()
            raise
        self.start_seconds = time.monotonic() - started
        return self

    def reboot(self, timeout=300):
        """Restarts the guest's system in an orderly way and waits until it is up again."""
        self._restart(lambda: self.run("systemctl reboot --no-block", timeout=60), timeout)

    def reset(self, timeout=300):
        """Resets the machine as a power failure does: nothing is synced; then waits until it is up again."""
        self._restart(lambda: self.machine.qmp.command("system_reset"), timeout)

    def _restart(self, act, timeout):
        timeout *= SLOWEST
        seen = self.machine.ready_marks()
        self._ssh.close()
        self.machine.qmp.command("set-action", reboot="reset")
        act()
        self._ssh.close()
        try:
            self.machine.wait_ready(self.desktop, timeout, seen)
        except MachineError:
            # QEMU's emulation sometimes stops there after a reset, when the machine is busy. No kernel runs then that could be at fault.
            if not self.machine.is_before_kernel():
                raise
            print("the machine hung before its kernel began, and is reset once more", file=sys.stderr)
            self.machine.qmp.command("system_reset")
            self.machine.wait_ready(self.desktop, timeout, seen)
        self._ssh.wait(timeout)
        self.machine.qmp.command("set-action", reboot="shutdown")

    def stop(self, timeout=120):
        """Powers the guest off in an orderly way; pulls the plug when it does not end in time."""
        if self.machine and self.machine.running():
            self.run("systemctl poweroff --no-block", timeout=60)
            self.machine.wait(timeout)
        self.kill()

    def kill(self):
        """Pulls the plug and removes the run's directory. Harmless when done before."""
        if self._ssh:
            self._ssh.close()
        if self.machine:
            self.machine.remove()
        self.machine = None

    # --- commands ---

    def command_line(self, command, user=None, session=False, env=None, remote=False, cwd=None):
        """The shell line that runs `command` (list, or a string for bash) as run() describes."""
        line = command if isinstance(command, str) else shlex.join(map(str, command))
        words = ["bash", "-c", line]
        home = "/home/anna" if session else f"/home/{user}" if user and not remote else None
        if cwd or home:
            words = ["env", "-C", cwd or home, *words]
        if env:
            words = ["env", *(f"{name}={value}" for name, value in env.items()), *words]
        if session:
            words = ["as-anna", *words]
        elif user:
            words = ["runuser", "-u", user, "--", "env", f"HOME=/home/{user}", f"USER={user}", *words]
        if remote:
            words = ["remote-exec", *words]
        return shlex.join(words)

    def run(self, command, user=None, session=False, env=None, remote=False, cwd=None, input=None, timeout=120,
            check=False):
        """Runs a command and returns a CompletedProcess with text stdout and stderr.

        user: root by default. session: inside anna's graphical session (display, bus, her systemd). remote: on the
        second host. input: text for stdin. Raises TimeoutExpired after `timeout` seconds times SLOWEST, and with
        `check` CalledProcessError. A program that must outlive the command goes through popen().
        """
        line = self.command_line(command, user, session, env, remote, cwd)
        done = subprocess.run(self._ssh.arguments(line), input=input, stdin=None if input is not None else subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=timeout * SLOWEST, check=False)
        if check and done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
        return done

    def popen(self, command, user=None, session=False, env=None, remote=False, cwd=None, **more):
        """Starts a command and returns the Popen of its ssh client; `more` goes to Popen. Killing the client does not
        kill the command in the guest."""
        line = self.command_line(command, user, session, env, remote, cwd)
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
        return subprocess.Popen(self._ssh.arguments(line), **more)

    def ssh_arguments(self, line, terminal=False):
        """The ssh command line that runs a shell line as root, for callers that replace or attach the process."""
        return self._ssh.arguments(line, terminal)

    # --- files ---

    def put(self, source, destination):
        """Copies a file or directory of the host into the guest; parent directories are made."""
        self._ssh.put(source, destination)

    def get(self, source, destination):
        """Copies a file or directory of the guest to the host."""
        self._ssh.get(source, destination)

    def write(self, path, content, user=None):
        """Writes text to a file of the guest, as `user`."""
        self.run(f"mkdir -p {shlex.quote(os.path.dirname(path))} && cat >{shlex.quote(path)}", user=user, input=content,
                 check=True)

    def read(self, path):
        """The text of a file of the guest, read as root."""
        return self.run(["cat", path], check=True).stdout

    # --- what the machine says ---

    def qmp(self, name, **arguments):
        """Runs one QMP command of QEMU."""
        return self.machine.qmp.command(name, **arguments)

    def screenshot(self, path, kind="png"):
        """Saves what the screen shows as PNG (or PPM) and returns the path."""
        path = pathlib.Path(path).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.qmp("screendump", filename=str(path), format=kind)
        return path

    def console(self):
        """The kernel's console since the start: warnings and worse."""
        return self.machine.console()

    def kernel_log(self):
        """The guest's whole kernel log (dmesg)."""
        return self.run(["dmesg"], check=True).stdout

    def faults(self):
        """Lines of the console that tell of a kernel fault since the start."""
        return find_faults(self.console())

    def check_kernel_log(self):
        """MachineError, with the console around it, when there was a kernel fault since the start."""
        found = around_first_fault(self.console())
        if found:
            raise MachineError("the kernel log is not clean\n" + found)

    def wait_for(self, condition, timeout=30, what="the condition"):
        """Calls `condition()` until it returns something true, which is returned; MachineError after `timeout`
        seconds times SLOWEST."""
        end = time.monotonic() + timeout * SLOWEST
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > end:
                raise MachineError(f"waited {timeout * SLOWEST} s for {what}")
            time.sleep(0.1)
