// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each labelled inode has a mark of fsnotify. The mark raises an event for every read, and carries the
 * label and the shadow.
 *
 * The order of locks, outermost first: inode_lock() of the labelled inode (one change of its label at a
 * time), the group's mark mutex, marks_lock, tacet_mark.lock.
 */
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/hashtable.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "base/credential.h"
#include "base/inode.h"
#include "base/labelset.h"
#include "compat/memory.h"
#include "compat/notify_mode.h"
#include "event/notice.h"
#include "label/mark.h"
#include "memory/cache.h"

#define MARK_BITS 12

/*
 * A read raises FS_ACCESS_PERM before it and FS_ACCESS after it, as the file may get its label meanwhile.
 * FS_CLOSE_WRITE tells when a new shadow file is worth making. Opens matter for guarded files only, as
 * a program is paired when it reads.
 */
#define MARK_MASK (FS_ACCESS_PERM | FS_ACCESS | FS_OPEN_PERM | FS_CLOSE_WRITE | FS_DELETE_SELF)

/**
 * struct tacet_mark - a labelled inode; lives as long as its fsnotify mark, and is freed by RCU
 * @fsnotify: pins the inode while it is attached; goes with the last link, the mount or the label
 * @node: its place in marked_inodes; writers hold marks_lock, readers use RCU
 * @rcu: frees it
 * @inode: key of @node; no reference of its own
 * @detached: the mark is going and must not enter marked_inodes any more; marks_lock
 * @set: a reference; written under inode_lock(), readers use RCU
 * @unsaved: @set has more than the label on disk, which could not be written; inode_lock(),
 *	readers use RCU
 * @source: see tacet_mark_source()
 * @lock: protects the fields below
 * @shadow: a reference to the registered shadow file, or NULL
 * @size: the inode's size when @shadow was registered
 * @modified: the inode's mtime at that time
 * @told: the daemon knows that it has to make a new shadow
 * @frozen: @shadow is current for good
 */
struct tacet_mark {
	struct fsnotify_mark fsnotify;
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
	bool frozen;
};

static const struct tacet_mark_hooks *hooks;
static struct fsnotify_group *group;
static DEFINE_HASHTABLE(marked_inodes, MARK_BITS);
static DEFINE_SPINLOCK(marks_lock);
static atomic_t marked_count = ATOMIC_INIT(0);
/* Counts marks that exist. It includes those that wait for fsnotify's worker, which calls free_mark(). */
static atomic_t marks_count = ATOMIC_INIT(0);
/* Counts inodes that are about to get their mark back, see struct survival. */
static atomic_t survivals_count = ATOMIC_INIT(0);
static bool survivals_happened;

static struct tacet_mark *mark_of(struct fsnotify_mark *fsnotify)
{
	return container_of(fsnotify, struct tacet_mark, fsnotify);
}

struct inode *tacet_mark_inode_of(struct file *file)
{
	if (unlikely(file->f_mode & FMODE_BACKING))
		return d_inode(backing_file_user_path(file)->dentry);
	return file_inode(file);
}

/* The caller holds the RCU lock. */
static struct tacet_mark *find_inode(const struct inode *inode)
{
	struct tacet_mark *mark;

	if (likely(!READ_ONCE(inode->i_fsnotify_marks)))
		return NULL;
	hash_for_each_possible_rcu(marked_inodes, mark, node, (unsigned long)inode)
		if (mark->inode == inode)
			return mark;
	return NULL;
}

/* The caller holds the RCU lock. */
static struct tacet_mark *find_file(struct file *file)
{
	/* Such a file is the module's own: the daemon reads by it, or a doppelganger's view. */
	if (FMODE_FSNOTIFY_NONE(file->f_mode) && file->f_cred == tacet_credential)
		return NULL;
	return find_inode(tacet_mark_inode_of(file));
}

bool tacet_mark_is_memory(const struct inode *inode)
{
	/* A file of O_TMPFILE may get its name later. */
	return shmem_mapping(inode->i_mapping) && !READ_ONCE(inode->i_nlink) &&
	       !(tacet_inode_state(inode) & I_LINKABLE);
}

bool tacet_mark_is_on_inode(const struct inode *inode)
{
	bool found;

	rcu_read_lock();
	found = find_inode(inode);
	rcu_read_unlock();
	return found;
}

struct tacet_mark *tacet_mark_get(struct inode *inode)
{
	struct fsnotify_mark *fsnotify = fsnotify_find_inode_mark(inode, group);

