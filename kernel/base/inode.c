// SPDX-License-Identifier: GPL-2.0-only
/*
 * References to inodes that let go when the file system is shut down. fsnotify has such references: a
 * mark pins its inode, and the kernel detaches all marks before it looks for busy inodes.
 */
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "base/inode.h"

/**
 * struct tacet_inode_hold - a mark that asks for no event
 * @fsnotify: the mark; our reference to it goes with tacet_inode_release()
 * @gone: tells @owner that the hold goes
 * @owner: NULL once it has been told or has let go; owners_lock
 */
struct tacet_inode_hold {
	struct fsnotify_mark fsnotify;
	void (*gone)(void *owner);
	void *owner;
};

static struct fsnotify_group *group;
static DEFINE_SPINLOCK(owners_lock);
/* Counts the marks that exist. fsnotify's worker runs our code when it frees one. */
static atomic_t holds = ATOMIC_INIT(0);

static struct tacet_inode_hold *hold_of(struct fsnotify_mark *fsnotify)
{
	return container_of(fsnotify, struct tacet_inode_hold, fsnotify);
}

/* The mark is going. Its inode stays until this returns. */
static void freeing_mark(struct fsnotify_mark *fsnotify, struct fsnotify_group *unused)
{
	struct tacet_inode_hold *hold = hold_of(fsnotify);

	spin_lock(&owners_lock);
	if (hold->owner)
		hold->gone(hold->owner);
	hold->owner = NULL;
	spin_unlock(&owners_lock);
}

static void free_mark(struct fsnotify_mark *fsnotify)
{
	kfree(hold_of(fsnotify));
	atomic_dec(&holds);
}

static int no_event(struct fsnotify_group *unused, u32 mask, const void *data, int data_type, struct inode *directory,
		    const struct qstr *name, u32 cookie, struct fsnotify_iter_info *iterator)
{
	return 0;
}

static const struct fsnotify_ops operations = {
	.handle_event = no_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

struct tacet_inode_hold *tacet_inode_hold(struct inode *inode, void (*gone)(void *owner), void *owner)
{
	struct tacet_inode_hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);
	int error;

	if (!hold)
		return ERR_PTR(-ENOMEM);
	atomic_inc(&holds);
	fsnotify_init_mark(&hold->fsnotify, group);
	hold->gone = gone;
	hold->owner = owner;
	/* Two owners may hold one inode. */
	error = fsnotify_add_inode_mark(&hold->fsnotify, inode, 1);
	if (!error)
		return hold;
	hold->owner = NULL;
	fsnotify_put_mark(&hold->fsnotify);
	return ERR_PTR(error);
}

void tacet_inode_release(struct tacet_inode_hold *hold)
{
	spin_lock(&owners_lock);
	hold->owner = NULL;
	spin_unlock(&owners_lock);
	fsnotify_destroy_mark(&hold->fsnotify, group);
	fsnotify_put_mark(&hold->fsnotify);
}

bool tacet_inode_pin(struct inode *inode)
{
	if (!atomic_inc_not_zero(&inode->i_sb->s_active))
		return false;
	ihold(inode);
	return true;
}

void tacet_inode_unpin(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;

	iput(inode);
	deactivate_super(sb);
}

int tacet_inode_init(void)
{
	group = fsnotify_alloc_group(&operations, 0);
	return PTR_ERR_OR_ZERO(group);
}

void tacet_inode_exit(void)
{
	while (atomic_read(&holds)) {
		fsnotify_wait_marks_destroyed();
		schedule_timeout_uninterruptible(1);
	}
	/* A callback that has just dropped the count may still run our code. */
	fsnotify_wait_marks_destroyed();
	fsnotify_put_group(group);
}
