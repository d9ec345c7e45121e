// SPDX-License-Identifier: GPL-2.0-only
/* The devices below the module's swap devices. No two swap devices may share one. */
#include <linux/blkdev.h>
#include <linux/device-mapper.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "session/swap/device.h"
#include "session/swap/map.h"
#include "session/swap/page.h"

static DEFINE_MUTEX(devices_lock);
static LIST_HEAD(devices);
static u64 last_number;

/* A second table over the same device, as for a reload, would not know the owners of the slots. It gets -EBUSY. */
static int enlist(struct tacet_swap_device *device)
{
	struct tacet_swap_device *other;
	int error = 0;

	mutex_lock(&devices_lock);
	list_for_each_entry(other, &devices, node)
		if (other->under->bdev == device->under->bdev)
			error = -EBUSY;
	if (!error) {
		device->swap.number = ++last_number;
		list_add(&device->node, &devices);
	}
	mutex_unlock(&devices_lock);
	return error;
}

static void delist(struct tacet_swap_device *device)
{
	mutex_lock(&devices_lock);
	list_del(&device->node);
	mutex_unlock(&devices_lock);
}

static int parse_start(struct dm_target *target, const char *text, sector_t *start)
{
	unsigned long long value;

	if (kstrtoull(text, 10, &value) || value != (sector_t)value || value % TACET_SWAP_SLOT_SECTORS) {
		target->error = "start is no multiple of a page";
		return -EINVAL;
	}
	*start = value;
	return 0;
}

static int open_device(struct dm_target *target, struct tacet_swap_device *device, char **arguments)
{
	int error = parse_start(target, arguments[1], &device->swap.start);

	if (error)
		return error;
	error = dm_get_device(target, arguments[0], dm_table_get_mode(target->table), &device->under);
	if (error) {
		target->error = "device cannot be used";
		return error;
	}
	device->swap.block = device->under->bdev;
	error = enlist(device);
	if (error) {
		target->error = "device is in use already";
		dm_put_device(target, device->under);
	}
	return error;
}

struct tacet_swap_device *tacet_swap_device_open(struct dm_target *target, char **arguments)
{
	struct tacet_swap_device *device = kzalloc(sizeof(*device), GFP_KERNEL);
	int error;

	if (!device)
		return ERR_PTR(-ENOMEM);
	error = open_device(target, device, arguments);
	if (error)
		goto free_device;
	error = tacet_swap_map_init(&device->swap.map, target->len / TACET_SWAP_SLOT_SECTORS);
	if (error)
		goto close_device;
	return device;

close_device:
	delist(device);
	dm_put_device(target, device->under);
free_device:
	kfree(device);
	return ERR_PTR(error);
}

void tacet_swap_device_close(struct dm_target *target, struct tacet_swap_device *device)
{
	tacet_swap_map_exit(&device->swap.map);
	delist(device);
	dm_put_device(target, device->under);
	kfree(device);
}