	return fsnotify ? mark_of(fsnotify) : NULL;
}

void tacet_mark_put(struct tacet_mark *mark)
{
	fsnotify_put_mark(&mark->fsnotify);
}

struct tacet_labelset *tacet_mark_set(struct tacet_mark *mark)
{
	struct tacet_labelset *set;

	rcu_read_lock();
	do {
		set = rcu_dereference(mark->set);
	} while (!refcount_inc_not_zero(&set->references));
	rcu_read_unlock();
	return set;
}

struct tacet_labelset *tacet_mark_label(struct file *file)
{
	struct tacet_labelset *set = NULL;
	struct tacet_mark *mark;

	rcu_read_lock();
	mark = find_file(file);
	if (mark)
		set = tacet_mark_set(mark);
	rcu_read_unlock();
	return set;
}

bool tacet_mark_is_on(struct file *file)
{
	bool found;

	rcu_read_lock();
	found = find_file(file);
	rcu_read_unlock();
	return found;
}

bool tacet_mark_is_silent(struct file *file)
{
	return FMODE_FSNOTIFY_NONE(file->f_mode) && file->f_mode & FMODE_READ && tacet_mark_is_on(file);
}

static int visit_silent(const void *unused, struct file *file, unsigned int fd)
{
	return tacet_mark_is_silent(file);
}

bool tacet_mark_silent_held(void)
{
	return atomic_read(&marked_count) && iterate_fd(current->files, 0, visit_silent, NULL);
}

bool tacet_mark_contains(struct file *file, const struct tacet_labelset *set)
{
	struct tacet_mark *mark;
	bool contains = !set;

	rcu_read_lock();
	mark = find_file(file);
	if (mark && !READ_ONCE(mark->unsaved))
		contains = tacet_labelset_contains(rcu_dereference(mark->set), set);
	rcu_read_unlock();
	return contains;
}

unsigned int tacet_mark_count(void)
{
	return atomic_read(&marked_count);
}

static bool shadow_current(const struct tacet_mark *mark)
{
	struct timespec64 modified = inode_get_mtime(mark->inode);

	lockdep_assert_held(&mark->lock);
	if (mark->frozen)
		return true;
	return mark->shadow && i_size_read(mark->inode) == mark->size && timespec64_equal(&modified, &mark->modified);
}

u32 tacet_mark_flags(struct tacet_mark *mark)
{
	u32 flags = TACET_LABEL_ARMED;

	spin_lock(&mark->lock);
	if (shadow_current(mark))
		flags |= TACET_LABEL_SHADOW;
	spin_unlock(&mark->lock);
	return flags;
}

/* Tells the daemon to make a new shadow file of @file, but only once until it has made one. */
static void tell_stale(struct tacet_mark *mark, struct file *file)
{
	struct tacet_labelset *set;
	bool tell;

	spin_lock(&mark->lock);
	tell = !mark->told && !shadow_current(mark) && !tacet_mark_is_memory(mark->inode);
	if (tell)
		mark->told = true;
	spin_unlock(&mark->lock);
	if (!tell)
		return;
	set = tacet_mark_set(mark);
	tacet_notice_send(TACET_EVENT_STALE, 0, file, set, NULL);
	tacet_labelset_put(set);
}

struct file *tacet_mark_shadow(struct tacet_mark *mark)
{
	struct file *shadow = NULL;

	spin_lock(&mark->lock);
	if (shadow_current(mark))
		shadow = get_file(mark->shadow);
	spin_unlock(&mark->lock);
	return shadow;
}

struct file *tacet_mark_shadow_of(struct file *file)
{
	struct tacet_mark *mark;
	struct file *shadow;

	mark = tacet_mark_get(tacet_mark_inode_of(file));
	if (!mark)
		return NULL;
	shadow = tacet_mark_shadow(mark);
	if (!shadow && READ_ONCE(mark->shadow))
		tell_stale(mark, file);
	tacet_mark_put(mark);
	return shadow;
}

static void register_shadow(struct tacet_mark *mark, struct file *shadow, bool frozen)
{
	struct file *old;

	spin_lock(&mark->lock);
	mark->frozen = frozen;
	old = mark->shadow;
	mark->shadow = shadow ? get_file(shadow) : NULL;
	mark->size = i_size_read(mark->inode);
	mark->modified = inode_get_mtime(mark->inode);
	mark->told = false;
	spin_unlock(&mark->lock);
	if (old)
		fput(old);
}

