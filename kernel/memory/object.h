/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects of the kernel's own allocator, such as names, messages and small buffers, are cleared when they are freed. */
#ifndef _TACET_MEMORY_OBJECT_H
#define _TACET_MEMORY_OBJECT_H

#include <linux/types.h>
#include "uapi/tacet.h"

/*
 * Finds out where this kernel keeps what it knows of a cache. If that cannot be told, objects are not cleared. Returns
 * 0 or -ENOMEM. Sleeps.
 */
int tacet_object_init(void);

/*
 * Between these calls, objects that are freed while @concerns returns true for TACET_LAYER_BUFFERS are cleared. It works in
 * any context. Starting returns 0 or -errno. They sleep.
 */
int tacet_object_clear_start(bool (*concerns)(enum tacet_memory_layer layer));
void tacet_object_clear_stop(void);

#endif
