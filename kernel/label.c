// SPDX-License-Identifier: GPL-2.0-only
/*
 * The labels of files: an fsnotify mark on each labelled inode, which raises an
 * event for every read and carries what belongs to the inode.
 *
 * Locks, outermost first: inode_lock() of the labelled inode (one change of its
 * label at a time), the group's mark mutex, armed_lock, armed.lock.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/hashtable.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include "compat/notify_mode.h"
#include "control.h"
#include "counter.h"
#include "event.h"
#include "label.h"
#include "label_disk.h"
#include "open_file.h"
#include "task.h"

#define ARMED_BITS 12

/*
 * FS_CLOSE_WRITE tells when a new shadow file is worth making. Opens are not
 * watched: a program is paired when it reads.
 */
#define ARMED_MASK (FS_ACCESS_PERM | FS_CLOSE_WRITE)

/**
 * struct armed - a labelled inode; lives as long as its mark, freed by RCU
 * @mark: pins the inode while it is attached; gone with the last link, the mount or the label
 * @node: in armed_inodes; armed_lock, readers RCU
 * @rcu: frees it
 * @inode: key of @node; no reference of its own
 * @detached: the mark is going, it must not enter armed_inodes any more; armed_lock
 * @set: a reference; written under inode_lock(), readers RCU
 * @unsaved: @set is more than what is on disk, which could not be written; inode_lock(), readers RCU
 * @lock: protects the fields below
 * @shadow: a reference, or NULL: the registered shadow file
 * @size: of the inode when @shadow was registered
 * @modified: mtime of the inode then
 * @told: the daemon knows that it has to make a new shadow
 */
struct armed {
	struct fsnotify_mark mark;
	struct hlist_node node;
	struct rcu_head rcu;
	struct inode *inode;
	bool detached;
	struct tacet_labelset __rcu *set;
	bool unsaved;
	spinlock_t lock;
	struct file *shadow;
	loff_t size;
	struct timespec64 modified;
	bool told;
};

static struct fsnotify_group *group;
static DEFINE_HASHTABLE(armed_inodes, ARMED_BITS);
static DEFINE_SPINLOCK(armed_lock);
static atomic_t armed_count = ATOMIC_INIT(0);
/* Marks that exist, also those that wait to be freed by fsnotify's worker, which runs our code then. */
static atomic_t marks_count = ATOMIC_INIT(0);

static struct armed *armed_of(struct fsnotify_mark *mark)
{
	return container_of(mark, struct armed, mark);
}

/* The inode whose label counts: that of the overlay, where @file is what lies below it (mappings). */
static struct inode *labelled_inode(struct file *file)
{
	if (unlikely(file->f_mode & FMODE_BACKING))
		return d_inode(backing_file_user_path(file)->dentry);
	return file_inode(file);
}

static struct armed *find_armed(struct file *file)
{
	struct inode *inode = labelled_inode(file);
	struct armed *armed;

	if (likely(!READ_ONCE(inode->i_fsnotify_marks)) || FMODE_FSNOTIFY_NONE(file->f_mode))
		return NULL;
	hash_for_each_possible_rcu(armed_inodes, armed, node, (unsigned long)inode)
		if (armed->inode == inode)
			return armed;
	return NULL;
}

/* With a reference to its mark. */
static struct armed *get_armed(struct inode *inode)
{
	struct fsnotify_mark *mark = fsnotify_find_inode_mark(inode, group);

	return mark ? armed_of(mark) : NULL;
}

static struct tacet_labelset *get_set(struct armed *armed)
{
	struct tacet_labelset *set;

	rcu_read_lock();
	do {
		set = rcu_dereference(armed->set);
	} while (set && !refcount_inc_not_zero(&set->references));
	rcu_read_unlock();
	return set;
}

struct tacet_labelset *tacet_label_of(struct file *file)
{
	struct tacet_labelset *set = NULL;
	struct armed *armed;

