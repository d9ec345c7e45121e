// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work on swapped pages. Memory may be short because of the very requests that wait here. So
 * everything comes from pools, and a task that holds a page of the pool waits for nothing but the
 * device.
 */
#include <linux/blkdev.h>
#include <linux/mempool.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "base/cipher.h"
#include "memory/mark.h"
#include "memory/owner.h"
#include "session/session.h"
#include "session/swap/map.h"
#include "session/swap/page.h"

#define POOL_PAGES 64
#define POOL_BIOS 64
/* One bio to the device holds up to this many pages. */
#define PART_PAGES 64

#define BATCHES 16

/* The queue of pages to write. They are encrypted one after the other. */
struct batch {
	struct llist_head writes;
	struct work_struct work;
};

static struct batch batches[BATCHES];
static struct workqueue_struct *queue;
static mempool_t pages;
static struct bio_set bios;
/* The cipher for all pages that are no session's. It is made once, for the first device. */
static DEFINE_MUTEX(prepare_lock);
static struct tacet_cipher *public_cipher;

/* The slot will read as an error, so its content must tell nothing. */
static int write_nothing(struct tacet_swap *swap, struct page *to, unsigned long slot)
{
	tacet_swap_map_write(&swap->map, slot, TACET_OWNER_ENDED);
	return tacet_cipher_encrypt(public_cipher, ZERO_PAGE(0), to, swap->number, slot);
}

static int encrypt(struct tacet_swap *swap, struct page *from, struct page *to, unsigned long slot)
{
	struct tacet_private *session = tacet_session_of_folio(page_folio(from));
	int error;
	u8 owner;

	if (IS_ERR(session))
		return write_nothing(swap, to, slot);
	if (!session) {
		owner = tacet_page_mark_get(from) == TACET_OWNER_PROGRAM ? TACET_OWNER_PROGRAM : TACET_OWNER_PUBLIC;
		tacet_swap_map_write(&swap->map, slot, owner);
		return tacet_cipher_encrypt(public_cipher, from, to, swap->number, slot);
	}
	down_read(&session->key_lock);
	if (session->cipher) {
		tacet_swap_map_write(&swap->map, slot, session->owner);
		error = tacet_cipher_encrypt(session->cipher, from, to, swap->number, slot);
	} else {
		error = write_nothing(swap, to, slot);
	}
	up_read(&session->key_lock);
	tacet_session_put(session);
	return error;
}

static void put_part(struct tacet_swap_io *io)
{
	if (!atomic_dec_and_test(&io->parts))
		return;
	io->bio->bi_status = READ_ONCE(io->status);
	bio_endio(io->bio);
}

static void end_part(struct bio *part)
{
	struct tacet_swap_io *io = part->bi_private;
	struct bvec_iter_all iter;
	struct bio_vec *vector;

	if (part->bi_status)
		WRITE_ONCE(io->status, part->bi_status);
	bio_for_each_segment_all(vector, part, iter) mempool_free(vector->bv_page, &pages);
	bio_put(part);
	put_part(io);
}

/* Encrypts the next page into @part. Returns false if no more goes in, or if it failed. */
static bool add_page(struct tacet_swap_io *io, struct bio *part)
{
	struct bio_vec from = bio_iter_iovec(io->bio, io->iter);
	unsigned long slot = io->iter.bi_sector / TACET_SWAP_SLOT_SECTORS;
	struct page *to;

	/* A task that waits here holds no page. Tasks that hold pages wait for the device only. */
	to = mempool_alloc(&pages, part->bi_vcnt ? GFP_NOWAIT | __GFP_NOWARN : GFP_NOIO);
	if (!to)
		return false;
	if (from.bv_len != PAGE_SIZE || from.bv_offset || encrypt(io->swap, from.bv_page, to, slot)) {
		WRITE_ONCE(io->status, BLK_STS_IOERR);
		mempool_free(to, &pages);
		return false;
	}
	__bio_add_page(part, to, PAGE_SIZE, 0);
	bio_advance_iter(io->bio, &io->iter, PAGE_SIZE);
	return true;
}

static void write_part(struct tacet_swap_io *io)
{
	unsigned int count = min_t(unsigned int, io->iter.bi_size / PAGE_SIZE, PART_PAGES);
	struct bio *part = bio_alloc_bioset(io->swap->block, count, io->bio->bi_opf, GFP_NOIO, &bios);

	part->bi_iter.bi_sector = io->swap->start + io->iter.bi_sector;
	part->bi_private = io;
	part->bi_end_io = end_part;
	while (part->bi_vcnt < count && add_page(io, part))
		;
	if (part->bi_vcnt) {
		atomic_inc(&io->parts);
		submit_bio_noacct(part);
	} else {
		bio_put(part);
	}
}

static void write_pages(struct tacet_swap_io *io)
{
	atomic_set(&io->parts, 1);
	while (io->iter.bi_size && !READ_ONCE(io->status))
		write_part(io);
	put_part(io);
}

