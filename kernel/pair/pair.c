// SPDX-License-Identifier: GPL-2.0-only
/* Pairs: their state, their label, their end. */
#include <linux/file.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "base/blob.h"
#include "base/counter.h"
#include "base/labelset.h"
#include "base/work.h"
#include "label/origin.h"
#include "memory/owner.h"
#include "pair/mapping.h"
#include "pair/pair.h"

/* A doppelganger may follow the steps of its ended original for this time, and longer while it has children to make. */
#define GRACE (HZ / 2)
#define GRACE_WITH_CHILDREN (3 * HZ)

static void (*pair_ended)(struct tacet_pair *pair);

void tacet_pair_set_ended(void (*ended)(struct tacet_pair *pair))
{
	pair_ended = ended;
}

static void wait_until_gone(const struct tacet_pair *pair, const struct task_struct *doppelganger)
{
	unsigned long start = jiffies;

	while (atomic_read(&doppelganger->signal->live) &&
	       time_before(jiffies, start + (atomic_read(&pair->unborn) ? GRACE_WITH_CHILDREN : GRACE)))
		schedule_timeout_idle(1);
}

static void end_doppelganger(struct work_struct *work)
{
	struct tacet_pair *pair = container_of(work, struct tacet_pair, end_work);
	struct task_struct *doppelganger;

	spin_lock_irq(&pair->lock);
	doppelganger = pair->doppelganger;
	pair->doppelganger = NULL;
	spin_unlock_irq(&pair->lock);
	if (doppelganger) {
		if (tacet_pair_state(pair) == TACET_PAIR_ENDED)
			wait_until_gone(pair, doppelganger);
		/* This kills all of its threads, also when the leader has ended before them. */
		rcu_read_lock();
		kill_pid(task_tgid(doppelganger), SIGKILL, 1);
		rcu_read_unlock();
		put_task_struct(doppelganger);
	}
	/* The doppelganger may have died before it took the parked threads over. */
	pair_ended(pair);
	tacet_pair_put(pair);
}

struct tacet_pair *tacet_pair_create(enum tacet_pair_state state, gfp_t gfp)
{
	struct tacet_pair *pair = kzalloc(sizeof(*pair), gfp);

	if (!pair)
		return NULL;
	refcount_set(&pair->references, 1);
	spin_lock_init(&pair->lock);
	pair->state = state;
	pair->merge_at = jiffies + TACET_MERGE_PAUSE;
	INIT_LIST_HEAD(&pair->waits);
	INIT_LIST_HEAD(&pair->parked);
	INIT_LIST_HEAD(&pair->memory_copies);
	init_waitqueue_head(&pair->wait);
	mutex_init(&pair->memory_order);
	INIT_WORK(&pair->end_work, end_doppelganger);
	return pair;
}

void tacet_pair_add_wait(struct tacet_pair *pair, struct tacet_pair_wait *wait)
{
	unsigned long flags;

	spin_lock_irqsave(&pair->lock, flags);
	list_add(&wait->node, &pair->waits);
	spin_unlock_irqrestore(&pair->lock, flags);
}

void tacet_pair_remove_wait(struct tacet_pair *pair, struct tacet_pair_wait *wait)
{
	unsigned long flags;

	spin_lock_irqsave(&pair->lock, flags);
	list_del(&wait->node);
	spin_unlock_irqrestore(&pair->lock, flags);
}

struct tacet_pair *tacet_pair_get(struct tacet_pair *pair)
{
	refcount_inc(&pair->references);
	return pair;
}

void tacet_pair_put(struct tacet_pair *pair)
{
	if (!refcount_dec_and_test(&pair->references))
		return;
	if (pair->doppelganger)
		put_task_struct(pair->doppelganger);
	tacet_origin_put(pair->origin);
	tacet_labelset_put(pair->set);
	tacet_labelset_put(pair->scrubbed);
	if (pair->exec_strings) {
		tacet_blob_release(pair->exec_strings);
		kfree(pair->exec_strings);
	}
	tacet_mapping_forget_copies(&pair->memory_copies);
	kvfree(pair->turns);
	kfree_rcu(pair, rcu);
}

/* The caller holds the lock, and has changed the state. */
static void wake_everybody(struct tacet_pair *pair)
{
	struct tacet_pair_wait *wait;

	lockdep_assert_held(&pair->lock);
	tacet_owner_changed();
	list_for_each_entry(wait, &pair->waits, node)
		wake_up_all(&wait->queue);
	wake_up_all(&pair->wait);
}

/* The work holds a reference of its own until it has run. */
static void queue_end(struct tacet_pair *pair)
{
	lockdep_assert_held(&pair->lock);
	if (!pair->doppelganger)
		return;
	tacet_pair_get(pair);
	if (!queue_work(tacet_workqueue, &pair->end_work))
		refcount_dec(&pair->references);
}