	rcu_read_lock();
	armed = find_armed(file);
	if (armed)
		set = get_set(armed);
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

unsigned int tacet_label_armed_count(void)
{
	return atomic_read(&armed_count);
}

static bool shadow_current(const struct armed *armed)
{
	struct timespec64 modified = inode_get_mtime(armed->inode);

	lockdep_assert_held(&armed->lock);
	return armed->shadow && i_size_read(armed->inode) == armed->size &&
		timespec64_equal(&modified, &armed->modified);
}

/* Tells the daemon to make a new shadow file of @file, once until it has. */
static void tell_stale(struct armed *armed, struct file *file)
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
	set = get_set(armed);
	tacet_event_notice(TACET_EVENT_STALE, 0, file, set, NULL);
	tacet_labelset_put(set);
}

struct file *tacet_label_shadow(struct file *file)
{
	struct file *shadow = NULL;
	struct armed *armed;
	bool stale;

	armed = get_armed(labelled_inode(file));
	if (!armed)
		return NULL;
	spin_lock(&armed->lock);
	if (shadow_current(armed))
		shadow = get_file(armed->shadow);
	stale = armed->shadow && !shadow;
	spin_unlock(&armed->lock);
	if (stale)
		tell_stale(armed, file);
	fsnotify_put_mark(&armed->mark);
	return shadow;
}

/* Runs inside every read of a labelled file, and as its last writer closes it. */
static int handle_event(struct fsnotify_group *unused, u32 mask, const void *data, int data_type,
			struct inode *directory, const struct qstr *name, u32 cookie,
			struct fsnotify_iter_info *iterator)
{
	struct fsnotify_mark *mark = fsnotify_iter_inode_mark(iterator);
	struct file *file;

	/* Both events carry the path in the open file. */
	if (!mark || data_type != FSNOTIFY_EVENT_PATH)
		return 0;
	file = container_of((const struct path *)data, struct file, f_path);
	if (mask & FS_ACCESS_PERM)
		return tacet_task_reads(file);
	if (mask & FS_CLOSE_WRITE)
		tell_stale(armed_of(mark), file);
	return 0;
}

static void leave_table(struct armed *armed)
{
	lockdep_assert_held(&armed_lock);
	armed->detached = true;
	if (hash_hashed(&armed->node)) {
		hash_del_rcu(&armed->node);
		atomic_dec(&armed_count);
	}
}

/* The mark is going, for whatever reason; the inode is still there. */
static void freeing_mark(struct fsnotify_mark *mark, struct fsnotify_group *unused)
{
	spin_lock(&armed_lock);
	leave_table(armed_of(mark));
	spin_unlock(&armed_lock);
}

static void free_mark(struct fsnotify_mark *mark)
{
	struct armed *armed = armed_of(mark);

	tacet_labelset_put(rcu_dereference_protected(armed->set, true));
	if (armed->shadow)
		fput(armed->shadow);
	kfree_rcu(armed, rcu);
	atomic_dec(&marks_count);
}

