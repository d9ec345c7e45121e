/* SPDX-License-Identifier: GPL-2.0-only */
/* Futex calls of threads that take turns. */
#ifndef _TACET_PAIR_FUTEX_H
#define _TACET_PAIR_FUTEX_H

#include <linux/types.h>

struct tacet_blob;
struct tacet_entry;

/* Tells whether the call may wait. Giving up the processor counts as waiting. */
bool tacet_futex_waits(const struct tacet_entry *entry);
bool tacet_futex_lends_priority(const struct tacet_entry *entry);
bool tacet_futex_writes(const struct tacet_entry *entry);
/* Fills @blob with the facts in memory on which the call's result depends. Returns 0 or -ENOMEM. */
int tacet_futex_gather(const struct tacet_entry *entry, struct tacet_blob *blob);

#endif
