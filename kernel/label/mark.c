// SPDX-License-Identifier: GPL-2.0-only
/*
 * An fsnotify mark on each labelled inode, which raises an event for every read
 * and carries what belongs to the inode.
 *
 * Locks, outermost first: inode_lock() of the labelled inode (one change of its
 * label at a time), the group's mark mutex, armed_lock, tacet_armed.lock.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/hashtable.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "base/labelset.h"
#include "compat/notify_mode.h"
#include "event/notice.h"
#include "label/label.h"
#include "label/mark.h"

#define ARMED_BITS 12

/*
 * FS_CLOSE_WRITE tells when a new shadow file is worth making. Opens are looked
 * at for guarded files only: a program is paired when it reads.
 */
#define ARMED_MASK (FS_ACCESS_PERM | FS_OPEN_PERM | FS_CLOSE_WRITE | FS_DELETE_SELF)

/**
 * struct tacet_armed - a labelled inode; lives as long as its mark, freed by RCU
 * @mark: pins the inode while it is attached; gone with the last link, the mount or the label
 * @node: in armed_inodes; armed_lock, readers RCU
 * @rcu: frees it
 * @inode: key of @node; no reference of its own
 * @detached: the mark is going, it must not enter armed_inodes any more; armed_lock
 * @set: a reference; written under inode_lock(), readers RCU
 * @unsaved: @set is more than what is on disk, which could not be written; inode_lock(), readers RCU
 * @source: see tacet_armed_source()
 * @lock: protects the fields below
 * @shadow: a reference, or NULL: the registered shadow file
 * @size: of the inode when @shadow was registered
 * @modified: mtime of the inode then
 * @told: the daemon knows that it has to make a new shadow
 */
struct tacet_armed {
	struct fsnotify_mark mark;
	struct hlist_node node;
	struct rcu_head rcu;
	struct inode *inode;
	bool detached;
	struct tacet_labelset __rcu *set;
	bool unsaved;
	u64 source;
	spinlock_t lock;
	struct file *shadow;
	loff_t size;
	struct timespec64 modified;
	bool told;
};

static const struct tacet_armed_hooks *hooks;
static struct fsnotify_group *group;
static DEFINE_HASHTABLE(armed_inodes, ARMED_BITS);
static DEFINE_SPINLOCK(armed_lock);
static atomic_t armed_count = ATOMIC_INIT(0);
/* Marks that exist, also those that wait to be freed by fsnotify's worker, which runs our code then. */
static atomic_t marks_count = ATOMIC_INIT(0);
/* Inodes on their way back, see struct survival. */
static atomic_t survivals_count = ATOMIC_INIT(0);
static bool survivals_happened;

static struct tacet_armed *armed_of(struct fsnotify_mark *mark)
{
	return container_of(mark, struct tacet_armed, mark);
}

struct inode *tacet_armed_inode_of(struct file *file)
{
	if (unlikely(file->f_mode & FMODE_BACKING))
		return d_inode(backing_file_user_path(file)->dentry);
	return file_inode(file);
}

/* Under RCU. */
static struct tacet_armed *find_inode(const struct inode *inode)
{
	struct tacet_armed *armed;

	if (likely(!READ_ONCE(inode->i_fsnotify_marks)))
		return NULL;
	hash_for_each_possible_rcu(armed_inodes, armed, node, (unsigned long)inode)
		if (armed->inode == inode)
			return armed;
	return NULL;
}

/* Under RCU. */
static struct tacet_armed *find_armed(struct file *file)
{
	return FMODE_FSNOTIFY_NONE(file->f_mode) ? NULL : find_inode(tacet_armed_inode_of(file));
}

bool tacet_armed_inode(const struct inode *inode)
{
	bool found;

	rcu_read_lock();
	found = find_inode(inode);
	rcu_read_unlock();
	return found;
}

struct tacet_armed *tacet_armed_get(struct inode *inode)
{
	struct fsnotify_mark *mark = fsnotify_find_inode_mark(inode, group);

	return mark ? armed_of(mark) : NULL;
}

void tacet_armed_put(struct tacet_armed *armed)
{
	fsnotify_put_mark(&armed->mark);
}