void tacet_mark_register_shadow(struct tacet_mark *mark, struct file *shadow)
{
	register_shadow(mark, shadow, false);
}

void tacet_mark_freeze_shadow(struct tacet_mark *mark, struct file *shadow)
{
	register_shadow(mark, shadow, true);
}

void tacet_mark_saved(struct tacet_mark *mark, bool saved)
{
	lockdep_assert_held_write(&mark->inode->i_rwsem);
	WRITE_ONCE(mark->unsaved, !saved);
}

u64 tacet_mark_source(struct tacet_mark *mark)
{
	return READ_ONCE(mark->source);
}

void tacet_mark_mix(struct tacet_mark *mark, u64 source)
{
	if (READ_ONCE(mark->source) != source)
		WRITE_ONCE(mark->source, 0);
}

static void replace_set(struct tacet_mark *mark, struct tacet_labelset *set)
{
	struct tacet_labelset *old;

	old = rcu_replace_pointer(mark->set, tacet_labelset_get(set), lockdep_is_held(&mark->inode->i_rwsem));
	tacet_labelset_put(old);
}

/* Returns a new mark for @inode with the caller's reference. It is not yet attached. */
static struct tacet_mark *create_mark(struct inode *inode, struct tacet_labelset *set)
{
	struct tacet_mark *mark = kzalloc(sizeof(*mark), GFP_KERNEL_ACCOUNT);

	if (!mark)
		return NULL;
	atomic_inc(&marks_count);
	fsnotify_init_mark(&mark->fsnotify, group);
	mark->fsnotify.mask = MARK_MASK;
	mark->inode = inode;
	spin_lock_init(&mark->lock);
	RCU_INIT_POINTER(mark->set, tacet_labelset_get(set));
	return mark;
}

struct tacet_mark *tacet_mark_put_on(struct inode *inode, struct tacet_labelset *set, u64 source, bool *ret_new)
{
	struct tacet_mark *mark = tacet_mark_get(inode);
	int error;

	lockdep_assert_held_write(&inode->i_rwsem);
	if (mark) {
		replace_set(mark, set);
		tacet_mark_mix(mark, source);
		*ret_new = false;
		return mark;
	}
	mark = create_mark(inode, set);
	if (!mark)
		return ERR_PTR(-ENOMEM);
	mark->source = source;
	error = fsnotify_add_inode_mark(&mark->fsnotify, inode, 0);
	if (error) {
		fsnotify_put_mark(&mark->fsnotify);
		return ERR_PTR(error);
	}
	tacet_cache_note_inode(inode);
	spin_lock(&marks_lock);
	if (!mark->detached) {
		hash_add_rcu(marked_inodes, &mark->node, (unsigned long)inode);
		atomic_inc(&marked_count);
	}
	spin_unlock(&marks_lock);
	*ret_new = true;
	return mark;
}

void tacet_mark_take_off(struct inode *inode)
{
	struct tacet_mark *mark = tacet_mark_get(inode);

	if (!mark)
		return;
	fsnotify_destroy_mark(&mark->fsnotify, group);
	tacet_mark_put(mark);
}

/**
 * struct survival - puts a mark on an inode again after fsnotify has taken the inode for deleted
 * @task_work: runs before the task that removed the last link returns to user mode
 * @work: runs where @task_work is not possible
 * @inode: pinned
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

/* Tells whether a directory entry still leads to the inode. An inode without links lives on while it is open. */
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
	struct tacet_mark *mark;
	bool new;

	inode_lock(survival->inode);
	mark = tacet_mark_put_on(survival->inode, survival->set, 0, &new);
	if (!IS_ERR(mark))
		tacet_mark_put(mark);
	/* The last file was closed before the inode got its mark, so nobody else would take the mark away. */
	if (!inode_reachable(survival->inode))
		tacet_mark_take_off(survival->inode);
	inode_unlock(survival->inode);

	tacet_labelset_put(survival->set);
	tacet_inode_unpin(survival->inode);
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
 * The last link of an inode is gone, and its marks go next. Some kernels do that even though the file
 * is still open by another name. Reads through that name would then raise no event.
 */