/* The device gets all writes together at the end. If one of them has to wait, sleeping ends the plug. */
static void write_batch(struct work_struct *work)
{
	struct batch *batch = container_of(work, struct batch, work);
	struct tacet_swap_io *io, *next;
	struct blk_plug plug;

	blk_start_plug(&plug);
	llist_for_each_entry_safe(io, next, llist_reverse_order(llist_del_all(&batch->writes)), node) write_pages(io);
	blk_finish_plug(&plug);
}

void tacet_swap_page_write(struct tacet_swap_io *io)
{
	struct batch *batch = &batches[raw_smp_processor_id() % BATCHES];

	io->status = BLK_STS_OK;
	if (llist_add(&io->node, &batch->writes))
		queue_work(queue, &batch->work);
}

/*
 * Corrects the mark that the page got from the task that reads it. That may be anybody, as the kernel reads
 * neighbours of a page ahead, and a cgroup may belong to another session by now. A program that reads a page
 * keeps it, as it may have been covered only after the page went to swap.
 */
static void mark(struct page *page, u8 owner)
{
	if (owner != TACET_OWNER_PUBLIC)
		tacet_page_mark_set(page, owner);
	else if (tacet_page_mark_get(page) != TACET_OWNER_PROGRAM)
		tacet_page_mark_set(page, TACET_OWNER_NONE);
}

static int decrypt(struct tacet_swap *swap, struct page *page, unsigned long slot)
{
	u8 owner = tacet_swap_map_owner(&swap->map, slot);
	struct tacet_private *session;
	int error = -EIO;

	if (owner == TACET_OWNER_NONE)
		return 0;
	if (owner == TACET_OWNER_PUBLIC || owner == TACET_OWNER_PROGRAM) {
		mark(page, owner);
		return tacet_cipher_decrypt(public_cipher, page, swap->number, slot);
	}
	session = tacet_session_get(owner);
	if (!session)
		return -EIO;
	down_read(&session->key_lock);
	if (session->cipher) {
		mark(page, owner);
		error = tacet_cipher_decrypt(session->cipher, page, swap->number, slot);
	}
	up_read(&session->key_lock);
	tacet_session_put(session);
	return error;
}

static void read_pages(struct work_struct *work)
{
	struct tacet_swap_io *io = container_of(work, struct tacet_swap_io, work);
	struct bio *bio = io->bio;
	struct bvec_iter iter;
	struct bio_vec vector;

	__bio_for_each_segment(vector, bio, iter, io->iter)
	{
		if (vector.bv_len == PAGE_SIZE && !vector.bv_offset &&
		    !decrypt(io->swap, vector.bv_page, iter.bi_sector / TACET_SWAP_SLOT_SECTORS))
			continue;
		atomic64_inc(&io->swap->failed);
		bio->bi_status = BLK_STS_IOERR;
		break;
	}
	bio_endio(bio);
}

/* This may run in an interrupt. */
static void end_read(struct bio *bio)
{
	struct tacet_swap_io *io = bio->bi_private;

	bio->bi_end_io = io->end;
	bio->bi_private = io->private;
	if (bio->bi_status)
		bio_endio(bio);
	else
		queue_work(queue, &io->work);
}

void tacet_swap_page_read(struct tacet_swap_io *io)
{
	INIT_WORK(&io->work, read_pages);
	io->end = io->bio->bi_end_io;
	io->private = io->bio->bi_private;
	io->bio->bi_end_io = end_read;
	io->bio->bi_private = io;
}

int tacet_swap_page_prepare(void)
{
	struct tacet_cipher *cipher;
	int error = 0;

	mutex_lock(&prepare_lock);
	if (!public_cipher) {
		cipher = tacet_cipher_create();
		if (IS_ERR(cipher))
			error = PTR_ERR(cipher);
		else
			public_cipher = cipher;
	}
	mutex_unlock(&prepare_lock);
	return error;
}

int tacet_swap_page_init(void)
{
	unsigned int i;
	int error;

	for (i = 0; i < BATCHES; i++) {
		init_llist_head(&batches[i].writes);
		INIT_WORK(&batches[i].work, write_batch);
	}
	queue = alloc_workqueue("tacet-swap", WQ_MEM_RECLAIM | WQ_HIGHPRI | WQ_UNBOUND, 0);
	if (!queue)
		return -ENOMEM;
	error = mempool_init_page_pool(&pages, POOL_PAGES, 0);
	if (error)
		goto destroy_queue;
	error = bioset_init(&bios, POOL_BIOS, 0, BIOSET_NEED_BVECS);
	if (error)
		goto exit_pages;
	return 0;

exit_pages:
	mempool_exit(&pages);
destroy_queue:
	destroy_workqueue(queue);
	return error;
}

void tacet_swap_page_exit(void)
{
	destroy_workqueue(queue);
	bioset_exit(&bios);
	mempool_exit(&pages);
	if (public_cipher)
		tacet_cipher_destroy(public_cipher);
}
