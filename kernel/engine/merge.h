/* SPDX-License-Identifier: GPL-2.0-only */
/* Both have become the same again: the original goes on alone. */
#ifndef _TACET_ENGINE_MERGE_H
#define _TACET_ENGINE_MERGE_H

#include <linux/types.h>

struct tacet_entry;

/* In the original after an output, while its doppelganger waits for the result. True: it goes on alone. */
bool tacet_merge(struct tacet_entry *entry);

#endif
