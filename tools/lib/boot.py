# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel parameters that all guests share.

TACET_BOOT=debian boots them as Debian does. Otherwise the kernel does without what costs time in emulation and can hide nothing that
is tested: the mitigations of processor bugs that an emulated processor does not have, and random addresses."""

import os

AS_DEBIAN = os.environ.get("TACET_BOOT") == "debian"
PARAMETERS = "" if AS_DEBIAN else "mitigations=off nokaslr"
