/* SPDX-License-Identifier: GPL-2.0-only */
/* Pairs: an original process and its doppelganger. */
#ifndef _TACET_PAIR_H
#define _TACET_PAIR_H

#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct tacet_blob;
struct tacet_labelset;
struct tacet_origin;
struct tacet_turns;
struct task_struct;

enum tacet_pair_state {
	/* May come to read labelled data through a channel: its calls are looked at, and pass. */
	TACET_PAIR_WATCH,
	/* Has read labelled data, or is about to: a doppelganger is made at the next call. */
	TACET_PAIR_WANT,
	TACET_PAIR_PAIRED,
	/*
	 * Has read labelled data and there is no doppelganger to compare with: what
	 * it writes is labelled, what it sends asks the policy. Final.
	 */
	TACET_PAIR_TAINTED,
	/* The original has ended or has become another program. Final. */
	TACET_PAIR_ENDED,
};

/**
 * struct tacet_pair_wait - a wait queue whose sleepers look at the pair's state, too
 * @node: in tacet_pair.waits; the pair's lock
 * @queue: woken at every change of the state
 */
struct tacet_pair_wait {
	struct list_head node;
	wait_queue_head_t queue;
};

/**
 * struct tacet_pair - an original process (thread group) and its doppelganger
 * @references: of contexts, rings, parked threads and works; at zero the pair is freed by RCU
 * @rcu: frees it
 * @lock: guards @state, @set, @origin, @doppelganger, @waits and @parked. Taken in atomic context
 * @state: written under @lock, read without it
 * @set: all labels that were read, a reference or NULL; @lock
 * @scrubbed: the doppelganger took the original's place: files with these labels are read scrubbed. A
 *	reference or NULL; written while the process has one thread, which reads it
 * @origin: how the original came to labelled data last, for questions; a reference or NULL; @lock
 * @merge_at: jiffies; not before then is it looked whether both have become the same again. No lock
 * @doppelganger: leader of the doppelganger's thread group, a reference or NULL; @lock
 * @waits: struct tacet_pair_wait of rings and turns; @lock
 * @reason: a literal: why the pair became tainted; written once under @lock
 * @reason_said: the daemon was told; set by whichever thread is first
 * @wait: woken at every change of the state, and while threads are parked
 * @memory_order: held by the original's thread that runs a call that changes the address space, where
 *	the process has several
 * @memory_issued: number of the last such call; @memory_order
 * @memory_done: number of the last one that the doppelganger has repeated; its thread whose turn it is
 * @maker: the original's thread that makes the doppelganger, by cmpxchg; compared only
 * @parked: the original's other threads while the doppelganger is made, struct tacet_parked; @lock
 * @turns: of several threads one at a time is in user mode (turn.c). NULL: there never were several. Set
 *	once, freed with the pair
 * @exec_strings: arguments and environment of the doppelganger before an execve; written before the new
 *	program runs, taken by its doppelganger
 * @end_work: kills the doppelganger once the pair is over; holds a reference while it is queued
 */
struct tacet_pair {
	refcount_t references;
	struct rcu_head rcu;
	spinlock_t lock;
	enum tacet_pair_state state;
	struct tacet_labelset *set;
	struct tacet_labelset *scrubbed;
	struct tacet_origin *origin;
	unsigned long merge_at;
	struct task_struct *doppelganger;
	struct list_head waits;
	const char *reason;
	bool reason_said;
	wait_queue_head_t wait;
	struct mutex memory_order;
	u64 memory_issued;
	atomic64_t memory_done;
	struct task_struct *maker;
	struct list_head parked;
	struct tacet_turns *turns;
	struct tacet_blob *exec_strings;
	struct work_struct end_work;
};

/* @ended runs once a pair is over and its doppelganger, if it had one, was killed. It may sleep. Set before any pair is made. */
void tacet_pair_set_ended(void (*ended)(struct tacet_pair *pair));

/* A reference, or NULL: no memory. */
struct tacet_pair *tacet_pair_create(enum tacet_pair_state state, gfp_t gfp);
struct tacet_pair *tacet_pair_get(struct tacet_pair *pair);
void tacet_pair_put(struct tacet_pair *pair);

/* The queue is initialised. It is there until it is removed, or the pair goes with its last reference. */
void tacet_pair_add_wait(struct tacet_pair *pair, struct tacet_pair_wait *wait);
void tacet_pair_remove_wait(struct tacet_pair *pair, struct tacet_pair_wait *wait);

static inline enum tacet_pair_state tacet_pair_state(const struct tacet_pair *pair)
{
	return READ_ONCE(pair->state);
}

static inline bool tacet_pair_lives(const struct tacet_pair *pair)
{
	return tacet_pair_state(pair) == TACET_PAIR_PAIRED;
}

/* From @from to @to, or false when it is in another state by now. Wakes all waiters. Atomic. */
bool tacet_pair_change(struct tacet_pair *pair, enum tacet_pair_state from, enum tacet_pair_state to);
/* @leader ends with the pair, which may have ended before it was born. Atomic. */
void tacet_pair_set_doppelganger(struct tacet_pair *pair, struct task_struct *leader);
/* The original goes on without a doppelganger. @reason is a literal. Atomic. */
void tacet_pair_taint(struct tacet_pair *pair, const char *reason);
/* Tells the daemon, once. Sleeps. */
void tacet_pair_say_reason(struct tacet_pair *pair);
/* The original has ended. Atomic. */
void tacet_pair_end(struct tacet_pair *pair);
/* The time after a read of labelled data in which the two are not compared for a merge. */
#define TACET_MERGE_PAUSE HZ
/* Not before @pause jiffies have passed. */
void tacet_pair_put_merge_off(struct tacet_pair *pair, unsigned long pause);

/* Adds to what the original has read, last from @origin; NULL: from where it has read before. -ENOMEM. */
int tacet_pair_add_label(struct tacet_pair *pair, struct tacet_labelset *set, struct tacet_origin *origin, gfp_t gfp);
/* References to what has been read, and to where the last of it came from; @origin may be NULL. */
struct tacet_labelset *tacet_pair_label(struct tacet_pair *pair, struct tacet_origin **origin);
/* tacet_origin_source() of where the last came from. */
u64 tacet_pair_source(struct tacet_pair *pair);
/* The process is another program now. */
void tacet_pair_forget_scrubbed(struct tacet_pair *pair);
/* Copies state and label for a child process. Atomic with GFP_ATOMIC. NULL: no memory. */
struct tacet_pair *tacet_pair_inherit(struct tacet_pair *parent, enum tacet_pair_state state, gfp_t gfp);

#endif
