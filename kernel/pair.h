/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks under the hook, and the process pairs that they belong to. */
#ifndef _TACET_PAIR_H
#define _TACET_PAIR_H

#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "blob.h"
#include "label.h"
#include "origin.h"

struct file;
struct kernel_clone_args;
struct pt_regs;
struct tacet_parked;
struct tacet_step;
struct tacet_ring;
struct tacet_turns;

enum tacet_pair_state {
	/*
	 * May come to read labelled data through a channel: calls are looked at
	 * and pass.
	 */
	TACET_PAIR_WATCH,
	/* Has read, or is about to: a doppelganger is made at the next call. */
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
 * struct tacet_pair_wait - a wait queue that looks at the pair's state, too
 * @node: in tacet_pair.waits, under the pair's lock
 * @queue: woken at every change of the state
 */
struct tacet_pair_wait {
	struct list_head node;
	wait_queue_head_t queue;
};

/*
 * An original process (thread group) and its doppelganger.
 * Freed by RCU; looked up under RCU through struct tacet_task.
 */
struct tacet_pair {
	refcount_t references;
	struct rcu_head rcu;
	/* Guards state, set, origin, doppelganger, waits, parked. Taken in atomic context. */
	spinlock_t lock;
	enum tacet_pair_state state;
	/* Union of all labels read. A reference. */
	struct tacet_labelset *set;
	/* The doppelganger took the original's place: files with these labels are read scrubbed. A reference or NULL. */
	struct tacet_labelset *scrubbed;
	/* How it came to labelled data first, for questions. Set once; a reference or NULL. */
	struct tacet_origin *origin;
	/* When it is looked, next, whether both halves have become the same again; jiffies. */
	unsigned long merge_at;
	/* Leader of the doppelganger's thread group. A reference or NULL. */
	struct task_struct *doppelganger;
	/* All wait queues that are woken at every change of state, struct tacet_pair_wait. */
	struct list_head waits;
	/* Why it became tainted; said to the daemon at the original's next call. */
	const char *reason;
	bool reason_said;
	/* Woken at every change of state and while threads are parked. */
	wait_queue_head_t wait;
	/*
	 * Calls that change the address space run in the original one at a time
	 * where it has threads, numbered, and in the doppelganger by these numbers.
	 */
	struct mutex memory_order;
	u64 memory_issued;
	atomic64_t memory_done;
	/* The thread that makes the doppelganger. */
	struct task_struct *maker;
	/* The original's other threads while the doppelganger is made, struct tacet_parked. */
	struct list_head parked;
	/* Of several threads one at a time is in user mode (turn.c). NULL: there never were several. */
	struct tacet_turns *turns;
	/* Arguments and environment of the doppelganger before an execve. */
	struct tacet_blob *exec_strings;
	/* Kills the doppelganger; from atomic context too. */
	struct work_struct end_work;
};

enum tacet_role {
	TACET_ROLE_ORIGINAL,
	TACET_ROLE_DOPPELGANGER,
};

/*
 * One task under the hook. In the table from its birth until the task's exit;
 * what is not marked otherwise is touched by the task itself only.
 */
struct tacet_task {
	refcount_t references;
	/* Frees it, where it may sleep, once nobody looks it up any more. */
	struct rcu_work release;
	struct hlist_node node;
	/* Identity, not a reference: removed from the table before it dies. */
	struct task_struct *task;
	enum tacet_role role;
	/* A reference. Others read it under RCU. Changed by the task at exec. */
	struct tacet_pair __rcu *pair;
	/* To the task's double; a reference or NULL. */
	struct tacet_ring *ring;
	/* Calls seen; others read it to learn whether a kick has arrived. */
	unsigned long entries;
	/* Doppelganger: its surroundings have been arranged. */
	bool arranged;
	/* A call of the original that returned to be restarted. */
	bool interrupted;
	unsigned int interrupted_number;
	long interrupted_result;
	/* Where its out data lies, if it has any and no other step was begun since. */
	struct tacet_step *interrupted_step;
	/* Doppelganger: a fork of a doppelganger, whose surroundings are arranged already. */
	bool inherits;
	/* It said that it exits. */
	bool exiting;
	/* What the kernel reads for this call does not enter the process. */
	bool reading;
	/* A doppelganger of this task is being cloned. */
	bool cloning;
	/*
	 * For the child of the fork under way: its context, and for a paired
	 * task the step that is published once the child has its number.
	 */
	struct tacet_task *child;
	struct tacet_step *child_step;
	struct kernel_clone_args *clone_arguments;
	/* Doppelganger: the thread of the original that is being cloned. */
	struct tacet_parked *cloned_thread;
	/* Waits, on the way to user mode, for its turn; holds a reference. */
	struct callback_head turn_work;
	/* In data of the doppelganger's replayed call, and of futex calls. */
	struct tacet_blob scratch;
	/* The original's is that of the call under way, or of one that is to come again. */
	bool scratch_kept;
};

int tacet_task_init(void);

/* A context of its own for @pair (takes a reference), not yet in the table. NULL: no memory, or unloading. */
struct tacet_task *tacet_task_create(struct tacet_pair *pair, enum tacet_role role, gfp_t gfp);
/* Puts it into the table for @task and turns the hook on for it. Atomic. */
void tacet_task_attach(struct tacet_task *context, struct task_struct *task);
/* Takes the current task out of the table, and the hook off. */
void tacet_task_detach(struct tacet_task *context);
void tacet_task_put(struct tacet_task *context);

/* The current task's context without a reference: it stays until the task exits. NULL: none. */
struct tacet_task *tacet_task_current(void);
/* @task's context, without a reference; NULL: none. Under RCU. */
struct tacet_task *tacet_task_find(const struct task_struct *task);
unsigned int tacet_task_watched_count(void);
/* A reference to another task's context, or NULL. */
struct tacet_task *tacet_task_get(struct task_struct *task);

/* The pair of the current task's own context. */
static inline struct tacet_pair *tacet_task_pair(const struct tacet_task *context)
{
	return rcu_dereference_protected(context->pair, true);
}

/* Gives @context another pair (takes over the reference of the caller). */
void tacet_task_set_pair(struct tacet_task *context, struct tacet_pair *pair);

/* The current task goes on in @pair (takes the caller's reference), and its old one ends. */
void tacet_task_leave_pair(struct tacet_task *context, struct tacet_pair *pair);

/* The current task, a doppelganger, ends on its way to user mode, so that it never runs on. -EINTR, for its call. */
long tacet_task_die(void);

/*
 * Entry of every call of a task under the hook. True: it has been dealt with
 * and @result is the call's; false: the kernel runs it.
 */
bool tacet_task_enter(struct tacet_task *context, struct pt_regs *regs, long *result);

/*
 * @ended runs once the doppelganger of a pair that is over was killed, or where there was none. It may sleep. Before any
 * pair is made.
 */
void tacet_pair_set_ended(void (*ended)(struct tacet_pair *pair));

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
/* How long after a read of labelled data it is not looked whether both halves are the same. */
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
