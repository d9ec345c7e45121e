# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel parameters that all guests share.

TACET_BOOT=debian boots them as Debian does. Otherwise the kernel does without what costs time in emulation and can hide nothing that
is tested: the mitigations of processor bugs that an emulated processor does not have, and random addresses.

Neither does the check that the timer's interrupts come: on a busy host none may come in time, and the kernel panics."""

import os

AS_DEBIAN = os.environ.get("TACET_BOOT") == "debian"
PARAMETERS = "no_timer_check" + ("" if AS_DEBIAN else " mitigations=off nokaslr")
