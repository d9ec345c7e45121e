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
/* When an owner last allocated or freed a page, in jiffies. */
extern unsigned long tacet_owner_seen;

/* For this time after owners were active, the kernel's threads and interrupts may free what was theirs. */
#define TACET_OWNER_AFTERMATH (5 * HZ)

/* Tells whether something that is freed now may be an owner's. This is the cheap check before any other. */
static inline bool tacet_owner_possible(void)
{
	return atomic_read(&tacet_owner_count) ||
	       time_before(jiffies, READ_ONCE(tacet_owner_seen) + TACET_OWNER_AFTERMATH);
}

/*
 * Tasks are asked for their owner at each allocation. So a processor remembers the owner of one task, by the task's
 * address and the time of its birth, until any task gets another owner.
 */
struct tacet_owned_task {
	const struct task_struct *task;
	u64 born;
	int changes;
	u8 owner;
};

DECLARE_PER_CPU(struct tacet_owned_task, tacet_owned_task);
/* Counts how often a task may have got another owner. */
extern atomic_t tacet_owner_changes;

/* A task may have another owner, or none, from now on. Works in any context. */
static inline void tacet_owner_changed(void)
{
	atomic_inc_return(&tacet_owner_changes);
}

/* Tells whether the current task's owner is known, and which it is. In an interrupt nobody's is. */
static inline bool tacet_owner_known(u8 *owner)
{
	const struct tacet_owned_task *known;
	bool is_known;

	if (!in_task())
		return false;
	/* All of it must be one processor's. */
	preempt_disable_notrace();
	known = this_cpu_ptr(&tacet_owned_task);
	is_known = known->task == current && known->born == current->start_boottime &&
		   known->changes == atomic_read(&tacet_owner_changes);
	*owner = known->owner;
	preempt_enable_notrace();
	return is_known;
}

/* Tells whether the current task is known to have no owner. */
static inline bool tacet_owner_known_none(void)
{
	u8 owner;

	return tacet_owner_known(&owner) && owner == TACET_OWNER_NONE;
}

/* The current task had this owner when this many changes had been counted. */
static inline void tacet_owner_remember(u8 owner, int changes)
{
	/* Another task must not get this count with what it knew before. */
	preempt_disable_notrace();
	*this_cpu_ptr(&tacet_owned_task) = (struct tacet_owned_task){
		.task = current,
		.born = current->start_boottime,
		.changes = changes,
		.owner = owner,
	};
	preempt_enable_notrace();
}

#endif
