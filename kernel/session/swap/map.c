// SPDX-License-Identifier: GPL-2.0-only
/* The maps of all swap devices, and their sums. */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "memory/owner.h"
#include "session/swap/map.h"

/* The loop lets other tasks run after this many slots. */
#define STRIDE 65536

static DEFINE_MUTEX(maps_lock);
static LIST_HEAD(maps);
static atomic_long_t held[TACET_OWNER_ENDED + 1];
static atomic64_t written[TACET_OWNER_ENDED + 1];

int tacet_swap_map_init(struct tacet_swap_map *map, unsigned long slots)
{
	map->slots = slots;
	map->owners = vzalloc(slots);
	if (!map->owners)
		return -ENOMEM;
	mutex_lock(&maps_lock);
	list_add(&map->node, &maps);
	mutex_unlock(&maps_lock);
	return 0;
}

void tacet_swap_map_exit(struct tacet_swap_map *map)
{
	unsigned long slot;

	mutex_lock(&maps_lock);
	list_del(&map->node);
	mutex_unlock(&maps_lock);
	for (slot = 0; slot < map->slots; slot++)
		if (map->owners[slot])
			atomic_long_dec(&held[map->owners[slot]]);
	vfree(map->owners);
}

u8 tacet_swap_map_owner(const struct tacet_swap_map *map, unsigned long slot)
{
	return READ_ONCE(map->owners[slot]);
}

void tacet_swap_map_set(struct tacet_swap_map *map, unsigned long slot, u8 owner)
{
	u8 before = xchg(&map->owners[slot], owner);

	if (before == owner)
		return;
	if (before)
		atomic_long_dec(&held[before]);
	if (owner)
		atomic_long_inc(&held[owner]);
}

void tacet_swap_map_write(struct tacet_swap_map *map, unsigned long slot, u8 owner)
{
	tacet_swap_map_set(map, slot, owner);
	atomic64_inc(&written[owner]);
}

unsigned long tacet_swap_map_slots(u8 owner)
{
	return atomic_long_read(&held[owner]);
}

u64 tacet_swap_map_written(u8 owner)
{
	return atomic64_read(&written[owner]);
}

void tacet_swap_map_reset(u8 owner)
{
	atomic64_set(&written[owner], 0);
}

static void forget_in(struct tacet_swap_map *map, u8 owner)
{
	unsigned long slot;

	for (slot = 0; slot < map->slots; slot++) {
		if (slot % STRIDE == 0)
			cond_resched();
		/* The slot may be discarded or written by another task at this moment. */
		if (READ_ONCE(map->owners[slot]) != owner ||
		    cmpxchg(&map->owners[slot], owner, TACET_OWNER_ENDED) != owner)
			continue;
		atomic_long_dec(&held[owner]);
		atomic_long_inc(&held[TACET_OWNER_ENDED]);
	}
}

void tacet_swap_map_forget(u8 owner)
{
	struct tacet_swap_map *map;

	mutex_lock(&maps_lock);
	list_for_each_entry(map, &maps, node)
		forget_in(map, owner);
	mutex_unlock(&maps_lock);
}
