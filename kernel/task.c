// SPDX-License-Identifier: GPL-2.0-only
/* The table of tasks under the hook, and what happens when they are born, call and die. */
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/thread_info.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "armed.h"
#include "call.h"
#include "channel.h"
#include "engine.h"
#include "event.h"
#include "pair.h"
#include "question.h"
#include "ring.h"
#include "symbol.h"
#include "task.h"
#include "turn.h"

#define TABLE_BITS 10

struct bucket {
	spinlock_t lock;
	struct hlist_head tasks;
};

static struct bucket table[1 << TABLE_BITS];
/* All threads of a process get the same pair. Outer to the buckets' locks. */
static DEFINE_SPINLOCK(birth_lock);
static atomic_t watched = ATOMIC_INIT(0);
struct workqueue_struct *tacet_workqueue;

static struct bucket *bucket_of(struct task_struct *task)
{
	return &table[hash_ptr(task, TABLE_BITS)];
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

static struct tacet_task *find(struct task_struct *task)
{
	struct bucket *bucket = bucket_of(task);
	struct tacet_task *context;

	hlist_for_each_entry_rcu(context, &bucket->tasks, node, lockdep_is_held(&bucket->lock))
		if (context->task == task)
			return context;
	return NULL;
}

void tacet_task_attach(struct tacet_task *context, struct task_struct *task)
{
	struct bucket *bucket = bucket_of(task);
	struct tacet_task *old;
	unsigned long flags;

	context->task = task;
	spin_lock_irqsave(&bucket->lock, flags);
	/* A new child can be found by tacet_task_watch() before its parent gets here. */
	old = find(task);
	if (old)
		hlist_del_init_rcu(&old->node);
	hlist_add_head_rcu(&context->node, &bucket->tasks);
	set_task_syscall_work(task, SECCOMP);
	spin_unlock_irqrestore(&bucket->lock, flags);
	if (old)
		tacet_task_put(old);
	else
		atomic_inc(&watched);
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
		/* A seccomp filter of the task's own needs the flag too. */
		if (context->task->seccomp.mode == SECCOMP_MODE_DISABLED)
			clear_task_syscall_work(context->task, SECCOMP);
	}
	spin_unlock_irqrestore(&bucket->lock, flags);
	if (found) {
		atomic_dec(&watched);
		tacet_task_put(context);
	}
}

struct tacet_task *tacet_task_current(void)
{
	struct tacet_task *context;

	if (!test_task_syscall_work(current, SECCOMP))
		return NULL;
	rcu_read_lock();
	context = find(current);
	rcu_read_unlock();
	return context;
}

struct tacet_task *tacet_task_get(struct task_struct *task)
{
	struct tacet_task *context;

	rcu_read_lock();
	context = find(task);
	if (context && !refcount_inc_not_zero(&context->references))
		context = NULL;
	rcu_read_unlock();
	return context;
}

void tacet_task_set_pair(struct tacet_task *context, struct tacet_pair *pair)
{
	struct tacet_pair *old = tacet_task_pair(context);

	rcu_assign_pointer(context->pair, pair);
	tacet_pair_put(old);
}

static bool may_follow(void)
{
	return !in_ia32_syscall() &&
	       tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->class != TACET_CALL_TAINT &&
	       tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->class != TACET_CALL_REFUSE;
}

static void restart_call(void)
{
	/* Without work to do at the exit to user mode the call would not be restarted. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
}

int tacet_task_reads(struct file *file)
{
	struct tacet_task *context;
	enum tacet_pair_state wanted;
	bool transfers;

	if (current->flags & PF_KTHREAD)
		return 0;
	context = tacet_task_current();
	if (context) {
		if (context->role == TACET_ROLE_DOPPELGANGER || context->reading ||
		    tacet_pair_state(tacet_task_pair(context)) >= TACET_PAIR_PAIRED)
			return 0;
	}
	if ((current->flags & (PF_IO_WORKER | PF_USER_WORKER)) || !may_follow()) {
		tacet_event_notice(TACET_EVENT_REFUSED, 0, file, NULL, "read-cannot-be-followed");
		return -EPERM;
	}
	/* Data that never enters the process needs no doppelganger. */
	transfers = tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->special ==
		    TACET_SPECIAL_TRANSFER;
	wanted = transfers ? TACET_PAIR_WATCH : TACET_PAIR_WANT;
	if (!tacet_task_watch(current, wanted))
		return -ENOMEM;
	restart_call();
	return -ERESTARTNOINTR;
}

