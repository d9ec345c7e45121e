// SPDX-License-Identifier: GPL-2.0-only
/* File systems that hold labels. */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "base/inode.h"
#include "base/symbol.h"
#include "base/work.h"
#include "label/holder.h"
#include "label/xattr.h"

/**
 * struct holder - a mounted file system that holds labels
 * @node: its place in holders; writers hold holders_lock, readers use RCU
 * @rcu: frees it
 * @sb: key; no reference of its own
 * @hold: of the root, which tells when the file system is shut down
 * @release: lets @hold go after that
 */
struct holder {
	struct hlist_node node;
	struct rcu_head rcu;
	struct super_block *sb;
	struct tacet_inode_hold *hold;
	struct work_struct release;
};

static HLIST_HEAD(holders);
static DEFINE_SPINLOCK(holders_lock);
static atomic_t holders_count = ATOMIC_INIT(0);
/* One file system is added at a time. */
static DEFINE_MUTEX(adding);

bool tacet_holder_any(void)
{
	return atomic_read(&holders_count);
}

bool tacet_holder_is(const struct super_block *sb)
{
	const struct holder *holder;
	bool found = false;

	rcu_read_lock();
	hlist_for_each_entry_rcu(holder, &holders, node)
		found = found || holder->sb == sb;
	rcu_read_unlock();
	return found;
}

static void release(struct work_struct *work)
{
	struct holder *holder = container_of(work, struct holder, release);

	tacet_inode_release(holder->hold);
	kfree_rcu(holder, rcu);
}

static void leave(struct holder *holder)
{
	lockdep_assert_held(&holders_lock);
	hlist_del_init_rcu(&holder->node);
	atomic_dec(&holders_count);
	queue_work(tacet_workqueue, &holder->release);
}

/* The file system is being shut down. */
static void root_gone(void *owner)
{
	struct holder *holder = owner;

	spin_lock(&holders_lock);
	if (!hlist_unhashed(&holder->node))
		leave(holder);
	spin_unlock(&holders_lock);
}

/* Returns whether @sb was none before. */
static bool remember(struct super_block *sb)
{
	struct tacet_inode_hold *hold;
	struct holder *holder;

	if (tacet_holder_is(sb))
		return false;
	holder = kzalloc(sizeof(*holder), GFP_KERNEL);
	if (!holder)
		return false;
	holder->sb = sb;
	INIT_WORK(&holder->release, release);
	spin_lock(&holders_lock);
	hlist_add_head_rcu(&holder->node, &holders);
	atomic_inc(&holders_count);
	spin_unlock(&holders_lock);
	hold = tacet_inode_hold(d_inode(sb->s_root), root_gone, holder);
	if (!IS_ERR(hold)) {
		holder->hold = hold;
		return true;
	}
	spin_lock(&holders_lock);
	hlist_del_init_rcu(&holder->node);
	atomic_dec(&holders_count);
	spin_unlock(&holders_lock);
	kfree_rcu(holder, rcu);
	return false;
}

/* Others have no disk that could come again, or leave labels to those below. */
static bool is_possible(const struct super_block *sb)
{
	return sb->s_type->fs_flags & FS_REQUIRES_DEV && sb->s_root && tacet_xattr_possible_in(sb);
}

void tacet_holder_mounted(struct super_block *sb)
{
	if (!is_possible(sb) || tacet_holder_is(sb) || !tacet_xattr_holds(sb->s_root))
		return;
	mutex_lock(&adding);
	remember(sb);
	mutex_unlock(&adding);
}

void tacet_holder_add(struct file *file)
{
	struct super_block *sb = d_real_inode(file->f_path.dentry)->i_sb;
	bool is_new;

	if (!is_possible(sb) || tacet_holder_is(sb))
		return;
	mutex_lock(&adding);
	is_new = remember(sb);
	mutex_unlock(&adding);
	if (is_new && tacet_xattr_write_holds(sb->s_root))
		pr_warn("%s takes no attribute that says it holds labels; they are in force until it is unmounted\n",
			sb->s_id);
}

static void visit(struct super_block *sb, void *unused)
{
	tacet_holder_mounted(sb);
}

void tacet_holder_init(void)
{
	static_call(tacet_iterate_supers)(visit, NULL);
}

void tacet_holder_exit(void)
{
	struct holder *holder;
	struct hlist_node *next;

	spin_lock(&holders_lock);
	hlist_for_each_entry_safe(holder, next, &holders, node)
		leave(holder);
	spin_unlock(&holders_lock);
	flush_workqueue(tacet_workqueue);
	rcu_barrier();
}
