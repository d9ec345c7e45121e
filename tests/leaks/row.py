# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the catalogues, and how they show that the secret is in what arrived."""

import dataclasses
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable

from tests.kernel.guest_run import SECRET, Case
from tests.kernel.oracle import leaks


@dataclasses.dataclass(frozen=True)
class Leak(Case):
    """A way to leak `secret`.

    shows: whether the bytes that arrived tell of the secret; without a label they must.
    passes: a regular expression of what may arrive though it was asked, as both runs send it alike.
    limit: why nobody is asked, for the rows of what Tacet does not see.
    """

    # A file system's module takes 20 s to load on a busy machine.
    timeout: int = 60
    shows: Callable[[bytes], bool] = leaks
    passes: bytes = b""
    limit: str = ""

    def without_label(self):
        """The control run, in which the secret must arrive."""
        return dataclasses.replace(self, labelled=False)

    def shown_by(self, received):
        """Whether the secret can be told from there; what cannot be decoded shows nothing."""
        try:
            return bool(self.shows(received))
        except (ValueError, LookupError, EOFError, OSError, lzma.LZMAError, zipfile.BadZipFile, zlib.error):
            return False

    def may_pass(self, received):
        """Whether no more arrived than what is the same without the secret."""
        return re.fullmatch(self.passes + rb"\s*", received, re.DOTALL) is not None


@dataclasses.dataclass(frozen=True)
class Innocent(Case):
    """A program that reads `secret` and sends `message`, which does not come from it.

    diverges: why its way depends on what it reads, so that it loses its doppelganger, though nobody is asked.
    reads: a program of the case reads the labelled file, or copies it; else it only looks at its name and size.
    """

    # A file system's module takes 20 s to load on a busy machine.
    timeout: int = 60
    message: bytes = b"constant"
    diverges: str = ""
    reads: bool = True


def decoded(decoder):
    """Shows the secret after decoding."""
    return lambda received: leaks(decoder(received))


def exactly(*expected):
    """Shows it where just these bytes arrive, but for white space around them."""
    return lambda received: received.strip() in [value.strip() for value in expected]


def holds(*expected):
    """Shows it where these bytes are among those that arrived."""
    return lambda received: all(value in received for value in expected)


def letters(received):
    """Shows it where its letters arrive in order, whatever stands between."""
    return re.search(b".*?".join(re.escape(bytes([letter])) for letter in SECRET), received, re.DOTALL) is not None


def python(code, arguments=""):
    """A line of shell that runs Python code."""
    return f"python3 -I - {arguments} <<'END-OF-PYTHON'\n{code.strip()}\nEND-OF-PYTHON"


# Functions for Python code: read() returns the secret's bytes, send() sends bytes.
PRELUDE = """
import socket
def read():
    with open("secret", "rb") as file:
        return file.read()
def send(data):
    with socket.create_connection(("10.77.0.2", 9)) as connection:
        connection.sendall(data)
"""


def snippet(code):
    """The same with read() and send()."""
    return python(PRELUDE + code)
