// SPDX-License-Identifier: GPL-2.0-only
/* A process that sees the memory of one that has read labelled data counts as having read it. */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>

#include "base/labelset.h"
#include "engine/access.h"
#include "label/origin.h"
#include "pair/pair.h"
#include "pair/task.h"
#include "pair/watch.h"

#define ACCESSED_MAX 256

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

/*
 * Processes that others have got access to, before they read labelled data. Some of these others may still
 * have /proc/PID/mem open. When the table is full, everybody is looked through.
 */
static struct pid *accessed[ACCESSED_MAX];
static DEFINE_SPINLOCK(accessed_lock);
static bool accessed_overflow;

static void note_access(struct pid *process)
{
	unsigned int i, free = ACCESSED_MAX;
	struct pid *old = NULL;

	spin_lock(&accessed_lock);
	rcu_read_lock();
	for (i = 0; i < ACCESSED_MAX && accessed[i] != process; i++)
		if (free == ACCESSED_MAX && (!accessed[i] || !pid_task(accessed[i], PIDTYPE_TGID)))
			free = i;
	rcu_read_unlock();
	if (i == ACCESSED_MAX && free < ACCESSED_MAX) {
		old = accessed[free];
		accessed[free] = get_pid(process);
	} else if (i == ACCESSED_MAX) {
		accessed_overflow = true;
	}
	spin_unlock(&accessed_lock);
	put_pid(old);
}

static bool was_accessed(const struct pid *process)
{
	bool found = READ_ONCE(accessed_overflow);
	unsigned int i;

	for (i = 0; i < ACCESSED_MAX && !found; i++)
		found = READ_ONCE(accessed[i]) == process;
	return found;
}

static int shows_memory(const void *mm, struct file *file, unsigned int fd)
{
	return file->private_data == mm && file_inode(file)->i_sb->s_magic == PROC_SUPER_MAGIC &&
	       !strcmp(file->f_path.dentry->d_name.name, "mem");
}

int tacet_access_grown(struct tacet_pair *pair)
{
	/* Somebody who only looks at the memory for a moment counts, too. */
	bool shared = atomic_read(&current->mm->mm_users) > get_nr_threads(current);
	bool accessed = was_accessed(task_tgid(current));
	struct task_struct *process, *thread;
	int error = 0, shown;

	if (!shared && !accessed)
		return 0;
	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (same_thread_group(process, current) || thread->flags & PF_KTHREAD)
			continue;
		task_lock(thread);
		shown = thread->mm == current->mm;
		if (!shown && accessed && thread->files)
			shown = iterate_fd(thread->files, 0, shows_memory, current->mm);
		task_unlock(thread);
		if (shown)
			error = taint_viewer(thread, pair) ?: error;
	}
	rcu_read_unlock();
	return error;
}

void tacet_access_exit(void)
{
	unsigned int i;

	for (i = 0; i < ACCESSED_MAX; i++) {
		put_pid(accessed[i]);
		accessed[i] = NULL;
	}
}

int tacet_access_seen(struct task_struct *task)
{
	struct tacet_pair *seen = pair_of(task);
	int error = 0;

	if (!(current->flags & PF_KTHREAD))
		note_access(task_tgid(task));
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
