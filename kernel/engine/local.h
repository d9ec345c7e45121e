/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that each half makes on its own. */
#ifndef _TACET_ENGINE_LOCAL_H
#define _TACET_ENGINE_LOCAL_H

#include <linux/types.h>

struct tacet_call_ops;
struct tacet_entry;

/*
 * Notes the facts in memory on which the result depends. For a call that comes again they are those of
 * its first time, as in its doppelganger. Returns false without memory.
 */
bool tacet_local_gather(const struct tacet_entry *entry);

extern const struct tacet_call_ops tacet_local_ops;

#endif
