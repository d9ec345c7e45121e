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
 * Between these calls, objects that are freed while @concerns returns true for TACET_LAYER_BUFFERS are cleared, and so are
 * marked ones. It works in any context. The map of page marks is there. Starting returns 0 or -errno. They sleep.
 */
int tacet_object_clear_start(bool (*concerns)(enum tacet_memory_layer layer));
void tacet_object_clear_stop(void);

/*
 * Marks an object: it is cleared when it is freed, whoever does it. Objects below 128 bytes share marks. The caller is
 * called between the calls above only. Works in any context.
 */
void tacet_object_mark(const void *object);
bool tacet_object_is_marked(const void *object);
/* Tells whether any is marked. May stay true after they are gone, since marks that objects share stay. Called in between, too. */
bool tacet_object_any_marked(void);

#endif
