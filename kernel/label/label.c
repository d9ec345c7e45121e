// SPDX-License-Identifier: GPL-2.0-only
/* The labels of files, on disk and in memory. inode_lock() allows one change at a time. */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/srcu.h>

#include "base/credential.h"
#include "base/counter.h"
#include "base/feature.h"
#include "base/labelset.h"
#include "compat/notify_mode.h"
#include "event/notice.h"
#include "label/holder.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/open_file.h"
#include "label/origin.h"
#include "label/snapshot.h"
#include "label/xattr.h"

/* Of more shared memory than this no shadow is made. Doppelgangers then see it scrubbed. */
#define SNAPSHOT_MAX ((size_t)16 << 20)

static const struct tacet_label_hooks *hooks;

/* Hooks are on before there are labels, and stay on after them. Inside of @hooked labels stay while @active. */
DEFINE_STATIC_SRCU(hooked);
static bool active;

/* Finds the tasks that have the file open or mapped. The caller holds no lock. */
static int marked_anew(struct file *file)
{
	struct tacet_mark *mark = tacet_mark_get(file_inode(file));
	struct tacet_labelset *set;
	int error;

	tacet_open_file_watch(file);
	/* The label may have been taken away again. */
	if (!mark)
		return 0;
	set = tacet_mark_set(mark);
	tacet_mark_put(mark);
	error = hooks->mapped(file, set);
	tacet_labelset_put(set);
	return error;
}

/* The caller holds inode_lock(), and @set is on disk. A NULL @set means that the label is gone. */
static int apply_label(struct file *file, struct tacet_labelset *set, u64 source, struct file *shadow, bool *ret_new)
{
	struct tacet_mark *mark;

	if (!set) {
		tacet_mark_take_off(file_inode(file));
		return 0;
	}
	mark = tacet_mark_put_on(file_inode(file), set, source, ret_new);
	if (IS_ERR(mark))
		return PTR_ERR(mark);
	tacet_mark_saved(mark, true);
	tacet_mark_register_shadow(mark, shadow);
	tacet_mark_put(mark);
	return 0;
}

static u64 source_of(struct file *file)
{
	struct tacet_mark *mark = tacet_mark_get(file_inode(file));
	u64 source = mark ? tacet_mark_source(mark) : 0;

	if (mark)
		tacet_mark_put(mark);
	return source;
}

static int keep_label(struct file *file, struct file *shadow, bool *ret_new)
{
	struct tacet_labelset *set;
	int error;

	inode_lock(file_inode(file));
	set = tacet_xattr_read(file->f_path.dentry);
	if (!set)
		error = -ENODATA;
	else if (IS_ERR(set))
		error = PTR_ERR(set);
	else
		error = apply_label(file, set, source_of(file), shadow, ret_new);
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
	error = tacet_xattr_write(file, set);
	if (!error)
		error = apply_label(file, set, 0, shadow, ret_new);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);
	return error;
}

/* A file that is its own shadow would keep the inode open for ever, and show the very data that it should hide. */
static bool shadow_suitable(const struct file *file, const struct file *shadow)
{
	return !shadow || (S_ISREG(file_inode(shadow)->i_mode) && file_inode(shadow) != file_inode(file) &&
			   (shadow->f_mode & FMODE_READ));
}

/*
 * The label may have come with a disk or a snapshot. Nobody has told the module of the file. A label that
 * cannot be read counts as none, as it does when a person asks for it.
 */
static int find_label(struct file *file)
{
	struct tacet_labelset *set;
	bool is_new = false;
	int error;

	set = tacet_xattr_read(file->f_path.dentry);
	if (set == ERR_PTR(-ENOMEM) || set == ERR_PTR(-EIO))
		return PTR_ERR(set);
	if (IS_ERR_OR_NULL(set))
		return 0;
	error = keep_label(file, NULL, &is_new);
	if (is_new) {
		error = marked_anew(file) ?: error;
		tacet_notice_send(TACET_EVENT_LABELLED, 0, file, set, NULL);
	}
	tacet_labelset_put(set);
	/* Somebody has taken the label away meanwhile. */
	return error == -ENODATA ? 0 : error;
}

int tacet_label_opens(struct file *file)
{
	const struct inode *inode = file_inode(file);
	int index, error = 0;

	if (!S_ISREG(inode->i_mode) || !tacet_holder_is(inode->i_sb) || tacet_mark_is_on_inode(inode))
		return 0;
	index = srcu_read_lock(&hooked);
	if (READ_ONCE(active))
		error = find_label(file);
	srcu_read_unlock(&hooked, index);
	return error;
}

void tacet_label_mounted(struct super_block *sb)
{
	int index = srcu_read_lock(&hooked);

	if (READ_ONCE(active))
		tacet_holder_mounted(sb);
	srcu_read_unlock(&hooked, index);
}

