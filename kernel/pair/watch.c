// SPDX-License-Identifier: GPL-2.0-only
/* Brings processes under the hook that read a labelled file, have it mapped, or may get derived data. */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "call/call.h"
#include "event/notice.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"

/* All threads of a process get the same pair. This lock is taken before the buckets' locks. */
static DEFINE_SPINLOCK(birth_lock);

/* Returns a reference to the pair that a thread of the process has already, or to a new one. NULL means no memory. */
static struct tacet_pair *pair_of_process(struct task_struct *task, enum tacet_pair_state state)
{
	struct task_struct *thread;
	struct tacet_task *context;
	struct tacet_pair *pair;

	lockdep_assert_held(&birth_lock);
	for_each_thread(task, thread) {
		context = tacet_task_find(thread);
		pair = context ? rcu_dereference(context->pair) : NULL;
		if (pair && refcount_inc_not_zero(&pair->references))
			return pair;
	}
	return tacet_pair_create(state, GFP_ATOMIC);
}

static bool attach_thread(struct tacet_pair *pair, struct task_struct *thread)
{
	struct tacet_task *context;

	if (tacet_task_find(thread) || READ_ONCE(thread->flags) & PF_EXITING)
		return true;
	context = tacet_task_create(pair, TACET_ROLE_ORIGINAL, GFP_ATOMIC);
	if (!context)
		return false;
	refcount_inc(&context->references);
	tacet_task_attach(context, thread);
	/* The thread's exit either finds the context in the table, or has set the flag before it is read here. */
	smp_mb__after_atomic();
	if (READ_ONCE(thread->flags) & PF_EXITING)
		tacet_task_detach(context);
	tacet_task_put(context);
	return true;
}

/* Returns a reference to the pair that all threads of the process belong to from now on, or NULL without memory. */
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

bool tacet_watch_task(struct task_struct *task, enum tacet_pair_state state)
{
	struct tacet_pair *pair = watch_process(task, state);

	if (!pair)
		return false;
	if (state == TACET_PAIR_WANT)
		tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT);
	tacet_pair_put(pair);
	return true;
}

static bool may_follow(void)
{
	enum tacet_call_kind kind = tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->kind;

	return !in_ia32_syscall() && kind != TACET_CALL_TAINT && kind != TACET_CALL_REFUSE;
}

static void restart_call(void)
{
	/* Without work to do at the exit to user mode the call would not be restarted. */
	set_tsk_thread_flag(current, TIF_NOTIFY_SIGNAL);
}

int tacet_watch_reads(struct file *file)
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
		tacet_notice_send(TACET_EVENT_REFUSED, 0, file, NULL, "read-cannot-be-followed");
		return -EPERM;
	}
	/* Data that never enters the process needs no doppelganger. */
	transfers = tacet_call_lookup(syscall_get_nr(current, current_pt_regs()))->kind == TACET_CALL_TRANSFER;
	wanted = transfers ? TACET_PAIR_WATCH : TACET_PAIR_WANT;
	if (!tacet_watch_task(current, wanted))
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
		maps = maps || (area->vm_file &&
				(file_inode(area->vm_file) == inode || tacet_mark_inode_of(area->vm_file) == inode));
	mmap_read_unlock(mm);
	return maps;
}

/* Takes the memory from any thread, as a leader that has ended has none. Returns a reference, or NULL. */
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

/*
 * Returns the process after @after (NULL for the first) that has memory, with a reference on both.
 * Returns NULL if there is none. Drops the reference on @after.
 */
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
	/* @after is not in the list any more, so that nothing comes after it. Begin again with the first process. */
	if (!passed && !gone) {
		passed = gone = true;
		goto again;
	}
	rcu_read_unlock();
	if (after)
		put_task_struct(after);
	return found;
}

/* Treats @process as if it had read the file, because one of its mappings is labelled. */
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
	/* A doppelganger that exists already maps the very same file. */
	if (!tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT) && tacet_pair_lives(pair))
		tacet_pair_taint(pair, "labelled-while-mapped");
	tacet_pair_put(pair);
	return error;
}

int tacet_watch_mapped(struct file *file, struct tacet_labelset *set)
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
