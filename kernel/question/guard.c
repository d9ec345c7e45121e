// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes to guarded files. The hooks run where directories may be locked, and nobody may wait for a
 * person there. So the call ends, to be made again. On its way to user mode, with no lock, the task
 * asks. When the call comes again, it finds the answer in the cache of verdicts.
 */
#include <linux/bsearch.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/path.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/syscalls.h>
#include <linux/task_work.h>
#include <asm/syscall.h>

#include "base/labelset.h"
#include "label/mark.h"
#include "label/overlay.h"
#include "memory/owner.h"
#include "question/guard.h"
#include "question/question.h"
#include "session/session.h"

/* A refusal without an answer (timeout, no daemon) holds for this time, so that the restarted call finds it. */
#define REFUSAL_NS NSEC_PER_SEC

/**
 * struct guarded - the categories that TACET_IOC_GUARD has set; immutable, freed by RCU
 * @rcu: frees it
 * @count: not 0
 * @categories: ascending
 */
struct guarded {
	struct rcu_head rcu;
	u32 count;
	u64 categories[] __counted_by(count);
};

/**
 * struct asking - a question that a task asks as it leaves the kernel; keeps the module loaded
 * @work: the task's work
 * @path: holds references
 * @set: a reference
 * @removes: the file would be removed or replaced
 */
struct asking {
	struct callback_head work;
	struct path path;
	struct tacet_labelset *set;
	bool removes;
};

static struct guarded __rcu *guarded;
static DEFINE_MUTEX(guarded_lock);

bool tacet_guard_wanted(void)
{
	return rcu_access_pointer(guarded);
}

static bool ascending(const struct tacet_guard *guard)
{
	u32 i;

	for (i = 1; i < guard->count; i++)
		if (guard->categories[i - 1] >= guard->categories[i])
			return false;
	return true;
}

int tacet_guard_set(const struct tacet_guard *guard)
{
	struct guarded *old, *new = NULL;

	if (guard->reserved || guard->count > TACET_GUARD_MAX || !ascending(guard))
		return -EINVAL;
	if (guard->count) {
		new = kmalloc(struct_size(new, categories, guard->count), GFP_KERNEL);
		if (!new)
			return -ENOMEM;
		new->count = guard->count;
		memcpy(new->categories, guard->categories, array_size(guard->count, sizeof(guard->categories[0])));
	}
	mutex_lock(&guarded_lock);
	old = rcu_replace_pointer(guarded, new, lockdep_is_held(&guarded_lock));
	mutex_unlock(&guarded_lock);
	if (old)
		kfree_rcu(old, rcu);
	return 0;
}

static int compare_categories(const void *key, const void *element)
{
	u64 left = *(const u64 *)key, right = *(const u64 *)element;

	return left < right ? -1 : left > right;
}

static bool is_guarded(const struct tacet_labelset *set)
{
	const struct guarded *now;
	bool found = false;
	u32 i;

	rcu_read_lock();
	now = rcu_dereference(guarded);
	for (i = 0; now && !found && i < set->label.count; i++)
		found = bsearch(&set->label.categories[i], now->categories, now->count, sizeof(now->categories[0]),
				compare_categories);
	rcu_read_unlock();
	return found;
}

/* Returns a reference to the label of @inode if it is guarded, else NULL. */
static struct tacet_labelset *guarded_label(struct inode *inode)
{
	struct tacet_labelset *set;
	struct tacet_mark *mark;

	if (!S_ISREG(inode->i_mode) || !tacet_mark_is_on_inode(inode))
		return NULL;
	mark = tacet_mark_get(inode);
	if (!mark)
		return NULL;
	set = tacet_mark_set(mark);
	tacet_mark_put(mark);
	if (is_guarded(set))
		return set;
	tacet_labelset_put(set);
	return NULL;
}