static const struct fsnotify_ops label_notify_ops = {
	.handle_event = handle_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

static void replace_set(struct armed *armed, struct tacet_labelset *set)
{
	struct tacet_labelset *old;

	old = rcu_replace_pointer(armed->set, tacet_labelset_get(set),
				  lockdep_is_held(&armed->inode->i_rwsem));
	tacet_labelset_put(old);
}

/* A new mark for @inode with the caller's reference to it, not yet attached. */
static struct armed *create_armed(struct inode *inode, struct tacet_labelset *set)
{
	struct armed *armed = kzalloc(sizeof(*armed), GFP_KERNEL_ACCOUNT);

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

/* @armed with the caller's reference, or ERR_PTR; @ret_new: it did not trigger before. */
static struct armed *arm(struct inode *inode, struct tacet_labelset *set, bool *ret_new)
{
	struct armed *armed = get_armed(inode);
	int error;

	lockdep_assert_held_write(&inode->i_rwsem);
	if (armed) {
		replace_set(armed, set);
		*ret_new = false;
		return armed;
	}
	armed = create_armed(inode, set);
	if (!armed)
		return ERR_PTR(-ENOMEM);
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

static void disarm(struct inode *inode)
{
	struct armed *armed = get_armed(inode);

	if (!armed)
		return;
	fsnotify_destroy_mark(&armed->mark, group);
	fsnotify_put_mark(&armed->mark);
}

static void register_shadow(struct armed *armed, struct file *shadow)
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

/* Outside of all locks: who has the file open or mapped is found. */
static void armed_anew(struct file *file)
{
	tacet_open_file_watch(file);
	tacet_task_label_mapped(file);
}

/* inode_lock() is held; @set NULL: no label any more. */
static int apply_label(struct file *file, struct tacet_labelset *set, struct file *shadow, bool *ret_new)
{
	struct armed *armed;

	if (!set) {
		disarm(file_inode(file));
		return 0;
	}
	armed = arm(file_inode(file), set, ret_new);
	if (IS_ERR(armed))
		return PTR_ERR(armed);
	WRITE_ONCE(armed->unsaved, false);
	register_shadow(armed, shadow);
	fsnotify_put_mark(&armed->mark);
	return 0;
}

static int keep_label(struct file *file, struct file *shadow, bool *ret_new)
{
	struct tacet_labelset *set;
	int error;

	inode_lock(file_inode(file));
	set = tacet_label_disk_read(file);
	if (!set)
		error = -ENODATA;
	else if (IS_ERR(set))
		error = PTR_ERR(set);
	else
		error = apply_label(file, set, shadow, ret_new);
	inode_unlock(file_inode(file));
	if (!IS_ERR(set))
		tacet_labelset_put(set);
	return error;
}

static int change_label(struct file *file, struct tacet_labelset *set, struct file *shadow, bool *ret_new)
{
	int error = mnt_want_write(file->f_path.mnt);

	if (error)
		return error;
	inode_lock(file_inode(file));
	error = tacet_label_disk_write(file, set);
	if (!error)
		error = apply_label(file, set, shadow, ret_new);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);
	return error;
}

int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow)
{
	struct tacet_labelset *set = NULL;
	bool armed_now = false;
	int error;

	if (flags & ~TACET_LABEL_KEEP || !S_ISREG(file_inode(file)->i_mode) ||
	    (shadow && !S_ISREG(file_inode(shadow)->i_mode)))
		return -EINVAL;
	if (!tacet_label_disk_possible(file_inode(file)))
		return -EOPNOTSUPP;
	if (flags & TACET_LABEL_KEEP) {
		error = keep_label(file, shadow, &armed_now);
	} else {
		set = tacet_labelset_intern(label, GFP_KERNEL);
		if (IS_ERR(set))
			return PTR_ERR(set);
		error = change_label(file, set, shadow, &armed_now);
		tacet_labelset_put(set);
	}
	if (armed_now)
		armed_anew(file);
	return error;
}

static struct tacet_labelset *read_label(struct file *file, struct armed *armed)
{
	if (armed)
		return get_set(armed);
	if (!tacet_label_disk_possible(file_inode(file)))
		return NULL;
	return tacet_label_disk_read(file);
}

int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags)
{
	struct tacet_labelset *set;
	struct armed *armed;

	if (!S_ISREG(file_inode(file)->i_mode))
		return -EINVAL;
	memset(label, 0, sizeof(*label));
	*flags = 0;
	armed = get_armed(file_inode(file));
	set = read_label(file, armed);
	if (armed) {
		spin_lock(&armed->lock);
		*flags = TACET_LABEL_ARMED | (shadow_current(armed) ? TACET_LABEL_SHADOW : 0);
		spin_unlock(&armed->lock);
		fsnotify_put_mark(&armed->mark);
	}
	if (set == ERR_PTR(-EOPNOTSUPP))
		set = NULL;
	if (IS_ERR(set))
		return PTR_ERR(set);
	if (set)
		*label = set->label;
	tacet_labelset_put(set);
	return 0;
}

