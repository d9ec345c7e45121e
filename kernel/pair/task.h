/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of tasks under the hook. */
#ifndef _TACET_PAIR_TASK_H
#define _TACET_PAIR_TASK_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "base/blob.h"
#include "pair/pair.h"

struct kernel_clone_args;
struct task_struct;
struct tacet_parked;
struct tacet_ring;
struct tacet_step;

enum tacet_role {
	TACET_ROLE_ORIGINAL,
	TACET_ROLE_DOPPELGANGER,
};

/**
 * struct tacet_task - the context of a task under the hook
 * @references: the table's, and those of tasks that have looked it up
 * @release: frees the context, where that may sleep, once nobody looks it up any more
 * @node: in the table from the task's birth until its exit; the bucket's lock, readers use RCU
 * @task: identity, not a reference, as the context leaves the table before the task dies
 * @role: original or doppelganger; never changes
 * @pair: a reference. Changed by the task itself at exec, takeover and merge; others read it under
 *	RCU
 * @ring: to the task's doppelganger; a reference or NULL. Set before the task runs in the pair, or
 *	while it is parked
 * @entries: number of calls seen. The task writes it, others read it to learn whether a kick has
 *	arrived
 * @arranged: doppelganger: its surroundings have been arranged. The task's own
 * @interrupted: a call of the original returned to be restarted. The task's own, as all that begin
 *	so, or the parked task's while somebody describes it
 * @interrupted_number: number of that call
 * @interrupted_result: result of that call
 * @interrupted_step: the step with its out data, or NULL if it has none or another step was begun
 *	since
 * @inherits: doppelganger: a fork of a doppelganger, whose surroundings are arranged already. Set
 *	before it runs
 * @exiting: the task has said that it exits. The task's own
 * @reading: data that the kernel reads for the call under way does not enter the process. The
 *	task's own
 * @cloning: a doppelganger of this task is being cloned. The task's own; the fork probe runs in it
 * @child: for the child of the fork under way: its context, a reference. The task's own
 * @child_step: paired: the step that is published once the child has its number. The task's own
 * @clone_arguments: those of the fork under way, on the task's stack
 * @cloned_thread: doppelganger: the thread of the original that is being cloned. The task's own
 * @turn_work: waits for the turn, on the way to user mode; holds a reference
 * @scratch: in data of the doppelganger's replayed call, and of futex calls. The task's own
 * @scratch_kept: the original's @scratch is that of the call under way, or of one that is to come
 *	again
 */
struct tacet_task {
	refcount_t references;
	struct rcu_work release;
	struct hlist_node node;
	struct task_struct *task;
	enum tacet_role role;
	struct tacet_pair __rcu *pair;
	struct tacet_ring *ring;
	unsigned long entries;
	bool arranged;
	bool interrupted;
	unsigned int interrupted_number;
	long interrupted_result;
	struct tacet_step *interrupted_step;
	bool inherits;
	bool exiting;
	bool reading;
	bool cloning;
	struct tacet_task *child;
	struct tacet_step *child_step;
	struct kernel_clone_args *clone_arguments;
	struct tacet_parked *cloned_thread;
	struct callback_head turn_work;
	struct tacet_blob scratch;
	bool scratch_kept;
};

int tacet_task_init(void);

/*
 * Makes a context for @pair, not yet in the table, and takes a reference to @pair. Returns NULL without
 * memory, or while the module is unloaded.
 */
struct tacet_task *tacet_task_create(struct tacet_pair *pair, enum tacet_role role, gfp_t gfp);
/* Puts the context into the table for @task and turns the hook on for it. Atomic. */
void tacet_task_attach(struct tacet_task *context, struct task_struct *task);
/* Takes the context's task out of the table, and turns the hook off for it. */
void tacet_task_detach(struct tacet_task *context);
void tacet_task_put(struct tacet_task *context);
/* Turns the hook off for the current task, which got it from its parent, unless it has a context by now. */
void tacet_task_unhook(void);

/* Returns the current task's context without a reference, or NULL. The context stays until the task exits. */
struct tacet_task *tacet_task_current(void);
/* Returns @task's context without a reference, or NULL. The caller holds the RCU lock. */
struct tacet_task *tacet_task_find(const struct task_struct *task);
/* Tells whether the process of @task has read sensitive data, or is about to. Works in any context. */
bool tacet_task_is_sensitive(const struct task_struct *task);
unsigned int tacet_task_watched_count(void);
/* Returns a reference to another task's context, or NULL. */
struct tacet_task *tacet_task_get(struct task_struct *task);

/* Returns the pair of the current task's own context. */
static inline struct tacet_pair *tacet_task_pair(const struct tacet_task *context)
{
	return rcu_dereference_protected(context->pair, true);
}

/* Gives @context another pair, and takes over the caller's reference to it. */
void tacet_task_set_pair(struct tacet_task *context, struct tacet_pair *pair);

/* The current task goes on in @pair, and its old one ends. Takes over the caller's reference to @pair. */
void tacet_task_leave_pair(struct tacet_task *context, struct tacet_pair *pair);

/*
 * Ends the current task, a doppelganger, on its way to user mode, so that it never runs on. Returns
 * -EINTR for its call.
 */
long tacet_task_die(void);

#endif