static void link_gone(struct tacet_mark *mark)
{
	struct inode *inode = mark->inode;
	struct survival *survival;

	if (!inode_reachable(inode) || !tacet_inode_pin(inode))
		return;
	survival = kmalloc(sizeof(*survival), GFP_KERNEL | __GFP_NOFAIL);
	survival->inode = inode;
	survival->set = tacet_mark_set(mark);
	atomic_inc(&survivals_count);
	WRITE_ONCE(survivals_happened, true);

	init_task_work(&survival->task_work, survive_in_task);
	if (!(current->flags & PF_KTHREAD) && !task_work_add(current, &survival->task_work, TWA_RESUME))
		return;
	INIT_WORK(&survival->work, survive_in_worker);
	schedule_work(&survival->work);
}

/*
 * Runs inside every opening of a labelled file and every read, at its beginning and its end, when the file's
 * last writer closes it, and when its last link goes.
 */
static int handle_event(struct fsnotify_group *unused, u32 mask, const void *data, int data_type,
			struct inode *directory, const struct qstr *name, u32 cookie,
			struct fsnotify_iter_info *iterator)
{
	struct fsnotify_mark *fsnotify = fsnotify_iter_inode_mark(iterator);
	struct file *file;

	if (!fsnotify)
		return 0;
	if (mask & FS_DELETE_SELF)
		link_gone(mark_of(fsnotify));
	/* All events but FS_DELETE_SELF carry the path in the open file. */
	if (data_type != FSNOTIFY_EVENT_PATH)
		return 0;
	file = container_of((const struct path *)data, struct file, f_path);
	if (mask & FS_ACCESS_PERM)
		return hooks->reads(file);
	if (mask & FS_ACCESS)
		hooks->has_read(file);
	if (mask & FS_OPEN_PERM)
		return hooks->opens(file);
	if (mask & FS_CLOSE_WRITE)
		tell_stale(mark_of(fsnotify), file);
	return 0;
}

/* The mark is going, for whatever reason. The inode still exists. */
static void freeing_mark(struct fsnotify_mark *fsnotify, struct fsnotify_group *unused)
{
	struct tacet_mark *mark = mark_of(fsnotify);

	spin_lock(&marks_lock);
	mark->detached = true;
	if (hash_hashed(&mark->node)) {
		hash_del_rcu(&mark->node);
		atomic_dec(&marked_count);
	}
	spin_unlock(&marks_lock);
}

static void free_mark(struct fsnotify_mark *fsnotify)
{
	struct tacet_mark *mark = mark_of(fsnotify);

	tacet_labelset_put(rcu_dereference_protected(mark->set, true));
	if (mark->shadow)
		fput(mark->shadow);
	kfree_rcu(mark, rcu);
	atomic_dec(&marks_count);
}

static const struct fsnotify_ops notify_operations = {
	.handle_event = handle_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

int tacet_mark_init(const struct tacet_mark_hooks *uses)
{
	hooks = uses;
	group = fsnotify_alloc_group(&notify_operations, 0);
	if (IS_ERR(group))
		return PTR_ERR(group);
	group->priority = FSNOTIFY_PRIO_CONTENT;
	return 0;
}

/* Returns the mark of some labelled inode, with a reference. NULL means that none is left. */
static struct fsnotify_mark *any_mark(void)
{
	struct fsnotify_mark *fsnotify;

	mutex_lock(&group->mark_mutex);
	fsnotify = list_first_entry_or_null(&group->marks_list, struct fsnotify_mark, g_list);
	if (fsnotify)
		refcount_inc(&fsnotify->refcnt);
	mutex_unlock(&group->mark_mutex);
	return fsnotify;
}

static void destroy_marks(void)
{
	struct fsnotify_mark *fsnotify;

	while ((fsnotify = any_mark())) {
		fsnotify_destroy_mark(fsnotify, group);
		fsnotify_put_mark(fsnotify);
	}
}

void tacet_mark_exit(void)
{
	struct fsnotify_group *gone;

	/* Inodes that go away at this moment may hold a mark a little longer, or get a new one. */
	for (;;) {
		destroy_marks();
		if (!atomic_read(&marks_count) && !atomic_read(&survivals_count))
			break;
		fsnotify_wait_marks_destroyed();
		schedule_timeout_uninterruptible(1);
	}
	/* A callback that has just dropped its count may still run the module's code. Wait for it. */
	fsnotify_wait_marks_destroyed();
	if (survivals_happened)
		synchronize_rcu_tasks();
	/* A hook that is on its way out finds no group and so no marks from now on. */
	gone = group;
	WRITE_ONCE(group, NULL);
	fsnotify_put_group(gone);
}