/*
 * Adds @set to the label of @file and arms it. First in memory, so that a full
 * disk leaves a file that triggers; @ret_label: a reference, what it is now.
 */
static int add_label(struct file *file, struct tacet_labelset *set, struct tacet_labelset **ret_label,
		     bool *ret_new)
{
	struct inode *inode = file_inode(file);
	struct tacet_labelset *old, *all;
	struct armed *armed;
	int error;

	armed = get_armed(inode);
	old = read_label(file, armed);
	if (armed)
		fsnotify_put_mark(&armed->mark);
	if (IS_ERR(old))
		return PTR_ERR(old);
	all = tacet_labelset_union(old, set, GFP_KERNEL);
	tacet_labelset_put(old);
	if (IS_ERR(all))
		return PTR_ERR(all);

	armed = arm(inode, all, ret_new);
	if (IS_ERR(armed)) {
		tacet_labelset_put(all);
		return PTR_ERR(armed);
	}
	error = tacet_label_disk_write(file, all);
	WRITE_ONCE(armed->unsaved, error);
	fsnotify_put_mark(&armed->mark);
	*ret_label = all;
	return error;
}

static bool label_contains(struct file *file, const struct tacet_labelset *set)
{
	struct armed *armed;
	bool contains = !set;

	rcu_read_lock();
	armed = find_armed(file);
	if (armed && !READ_ONCE(armed->unsaved))
		contains = tacet_labelset_contains(rcu_dereference(armed->set), set);
	rcu_read_unlock();
	return contains;
}

int tacet_label_derive(struct file *file, struct tacet_labelset *set)
{
	struct tacet_labelset *label = NULL;
	bool armed_now = false;
	int error;

	might_sleep();
	if (label_contains(file, set))
		return 0;
	if (!tacet_label_disk_possible(file_inode(file)))
		return -EOPNOTSUPP;
	error = mnt_want_write(file->f_path.mnt);
	if (error)
		return error;
	inode_lock(file_inode(file));
	error = add_label(file, set, &label, &armed_now);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);

	if (armed_now)
		armed_anew(file);
	if (!error) {
		tacet_count(TACET_COUNTER_DERIVED_FILES);
		tacet_event_notice(TACET_EVENT_LABELLED, 0, file, label, NULL);
	}
	tacet_labelset_put(label);
	return error;
}

struct file *tacet_label_reopen(struct file *file)
{
	struct file *again;

	if (!S_ISREG(file_inode(file)->i_mode))
		return ERR_PTR(-EINVAL);
	again = dentry_open(&file->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, current_cred());
	if (!IS_ERR(again))
		tacet_notify_mode_set(again, FMODE_NONOTIFY);
	return again;
}

int tacet_label_init(void)
{
	int error = tacet_label_disk_init();

	if (error)
		return error;
	group = fsnotify_alloc_group(&label_notify_ops, 0);
	if (IS_ERR(group)) {
		tacet_label_disk_exit();
		return PTR_ERR(group);
	}
	group->priority = FSNOTIFY_PRIO_CONTENT;
	tacet_control_set_feature(TACET_FEATURE_LABELS, true);
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

void tacet_label_exit(void)
{
	struct fsnotify_mark *mark;

	tacet_control_set_feature(TACET_FEATURE_LABELS, false);
	tacet_open_file_exit();
	while ((mark = any_mark())) {
		fsnotify_destroy_mark(mark, group);
		fsnotify_put_mark(mark);
	}
	/* Inodes that go away at this moment may hold a mark a little longer. */
	while (atomic_read(&marks_count)) {
		fsnotify_wait_marks_destroyed();
		schedule_timeout_uninterruptible(1);
	}
	/* The worker that freed the last one may still be in our code. */
	fsnotify_wait_marks_destroyed();
	fsnotify_put_group(group);
	tacet_label_disk_exit();
}