/* Answers about changing a file and about removing it are kept apart by @removes. */
static void describe(struct tacet_breach *breach, const struct path *path, struct tacet_labelset *set, bool removes)
{
	*breach = (struct tacet_breach){
		.path = path,
		.peer = { .sink = TACET_SINK_MARKED, .protocol = removes },
		.set = set,
		.flags = removes ? TACET_QUESTION_REMOVES : 0,
	};
}

static void ask(struct callback_head *work)
{
	struct asking *asking = container_of(work, struct asking, work);
	struct tacet_breach breach;

	describe(&breach, &asking->path, asking->set, asking->removes);
	if (tacet_question_ask(&breach) != TACET_ACTION_ALLOW)
		tacet_question_hold_refusal(&breach, REFUSAL_NS);
	path_put(&asking->path);
	tacet_labelset_put(asking->set);
	kfree(asking);
	/* tacet_hook_exit() waits for the tasks that are still about to leave. */
	module_put(THIS_MODULE);
}

/* Takes over the reference to @set. */
static int ask_on_the_way_out(const struct path *path, struct tacet_labelset *set, bool removes)
{
	struct asking *asking;

	if (!try_module_get(THIS_MODULE))
		goto put_label;
	asking = kmalloc(sizeof(*asking), GFP_KERNEL);
	if (!asking)
		goto put_module;
	asking->path = *path;
	asking->set = set;
	asking->removes = removes;
	init_task_work(&asking->work, ask);
	path_get(&asking->path);
	/* A request of io_uring cannot begin again, but its next try finds the answer. */
	if (!task_work_add(current, &asking->work, TWA_SIGNAL))
		return syscall_get_nr(current, task_pt_regs(current)) == __NR_io_uring_enter ? -EPERM : -ERESTARTNOINTR;
	path_put(&asking->path);
	kfree(asking);
put_module:
	module_put(THIS_MODULE);
put_label:
	tacet_labelset_put(set);
	return -EPERM;
}

int tacet_guard_changes(const struct path *path, bool removes)
{
	struct tacet_labelset *set;
	struct tacet_breach breach;
	u32 action;

	/* A private session changes nothing outside. */
	if (!tacet_guard_wanted() || current->flags & PF_KTHREAD || d_is_negative(path->dentry) ||
	    tacet_session_owner_of_task(current) != TACET_OWNER_NONE)
		return 0;
	set = guarded_label(tacet_overlay_inode(path->dentry));
	if (!set)
		return 0;
	describe(&breach, path, set, removes);
	action = tacet_question_known(&breach);
	/* A worker of io_uring never goes to user mode, where it could ask. */
	if (!action && !(current->flags & PF_USER_WORKER))
		return ask_on_the_way_out(path, set, removes);
	if (!action)
		tacet_question_report_missed(&breach);
	tacet_labelset_put(set);
	return action == TACET_ACTION_ALLOW ? 0 : -EPERM;
}

int tacet_guard_removals(const struct path *directory, struct dentry *dentry)
{
	const struct path path = { .mnt = directory->mnt, .dentry = dentry };
	struct mnt_idmap *idmap = mnt_idmap(directory->mnt);
	struct inode *parent = d_inode(directory->dentry);

	/* The kernel is going to refuse such a removal, so nobody is asked about it. */
	if (!tacet_guard_wanted() || d_is_negative(dentry) || check_sticky(idmap, parent, d_inode(dentry)) ||
	    inode_permission(idmap, parent, MAY_WRITE | MAY_EXEC))
		return 0;
	return tacet_guard_changes(&path, true);
}

int tacet_guard_opens(struct file *file)
{
	/* An overlay opens the file in its upper layer for writing, and that opening is seen as well. */
	if (!(file->f_mode & FMODE_WRITE || file->f_flags & O_TRUNC) ||
	    file_inode(file)->i_sb->s_magic == OVERLAYFS_SUPER_MAGIC)
		return 0;
	return tacet_guard_changes(&file->f_path, false);
}

void tacet_guard_exit(void)
{
	kfree(rcu_dereference_protected(guarded, true));
}