struct tacet_labelset *tacet_armed_set(struct tacet_armed *armed)
{
	struct tacet_labelset *set;

	rcu_read_lock();
	do {
		set = rcu_dereference(armed->set);
	} while (!refcount_inc_not_zero(&set->references));
	rcu_read_unlock();
	return set;
}

struct tacet_labelset *tacet_label_of(struct file *file)
{
	struct tacet_labelset *set = NULL;
	struct tacet_armed *armed;

	rcu_read_lock();
	armed = find_armed(file);
	if (armed)
		set = tacet_armed_set(armed);
	rcu_read_unlock();
	return set;
}

bool tacet_label_armed(struct file *file)
{
	bool found;

	rcu_read_lock();
	found = find_armed(file);
	rcu_read_unlock();
	return found;
}

bool tacet_armed_contains(struct file *file, const struct tacet_labelset *set)
{
	struct tacet_armed *armed;
	bool contains = !set;

	rcu_read_lock();
	armed = find_armed(file);
	if (armed && !READ_ONCE(armed->unsaved))
		contains = tacet_labelset_contains(rcu_dereference(armed->set), set);
	rcu_read_unlock();
	return contains;
}

unsigned int tacet_label_armed_count(void)
{
	return atomic_read(&armed_count);
}

static bool shadow_current(const struct tacet_armed *armed)
{
	struct timespec64 modified = inode_get_mtime(armed->inode);

	lockdep_assert_held(&armed->lock);
	return armed->shadow && i_size_read(armed->inode) == armed->size &&
	       timespec64_equal(&modified, &armed->modified);
}

u32 tacet_armed_flags(struct tacet_armed *armed)
{
	u32 flags = TACET_LABEL_ARMED;

	spin_lock(&armed->lock);
	if (shadow_current(armed))
		flags |= TACET_LABEL_SHADOW;
	spin_unlock(&armed->lock);
	return flags;
}

/* Tells the daemon to make a new shadow file of @file, once until it has. */
static void tell_stale(struct tacet_armed *armed, struct file *file)
{
	struct tacet_labelset *set;
	bool tell;

	spin_lock(&armed->lock);
	tell = !armed->told && !shadow_current(armed);
	if (tell)
		armed->told = true;
	spin_unlock(&armed->lock);
	if (!tell)
		return;
	set = tacet_armed_set(armed);
	tacet_notice_send(TACET_EVENT_STALE, 0, file, set, NULL);
	tacet_labelset_put(set);
}

struct file *tacet_armed_shadow(struct tacet_armed *armed)
{
	struct file *shadow = NULL;

	spin_lock(&armed->lock);
	if (shadow_current(armed))
		shadow = get_file(armed->shadow);
	spin_unlock(&armed->lock);
	return shadow;
}

struct file *tacet_label_shadow(struct file *file)
{
	struct tacet_armed *armed;
	struct file *shadow;

	armed = tacet_armed_get(tacet_armed_inode_of(file));
	if (!armed)
		return NULL;
	shadow = tacet_armed_shadow(armed);
	if (!shadow && READ_ONCE(armed->shadow))
		tell_stale(armed, file);
	tacet_armed_put(armed);
	return shadow;
}

void tacet_armed_register_shadow(struct tacet_armed *armed, struct file *shadow)
{
	struct file *old;

	spin_lock(&armed->lock);
	old = armed->shadow;
	armed->shadow = shadow ? get_file(shadow) : NULL;
	armed->size = i_size_read(armed->inode);
	armed->modified = inode_get_mtime(armed->inode);
	armed->told = false;
	spin_unlock(&armed->lock);
	if (old)
		fput(old);
}

void tacet_armed_saved(struct tacet_armed *armed, bool saved)
{
	lockdep_assert_held_write(&armed->inode->i_rwsem);
	WRITE_ONCE(armed->unsaved, !saved);
}

u64 tacet_armed_source(struct tacet_armed *armed)
{
	return READ_ONCE(armed->source);
}

void tacet_armed_mix(struct tacet_armed *armed, u64 source)
{
	if (READ_ONCE(armed->source) != source)
		WRITE_ONCE(armed->source, 0);
}

