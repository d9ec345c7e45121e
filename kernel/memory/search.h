/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts stamps in physical memory, to show how long freed data lives. */
#ifndef _TACET_MEMORY_SEARCH_H
#define _TACET_MEMORY_SEARCH_H

#include <linux/types.h>

struct tacet_stamp_count;

/* Makes a random tag for struct tacet_stamp. */
u64 tacet_search_make_tag(void);
/*
 * Fills @count elements of @counts for their tags. Returns 0, -ENOENT, -ENOMEM or -EINTR, see
 * TACET_IOC_STAMPS. Sleeps.
 */
int tacet_search_count(struct tacet_stamp_count *counts, unsigned int count);

#endif
