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
	/* The process may come to read labelled data through a channel. Its calls are looked at, and pass. */
	TACET_PAIR_WATCH,
	/* The process has read labelled data, or is about to. A doppelganger is made at the next call. */
	TACET_PAIR_WANT,
	TACET_PAIR_PAIRED,
	/*
	 * The process has read labelled data, and there is no doppelganger to compare with. All that it
	 * writes is labelled, all that it sends is asked about. This state is final.
	 */
	TACET_PAIR_TAINTED,
	/* The original has ended or has become another program. This state is final. */
	TACET_PAIR_ENDED,
};

/**
 * struct tacet_pair_wait - a wait queue whose sleepers look at the pair's state, too
 * @node: its place in tacet_pair.waits; the pair's lock
 * @queue: woken at every change of the state
 */
struct tacet_pair_wait {
	struct list_head node;
	wait_queue_head_t queue;
};

/**
 * struct tacet_pair - an original process (thread group) and its doppelganger
 * @references: those of contexts, rings, parked threads and works; at zero the pair is freed by
 *	RCU
 * @rcu: frees it
 * @lock: guards @state, @set, @origin, @doppelganger, @waits and @parked. Taken in atomic context
 * @state: written under @lock, read without it
 * @set: all labels that were read, a reference or NULL; @lock
 * @scrubbed: set after a takeover: files with these labels are read scrubbed. A reference or NULL;
 *	written while the process has one thread, which reads it
 * @origin: the last way of labelled data to the original, for questions; a reference or NULL;
 *	@lock
 * @merge_at: jiffies before which no merge is tried. No lock
 * @doppelganger: leader of the doppelganger's thread group, a reference or NULL; @lock
 * @waits: struct tacet_pair_wait of rings and turns; @lock
 * @reason: a literal with the reason why the pair became tainted; written once under @lock
 * @reason_said: the daemon was told; the first thread sets it
 * @wait: woken at every change of the state, and while threads are parked
 * @memory_order: held by the original's thread that runs a call that changes the address space, if
 *	the process has several threads
 * @memory_issued: number of the last such call; @memory_order
 * @memory_done: number of the last such call that the doppelganger has repeated; written by its
 *	thread whose turn it is
 * @maker: the original's thread that makes the doppelganger, set by cmpxchg; compared only
 * @parked: the original's other threads while the doppelganger is made, struct tacet_parked; @lock
 * @turns: the turns of several threads (turn.c), or NULL if there never were several. Set once,
 *	freed with the pair
 * @memory_copies: what shared memory held when the doppelganger was made, struct memory_copy. Filled before
 *	it is made, then its own
 * @unborn: the original's child processes whose doppelgangers are not made yet
 * @exec_strings: arguments and environment of the doppelganger before an execve; written before
 *	the new program runs, taken by its doppelganger
 * @adopted: the memory that the process had before it read sensitive data is marked; see
 *	tacet_watch_adopt()
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
	struct list_head memory_copies;
	atomic_t unborn;
	struct tacet_blob *exec_strings;
	bool adopted;
	struct work_struct end_work;
};

/*
 * @ended runs once a pair is over and its doppelganger, if it had one, was killed. It may sleep. It is
 * set before any pair is made.
 */
void tacet_pair_set_ended(void (*ended)(struct tacet_pair *pair));

/* Returns a reference, or NULL without memory. */
struct tacet_pair *tacet_pair_create(enum tacet_pair_state state, gfp_t gfp);
struct tacet_pair *tacet_pair_get(struct tacet_pair *pair);
void tacet_pair_put(struct tacet_pair *pair);

/*
 * The caller has initialised the queue. It must stay until it is removed, or the pair goes with its
 * last reference.
 */
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

/* A doppelganger also follows the steps that its original made before it ended: children are made in them. */
static inline bool tacet_pair_is_followed(const struct tacet_pair *pair)
{
	return tacet_pair_lives(pair) || tacet_pair_state(pair) == TACET_PAIR_ENDED;
}

/*
 * Changes the state from @from to @to and wakes all waiters. Returns false if the pair is in another
 * state by now. Atomic.
 */
bool tacet_pair_change(struct tacet_pair *pair, enum tacet_pair_state from, enum tacet_pair_state to);
/* Notes @leader, which ends with the pair. The pair may have ended before @leader was born. Atomic. */
void tacet_pair_set_doppelganger(struct tacet_pair *pair, struct task_struct *leader);
/* Taints the pair: the original goes on without a doppelganger. @reason is a literal. Atomic. */
void tacet_pair_taint(struct tacet_pair *pair, const char *reason);
/* Tells the daemon the reason, once. Sleeps. */
void tacet_pair_say_reason(struct tacet_pair *pair);
/* Ends the pair, as the original has ended. Atomic. */
void tacet_pair_end(struct tacet_pair *pair);
/* For this time after a read of labelled data, no merge is tried. */
#define TACET_MERGE_PAUSE HZ
/* No merge is tried before @pause jiffies have passed. */
void tacet_pair_put_merge_off(struct tacet_pair *pair, unsigned long pause);

/*
 * Adds @set to the labels that the original has read, last from @origin. With a NULL @origin the
 * earlier one stays. Returns 0 or -ENOMEM.
 */
int tacet_pair_add_label(struct tacet_pair *pair, struct tacet_labelset *set, struct tacet_origin *origin, gfp_t gfp);
/*
 * Returns a reference to the label of all data that was read, and in @origin one to the last origin.
 * @origin may be NULL.
 */
struct tacet_labelset *tacet_pair_label(struct tacet_pair *pair, struct tacet_origin **origin);
/* Returns tacet_origin_source() of the last origin. */
u64 tacet_pair_source(struct tacet_pair *pair);
/* Drops @scrubbed, as the process is another program now. */
void tacet_pair_forget_scrubbed(struct tacet_pair *pair);
/* Copies label and origin for a child process. Atomic with GFP_ATOMIC. Returns NULL without memory. */
struct tacet_pair *tacet_pair_inherit(struct tacet_pair *parent, enum tacet_pair_state state, gfp_t gfp);

#endif
