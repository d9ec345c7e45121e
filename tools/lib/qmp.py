# SPDX-License-Identifier: GPL-3.0-or-later
"""QEMU's machine protocol over a UNIX socket: commands, human monitor commands, waiting for the socket."""

import json
import socket
import time


class QmpError(RuntimeError):
    """QEMU refused a command, or closed the connection."""


class Qmp:
    """One connection to a QEMU's QMP socket. Not for use by several threads."""

    def __init__(self, path, deadline=20.0):
        """Connects, waiting up to `deadline` seconds for QEMU to open the socket."""
        self._socket = self._connect(str(path), time.monotonic() + deadline)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self._read()
        self.command("qmp_capabilities")

    @staticmethod
    def _connect(path, end):
        while True:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.connect(path)
                connection.settimeout(300)
                return connection
            except OSError as error:
                connection.close()
                if time.monotonic() > end:
                    raise QmpError(f"QEMU did not open {path}") from error
                time.sleep(0.01)

    def _read(self):
        line = self._lines.readline()
        if not line:
            raise QmpError("QEMU closed the connection")
        return json.loads(line)

    def command(self, name, **arguments):
        """Runs one QMP command and returns its `return` value; events that arrive meanwhile are dropped."""
        self._socket.sendall(json.dumps({"execute": name, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = self._read()
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise QmpError(f"{name}: {answer['error']['desc']}")

    def monitor(self, line):
        """Runs one human monitor command and returns its text."""
        return self.command("human-monitor-command", **{"command-line": line})

    def close(self):
        """Closes the connection; QEMU goes on."""
        self._lines.close()
        self._socket.close()
