/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that each makes on its own. */
#ifndef _TACET_ENGINE_LOCAL_H
#define _TACET_ENGINE_LOCAL_H

#include <linux/types.h>

struct tacet_call_ops;
struct tacet_entry;

/*
 * Notes what in memory the result depends on, of a call that comes again as it came first, as its doppelganger does. False: no
 * memory.
 */
bool tacet_local_gather(const struct tacet_entry *entry);

extern const struct tacet_call_ops tacet_local_ops;

#endif
