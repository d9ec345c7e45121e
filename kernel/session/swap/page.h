/* SPDX-License-Identifier: GPL-2.0-only */
/* Encrypts pages on their way to a swap device, and decrypts them on their way back. */
#ifndef _TACET_SESSION_SWAP_PAGE_H
#define _TACET_SESSION_SWAP_PAGE_H

#include <linux/bio.h>
#include <linux/llist.h>
#include <linux/workqueue.h>
#include "session/swap/map.h"

#define TACET_SWAP_SLOT_SECTORS (PAGE_SIZE >> SECTOR_SHIFT)

/**
 * struct tacet_swap - a swap device
 * @block: the device under it
 * @start: the first sector that is used of @block
 * @number: distinguishes the device for the ciphers; never used again
 * @map: the owner of each slot
 * @refused: how many writes were not the swap code's
 * @failed: how many reads were of pages whose session has ended
 */
struct tacet_swap {
	struct block_device *block;
	sector_t start;
	u64 number;
	struct tacet_swap_map map;
	atomic64_t refused;
	atomic64_t failed;
};

/* A request under way. It lives in the memory that device-mapper keeps for each bio. */
struct tacet_swap_io {
	union {
		struct work_struct work; /* for a read */
		struct llist_node node;	 /* for a write, in a batch */
	};
	struct tacet_swap *swap;
	struct bio *bio;
	struct bvec_iter iter; /* sectors count from @start */
	/* for a read */
	bio_end_io_t *end;
	void *private;
	/* for a write: the number of parts that have not ended */
	atomic_t parts;
	blk_status_t status;
};

int tacet_swap_page_init(void);
/* No device is left when this is called. */
void tacet_swap_page_exit(void);
/* Makes the key for all pages that are no session's, if there is none yet. Returns 0 or -errno. Sleeps. */
int tacet_swap_page_prepare(void);

/* The caller has set @io->swap, ->bio and ->iter. Ends the bio itself, later. Atomic. */
void tacet_swap_page_write(struct tacet_swap_io *io);
/*
 * The caller calls this before the bio goes to the device. When the bio ends, its pages are decrypted
 * first. Atomic.
 */
void tacet_swap_page_read(struct tacet_swap_io *io);

#endif
