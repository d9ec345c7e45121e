// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overwrites labelled files that have been removed. A worker holds the file until nobody else has it
 * open. It writes the removal to the disk first: after a crash a file either has its name and its
 * content, or no name.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "base/account.h"
#include "base/work.h"
#include "label/erase.h"
#include "label/overwrite.h"

/* So many of a user's files wait. He can keep his own open, and must not take the place of others. */
#define REMOVED_MAX 4096
#define ROOM_TIMEOUT (10 * HZ)
#define UNMOUNT_TIMEOUT (60 * HZ)
/* A file that keeps a name for so long is not going to lose it. */
#define NAME_TIMEOUT (10 * HZ)

/* The worker comes so soon, and then so often. The third is for files that have been open for OPEN_LONG. */
#define INTERVAL_FIRST (HZ / 50)
#define INTERVAL (HZ / 4)
#define INTERVAL_LATER (2 * HZ)
#define OPEN_LONG (60 * HZ)

/**
 * struct removed - a file of which a name was removed
 * @node: its place in all_removed
 * @by_inode: its place in removed_by_inode, while it is in all_removed
 * @path: a reference; it keeps the inode and the mount
 * @user: removes the name, and has the file on the account
 * @since: jiffies when a name was removed last
 * @several: so was another name
 */
struct removed {
	struct list_head node;
	struct hlist_node by_inode;
	struct path path;
	kuid_t user;
	unsigned long since;
	bool several;
};

static LIST_HEAD(all_removed);
static DEFINE_HASHTABLE(removed_by_inode, 10);
/* Guards the list, the table and what is in them. */
static DEFINE_SPINLOCK(removed_lock);
static unsigned int removed_count; /* read without the lock */
static u32 left_count;		   /* of files that have left the list; read without the lock */
static TACET_ACCOUNT(account, REMOVED_MAX);
static unsigned long last_removal; /* in jiffies */
static bool stopping;

/* Woken when a file leaves the list, and at the end of a round of the worker. */
static DECLARE_WAIT_QUEUE_HEAD(progress);
/* Rounds of the worker. Only the worker writes these. */
static u32 begun, ended;

static void visit_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(visit_work, visit_all);

bool tacet_erase_pending(void)
{
	return READ_ONCE(removed_count);
}

static struct removed *find(const struct inode *inode)
{
	struct removed *removed;

	lockdep_assert_held(&removed_lock);
	hash_for_each_possible(removed_by_inode, removed, by_inode, (unsigned long)inode)
		if (d_inode(removed->path.dentry) == inode)
			return removed;
	return NULL;
}

static void add(struct removed *removed)
{
	lockdep_assert_held(&removed_lock);
	list_add_tail(&removed->node, &all_removed);
	hash_add(removed_by_inode, &removed->by_inode, (unsigned long)d_inode(removed->path.dentry));
}

/* Returns 0, -ENOSPC when the user's files that wait do not get fewer, or -ENOMEM. */
static int wait_for_room(kuid_t user)
{
	long patience = ROOM_TIMEOUT;
	u32 left;
	int error;

	do {
		left = READ_ONCE(left_count);
		error = tacet_account_add(&account, user);
		if (error != -ENOSPC)
			break;
		patience = wait_event_killable_timeout(progress, READ_ONCE(left_count) != left, patience);
	} while (patience > 0);
	return error;
}

static void discard(struct removed *removed)
{
	path_put(&removed->path);
	tacet_account_remove(&account, removed->user);
	kfree(removed);
}

static int enter(const struct path *path)
{
	struct removed *removed = kzalloc(sizeof(*removed), GFP_KERNEL);
	struct removed *other;
	int error;

	if (!removed)
		return -ENOMEM;
	removed->user = tacet_account_user();
	error = wait_for_room(removed->user);
	if (error) {
		kfree(removed);
		return error;
	}
	removed->path = *path;
	removed->since = jiffies;
	path_get(&removed->path);
	spin_lock(&removed_lock);
	last_removal = jiffies;
	other = find(d_inode(path->dentry));
	if (other) {
		other->since = jiffies;
		other->several = true;
	} else {
		add(removed);
		WRITE_ONCE(removed_count, removed_count + 1);
	}
	spin_unlock(&removed_lock);
	if (other)
		discard(removed);
	queue_delayed_work(tacet_workqueue, &visit_work, INTERVAL_FIRST);
	return 0;
}

