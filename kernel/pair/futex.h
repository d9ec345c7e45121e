/* SPDX-License-Identifier: GPL-2.0-only */
/* Futex calls of threads that take turns. */
#ifndef _TACET_PAIR_FUTEX_H
#define _TACET_PAIR_FUTEX_H

#include <linux/types.h>

struct tacet_blob;
struct tacet_entry;

/* It may wait; so may giving up the processor. */
bool tacet_futex_waits(const struct tacet_entry *entry);
bool tacet_futex_lends_priority(const struct tacet_entry *entry);
bool tacet_futex_writes(const struct tacet_entry *entry);
/* Sets @blob to what in memory the call's result depends on. 0 or -ENOMEM. */
int tacet_futex_gather(const struct tacet_entry *entry, struct tacet_blob *blob);

#endif
