// SPDX-License-Identifier: GPL-2.0-only
/* Brings processes under the hook that read a labelled file, have it mapped, or may get derived data. */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/xarray.h>

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

	context = tacet_task_current();
	if (context) {
		if (context->role == TACET_ROLE_DOPPELGANGER || context->reading ||
		    tacet_pair_state(tacet_task_pair(context)) >= TACET_PAIR_PAIRED)
			return 0;
	}
	/* The loop device had the file before it got its label, and a file system may be on it. */
	if (current->flags & PF_KTHREAD && tacet_label_backs_device(file_inode(file)))
		return 0;
	/* A server in the kernel would send the data, and the driver of a device show it to everybody. */
	if (current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER) || !may_follow()) {
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

/* Address spaces that map a file: mm_struct -> itself, with a reference. Those of this round are marked NEW. */
#define NEW XA_MARK_0
/* Rounds of looking for processes that were forked meanwhile. */
#define ROUNDS_MAX 16
/* Looks at processes whose mappings change, a tick apart. */
#define LOOKS_MAX 250

static unsigned long index_of(const struct mm_struct *mm)
{
	return (unsigned long)mm / sizeof(long);
}

static bool maps(const struct vm_area_struct *area, const struct inode *inode)
{
	return file_inode(area->vm_file) == inode || tacet_mark_inode_of(area->vm_file) == inode;
}

/* Reclaim takes the lock that is held here, so nothing is allocated that could wait for it. */
static int add_space(struct xarray *spaces, struct mm_struct *mm)
{
	int error = xa_insert(spaces, index_of(mm), mm, GFP_NOWAIT);

	if (error)
		return error == -EBUSY ? 0 : error;
	if (mmget_not_zero(mm))
		xa_set_mark(spaces, index_of(mm), NEW);
	else
		xa_erase(spaces, index_of(mm));
	return 0;
}

/* Tells whether @mm maps @inode. Returns -EBUSY if somebody changes the mappings. Atomic. */
static int looks_into(struct mm_struct *mm, const struct inode *inode)
{
	struct vm_area_struct *area;
	int found = 0;
	VMA_ITERATOR(iterator, mm, 0);

	if (!mmap_read_trylock(mm))
		return -EBUSY;
	for_each_vma(iterator, area)
		if (area->vm_file && maps(area, inode))
			found = 1;
	mmap_read_unlock(mm);
	return found;
}

/*
 * The same for a file of an overlay, whose pages belong to one file below it or, from before it was copied up, to another.
 * So it looks at all processes, and never waits for one: what is busy at the last look counts as mapping the file.
 */
static int add_spaces_of_processes(struct xarray *spaces, const struct inode *inode, bool is_last)
{
	struct task_struct *process, *thread;
	int error = 0, result = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		task_lock(thread);
		if (thread->mm && !(thread->flags & PF_KTHREAD) && !xa_load(spaces, index_of(thread->mm))) {
			error = looks_into(thread->mm, inode);
			if (error > 0 || (error == -EBUSY && is_last))
				error = add_space(spaces, thread->mm);
		}
		task_unlock(thread);
		result = result ?: error;
		error = 0;
	}
	rcu_read_unlock();
	return result;
}

static int add_spaces_of_overlay(struct xarray *spaces, const struct inode *inode)
{
	unsigned int looks;
	int error;

	for (looks = 1; looks <= LOOKS_MAX; looks++) {
		error = add_spaces_of_processes(spaces, inode, looks == LOOKS_MAX);
		if (error != -EBUSY)
			break;
		if (schedule_timeout_killable(1))
			return -EINTR;
	}
	return error;
}

/* Adds the address spaces that are not in @spaces yet. Returns 0 or -errno. */
static int add_spaces(struct xarray *spaces, struct file *file)
{
	struct address_space *mapping = file->f_mapping;
	struct vm_area_struct *area;
	struct rb_node *node;
	int error;

	if (file_inode(file)->i_sb->s_magic == OVERLAYFS_SUPER_MAGIC)
		return add_spaces_of_overlay(spaces, file_inode(file));
	/* This is the file's lock. No process can hold it for long, as it can the lock of its own memory. */
	error = down_read_killable(&mapping->i_mmap_rwsem);
	if (error)
		return error;
	for (node = rb_first_cached(&mapping->i_mmap); node && !error; node = rb_next(node)) {
		area = rb_entry(node, struct vm_area_struct, shared.rb);
		if (maps(area, file_inode(file)))
			error = add_space(spaces, area->vm_mm);
	}
	up_read(&mapping->i_mmap_rwsem);
	return error;
}

static bool uses_new_space(struct task_struct *process, struct xarray *spaces)
{
	struct task_struct *thread;

	/* A leader that has ended has no memory any more. */
	for_each_thread(process, thread)
		if (xa_get_mark(spaces, index_of(READ_ONCE(thread->mm)), NEW))
			return true;
	return false;
}

/*
 * Returns the process after @after (NULL for the first) that uses a new address space, with a reference.
 * Returns NULL if there is none. Drops the reference on @after.
 */
static struct task_struct *next_process(struct task_struct *after, struct xarray *spaces)
{
	struct task_struct *process, *found = NULL;
	bool passed = !after, gone = false;

	rcu_read_lock();
again:
	for_each_process(process) {
		if (passed && !(process->flags & PF_KTHREAD) && uses_new_space(process, spaces)) {
			found = get_task_struct(process);
			break;
		}
		passed = passed || process == after;
	}
	/* If @after is not in the list any more, nothing comes after it. Begin at the first. */
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
	unsigned int rounds = 0;
	struct mm_struct *mm;
	DEFINE_XARRAY(spaces);
	unsigned long index;
	int error;

	do {
		error = add_spaces(&spaces, file);
		if (!xa_marked(&spaces, NEW))
			break;
		while ((process = next_process(process, &spaces)))
			error = label_process(process, file, set) ?: error;
		xa_for_each_marked(&spaces, index, mm, NEW) xa_clear_mark(&spaces, index, NEW);
		if (++rounds == ROUNDS_MAX)
			error = -EAGAIN;
	} while (!error);
	xa_for_each(&spaces, index, mm) mmput(mm);
	xa_destroy(&spaces);
	return error;
}
