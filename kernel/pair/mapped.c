// SPDX-License-Identifier: GPL-2.0-only
/* Finds the processes that have a file mapped which has just been labelled. Memory that processes share is such a file. */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/xarray.h>

#include "base/labelset.h"
#include "base/wait.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/origin.h"
#include "pair/mapped.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/thread.h"
#include "pair/watch.h"
#include "sink/sink.h"

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

/* It maps shadows, or is about to. */
static bool is_doppelganger(struct task_struct *process)
{
	struct tacet_task *context = tacet_task_get(process);
	bool is_one = context && context->role == TACET_ROLE_DOPPELGANGER;

	if (context)
		tacet_task_put(context);
	return is_one;
}

/*
 * The display and the sound get pictures and sounds through memory, and everybody is connected to them. The process
 * that stores there has its label already.
 */
static bool is_left_out(struct task_struct *process, const struct file *file)
{
	if (is_doppelganger(process))
		return true;
	return tacet_mark_is_memory(file_inode(file)) &&
	       (same_thread_group(process, current) || tacet_sink_serves_desktop(process));
}

/* Returns a reference to the way by which the current process got what it is about to store, and on to @process, or NULL. */
static struct tacet_origin *origin_passed_on(struct task_struct *process)
{
	struct tacet_task *context = tacet_task_current();
	struct tacet_origin *origin = NULL, *passed = NULL;

	if (context)
		tacet_labelset_put(tacet_pair_label(tacet_task_pair(context), &origin));
	if (origin)
		passed = tacet_origin_passed(origin, process);
	tacet_origin_put(origin);
	return passed;
}

static struct tacet_origin *origin_for(struct task_struct *process, struct tacet_pair *pair, struct file *file)
{
	if (tacet_mark_is_memory(file_inode(file)))
		return origin_passed_on(process);
	return tacet_label_stems_from(file, tacet_pair_source(pair)) ? NULL : tacet_origin_of_file(file, process);
}

/* Treats @process as if it had read the file, because one of its mappings is labelled. */
static int label_process(struct task_struct *process, struct file *file, struct tacet_labelset *set)
{
	struct tacet_origin *origin;
	struct tacet_pair *pair;
	int error;

	if (is_left_out(process, file))
		return 0;
	pair = tacet_watch_process(process, TACET_PAIR_WATCH);
	if (!pair)
		return -ENOMEM;
	origin = origin_for(process, pair, file);
	error = tacet_pair_add_label(pair, set, origin, GFP_KERNEL);
	tacet_origin_put(origin);
	if (tacet_pair_change(pair, TACET_PAIR_WATCH, TACET_PAIR_WANT)) {
		if (tacet_mark_is_memory(file_inode(file)))
			tacet_thread_nudge(process);
	} else if (tacet_pair_lives(pair)) {
		/* A doppelganger that exists already maps the very same file. */
		tacet_pair_taint(pair, "labelled-while-mapped");
	}
	tacet_pair_put(pair);
	return error;
}

static void await_doppelganger(struct task_struct *process, struct file *file, unsigned long deadline)
{
	struct tacet_pair *pair = is_left_out(process, file) ? NULL : tacet_watch_process(process, TACET_PAIR_WATCH);
	long left = max((long)(deadline - jiffies), 0L);

	if (!pair)
		return;
	if (tacet_wait(pair->wait, tacet_pair_state(pair) != TACET_PAIR_WANT, left) <= 0)
		tacet_pair_taint(pair, "shares-memory");
	tacet_pair_put(pair);
}

static void put_spaces(struct xarray *spaces)
{
	struct mm_struct *mm;
	unsigned long index;

	xa_for_each(spaces, index, mm) mmput(mm);
	xa_destroy(spaces);
}

int tacet_mapped_label(struct file *file, struct tacet_labelset *set)
{
	struct task_struct *process = NULL;
	unsigned int rounds = 0;
	struct mm_struct *mm;
	struct xarray spaces;
	unsigned long index;
	int error;

	xa_init(&spaces);
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
	put_spaces(&spaces);
	return error;
}

void tacet_mapped_await(struct file *file, unsigned long deadline)
{
	struct task_struct *process = NULL;
	struct xarray spaces;

	if (!tacet_mark_is_memory(file_inode(file)) || !tacet_mark_is_on(file))
		return;
	xa_init(&spaces);
	add_spaces(&spaces, file);
	while ((process = next_process(process, &spaces)))
		await_doppelganger(process, file, deadline);
	put_spaces(&spaces);
}
