/* SPDX-License-Identifier: GPL-2.0-only */
/* The lock of the current process's memory map, which others may hold while a server does not answer. */
#ifndef _TACET_MEMORY_LOCK_H
#define _TACET_MEMORY_LOCK_H

#include <linux/mmap_lock.h>
#include <linux/sched.h>

/* A task that ends waits for so many ticks at most, each time that it locks. */
#define TACET_LOCK_TICKS_MAX 30

/* Locks it for reading, and returns true. Returns false if others hold it for longer. Sleeps. */
static inline bool tacet_lock_own_memory(void)
{
	unsigned int ticks;

	for (ticks = 0; !mmap_read_trylock(current->mm); ticks++) {
		if (ticks == TACET_LOCK_TICKS_MAX)
			return false;
		schedule_timeout_uninterruptible(1);
	}
	return true;
}

#endif