static bool maps_inode(struct mm_struct *mm, const struct inode *inode)
{
	struct vm_area_struct *area;
	bool maps = false;
	VMA_ITERATOR(iterator, mm, 0);

	mmap_read_lock(mm);
	for_each_vma(iterator, area)
		maps = maps || (area->vm_file && (file_inode(area->vm_file) == inode ||
						  tacet_armed_inode_of(area->vm_file) == inode));
	mmap_read_unlock(mm);
	return maps;
}

/* Any thread's: a leader that has ended has none. A reference, or NULL. */
static struct mm_struct *mm_of(struct task_struct *process)
{
	struct task_struct *thread;
	struct mm_struct *mm;

	for_each_thread(process, thread) {
		mm = get_task_mm(thread);
		if (mm)
			return mm;
	}
	return NULL;
}

/* The process after @after (NULL: the first) that has memory, with a reference on both; NULL: none. */
static struct task_struct *next_process(struct task_struct *after, struct mm_struct **mm)
{
	struct task_struct *process, *found = NULL;
	bool passed = !after, gone = false;

	rcu_read_lock();
again:
	for_each_process(process) {
		if (passed && !(process->flags & PF_KTHREAD)) {
			*mm = mm_of(process);
			if (*mm) {
				found = get_task_struct(process);
				break;
			}
		}
		passed = passed || process == after;
	}
	/* It is not in the list any more, so that nothing comes after it. */
	if (!passed && !gone) {
		passed = gone = true;
		goto again;
	}
	rcu_read_unlock();
	if (after)
		put_task_struct(after);
	return found;
}

/* The pair that a thread of the process has already, or a new one; a reference. NULL: no memory. */
static struct tacet_pair *pair_of_process(struct task_struct *task, enum tacet_pair_state state)
{
	struct task_struct *thread;
	struct tacet_task *context;
	struct tacet_pair *pair;

	lockdep_assert_held(&birth_lock);
	for_each_thread(task, thread) {
		context = find(thread);
		pair = context ? rcu_dereference(context->pair) : NULL;
		if (pair && refcount_inc_not_zero(&pair->references))
			return pair;
	}
	return tacet_pair_create(state, GFP_ATOMIC);
}

static bool attach_thread(struct tacet_pair *pair, struct task_struct *thread)
{
	struct tacet_task *context;

	if (find(thread) || READ_ONCE(thread->flags) & PF_EXITING)
		return true;
	context = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_ATOMIC);
	if (!context)
		return false;
	refcount_inc(&context->references);
	tacet_task_attach(context, thread);
	/* Its exit either finds the context in the table or has set the flag before we look. */
	smp_mb__after_atomic();
	if (READ_ONCE(thread->flags) & PF_EXITING)
		tacet_task_detach(context);
	tacet_task_put(context);
	return true;
}

/* A reference to the pair that all threads of the process belong to from now on; NULL: no memory. */
static struct tacet_pair *watch_process(struct task_struct *task, enum tacet_pair_state state)
{
	struct task_struct *thread;
	struct tacet_pair *pair;
	unsigned long flags;
	bool done = true;

	rcu_read_lock();
	spin_lock_irqsave(&birth_lock, flags);
	pair = pair_of_process(task, state);
	if (pair)
		for_each_thread(task, thread)
			done = attach_thread(pair, thread) && done;
	spin_unlock_irqrestore(&birth_lock, flags);
	rcu_read_unlock();
	if (pair && !done) {
		tacet_pair_put(pair);
		pair = NULL;
	}
	return pair;
}

bool tacet_task_watch(struct task_struct *task, enum tacet_pair_state state)
{
	struct tacet_pair *pair = watch_process(task, state);

	if (!pair)
		return false;
	if (state == TACET_PAIR_WANT)
		tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT);
	tacet_pair_put(pair);
	return true;
}

/* What @process maps is labelled: it is its own, as if it had been read. */
static int label_process(struct task_struct *process, struct file *file, struct tacet_labelset *set)
{
	struct tacet_pair *pair = watch_process(process, TACET_PAIR_WATCH);
	struct tacet_origin *origin = NULL;
	int error;

	if (!pair)
		return -ENOMEM;
	if (!tacet_label_stems_from(file, tacet_pair_source(pair)))
		origin = tacet_origin_of_file(file, process);
	error = tacet_pair_add_label(pair, set, origin, GFP_KERNEL);
	tacet_origin_put(origin);
	/* A doppelganger that is there already maps the very same. */
	if (!tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT) && tacet_pair_lives(pair))
		tacet_pair_taint(pair, "labelled-while-mapped");
	tacet_pair_put(pair);
	return error;
}