static void replace_set(struct tacet_armed *armed, struct tacet_labelset *set)
{
	struct tacet_labelset *old;

	old = rcu_replace_pointer(armed->set, tacet_labelset_get(set), lockdep_is_held(&armed->inode->i_rwsem));
	tacet_labelset_put(old);
}

/* A new mark for @inode with the caller's reference to it, not yet attached. */
static struct tacet_armed *create_armed(struct inode *inode, struct tacet_labelset *set)
{
	struct tacet_armed *armed = kzalloc(sizeof(*armed), GFP_KERNEL_ACCOUNT);

	if (!armed)
		return NULL;
	atomic_inc(&marks_count);
	fsnotify_init_mark(&armed->mark, group);
	armed->mark.mask = ARMED_MASK;
	armed->inode = inode;
	spin_lock_init(&armed->lock);
	RCU_INIT_POINTER(armed->set, tacet_labelset_get(set));
	return armed;
}

struct tacet_armed *tacet_armed_arm(struct inode *inode, struct tacet_labelset *set, u64 source, bool *ret_new)
{
	struct tacet_armed *armed = tacet_armed_get(inode);
	int error;

	lockdep_assert_held_write(&inode->i_rwsem);
	if (armed) {
		replace_set(armed, set);
		tacet_armed_mix(armed, source);
		*ret_new = false;
		return armed;
	}
	armed = create_armed(inode, set);
	if (!armed)
		return ERR_PTR(-ENOMEM);
	armed->source = source;
	error = fsnotify_add_inode_mark(&armed->mark, inode, 0);
	if (error) {
		fsnotify_put_mark(&armed->mark);
		return ERR_PTR(error);
	}
	spin_lock(&armed_lock);
	if (!armed->detached) {
		hash_add_rcu(armed_inodes, &armed->node, (unsigned long)inode);
		atomic_inc(&armed_count);
	}
	spin_unlock(&armed_lock);
	*ret_new = true;
	return armed;
}

void tacet_armed_disarm(struct inode *inode)
{
	struct tacet_armed *armed = tacet_armed_get(inode);

	if (!armed)
		return;
	fsnotify_destroy_mark(&armed->mark, group);
	tacet_armed_put(armed);
}

/**
 * struct survival - arms an inode again that fsnotify took for deleted
 * @task_work: before the task that removed the last link returns to user mode
 * @work: where that is not possible
 * @inode: a reference, and one to its superblock
 * @set: a reference
 */
struct survival {
	union {
		struct callback_head task_work;
		struct work_struct work;
	};
	struct inode *inode;
	struct tacet_labelset *set;
};

/* Whether some directory entry still leads there; with no link left, because a file is open. */
static bool inode_reachable(struct inode *inode)
{
	bool reachable;

	spin_lock(&inode->i_lock);
	reachable = !hlist_empty(&inode->i_dentry);
	spin_unlock(&inode->i_lock);
	return reachable;
}

static void survive(struct survival *survival)
{
	struct super_block *sb = survival->inode->i_sb;
	struct tacet_armed *armed;
	bool new;

	inode_lock(survival->inode);
	armed = tacet_armed_arm(survival->inode, survival->set, 0, &new);
	if (!IS_ERR(armed))
		tacet_armed_put(armed);
	/* The last file was closed before it was armed: nobody would take the mark away. */
	if (!inode_reachable(survival->inode))
		tacet_armed_disarm(survival->inode);
	inode_unlock(survival->inode);

	tacet_labelset_put(survival->set);
	iput(survival->inode);
	deactivate_super(sb);
	kfree(survival);
	atomic_dec(&survivals_count);
}

static void survive_in_task(struct callback_head *work)
{
	survive(container_of(work, struct survival, task_work));
}

static void survive_in_worker(struct work_struct *work)
{
	survive(container_of(work, struct survival, work));
}

/*
 * The last link of an inode is gone, and its marks go next. Some kernels do that
 * even though the file is still open by another name, from which it would then
 * be read without an event.
 */
