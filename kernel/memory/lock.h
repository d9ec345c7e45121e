/* SPDX-License-Identifier: GPL-2.0-only */
/* The lock of a process's memory map, which others may hold while a server does not answer. */
#ifndef _TACET_MEMORY_LOCK_H
#define _TACET_MEMORY_LOCK_H

#include <linux/mmap_lock.h>
#include <linux/sched.h>

/* A task that ends waits for so many ticks at most. */
#define TACET_LOCK_TICKS_MAX 30

/*
 * Locks it for reading, and returns true. Returns false if others hold it for longer than @ticks, from which the ticks are
 * taken that it has waited. Sleeps.
 */
static inline bool tacet_lock_memory(struct mm_struct *mm, unsigned int *ticks)
{
	for (; !mmap_read_trylock(mm); --*ticks) {
		if (!*ticks)
			return false;
		schedule_timeout_uninterruptible(1);
	}
	return true;
}

/* The same for the current process. */
static inline bool tacet_lock_own_memory(void)
{
	unsigned int ticks = TACET_LOCK_TICKS_MAX;

	return tacet_lock_memory(current->mm, &ticks);
}

#endif