void tacet_pair_set_doppelganger(struct tacet_pair *pair, struct task_struct *leader)
{
	unsigned long flags;

	spin_lock_irqsave(&pair->lock, flags);
	if (!WARN_ON_ONCE(pair->doppelganger))
		pair->doppelganger = get_task_struct(leader);
	if (pair->state == TACET_PAIR_TAINTED || pair->state == TACET_PAIR_ENDED)
		queue_end(pair);
	spin_unlock_irqrestore(&pair->lock, flags);
}

bool tacet_pair_change(struct tacet_pair *pair, enum tacet_pair_state from, enum tacet_pair_state to)
{
	unsigned long flags;
	bool changed;

	spin_lock_irqsave(&pair->lock, flags);
	changed = pair->state == from;
	if (changed) {
		WRITE_ONCE(pair->state, to);
		wake_everybody(pair);
	}
	spin_unlock_irqrestore(&pair->lock, flags);
	return changed;
}

static void finish(struct tacet_pair *pair, enum tacet_pair_state state, const char *reason)
{
	unsigned long flags;

	spin_lock_irqsave(&pair->lock, flags);
	if (pair->state != TACET_PAIR_ENDED && pair->state != state) {
		WRITE_ONCE(pair->state, state);
		pair->reason = reason;
		wake_everybody(pair);
	}
	queue_end(pair);
	spin_unlock_irqrestore(&pair->lock, flags);
}

void tacet_pair_taint(struct tacet_pair *pair, const char *reason)
{
	finish(pair, TACET_PAIR_TAINTED, reason);
}

void tacet_pair_end(struct tacet_pair *pair)
{
	finish(pair, TACET_PAIR_ENDED, NULL);
}

void tacet_pair_say_reason(struct tacet_pair *pair)
{
	struct tacet_labelset *set;
	struct tacet_origin *origin;

	if (!pair->reason || xchg(&pair->reason_said, true))
		return;
	tacet_counter_add(TACET_COUNTER_TAINTED);
	set = tacet_pair_label(pair, &origin);
	tacet_origin_notice(origin, TACET_EVENT_TAINTED, set, pair->reason);
	tacet_labelset_put(set);
	tacet_origin_put(origin);
}

void tacet_pair_put_merge_off(struct tacet_pair *pair, unsigned long pause)
{
	if (time_before(READ_ONCE(pair->merge_at), jiffies + pause))
		WRITE_ONCE(pair->merge_at, jiffies + pause);
}

int tacet_pair_add_label(struct tacet_pair *pair, struct tacet_labelset *set, struct tacet_origin *origin, gfp_t gfp)
{
	struct tacet_labelset *old, *merged;
	struct tacet_origin *before = NULL;
	unsigned long flags;
	bool stored = false;

	tacet_pair_put_merge_off(pair, TACET_MERGE_PAUSE);
	while (!stored) {
		old = tacet_pair_label(pair, NULL);
		if (tacet_labelset_contains(old, set) && !origin) {
			tacet_labelset_put(old);
			return 0;
		}
		merged = tacet_labelset_union(old, set, gfp);
		tacet_labelset_put(old);
		if (IS_ERR(merged))
			return PTR_ERR(merged);
		spin_lock_irqsave(&pair->lock, flags);
		if (pair->set == old) {
			pair->set = merged;
			merged = old;
			stored = true;
		}
		if (stored && origin) {
			before = pair->origin;
			pair->origin = tacet_origin_get(origin);
		}
		spin_unlock_irqrestore(&pair->lock, flags);
		tacet_labelset_put(merged);
	}
	tacet_origin_put(before);
	return 0;
}

struct tacet_labelset *tacet_pair_label(struct tacet_pair *pair, struct tacet_origin **origin)
{
	struct tacet_labelset *set;
	unsigned long flags;

	spin_lock_irqsave(&pair->lock, flags);
	set = tacet_labelset_get(pair->set);
	if (origin)
		*origin = tacet_origin_get(pair->origin);
	spin_unlock_irqrestore(&pair->lock, flags);
	return set;
}

u64 tacet_pair_source(struct tacet_pair *pair)
{
	unsigned long flags;
	u64 source;

	spin_lock_irqsave(&pair->lock, flags);
	source = tacet_origin_source(pair->origin);
	spin_unlock_irqrestore(&pair->lock, flags);
	return source;
}

void tacet_pair_forget_scrubbed(struct tacet_pair *pair)
{
	tacet_labelset_put(pair->scrubbed);
	pair->scrubbed = NULL;
}

struct tacet_pair *tacet_pair_inherit(struct tacet_pair *parent, enum tacet_pair_state state, gfp_t gfp)
{
	struct tacet_pair *pair = tacet_pair_create(state, gfp);

	if (!pair)
		return NULL;
	pair->set = tacet_pair_label(parent, &pair->origin);
	pair->scrubbed = tacet_labelset_get(parent->scrubbed);
	/* The child has copies of the parent's memory only. */
	pair->adopted = READ_ONCE(parent->adopted);
	/* The loss was the parent's, and the parent tells of it. */
	pair->reason_said = true;
	return pair;
}
