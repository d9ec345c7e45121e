/* SPDX-License-Identifier: GPL-2.0-only */
/* The halves have become the same again, and the original goes on alone. */
#ifndef _TACET_ENGINE_MERGE_H
#define _TACET_ENGINE_MERGE_H

#include <linux/types.h>

struct tacet_entry;

/*
 * Tries a merge in the original after an output, while its doppelganger waits for the result. Returns
 * true if the original goes on alone.
 */
bool tacet_merge(struct tacet_entry *entry);

#endif