int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow)
{
	struct tacet_labelset *set;
	bool is_new = false;
	int error;

	if (flags & ~TACET_LABEL_KEEP || !S_ISREG(file_inode(file)->i_mode) || !shadow_suitable(file, shadow))
		return -EINVAL;
	if (!tacet_xattr_possible(file_inode(file)))
		return -EOPNOTSUPP;
	if (flags & TACET_LABEL_KEEP) {
		error = keep_label(file, shadow, &is_new);
	} else {
		set = tacet_labelset_intern(label, GFP_KERNEL);
		if (IS_ERR(set))
			return PTR_ERR(set);
		error = set && tacet_label_backs_device(file_inode(file)) ? -EBUSY :
									    change_label(file, set, shadow, &is_new);
		tacet_labelset_put(set);
	}
	if (is_new) {
		error = marked_anew(file) ?: error;
		tacet_holder_add(file);
	}
	return error;
}

/* Returns a reference, NULL or ERR_PTR. The label in memory has at least the categories of the one on disk. */
static struct tacet_labelset *read_label(struct file *file, struct tacet_mark *mark)
{
	if (mark)
		return tacet_mark_set(mark);
	if (!tacet_xattr_possible(file_inode(file)))
		return NULL;
	return tacet_xattr_read(file->f_path.dentry);
}

int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags)
{
	struct tacet_labelset *set;
	struct tacet_mark *mark;

	if (!S_ISREG(file_inode(file)->i_mode))
		return -EINVAL;
	mark = tacet_mark_get(file_inode(file));
	*flags = mark ? tacet_mark_flags(mark) : 0;
	set = read_label(file, mark);
	if (mark)
		tacet_mark_put(mark);
	if (set == ERR_PTR(-EOPNOTSUPP))
		set = NULL;
	if (IS_ERR(set))
		return PTR_ERR(set);
	if (set)
		*label = set->label;
	else
		memset(label, 0, sizeof(*label));
	tacet_labelset_put(set);
	return 0;
}

/*
 * Returns a reference to the union of @set and the label of @file, or ERR_PTR. @ret_labelled tells
 * whether it had a label before.
 */
static struct tacet_labelset *label_with(struct file *file, struct tacet_labelset *set, bool *ret_labelled)
{
	struct tacet_mark *mark = tacet_mark_get(file_inode(file));
	struct tacet_labelset *old, *label;

	old = read_label(file, mark);
	if (mark)
		tacet_mark_put(mark);
	if (IS_ERR(old))
		return old;
	*ret_labelled = old;
	label = tacet_labelset_union(old, set, GFP_KERNEL);
	tacet_labelset_put(old);
	return label;
}

/*
 * Adds @set to the label of @file and puts the mark on the inode. The label goes to memory first, so
 * that a full disk leaves a file with its mark. @snapshot may be NULL. @ret_label is a reference to the
 * new label.
 */
static int add_label(struct file *file, struct tacet_labelset *set, u64 source, struct file *snapshot,
		     struct tacet_labelset **ret_label, bool *ret_new)
{
	bool labelled;
	struct tacet_labelset *label = label_with(file, set, &labelled);
	struct tacet_mark *mark;
	int error;

	if (IS_ERR(label))
		return PTR_ERR(label);
	/*
	 * The file's earlier content may come from any file. It may have been written before the module
	 * was loaded.
	 */
	mark = tacet_mark_put_on(file_inode(file), label, labelled ? 0 : source, ret_new);
	if (IS_ERR(mark)) {
		tacet_labelset_put(label);
		return PTR_ERR(mark);
	}
	if (*ret_new && snapshot)
		tacet_mark_freeze_shadow(mark, snapshot);
	error = tacet_mark_is_memory(file_inode(file)) ? 0 : tacet_xattr_write(file, label);
	tacet_mark_saved(mark, !error);
	tacet_mark_put(mark);
	*ret_label = label;
	return error;
}

void tacet_label_mix(struct file *file, u64 source)
{
	struct tacet_mark *mark = tacet_mark_get(file_inode(file));

	if (!mark)
		return;
	tacet_mark_mix(mark, source);
	tacet_mark_put(mark);
}

bool tacet_label_backs_device(const struct inode *inode)
{
	return !(mapping_gfp_mask(inode->i_mapping) & __GFP_IO);
}

static int derive(struct file *file, struct tacet_labelset *set, u64 source, struct file *snapshot)
{
	bool is_memory = tacet_mark_is_memory(file_inode(file));
	struct tacet_labelset *label = NULL;
	bool is_new = false;
	int error;

	might_sleep();
	if (tacet_mark_contains(file, set)) {
		tacet_label_mix(file, source);
		return 0;
	}
	if (!tacet_xattr_possible(file_inode(file)) || tacet_label_backs_device(file_inode(file)))
		return -EOPNOTSUPP;
	error = mnt_want_write(file->f_path.mnt);
	if (error)
		return error;
	inode_lock(file_inode(file));
	error = add_label(file, set, source, snapshot, &label, &is_new);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);

	if (is_new || is_memory)
		error = marked_anew(file) ?: error;
	if (is_new && !is_memory)
		tacet_holder_add(file);
	/* The daemon could not find memory, and has nothing to keep of it. */
	if (!error && !is_memory) {
		tacet_counter_add(TACET_COUNTER_DERIVED_FILES);
		tacet_notice_send(TACET_EVENT_LABELLED, 0, file, label, NULL);
	}
	tacet_labelset_put(label);
	return error;
}