static void link_gone(struct tacet_armed *armed)
{
	struct inode *inode = armed->inode;
	struct survival *survival;

	if (!inode_reachable(inode) || !atomic_inc_not_zero(&inode->i_sb->s_active))
		return;
	survival = kmalloc(sizeof(*survival), GFP_KERNEL | __GFP_NOFAIL);
	ihold(inode);
	survival->inode = inode;
	survival->set = tacet_armed_set(armed);
	atomic_inc(&survivals_count);
	WRITE_ONCE(survivals_happened, true);

	init_task_work(&survival->task_work, survive_in_task);
	if (!(current->flags & PF_KTHREAD) && !task_work_add(current, &survival->task_work, TWA_RESUME))
		return;
	INIT_WORK(&survival->work, survive_in_worker);
	schedule_work(&survival->work);
}

/* Runs inside every read and opening of a labelled file, as its last writer closes it, and as its last link goes. */
static int handle_event(struct fsnotify_group *unused, u32 mask, const void *data, int data_type,
			struct inode *directory, const struct qstr *name, u32 cookie,
			struct fsnotify_iter_info *iterator)
{
	struct fsnotify_mark *mark = fsnotify_iter_inode_mark(iterator);
	struct file *file;

	if (!mark)
		return 0;
	if (mask & FS_DELETE_SELF)
		link_gone(armed_of(mark));
	/* The others carry the path in the open file. */
	if (data_type != FSNOTIFY_EVENT_PATH)
		return 0;
	file = container_of((const struct path *)data, struct file, f_path);
	if (mask & FS_ACCESS_PERM)
		return hooks->reads(file);
	if (mask & FS_OPEN_PERM)
		return hooks->opens(file);
	if (mask & FS_CLOSE_WRITE)
		tell_stale(armed_of(mark), file);
	return 0;
}

/* The mark is going, for whatever reason; the inode is still there. */
static void freeing_mark(struct fsnotify_mark *mark, struct fsnotify_group *unused)
{
	struct tacet_armed *armed = armed_of(mark);

	spin_lock(&armed_lock);
	armed->detached = true;
	if (hash_hashed(&armed->node)) {
		hash_del_rcu(&armed->node);
		atomic_dec(&armed_count);
	}
	spin_unlock(&armed_lock);
}

static void free_mark(struct fsnotify_mark *mark)
{
	struct tacet_armed *armed = armed_of(mark);

	tacet_labelset_put(rcu_dereference_protected(armed->set, true));
	if (armed->shadow)
		fput(armed->shadow);
	kfree_rcu(armed, rcu);
	atomic_dec(&marks_count);
}

static const struct fsnotify_ops notify_operations = {
	.handle_event = handle_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

int tacet_armed_init(const struct tacet_armed_hooks *uses)
{
	hooks = uses;
	group = fsnotify_alloc_group(&notify_operations, 0);
	if (IS_ERR(group))
		return PTR_ERR(group);
	group->priority = FSNOTIFY_PRIO_CONTENT;
	return 0;
}

/* The mark of some armed inode, with a reference; NULL: none is left. */
static struct fsnotify_mark *any_mark(void)
{
	struct fsnotify_mark *mark;

	mutex_lock(&group->mark_mutex);
	mark = list_first_entry_or_null(&group->marks_list, struct fsnotify_mark, g_list);
	if (mark)
		refcount_inc(&mark->refcnt);
	mutex_unlock(&group->mark_mutex);
	return mark;
}

static void destroy_marks(void)
{
	struct fsnotify_mark *mark;

	while ((mark = any_mark())) {
		fsnotify_destroy_mark(mark, group);
		fsnotify_put_mark(mark);
	}
}

void tacet_armed_exit(void)
{
	struct fsnotify_group *gone;

	/* Inodes that go away at this moment may hold a mark a little longer, or arm themselves again. */
	for (;;) {
		destroy_marks();
		if (!atomic_read(&marks_count) && !atomic_read(&survivals_count))
			break;
		fsnotify_wait_marks_destroyed();
		schedule_timeout_uninterruptible(1);
	}
	/* What has just counted down may still be in our code. */
	fsnotify_wait_marks_destroyed();
	if (survivals_happened)
		synchronize_rcu_tasks();
	/* A hook that is on its way out looks for marks of nobody's from now on. */
	gone = group;
	WRITE_ONCE(group, NULL);
	fsnotify_put_group(gone);
}
