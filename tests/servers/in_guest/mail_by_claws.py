# SPDX-License-Identifier: GPL-3.0-or-later
"""Claws Mail sends a file, as a person would: in the window where one composes a message, Control and Return are pressed.

usage: mail_by_claws.py FILE RECIPIENT SERVER"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ACCOUNT = """[Account: 1]
account_name=anna@here
is_default=1
name=Anna
address=anna@here
protocol=6
use_smtp_auth=0
ssl_smtp=0
smtp_server={server}
"""
FOLDERS = ("inbox", "outbox", "draft", "queue", "trash")
WINDOW = "Compose message"
# Seconds, on an emulated machine.
START, SENT = 60, 40


def make_profile(profile, server):
    """Writes the profile that the first start would ask for."""
    (profile / "accountrc").write_text(ACCOUNT.format(server=server))
    for name in FOLDERS:
        (profile / "Mail" / name).mkdir(parents=True)
    items = "".join(f'<folderitem type="{name}" name="{name}" path="{name}"/>' for name in FOLDERS)
    (profile / "folderlist.xml").write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<folderlist><folder type="mh" name="Mail" path="{profile}/Mail" account_id="1">{items}</folder></folderlist>\n')


def window():
    """The id of the window where one composes; None: there is none."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", WINDOW], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return found[0] if found else None


def wait_for_window(present, seconds):
    """True when it is there, or is not, in that time."""
    end = time.monotonic() + seconds
    while (window() is not None) != present:
        if time.monotonic() > end:
            return False
        time.sleep(0.5)
    return True


def main():
    """Fails when the message could not be sent."""
    file, recipient, server = sys.argv[1:]
    os.environ.update(DISPLAY=":0", XAUTHORITY=str(pathlib.Path.home() / ".Xauthority"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        make_profile(pathlib.Path(profile), server)
        mailer = subprocess.Popen(["claws-mail", "--alternate-config-dir", profile, "--compose", f"mailto:{recipient}?subject=pay&body=see+there",
                                   "--attach", file])
        try:
            if not wait_for_window(True, START):
                return "Claws Mail shows no window"
            time.sleep(2)
            subprocess.run(["xdotool", "windowactivate", "--sync", window(), "key", "--clearmodifiers", "ctrl+Return"], check=True)
            return 0 if wait_for_window(False, SENT) else "the message was not sent"
        finally:
            mailer.kill()
            mailer.wait()


if __name__ == "__main__":
    sys.exit(main())
