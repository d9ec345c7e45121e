// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device-mapper target "tacet-swap <device> <start>": a swap device on which every page is
 * encrypted. mkswap writes its header to the device underneath before the target is made.
 */
#include <linux/blkdev.h>
#include <linux/device-mapper.h>
#include <linux/module.h>
#include <linux/pagemap.h>

#include "memory/owner.h"
#include "session/swap/device.h"
#include "session/swap/map.h"
#include "session/swap/page.h"
#include "session/swap/target.h"

#define SLOT_SECTORS TACET_SWAP_SLOT_SECTORS
#define MAX_IO_SECTORS 256
/* A discard walks its slots without a break, so its size is limited. */
#define MAX_DISCARD_SECTORS (65536 * SLOT_SECTORS)
#define MAX_SLOTS (1UL << 30)

static void set_limits(struct dm_target *target)
{
	target->per_io_data_size = sizeof(struct tacet_swap_io);
	target->num_flush_bios = 1;
	target->num_discard_bios = 1;
	target->discards_supported = true;
}

static int construct(struct dm_target *target, unsigned int count, char **arguments)
{
	struct tacet_swap_device *device;
	int error;

	if (count != 2 || target->begin || target->len % SLOT_SECTORS || target->len / SLOT_SECTORS > MAX_SLOTS) {
		target->error = "wanted: <device> <start>, as the only target, whole pages, at most 4 TiB";
		return -EINVAL;
	}
	error = tacet_swap_page_prepare() ?: dm_set_target_max_io_len(target, MAX_IO_SECTORS);
	if (error) {
		target->error = "no cipher or no key for it";
		return error;
	}
	device = tacet_swap_device_open(target, arguments);
	if (IS_ERR(device))
		return PTR_ERR(device);
	set_limits(target);
	target->private = device;
	return 0;
}

static void destruct(struct dm_target *target)
{
	tacet_swap_device_close(target, target->private);
}

static bool is_whole(const struct bio *bio)
{
	return bio->bi_iter.bi_sector % SLOT_SECTORS == 0 && bio->bi_iter.bi_size % PAGE_SIZE == 0;
}

/* Tells whether the swap code is filling this page. Other readers, such as blkid, get the bytes of the device. */
static bool is_for_swap(const struct bio *bio)
{
	struct folio *folio = page_folio(bio_iter_page(bio, bio->bi_iter));

	return is_whole(bio) && folio_test_swapbacked(folio) && folio_test_locked(folio) && !folio_test_uptodate(folio);
}

static bool any_is_encrypted(const struct tacet_swap *swap, const struct bvec_iter *iter)
{
	unsigned long slot = iter->bi_sector / SLOT_SECTORS, i;

	for (i = 0; i < iter->bi_size / PAGE_SIZE; i++)
		if (tacet_swap_map_owner(&swap->map, slot + i) != TACET_OWNER_NONE)
			return true;
	return false;
}

static void prepare_io(struct tacet_swap *swap, struct bio *bio, struct tacet_swap_io *io)
{
	io->swap = swap;
	io->bio = bio;
	io->iter = bio->bi_iter;
}

static int map_read(struct tacet_swap *swap, struct bio *bio, struct tacet_swap_io *io)
{
	if (bio->bi_iter.bi_size && is_for_swap(bio) && any_is_encrypted(swap, &bio->bi_iter)) {
		prepare_io(swap, bio, io);
		tacet_swap_page_read(io);
	}
	return DM_MAPIO_REMAPPED;
}

static int map_write(struct tacet_swap *swap, struct bio *bio, struct tacet_swap_io *io)
{
	/* A write without data is a flush. */
	if (!bio->bi_iter.bi_size)
		return DM_MAPIO_REMAPPED;
	if (!(bio->bi_opf & REQ_SWAP) || !is_whole(bio)) {
		atomic64_inc(&swap->refused);
		return DM_MAPIO_KILL;
	}
	prepare_io(swap, bio, io);
	tacet_swap_page_write(io);
	return DM_MAPIO_SUBMITTED;
}

