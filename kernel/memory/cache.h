/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears pages of labelled files when they leave the page cache. */
#ifndef _TACET_MEMORY_CACHE_H
#define _TACET_MEMORY_CACHE_H

#include <linux/types.h>

struct inode;

/*
 * From now on the pages of @inode are cleared when they leave the page cache, as long as the policy covers
 * sensitive programs. It holds to the end of the inode, also without its label. On an overlay it holds for
 * the file below, too. Sleeps.
 */
void tacet_cache_concerns(struct inode *inode);

/* Whether the policy covers them. Returns 0 or -errno. The caller serialises it. Sleeps. */
int tacet_cache_policy(bool covers);

#endif
