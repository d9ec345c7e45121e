# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands and files over one shared ssh connection to a guest."""

import pathlib
import shlex
import subprocess
import time

from machine import MachineError


class Ssh:
    """A shared connection to root in the guest behind a forwarded loopback port."""

    def __init__(self, directory, key, port):
        self._options = [
            "-F", "/dev/null", "-i", str(key), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
            "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=10",
            "-o", "ControlMaster=auto", "-o", f"ControlPath={directory}/ssh", "-o", "ControlPersist=yes", "-o", f"Port={port}",
        ]

    def arguments(self, line, terminal=False):
        """The ssh command line that runs a shell line in the guest."""
        return ["ssh", *self._options, *(["-tt"] if terminal else []), "root@127.0.0.1", line]

    def wait(self, timeout):
        """Waits until the guest accepts the connection."""
        end = time.monotonic() + timeout
        while True:
            done = subprocess.run(self.arguments("true"), check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
            if done.returncode == 0:
                return
            if time.monotonic() > end:
                raise MachineError(f"the guest accepts no ssh connection after {timeout} s: {done.stderr.strip()}")
            time.sleep(0.2)

    def close(self):
        """Ends the shared connection, if there is one."""
        subprocess.run(["ssh", *self._options, "-O", "exit", "root@127.0.0.1"], check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=30)

    def put(self, source, destination):
        """Copies a file or directory into the guest; like cp, into `destination` when it ends with a slash."""
        source = pathlib.Path(source)
        if destination.endswith("/"):
            destination += source.name
        parent, name = destination.rsplit("/", 1)
        rename = f"--transform=s,^{source.name},{name},"
        self._pipe(["tar", "-C", str(source.resolve().parent), "--owner=0", "--group=0", rename, "-cf", "-", source.name],
                   self.arguments(f"mkdir -p {shlex.quote(parent or '/')} && tar -C {shlex.quote(parent or '/')} -xf -"))

    def get(self, source, destination):
        """Copies a file or directory of the guest to the path `destination` on the host."""
        destination = pathlib.Path(destination)
        destination.parent.mkdir(parents=True, exist_ok=True)
        parent, name = source.rstrip("/").rsplit("/", 1)
        self._pipe(self.arguments(f"tar -C {shlex.quote(parent or '/')} -cf - {shlex.quote(name)}"),
                   ["tar", "-C", str(destination.parent), f"--transform=s,^{name},{destination.name},", "-xf", "-"])

    @staticmethod
    def _pipe(producer, consumer):
        with subprocess.Popen(producer, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as first:
            second = subprocess.run(consumer, check=False, stdin=first.stdout, timeout=600)
        if first.returncode or second.returncode:
            raise MachineError(f"copying failed: {shlex.join(producer)} | {shlex.join(consumer)}")