int tacet_label_derive(struct file *file, struct tacet_labelset *set, u64 source)
{
	return derive(file, set, source, NULL);
}

int tacet_label_share(struct file *file, struct tacet_labelset *set)
{
	struct file *snapshot = NULL;
	size_t budget = SNAPSHOT_MAX;
	int error;

	if (tacet_mark_contains(file, set))
		return 0;
	if (tacet_mark_is_memory(file_inode(file)) && !tacet_mark_is_on(file))
		snapshot = tacet_snapshot_make(file, &budget);
	if (IS_ERR(snapshot))
		snapshot = NULL;
	error = derive(file, set, 0, snapshot);
	if (snapshot)
		fput(snapshot);
	return error;
}

bool tacet_label_stems_from(struct file *file, u64 source)
{
	return source && (tacet_origin_source_of_file(file) == source || source_of(file) == source);
}

/* The caller holds inode_lock(). @shadow may be NULL. */
static int inherit_label(struct file *file, struct tacet_labelset *set, struct file *shadow, bool *ret_new)
{
	bool labelled;
	struct tacet_labelset *label = label_with(file, set, &labelled);
	struct tacet_mark *mark;

	if (IS_ERR(label))
		return PTR_ERR(label);
	mark = tacet_mark_put_on(file_inode(file), label, 0, ret_new);
	tacet_labelset_put(label);
	if (IS_ERR(mark))
		return PTR_ERR(mark);
	if (*ret_new && shadow)
		tacet_mark_register_shadow(mark, shadow);
	tacet_mark_put(mark);
	return 0;
}

/*
 * Returns a reference to the label of the file at @below, NULL or ERR_PTR. @ret_shadow is a reference
 * to its shadow, or NULL.
 */
static struct tacet_labelset *label_below(struct dentry *below, struct file **ret_shadow)
{
	struct tacet_mark *mark = tacet_mark_get(d_inode(below));
	struct tacet_labelset *set;

	*ret_shadow = NULL;
	if (!mark) {
		/* The copy in the upper layer has the label in its own attribute. */
		set = tacet_xattr_possible(d_inode(below)) ? tacet_xattr_read(below) : NULL;
		return set == ERR_PTR(-EOPNOTSUPP) ? NULL : set;
	}
	set = tacet_mark_set(mark);
	*ret_shadow = tacet_mark_shadow(mark);
	tacet_mark_put(mark);
	return set;
}

bool tacet_label_lies_at(struct dentry *dentry)
{
	struct file *shadow;
	struct tacet_labelset *set = label_below(dentry, &shadow);

	if (IS_ERR_OR_NULL(set))
		return IS_ERR(set);
	if (shadow)
		fput(shadow);
	tacet_labelset_put(set);
	return true;
}

int tacet_label_inherit(struct file *file, struct dentry *below)
{
	struct file *shadow;
	struct tacet_labelset *set = label_below(below, &shadow);
	bool is_new = false;
	int error = 0;

	if (IS_ERR_OR_NULL(set))
		return PTR_ERR_OR_ZERO(set);
	if (!tacet_mark_contains(file, set)) {
		inode_lock(file_inode(file));
		error = inherit_label(file, set, shadow, &is_new);
		inode_unlock(file_inode(file));
	} else {
		/* The inode was labelled a moment ago, after this call to open() had looked. */
		tacet_open_file_watch_this(file);
	}
	if (is_new)
		error = marked_anew(file) ?: error;
	if (shadow)
		fput(shadow);
	tacet_labelset_put(set);
	return error;
}

struct file *tacet_label_reopen(struct file *file)
{
	struct file *again;

	if (!S_ISREG(file_inode(file)->i_mode))
		return ERR_PTR(-EINVAL);
	again = dentry_open(&file->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, tacet_credential);
	if (!IS_ERR(again))
		tacet_notify_mode_set(again, FMODE_NONOTIFY);
	return again;
}

int tacet_label_init(const struct tacet_label_hooks *uses)
{
	int error = tacet_mark_init(&uses->mark);

	hooks = uses;
	if (error)
		return error;
	WRITE_ONCE(active, true);
	tacet_holder_init();
	tacet_feature_set(TACET_FEATURE_LABELS, true);
	return 0;
}

void tacet_label_exit(void)
{
	tacet_feature_set(TACET_FEATURE_LABELS, false);
	WRITE_ONCE(active, false);
	synchronize_srcu(&hooked);
	tacet_holder_exit();
	tacet_open_file_exit();
	tacet_mark_exit();
}
