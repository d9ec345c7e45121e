/* SPDX-License-Identifier: GPL-2.0-only */
/* The devices that the target's tables are made over. */
#ifndef _TACET_SESSION_SWAP_DEVICE_H
#define _TACET_SESSION_SWAP_DEVICE_H

#include "session/swap/page.h"

struct dm_dev;
struct dm_target;

/* @node is the device's place in the list of all devices. */
struct tacet_swap_device {
	struct list_head node;
	struct dm_dev *under;
	struct tacet_swap swap;
};

/*
 * Makes a device from a table's arguments, <device> <start>. On failure it returns ERR_PTR and sets the
 * target's error. Sleeps.
 */
struct tacet_swap_device *tacet_swap_device_open(struct dm_target *target, char **arguments);
void tacet_swap_device_close(struct dm_target *target, struct tacet_swap_device *device);

#endif
