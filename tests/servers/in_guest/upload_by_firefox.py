# SPDX-License-Identifier: GPL-3.0-or-later
"""Firefox sends a file by a page's form, as a person would: it is told what to press by its own remote control (Marionette).

usage: upload_by_firefox.py FILE URL"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

PORT = 2828
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# No calls home: by chance they would be questions or not.
PREFERENCES = {"marionette.port": PORT, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
               "browser.safebrowsing.update.enabled": False, "network.captive-portal-service.enabled": False,
               "network.connectivity-service.enabled": False, "services.settings.server": "data:,",
               # No names are looked up: once it has read the file, each would be a question of its own.
               "network.dns.forceResolve": "10.77.0.2"}


class Marionette:
    """The remote control of a Firefox that has been started with --marionette."""

    def __init__(self):
        self.stream = connect().makefile("rwb", buffering=0)
        self.number = 0
        self.receive()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {"timeouts": {"pageLoad": 60000}}})

    def receive(self):
        """One message: its length in decimal, a colon, JSON."""
        length = b""
        while (digit := self.stream.read(1)) != b":":
            if not digit:
                raise EOFError("Firefox has closed its remote control")
            length += digit
        text = b""
        while len(text) < int(length):
            text += self.stream.read(int(length) - len(text))
        return json.loads(text)

    def call(self, command, **parameters):
        """The result of a WebDriver command; RuntimeError if it fails."""
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result

    def element(self, selector):
        """The id of the first element that a CSS selector finds."""
        return self.call("WebDriver:FindElement", using="css selector", value=selector)["value"][ELEMENT]


def connect():
    """A connection to the remote control, as soon as it is there."""
    end = time.monotonic() + 240
    while True:
        try:
            return socket.create_connection(("127.0.0.1", PORT))
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def upload(file, url):
    """Presses what a person would press; returns when the next page is there."""
    firefox = Marionette()
    firefox.call("WebDriver:Navigate", url=url)
    firefox.call("WebDriver:ElementSendKeys", id=firefox.element("input"), text=file)
    firefox.call("WebDriver:ElementClick", id=firefox.element("button"))
    assert firefox.call("WebDriver:GetTitle")["value"] == "Kept"


def main():
    """Starts Firefox with a profile of its own, and ends it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        pathlib.Path(profile, "user.js").write_text("".join(lines))
        browser = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"],
                                   start_new_session=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            upload(*sys.argv[1:])
        finally:
            # The command is a script, and the browser is its child.
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()


if __name__ == "__main__":
    main()
