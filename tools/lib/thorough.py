# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a storm does: less in `./dev test`, all of it in `./dev nightly`, which sets TACET_THOROUGH."""

import os


def amount(usual, thorough):
    """One of the two."""
    return thorough if os.environ.get("TACET_THOROUGH") else usual
