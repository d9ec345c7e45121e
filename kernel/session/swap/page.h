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
 * @block: what lies under it
 * @start: in sectors
 * @number: distinguishes it for the ciphers; never used again
 * @map: whose each slot is
 * @refused: writes that were not the swap code's
 * @failed: reads of pages whose session has ended
 */
struct tacet_swap {
	struct block_device *block;
	sector_t start;
	u64 number;
	struct tacet_swap_map map;
	atomic64_t refused;
	atomic64_t failed;
};

/* A request under way; lives in what device-mapper keeps for each bio. */
struct tacet_swap_io {
	union {
		struct work_struct work; /* of a read */
		struct llist_node node;	 /* of a write, in a batch */
	};
	struct tacet_swap *swap;
	struct bio *bio;
	struct bvec_iter iter; /* sectors count from @start */
	/* of a read */
	bio_end_io_t *end;
	void *private;
	/* of a write: parts that have not ended */
	atomic_t parts;
	blk_status_t status;
};

int tacet_swap_page_init(void);
/* No device is left. */
void tacet_swap_page_exit(void);
/* Makes the key for all that is no session's, if there is none yet. 0 or -errno. Sleeps. */
int tacet_swap_page_prepare(void);

/* @io->swap, ->bio and ->iter are set. Ends the bio itself, later. Atomic. */
void tacet_swap_page_write(struct tacet_swap_io *io);
/* To be called before the bio goes to the device: when it ends, it is decrypted first. Atomic. */
void tacet_swap_page_read(struct tacet_swap_io *io);

#endif
