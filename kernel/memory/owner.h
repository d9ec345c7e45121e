/* SPDX-License-Identifier: GPL-2.0-only */
/* Owner numbers. One byte says whose data a page of memory or a slot of swap holds. */
#ifndef _TACET_MEMORY_OWNER_H
#define _TACET_MEMORY_OWNER_H

#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/types.h>
#include "uapi/tacet.h"

enum tacet_owner {
	TACET_OWNER_NONE = 0,	   /* public memory; on swap: not encrypted by us */
	TACET_OWNER_PUBLIC = 1,	   /* on swap: encrypted with the key that was made at load */
	TACET_OWNER_SESSION = 2,   /* the first of TACET_SESSION_MAX numbers */
	TACET_OWNER_PROGRAM = 253, /* memory of a program that is no member, and whose freed memory is cleared */
	TACET_OWNER_UNKNOWN = 254, /* memory with data that may be an owner's, and is only cleared */
	TACET_OWNER_ENDED = 255,   /* data of a session that has ended */
};

static inline bool tacet_owner_is_session(u8 owner)
{
	return owner >= TACET_OWNER_SESSION && owner < TACET_OWNER_SESSION + TACET_SESSION_MAX;
}

/* How many sessions, covered processes and tasks under the hook there are. Without any, no allocation is an owner's. */
extern atomic_t tacet_owner_count;
/* When an owner last ran, as far as is known, in jiffies. */
extern unsigned long tacet_owner_seen;

/*
 * For this time after an owner ran, the kernel's threads and interrupts may free what was its. Some of it they collect for 5 s.
 * Whether owners ran is looked at every 4 s.
 */
#define TACET_OWNER_AFTERMATH (12 * HZ)

/* Works in any context. */
static inline void tacet_owner_note(void)
{
	if (READ_ONCE(tacet_owner_seen) != jiffies)
		WRITE_ONCE(tacet_owner_seen, jiffies);
}

/* Tells whether an owner ran a moment ago. */
static inline bool tacet_owner_is_active(void)
{
	return time_before(jiffies, READ_ONCE(tacet_owner_seen) + TACET_OWNER_AFTERMATH);
}

/* Tells whether something that is freed now may be an owner's. This is the cheap check before any other. */
static inline bool tacet_owner_possible(void)
{
	return atomic_read(&tacet_owner_count) || tacet_owner_is_active();
}

/*
 * Tasks are asked for their owner at each allocation. So a processor remembers the owners of a few tasks, until any task gets
 * another owner. It has one word for each, so that a task may change processors while it reads it. The lowest byte is the owner.
 * The others are the task's address mixed with the time of its birth in ns, as another task may come to the same address.
 */
#define TACET_OWNED_TASKS 8
struct tacet_owned_tasks {
	unsigned long words[TACET_OWNED_TASKS];
};

DECLARE_PER_CPU(struct tacet_owned_tasks, tacet_owned_tasks);
/* Counts how often a task may have got another owner. */
extern atomic_t tacet_owner_changes;

/* The current task, as the words tell it. */
static __always_inline unsigned long tacet_owner_task(void)
{
	return (unsigned long)current ^ current->start_boottime;
}

/* Where the word of this task is. These bits tell tasks apart that were made one after the other. */
static __always_inline unsigned int tacet_owner_place(unsigned long task)
{
	return (task >> 11) % TACET_OWNED_TASKS;
}

/* The word at the place of the current task, and perhaps its own. */
static __always_inline unsigned long tacet_owner_word(unsigned long task)
{
	return this_cpu_read(tacet_owned_tasks.words[tacet_owner_place(task)]);
}

/* A task may have another owner, or none, from now on. Works in any context. */
void tacet_owner_changed(void);
/* The current task had this owner when this many changes had been counted. */
void tacet_owner_remember(u8 owner, int changes);

/* Tells whether the current task's owner is known, and which it is. In an interrupt nobody's is. */
static inline bool tacet_owner_known(u8 *owner)
{
	unsigned long task = tacet_owner_task(), difference = tacet_owner_word(task) ^ task << 8;

	*owner = difference;
	return difference <= U8_MAX && in_task();
}

/*
 * Tells whether the current task is known to have no owner. An interrupt is told the same of the task that it has
 * interrupted.
 */
static __always_inline bool tacet_owner_task_is_outsider(void)
{
	unsigned long task = tacet_owner_task();

	return likely(tacet_owner_word(task) == (task << 8 | TACET_OWNER_NONE));
}

/* The same, and false in an interrupt. */
static __always_inline bool tacet_owner_known_none(void)
{
	return tacet_owner_task_is_outsider() && likely(in_task());
}

#endif
