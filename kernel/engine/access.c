// SPDX-License-Identifier: GPL-2.0-only
/* A process that sees the memory of one that has read labelled data counts as having read it. */
#include <linux/file.h>
#include <linux/sched/signal.h>

#include "base/labelset.h"
#include "engine/access.h"
#include "label/origin.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"

/* Returns a reference, or NULL. */
static struct tacet_pair *pair_of(struct task_struct *task)
{
	struct tacet_task *context = tacet_task_get(task);
	struct tacet_pair *pair;

	if (!context)
		return NULL;
	rcu_read_lock();
	pair = rcu_dereference(context->pair);
	if (context->role != TACET_ROLE_ORIGINAL || !refcount_inc_not_zero(&pair->references))
		pair = NULL;
	rcu_read_unlock();
	tacet_task_put(context);
	return pair;
}

/* Taints @viewer, as there is no doppelganger of the memory that it has seen. Returns 0 or -ENOMEM. */
static int taint_viewer(struct task_struct *viewer, struct tacet_pair *seen)
{
	struct tacet_pair *pair = NULL;
	struct tacet_labelset *set;
	struct tacet_origin *origin;
	int error = -ENOMEM;

	set = tacet_pair_label(seen, &origin);
	if (!set)
		return 0;
	if (tacet_watch_task(viewer, TACET_PAIR_WATCH))
		pair = pair_of(viewer);
	if (pair) {
		error = tacet_pair_add_label(pair, set, origin, GFP_ATOMIC);
		tacet_pair_taint(pair, "memory-of-another-seen");
		tacet_pair_put(pair);
	}
	tacet_origin_put(origin);
	tacet_labelset_put(set);
	return error;
}

int tacet_access_seen(struct task_struct *task)
{
	struct tacet_pair *seen = pair_of(task);
	int error = 0;

	if (!seen)
		return 0;
	if (tacet_pair_state(seen) >= TACET_PAIR_WANT && !(current->flags & PF_KTHREAD))
		error = taint_viewer(current, seen);
	tacet_pair_put(seen);
	return error;
}

int tacet_access_by_parent(struct tacet_pair *pair)
{
	int error;

	rcu_read_lock();
	error = taint_viewer(rcu_dereference(current->parent), pair);
	rcu_read_unlock();
	return error;
}
