// SPDX-License-Identifier: GPL-2.0-only
/* The table of tasks under the hook, and the life of their contexts. */
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/thread_info.h>

#include "base/blob.h"
#include "base/work.h"
#include "memory/owner.h"
#include "pair/pair.h"
#include "pair/ring.h"
#include "pair/task.h"

#define TABLE_BITS 10

struct bucket {
	spinlock_t lock;
	struct hlist_head tasks;
};

static struct bucket table[1 << TABLE_BITS];
static atomic_t watched = ATOMIC_INIT(0);

static struct bucket *bucket_of(const struct task_struct *task)
{
	return &table[hash_ptr(task, TABLE_BITS)];
}

static void count_watched(int change)
{
	atomic_add(change, &watched);
	atomic_add(change, &tacet_owner_count);
}

unsigned int tacet_task_watched_count(void)
{
	return atomic_read(&watched);
}

static void release(struct work_struct *work)
{
	struct tacet_task *context = container_of(to_rcu_work(work), struct tacet_task, release);

	if (context->child)
		tacet_task_put(context->child);
	if (context->ring)
		tacet_ring_put(context->ring);
	tacet_pair_put(rcu_access_pointer(context->pair));
	tacet_blob_release(&context->scratch);
	kfree(context);
	module_put(THIS_MODULE);
}

struct tacet_task *tacet_task_create(struct tacet_pair *pair, enum tacet_role role, gfp_t gfp)
{
	struct tacet_task *context;

	if (!try_module_get(THIS_MODULE))
		return NULL;
	context = kzalloc(sizeof(*context), gfp);
	if (!context) {
		module_put(THIS_MODULE);
		return NULL;
	}
	refcount_set(&context->references, 1);
	INIT_RCU_WORK(&context->release, release);
	INIT_HLIST_NODE(&context->node);
	context->role = role;
	RCU_INIT_POINTER(context->pair, tacet_pair_get(pair));
	tacet_blob_init(&context->scratch);
	return context;
}

void tacet_task_put(struct tacet_task *context)
{
	if (refcount_dec_and_test(&context->references))
		queue_rcu_work(tacet_workqueue, &context->release);
}

struct tacet_task *tacet_task_find(const struct task_struct *task)
{
	struct bucket *bucket = bucket_of(task);
	struct tacet_task *context;

	hlist_for_each_entry_rcu(context, &bucket->tasks, node, lockdep_is_held(&bucket->lock))
		if (context->task == task)
			return context;
	return NULL;
}

bool tacet_task_is_sensitive(const struct task_struct *task)
{
	const struct tacet_task *context;
	bool result;

	/* All tasks under the hook have this flag, and hardly any other has. */
	if (!test_task_syscall_work(task, SECCOMP))
		return false;
	rcu_read_lock();
	context = tacet_task_find(task);
	result = context && tacet_pair_state(rcu_dereference(context->pair)) != TACET_PAIR_WATCH;
	rcu_read_unlock();
	return result;
}

void tacet_task_attach(struct tacet_task *context, struct task_struct *task)
{
	struct bucket *bucket = bucket_of(task);
	struct tacet_task *old;
	unsigned long flags;

	context->task = task;
	spin_lock_irqsave(&bucket->lock, flags);
	/* A new child can be found by tacet_watch_task() before its parent gets here. */
	old = tacet_task_find(task);
	if (old)
		hlist_del_init_rcu(&old->node);
	hlist_add_head_rcu(&context->node, &bucket->tasks);
	set_task_syscall_work(task, SECCOMP);
	spin_unlock_irqrestore(&bucket->lock, flags);
	if (old)
		tacet_task_put(old);
	else
		count_watched(1);
	tacet_owner_changed();
}

/*
 * Another thread can give this one a filter, under this lock. The flag must stay then. The caller holds
 * the bucket's lock, so that no context comes meanwhile.
 */
static void turn_hook_off(struct task_struct *task)
{
	struct sighand_struct *handlers;
	unsigned long flags;

	rcu_read_lock();
	for (;;) {
		handlers = rcu_dereference(task->sighand);
		/* The task has exited, and makes no call any more. */
		if (!handlers)
			break;
		spin_lock_irqsave(&handlers->siglock, flags);
		if (handlers == rcu_access_pointer(task->sighand)) {
			if (task->seccomp.mode == SECCOMP_MODE_DISABLED)
				clear_task_syscall_work(task, SECCOMP);
			spin_unlock_irqrestore(&handlers->siglock, flags);
			break;
		}
		spin_unlock_irqrestore(&handlers->siglock, flags);
	}
	rcu_read_unlock();
}

void tacet_task_detach(struct tacet_task *context)
{
	struct bucket *bucket = bucket_of(context->task);
	unsigned long flags;
	bool found;

	spin_lock_irqsave(&bucket->lock, flags);
	found = !hlist_unhashed(&context->node);
	if (found) {
		hlist_del_init_rcu(&context->node);
		turn_hook_off(context->task);
	}
	spin_unlock_irqrestore(&bucket->lock, flags);
	if (found) {
		count_watched(-1);
		tacet_task_put(context);
	}
}

void tacet_task_unhook(void)
{
	struct bucket *bucket = bucket_of(current);
	unsigned long flags;

	spin_lock_irqsave(&bucket->lock, flags);
	if (!tacet_task_find(current))
		turn_hook_off(current);
	spin_unlock_irqrestore(&bucket->lock, flags);
}

struct tacet_task *tacet_task_current(void)
{
	struct tacet_task *context;

	if (!test_task_syscall_work(current, SECCOMP))
		return NULL;
	rcu_read_lock();
	context = tacet_task_find(current);
	rcu_read_unlock();
	return context;
}

struct tacet_task *tacet_task_get(struct task_struct *task)
{
	struct tacet_task *context;

	rcu_read_lock();
	context = tacet_task_find(task);
	if (context && !refcount_inc_not_zero(&context->references))
		context = NULL;
	rcu_read_unlock();
	return context;
}

void tacet_task_leave_pair(struct tacet_task *context, struct tacet_pair *pair)
{
	struct tacet_pair *old = tacet_task_pair(context);

	tacet_pair_end(old);
	tacet_ring_put(context->ring);
	context->ring = NULL;
	context->interrupted = false;
	tacet_task_set_pair(context, pair);
}

long tacet_task_die(void)
{
	send_sig(SIGKILL, current, 1);
	return -EINTR;
}

void tacet_task_set_pair(struct tacet_task *context, struct tacet_pair *pair)
{
	struct tacet_pair *old = tacet_task_pair(context);

	rcu_assign_pointer(context->pair, pair);
	tacet_owner_changed();
	tacet_pair_put(old);
}

int tacet_task_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		spin_lock_init(&table[i].lock);
	return 0;
}