void tacet_erase_removal(const struct path *directory, struct dentry *dentry)
{
	const struct path path = { .mnt = directory->mnt, .dentry = dentry };
	int error;

	if (!tacet_overwrite_concerns(dentry))
		return;
	error = enter(&path);
	if (error)
		tacet_overwrite_tell_failure(error);
}

static bool has_name(const struct removed *removed)
{
	return READ_ONCE(d_inode(removed->path.dentry)->i_nlink);
}

/* A file has a dentry for each name. One that was opened by its handle may have one more. */
static bool has_other_dentries(struct inode *inode)
{
	bool has_others;

	spin_lock(&inode->i_lock);
	has_others = inode->i_dentry.first && inode->i_dentry.first->next;
	spin_unlock(&inode->i_lock);
	return has_others;
}

/*
 * The dentry is held by the task that removes the name, until it is done, and by each that has the file
 * open. A file with a name was not removed, or has one more, which may be on its way out if there were several.
 */
static bool is_due(const struct removed *removed)
{
	bool is_held = d_count(removed->path.dentry) > 1;

	if (has_name(removed))
		return (!is_held && !removed->several) || time_after(jiffies, removed->since + NAME_TIMEOUT);
	return !is_held && !has_other_dentries(d_inode(removed->path.dentry));
}

/* Returns -EAGAIN while the file system is frozen. */
static int overwrite(const struct removed *removed)
{
	const struct tacet_overwriting whole = {
		.path = &removed->path,
		.end = LLONG_MAX,
		/* The removal is in the same transaction as the number of names. */
		.commits = true,
		.stopping = &stopping,
	};

	return tacet_overwrite(&whole);
}

static void leave(struct removed *removed)
{
	discard(removed);
	spin_lock(&removed_lock);
	WRITE_ONCE(removed_count, removed_count - 1);
	WRITE_ONCE(left_count, left_count + 1);
	spin_unlock(&removed_lock);
	wake_up_all(&progress);
}

static void visit_one(struct removed *removed)
{
	int error = has_name(removed) ? 0 : overwrite(removed);

	if (error == -EAGAIN) {
		spin_lock(&removed_lock);
		add(removed);
		spin_unlock(&removed_lock);
		return;
	}
	if (error)
		tacet_overwrite_tell_failure(error);
	leave(removed);
}

static void take_due(struct list_head *due)
{
	struct removed *removed, *next;

	spin_lock(&removed_lock);
	list_for_each_entry_safe(removed, next, &all_removed, node)
		if (is_due(removed)) {
			hash_del(&removed->by_inode);
			list_move_tail(&removed->node, due);
		}
	spin_unlock(&removed_lock);
}

static void visit_all(struct work_struct *work)
{
	struct removed *removed, *next;
	LIST_HEAD(due);

	WRITE_ONCE(begun, begun + 1);
	take_due(&due);
	list_for_each_entry_safe(removed, next, &due, node) {
		list_del(&removed->node);
		visit_one(removed);
	}
	smp_store_release(&ended, begun);
	wake_up_all(&progress);
	if (READ_ONCE(removed_count) && !READ_ONCE(stopping))
		queue_delayed_work(tacet_workqueue, &visit_work,
				   time_before(jiffies, READ_ONCE(last_removal) + OPEN_LONG) ? INTERVAL :
											       INTERVAL_LATER);
}

void tacet_erase_before_unmount(void)
{
	u32 round = READ_ONCE(begun) + 1;

	if (!tacet_erase_pending())
		return;
	mod_delayed_work(tacet_workqueue, &visit_work, 0);
	wait_event_killable_timeout(progress, (s32)(smp_load_acquire(&ended) - round) >= 0, UNMOUNT_TIMEOUT);
}

void tacet_erase_exit(void)
{
	struct removed *removed, *next;

	WRITE_ONCE(stopping, true);
	cancel_delayed_work_sync(&visit_work);
	list_for_each_entry_safe(removed, next, &all_removed, node) {
		hash_del(&removed->by_inode);
		list_del(&removed->node);
		leave(removed);
	}
}
