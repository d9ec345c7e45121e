# SPDX-License-Identifier: GPL-3.0-or-later
"""The leak oracle: whether bytes hold the secret, as it is or in a simple disguise."""

import base64
import binascii

from tests.kernel.guest_run import SECRET


def disguises(secret):
    """The forms in which the secret is searched for; base64 at each of its three alignments, without the edges."""
    yield from (secret, secret.lower(), secret.upper(), secret.swapcase(), secret[::-1])
    yield from (binascii.hexlify(secret), binascii.hexlify(secret).upper())
    for shift in range(3):
        yield base64.b64encode(b"\0" * shift + secret)[4 if shift else 0:-4]


def leaks(received):
    """The forms of the secret that are in there. Line breaks, which encoders add, do not hide it."""
    joined = received.replace(b"\n", b"").replace(b"\r", b"")
    return [form for form in disguises(SECRET) if form in received or form in joined]


def assert_blocked(outcome, nothing_at_all=True):
    """Somebody was asked, and nothing came through."""
    assert outcome.questions, f"nobody was asked\n{outcome.describe()}"
    assert not leaks(outcome.received), f"LEAK\n{outcome.describe()}"
    if nothing_at_all:
        assert outcome.received.strip() == b"", f"something was sent\n{outcome.describe()}"


def assert_allowed(outcome):
    """Somebody was asked, and the secret came through: without Tacet this case does leak."""
    assert outcome.questions, f"nobody was asked\n{outcome.describe()}"
    assert leaks(outcome.received), f"the secret did not arrive\n{outcome.describe()}"


def assert_scrubbed(outcome):
    """Somebody was asked, and bytes without the secret came through."""
    assert outcome.questions, f"nobody was asked\n{outcome.describe()}"
    assert not leaks(outcome.received), f"LEAK\n{outcome.describe()}"
    assert outcome.received.strip(), f"nothing arrived\n{outcome.describe()}"


def assert_innocent(outcome, message):
    """Nobody was asked, no doppelganger was lost, the message came through."""
    assert not outcome.questions, f"asked without cause\n{outcome.describe()}"
    assert not outcome.tainted, f"lost its doppelganger\n{outcome.describe()}"
    assert message in outcome.received, f"the message did not arrive\n{outcome.describe()}"
    assert outcome.status == 0, outcome.describe()