int tacet_task_label_mapped(struct file *file, struct tacet_labelset *set)
{
	struct task_struct *process = NULL;
	struct mm_struct *mm;
	int error = 0;

	while ((process = next_process(process, &mm))) {
		if (maps_inode(mm, file_inode(file)))
			error = label_process(process, file, set) ?: error;
		mmput(mm);
	}
	return error;
}

/* A thread or child of a call that began before its process was under the hook. */
static struct tacet_task *unprepared_child(struct tacet_task *parent, struct task_struct *child)
{
	struct tacet_pair *pair = tacet_task_pair(parent);
	struct tacet_task *born;

	if (same_thread_group(child, current))
		pair = tacet_pair_get(pair);
	else
		pair = tacet_pair_inherit(pair, min(tacet_pair_state(pair), TACET_PAIR_TAINTED), GFP_ATOMIC);
	if (!pair)
		return NULL;
	born = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_ATOMIC);
	tacet_pair_put(pair);
	return born;
}

/*
 * Runs in the parent, in a tracepoint, before the child can run. The child's
 * context was made ready when the call was entered.
 */
static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct tacet_task *context = tacet_task_current(), *born;

	if (!context)
		return;
	born = context->child ?: unprepared_child(context, child);
	context->child = NULL;
	if (!born) {
		/* Nobody could see what it does. */
		send_sig(SIGKILL, child, 1);
		return;
	}
	tacet_task_attach(born, child);
	if (born->role == TACET_ROLE_DOPPELGANGER) {
		tacet_ring_set_double(born->ring, child);
		if (thread_group_leader(child)) {
			tacet_clone_adopt(child);
			tacet_pair_set_doppelganger(tacet_task_pair(born), child);
		}
	}
	if (context->cloning || context->cloned_thread)
		tacet_clone_prepare(context, child);
	else if (context->child_step)
		tacet_fork_publish(context, child);
	/* The doubles of parked threads do so by themselves. */
	if (same_thread_group(child, current) && !context->cloned_thread)
		tacet_turn_expect(born, child);
}

/* By a fatal signal, or because another thread executes a program. */
static bool group_ends(struct task_struct *task)
{
	return (task->signal->flags & SIGNAL_GROUP_EXIT) || task->signal->group_exec_task;
}

static void probe_exit(TACET_EXIT_PROBE_PARAMETERS)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_pair *pair;

	if (!context)
		return;
	pair = tacet_task_pair(context);
	tacet_turn_release(context);
	if (context->role == TACET_ROLE_DOPPELGANGER) {
		if (tacet_pair_lives(pair) && !context->exiting)
			tacet_pair_taint(pair, "doppelganger-died");
	} else if (!atomic_read(&current->signal->live)) {
		tacet_question_forget(current->group_leader);
		tacet_pair_end(pair);
	} else if (tacet_pair_lives(pair) && !context->exiting && !group_ends(current)) {
		tacet_pair_taint(pair, "thread-killed");
	}
	tacet_task_detach(context);
}

int tacet_task_init(void)
{
	unsigned int i;
	int error;

	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exit(probe_exit);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		spin_lock_init(&table[i].lock);
	tacet_workqueue = alloc_workqueue("tacet", WQ_UNBOUND, 0);
	if (!tacet_workqueue)
		return -ENOMEM;
	error = tracepoint_probe_register(tacet_symbols.fork, probe_fork, NULL);
	if (error)
		goto destroy_workqueue;
	error = tracepoint_probe_register(tacet_symbols.exit, probe_exit, NULL);
	if (error)
		goto unregister_fork;
	return 0;

unregister_fork:
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
	tracepoint_synchronize_unregister();
destroy_workqueue:
	destroy_workqueue(tacet_workqueue);
	return error;
}

/* No task is left: each holds the module. */
void tacet_task_exit(void)
{
	tracepoint_probe_unregister(tacet_symbols.exit, probe_exit, NULL);
	tracepoint_probe_unregister(tacet_symbols.fork, probe_fork, NULL);
	tracepoint_synchronize_unregister();
	rcu_barrier();
	destroy_workqueue(tacet_workqueue);
}
