// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overwrites what labelled files give up while they keep their names. The task that truncates waits for a
 * worker. So the file is opened and written by nobody who would be asked about it, or has a limit.
 */
#include <linux/completion.h>
#include <linux/dcache.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/magic.h>
#include <linux/minmax.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "label/overwrite.h"
#include "label/truncate.h"

/* How often a task looks whether the file system is still frozen. */
#define INTERVAL (HZ / 10)

/* On the stack of the task that waits for it. */
struct truncation {
	struct work_struct work;
	struct completion done;
	struct tacet_overwriting overwriting;
	bool stopping;
	int error;
};

/**
 * struct expected - a task that has named a file and is about to truncate it
 * @node: its place in all_expected
 * @task: only compared
 * @path: a reference
 */
struct expected {
	struct list_head node;
	const struct task_struct *task;
	struct path path;
};

static LIST_HEAD(all_expected);
static DEFINE_SPINLOCK(expected_lock);
static unsigned int expected_count; /* read without the lock */
/* Not the module's other queue, whose work would wait behind large files. */
static struct workqueue_struct *workers;

bool tacet_truncate_wanted(void)
{
	return READ_ONCE(expected_count) || tacet_overwrite_wanted();
}

static void overwrite(struct work_struct *work)
{
	struct truncation *truncation = container_of(work, struct truncation, work);

	truncation->error = tacet_overwrite(&truncation->overwriting);
	complete(&truncation->done);
}

/* Returns -EINTR when the task was killed before all was overwritten. */
static int wait_for_overwriting(const struct tacet_overwriting *overwriting)
{
	struct truncation truncation = { .overwriting = *overwriting };

	truncation.overwriting.stopping = &truncation.stopping;
	init_completion(&truncation.done);
	INIT_WORK_ONSTACK(&truncation.work, overwrite);
	queue_work(workers, &truncation.work);
	if (wait_for_completion_killable(&truncation.done)) {
		WRITE_ONCE(truncation.stopping, true);
		wait_for_completion(&truncation.done);
	}
	destroy_work_on_stack(&truncation.work);
	return truncation.error;
}

static int overwrite_before(const struct tacet_overwriting *overwriting)
{
	int error;

	while ((error = wait_for_overwriting(overwriting)) == -EAGAIN && !fatal_signal_pending(current))
		schedule_timeout_killable(INTERVAL);
	if (!error)
		return 0;
	if (fatal_signal_pending(current))
		return -EINTR;
	tacet_overwrite_tell_failure(error);
	return 0;
}

int tacet_truncate_expect(const struct path *path)
{
	struct expected *expected;

	if (!tacet_overwrite_concerns(path->dentry))
		return 0;
	expected = kmalloc(sizeof(*expected), GFP_KERNEL);
	if (!expected)
		return -ENOMEM;
	expected->task = current;
	expected->path = *path;
	path_get(path);
	spin_lock(&expected_lock);
	list_add(&expected->node, &all_expected);
	WRITE_ONCE(expected_count, expected_count + 1);
	spin_unlock(&expected_lock);
	return 0;
}

/* The caller frees it. */
static struct expected *take_expected(const struct dentry *dentry)
{
	struct expected *expected, *found = NULL;

	spin_lock(&expected_lock);
	list_for_each_entry(expected, &all_expected, node)
		if (expected->task == current && expected->path.dentry == dentry) {
			found = expected;
			list_del(&expected->node);
			WRITE_ONCE(expected_count, expected_count - 1);
			break;
		}
	spin_unlock(&expected_lock);
	return found;
}

static void discard(struct expected *expected)
{
	path_put(&expected->path);
	kfree(expected);
}

/* The file system is going to refuse it. XFS lets those truncate that had opened the file before. */
static bool is_truncation_refused(const struct inode *inode)
{
	return IS_SWAPFILE(inode) || (IS_IMMUTABLE(inode) && inode->i_sb->s_magic == EXT4_SUPER_MAGIC);
}

static int truncate_to(const struct path *path, loff_t length)
{
	const struct inode *inode = d_inode(path->dentry);
	const struct tacet_overwriting rest = {
		.path = path,
		.start = max_t(loff_t, length, 0),
		.end = LLONG_MAX,
		/* So does whoever truncates, but for a core dump, whose file is new and has nothing to overwrite. */
		.cannot_freeze = true,
	};

	if (i_size_read(inode) <= length || is_truncation_refused(inode))
		return 0;
	return overwrite_before(&rest);
}

int tacet_truncate_to(struct dentry *dentry, loff_t length, struct file *file)
{
	struct expected *expected;
	int error;

	if (file)
		return tacet_overwrite_concerns(dentry) ? truncate_to(&file->f_path, length) : 0;
	expected = take_expected(dentry);
	if (!expected)
		return 0;
	error = truncate_to(&expected->path, length);
	discard(expected);
	return error;
}

/* Tells whether the file keeps its other data where it is. No other combinations of these modes are allowed. */
static bool makes_zeros(int mode)
{
	return mode == (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE) ||
	       (mode & ~FALLOC_FL_KEEP_SIZE) == FALLOC_FL_ZERO_RANGE;
}

/* The kernel is going to refuse it. */
static bool is_range_refused(const struct file *file, loff_t offset, loff_t length)
{
	const struct inode *inode = file_inode(file);

	return offset < 0 || length <= 0 || !(file->f_mode & FMODE_WRITE) || IS_IMMUTABLE(inode) || IS_APPEND(inode) ||
	       IS_SWAPFILE(inode);
}

int tacet_truncate_range(struct file *file, int mode, loff_t offset, loff_t length)
{
	const struct tacet_overwriting range = {
		.path = &file->f_path,
		.start = offset,
		.end = length > LLONG_MAX - offset ? LLONG_MAX : offset + length,
	};

	if (!(makes_zeros(mode) || mode == FALLOC_FL_COLLAPSE_RANGE) || is_range_refused(file, offset, length) ||
	    !tacet_overwrite_concerns(file->f_path.dentry))
		return 0;
	/* The file system refuses many ranges, and then the data must be there. */
	return mode == FALLOC_FL_COLLAPSE_RANGE ? -EOPNOTSUPP : overwrite_before(&range);
}

int tacet_truncate_init(void)
{
	workers = alloc_workqueue("tacet-truncate", WQ_UNBOUND, 0);
	return workers ? 0 : -ENOMEM;
}

void tacet_truncate_exit(void)
{
	struct expected *expected, *next;

	destroy_workqueue(workers);
	list_for_each_entry_safe(expected, next, &all_expected, node) {
		list_del(&expected->node);
		discard(expected);
	}
}
