/* SPDX-License-Identifier: GPL-2.0-only */
/* The map from slots of swap to the owners of their pages. */
#ifndef _TACET_SESSION_SWAP_MAP_H
#define _TACET_SESSION_SWAP_MAP_H

#include <linux/list.h>
#include <linux/types.h>

/**
 * struct tacet_swap_map - an owner number for each slot of a swap device
 * @node: in the list of all maps
 * @slots: how many slots there are
 * @owners: by slot; changed without a lock, as each slot has only one writer at a time
 */
struct tacet_swap_map {
	struct list_head node;
	unsigned long slots;
	u8 *owners;
};

/* Returns 0 or -ENOMEM. Sleeps. */
int tacet_swap_map_init(struct tacet_swap_map *map, unsigned long slots);
void tacet_swap_map_exit(struct tacet_swap_map *map);

/* @slot is less than @slots. Both work in any context. */
u8 tacet_swap_map_owner(const struct tacet_swap_map *map, unsigned long slot);
void tacet_swap_map_set(struct tacet_swap_map *map, unsigned long slot, u8 owner);
/* Does the same, and counts a page written. */
void tacet_swap_map_write(struct tacet_swap_map *map, unsigned long slot, u8 owner);

/* Sums over all devices: the slots that this owner has now, and the pages written since the reset. */
unsigned long tacet_swap_map_slots(u8 owner);
u64 tacet_swap_map_written(u8 owner);
void tacet_swap_map_reset(u8 owner);
/*
 * Gives all slots of @owner to TACET_OWNER_ENDED. The caller makes sure that @owner gets no slot
 * meanwhile. Sleeps.
 */
void tacet_swap_map_forget(u8 owner);

#endif
