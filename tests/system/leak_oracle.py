# SPDX-License-Identifier: GPL-3.0-or-later
"""The leak oracle: secrets that are never used twice, and how many of their bytes are in what a remote host received."""

import base64
import random
import string

TOKEN_LENGTH = 16
TOKENS = 12


class Secret:
    """A file's content with random tokens in it. `allowed` is set by the test that lets it out."""

    def __init__(self, tokens=TOKENS):
        letters = string.ascii_letters + string.digits
        self.tokens = ["".join(random.choices(letters, k=TOKEN_LENGTH)) for _ in range(tokens)]
        self.allowed = False

    @property
    def content(self):
        """The file as text: a table with one token a line."""
        return "name,salary\n" + "".join(f"person{number:03d},{token}\n" for number, token in enumerate(self.tokens))

    @property
    def scrubbed(self):
        """The scrubbed copy of `content`: each byte that is not white space is x."""
        return "".join(letter if letter.isspace() else "x" for letter in self.content)

    def leaked(self, received):
        """How many bytes of the tokens are in `received` (bytes), in any of the disguises."""
        joined = received.translate(None, b"\r\n")
        found = [token for token in self.tokens if any(form in received or form in joined for form in disguises(token.encode()))]
        return len(found) * TOKEN_LENGTH

    @property
    def size(self):
        """How many bytes `leaked` counts when everything went out."""
        return len(self.tokens) * TOKEN_LENGTH


def disguises(token):
    """The forms in which a token is searched for: itself, case swapped, reversed, hexadecimal, base64 at each alignment."""
    for plain in (token, token[::-1]):
        yield from (plain, plain.lower(), plain.upper(), plain.swapcase())
        yield from (plain.hex().encode(), plain.hex().upper().encode())
        for shift in range(3):
            coded = base64.b64encode(b"\0" * shift + plain)
            # The first and the last group also hold bits of neighbouring bytes.
            yield coded[4 if shift else 0:None if (shift + len(plain)) % 3 == 0 else -4]
