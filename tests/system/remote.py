# SPDX-License-Identifier: GPL-3.0-or-later
"""The second host, `remote`: its server and what that received."""

import base64
import pathlib

SERVER = pathlib.Path(__file__).resolve().parent / "in_guest" / "remote_server.py"
PROGRAM, RECEIVED = "/run/remote/server.py", "/run/remote/received"


class Remote:
    """Starts the server in the guest; `received` is what came since the last `forget`."""

    def __init__(self, guest):
        self._guest = guest
        self._start = 0
        self.history = b""

    def start(self):
        """Starts the server, also after a reboot."""
        self._guest.put(SERVER, PROGRAM)
        self._guest.run(f"systemd-run --quiet --collect --unit=remote-server remote-exec python3 {PROGRAM} {RECEIVED}", check=True)
        self._guest.run("for i in $(seq 100); do remote-exec ss -Hltn sport = :9 | grep -q . && exit; sleep 0.1; done; exit 1",
                        check=True)
        self._start = 0

    def fetch(self, url):
        """Starts to get a URL from the remote host; what comes counts as received. Returns the Popen."""
        return self._guest.popen(f"curl -sS -f -m 90 {url} >>{RECEIVED}", remote=True)

    def stop(self):
        """Keeps what came, and ends the server."""
        self.forget()
        self._guest.run("systemctl stop remote-server")

    @property
    def received(self):
        """The bytes that arrived since the last call of forget()."""
        text = self._guest.run(f"tail -c +{self._start + 1} {RECEIVED} | base64 -w0", check=True).stdout
        return base64.b64decode(text)

    def forget(self):
        """Moves what came so far to the history, which is searched at the end of the session."""
        came = self.received
        self.history += came
        self._start += len(came)
