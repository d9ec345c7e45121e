/* SPDX-License-Identifier: GPL-2.0-only */
/* Clears pages of labelled files when they leave the page cache. */
#ifndef _TACET_MEMORY_CACHE_H
#define _TACET_MEMORY_CACHE_H

#include <linux/types.h>

struct address_space;
struct inode;
struct pipe_buffer;

/*
 * From now on the pages of @inode are cleared when they leave the page cache, as long as the policy covers
 * sensitive programs. It holds to the end of the inode, also without its label. On an overlay it holds for
 * the file below, too. Sleeps.
 */
void tacet_cache_note_inode(struct inode *inode);

/*
 * Takes the pages from @first to before @end out of the page cache, as zeros are about to be written there. A reader that comes at this
 * moment may get zeros already. Pages that are in use otherwise stay. Sleeps.
 */
void tacet_cache_detach(struct address_space *mapping, pgoff_t first, pgoff_t end);
/* Tells whether the page in @buffer is cleared when it leaves the page cache. The caller holds the RCU read lock. */
bool tacet_cache_clears(const struct pipe_buffer *buffer);

/* Whether the policy covers them. Returns 0 or -errno. The caller serialises it. Sleeps. */
int tacet_cache_policy(bool covers);

#endif
