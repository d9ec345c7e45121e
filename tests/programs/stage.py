# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop with the programs' packages, their documents, and the second host's servers."""

import contextlib
import os

from guest import Guest, image_directory
from tests.programs.command_programs import COMMANDS
from tests.programs.documents import TOOLS, make_documents
from tests.programs.programs import ASKED, packages
from tests.programs.window_programs import WINDOWS

# Input methods, a screen reader and a portal, with a Python library to ask it.
SERVICES = ("fcitx5", "fcitx5-pinyin", "fcitx5-frontend-gtk3", "ibus", "ibus-libpinyin", "ibus-gtk3", "orca", "speech-dispatcher", "speech-dispatcher-espeak-ng",
            "xdg-desktop-portal", "xdg-desktop-portal-gtk", "python3-gi")
# Browsers keep their profile in the session's memory.
MEMORY = "3G"
DESKTOP = os.environ.get("TACET_DESKTOP", "x11")


@contextlib.contextmanager
def open_stage():
    """The guest, on the newest kernel. Its kernel log must stay clean."""
    image = image_directory(sorted({*packages([*COMMANDS, *WINDOWS]), *SERVICES}), "TACET_PROGRAMS_IMAGE")
    with Guest(os.environ["TACET_KERNELS"].split()[-1], desktop=DESKTOP, image=image, memory=MEMORY) as guest:
        make_documents(guest)
        guest.run(f"mkdir -p /run/remote && systemd-run --quiet --collect remote-exec python3 {TOOLS}/services.py {ASKED}", check=True)
        guest.wait_for(lambda: guest.run("curl -s http://remote/ready").returncode == 0, what="the second host")
        yield guest
        guest.check_kernel_log()
