/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the wrappers of malloc() and free() tell the tool. */
#pragma once

#include <valgrind/valgrind.h>

enum request {
    REQUEST_ALLOCATED = VG_USERREQ_TOOL_BASE('T', 'L'), /* address, bytes */
    REQUEST_FREED,                                      /* address */
    REQUEST_MOVED,                                      /* old address, new address, bytes: a block has another place or size */
};