static int map_discard(struct tacet_swap *swap, struct bio *bio)
{
	sector_t first = DIV_ROUND_UP_ULL(bio->bi_iter.bi_sector, SLOT_SECTORS);
	sector_t end = bio_end_sector(bio) / SLOT_SECTORS;

	for (; first < end; first++)
		tacet_swap_map_set(&swap->map, first, TACET_OWNER_NONE);
	if (bdev_max_discard_sectors(swap->block))
		return DM_MAPIO_REMAPPED;
	bio_endio(bio);
	return DM_MAPIO_SUBMITTED;
}

static int map(struct dm_target *target, struct bio *bio)
{
	struct tacet_swap_io *io = dm_per_bio_data(bio, sizeof(*io));
	struct tacet_swap_device *device = target->private;
	struct tacet_swap *swap = &device->swap;
	int result;

	bio_set_dev(bio, swap->block);
	bio->bi_iter.bi_sector = dm_target_offset(target, bio->bi_iter.bi_sector);
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		result = map_read(swap, bio, io);
		break;
	case REQ_OP_WRITE:
		result = map_write(swap, bio, io);
		break;
	case REQ_OP_DISCARD:
		result = map_discard(swap, bio);
		break;
	default:
		return DM_MAPIO_KILL;
	}
	if (result == DM_MAPIO_REMAPPED)
		bio->bi_iter.bi_sector += swap->start;
	return result;
}

static unsigned long count_private(void)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < TACET_SESSION_MAX; i++)
		sum += tacet_swap_map_slots(TACET_OWNER_SESSION + i);
	return sum;
}

static void status(struct dm_target *target, status_type_t type, unsigned int flags, char *result, unsigned int maxlen)
{
	struct tacet_swap_device *device = target->private;
	struct tacet_swap *swap = &device->swap;
	unsigned int sz = 0;

	*result = '\0';
	if (type == STATUSTYPE_INFO)
		DMEMIT("slots %lu public %lu private %lu ended %lu refused %lld failed %lld", swap->map.slots,
		       tacet_swap_map_slots(TACET_OWNER_PUBLIC) + tacet_swap_map_slots(TACET_OWNER_PROGRAM),
		       count_private(), tacet_swap_map_slots(TACET_OWNER_ENDED), atomic64_read(&swap->refused),
		       atomic64_read(&swap->failed));
	else if (type == STATUSTYPE_TABLE)
		DMEMIT("%s %llu", device->under->name, (unsigned long long)swap->start);
}

static int iterate_devices(struct dm_target *target, iterate_devices_callout_fn function, void *data)
{
	struct tacet_swap_device *device = target->private;

	return function(target, device->under, device->swap.start, target->len, data);
}

static void set_queue_limits(struct dm_target *target, struct queue_limits *limits)
{
	limits->logical_block_size = max_t(unsigned int, limits->logical_block_size, PAGE_SIZE);
	limits->physical_block_size = max_t(unsigned int, limits->physical_block_size, PAGE_SIZE);
	limits->io_min = max_t(unsigned int, limits->io_min, PAGE_SIZE);
	limits->max_hw_discard_sectors = min_not_zero(limits->max_hw_discard_sectors, MAX_DISCARD_SECTORS);
	limits->discard_granularity = max_t(unsigned int, limits->discard_granularity, PAGE_SIZE);
}

static struct target_type target_type = {
	.name = "tacet-swap",
	.version = { 1, 0, 0 },
	.module = THIS_MODULE,
	.ctr = construct,
	.dtr = destruct,
	.map = map,
	.status = status,
	.iterate_devices = iterate_devices,
	.io_hints = set_queue_limits,
};

int tacet_swap_target_init(void)
{
	int error = tacet_swap_page_init();

	if (error)
		return error;
	error = dm_register_target(&target_type);
	if (error)
		tacet_swap_page_exit();
	return error;
}

void tacet_swap_target_exit(void)
{
	dm_unregister_target(&target_type);
	tacet_swap_page_exit();
}
