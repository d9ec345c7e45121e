// SPDX-License-Identifier: GPL-2.0-only
/* The labels of files: on disk and in memory, one change at a time under inode_lock(). */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/sched.h>

#include "base/counter.h"
#include "base/feature.h"
#include "base/labelset.h"
#include "compat/notify_mode.h"
#include "event/notice.h"
#include "label/label.h"
#include "label/mark.h"
#include "label/open_file.h"
#include "label/origin.h"
#include "label/xattr.h"

static const struct tacet_label_hooks *hooks;

/* Outside of all locks: who has the file open or mapped is found. */
static int armed_anew(struct file *file)
{
	struct tacet_armed *armed = tacet_armed_get(file_inode(file));
	struct tacet_labelset *set;
	int error;

	tacet_open_file_watch(file);
	/* Its label may have been taken away again. */
	if (!armed)
		return 0;
	set = tacet_armed_set(armed);
	tacet_armed_put(armed);
	error = hooks->mapped(file, set);
	tacet_labelset_put(set);
	return error;
}

/* inode_lock() is held; @set is on disk. NULL: no label any more. */
static int apply_label(struct file *file, struct tacet_labelset *set, u64 source, struct file *shadow, bool *ret_new)
{
	struct tacet_armed *armed;

	if (!set) {
		tacet_armed_disarm(file_inode(file));
		return 0;
	}
	armed = tacet_armed_arm(file_inode(file), set, source, ret_new);
	if (IS_ERR(armed))
		return PTR_ERR(armed);
	tacet_armed_saved(armed, true);
	tacet_armed_register_shadow(armed, shadow);
	tacet_armed_put(armed);
	return 0;
}

static u64 source_of(struct file *file)
{
	struct tacet_armed *armed = tacet_armed_get(file_inode(file));
	u64 source = armed ? tacet_armed_source(armed) : 0;

	if (armed)
		tacet_armed_put(armed);
	return source;
}

static int keep_label(struct file *file, struct file *shadow, bool *ret_new)
{
	struct tacet_labelset *set;
	int error;

	inode_lock(file_inode(file));
	set = tacet_label_disk_read(file->f_path.dentry);
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
	error = tacet_label_disk_write(file, set);
	if (!error)
		error = apply_label(file, set, 0, shadow, ret_new);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);
	return error;
}

/* A shadow of itself would keep the inode open for ever, and show what it is to hide. */
static bool shadow_suitable(const struct file *file, const struct file *shadow)
{
	return !shadow || (S_ISREG(file_inode(shadow)->i_mode) && file_inode(shadow) != file_inode(file) &&
			   (shadow->f_mode & FMODE_READ));
}

int tacet_label_set(struct file *file, const struct tacet_label *label, u32 flags, struct file *shadow)
{
	struct tacet_labelset *set;
	bool armed_now = false;
	int error;

	if (flags & ~TACET_LABEL_KEEP || !S_ISREG(file_inode(file)->i_mode) || !shadow_suitable(file, shadow))
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
		error = armed_anew(file) ?: error;
	return error;
}

/* A reference, NULL or ERR_PTR. What is in memory is at least what is on disk. */
static struct tacet_labelset *read_label(struct file *file, struct tacet_armed *armed)
{
	if (armed)
		return tacet_armed_set(armed);
	if (!tacet_label_disk_possible(file_inode(file)))
		return NULL;
	return tacet_label_disk_read(file->f_path.dentry);
}

int tacet_label_get(struct file *file, struct tacet_label *label, u32 *flags)
{
	struct tacet_labelset *set;
	struct tacet_armed *armed;

	if (!S_ISREG(file_inode(file)->i_mode))
		return -EINVAL;
	armed = tacet_armed_get(file_inode(file));
	*flags = armed ? tacet_armed_flags(armed) : 0;
	set = read_label(file, armed);
	if (armed)
		tacet_armed_put(armed);
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

/* A reference to what the label of @file is with @set, or ERR_PTR. @ret_labelled: it had one before. */
static struct tacet_labelset *label_with(struct file *file, struct tacet_labelset *set, bool *ret_labelled)
{
	struct tacet_armed *armed = tacet_armed_get(file_inode(file));
	struct tacet_labelset *old, *label;

	old = read_label(file, armed);
	if (armed)
		tacet_armed_put(armed);
	if (IS_ERR(old))
		return old;
	*ret_labelled = old;
	label = tacet_labelset_union(old, set, GFP_KERNEL);
	tacet_labelset_put(old);
	return label;
}

/*
 * Adds @set to the label of @file and arms it. First in memory, so that a full
 * disk leaves a file that triggers; @ret_label: a reference, what it is now.
 */
static int add_label(struct file *file, struct tacet_labelset *set, u64 source, struct tacet_labelset **ret_label,
		     bool *ret_new)
{
	bool labelled;
	struct tacet_labelset *label = label_with(file, set, &labelled);
	struct tacet_armed *armed;
	int error;

	if (IS_ERR(label))
		return PTR_ERR(label);
	/* What it held before, perhaps from before the module came, may be of any file. */
	armed = tacet_armed_arm(file_inode(file), label, labelled ? 0 : source, ret_new);
	if (IS_ERR(armed)) {
		tacet_labelset_put(label);
		return PTR_ERR(armed);
	}
	error = tacet_label_disk_write(file, label);
	tacet_armed_saved(armed, !error);
	tacet_armed_put(armed);
	*ret_label = label;
	return error;
}

void tacet_label_mix(struct file *file, u64 source)
{
	struct tacet_armed *armed = tacet_armed_get(file_inode(file));

	if (!armed)
		return;
	tacet_armed_mix(armed, source);
	tacet_armed_put(armed);
}

int tacet_label_derive(struct file *file, struct tacet_labelset *set, u64 source)
{
	struct tacet_labelset *label = NULL;
	bool armed_now = false;
	int error;

	might_sleep();
	if (tacet_armed_contains(file, set)) {
		tacet_label_mix(file, source);
		return 0;
	}
	if (!tacet_label_disk_possible(file_inode(file)))
		return -EOPNOTSUPP;
	error = mnt_want_write(file->f_path.mnt);
	if (error)
		return error;
	inode_lock(file_inode(file));
	error = add_label(file, set, source, &label, &armed_now);
	inode_unlock(file_inode(file));
	mnt_drop_write(file->f_path.mnt);

	if (armed_now)
		error = armed_anew(file) ?: error;
	if (!error) {
		tacet_counter_add(TACET_COUNTER_DERIVED_FILES);
		tacet_notice_send(TACET_EVENT_LABELLED, 0, file, label, NULL);
	}
	tacet_labelset_put(label);
	return error;
}

bool tacet_label_stems_from(struct file *file, u64 source)
{
	return source && (tacet_origin_source_of_file(file) == source || source_of(file) == source);
}

/* inode_lock() is held. @shadow may be NULL. */
static int inherit_label(struct file *file, struct tacet_labelset *set, struct file *shadow, bool *ret_new)
{
	bool labelled;
	struct tacet_labelset *label = label_with(file, set, &labelled);
	struct tacet_armed *armed;

	if (IS_ERR(label))
		return PTR_ERR(label);
	armed = tacet_armed_arm(file_inode(file), label, 0, ret_new);
	tacet_labelset_put(label);
	if (IS_ERR(armed))
		return PTR_ERR(armed);
	if (*ret_new && shadow)
		tacet_armed_register_shadow(armed, shadow);
	tacet_armed_put(armed);
	return 0;
}

/* The label of what lies at @below: a reference, NULL or ERR_PTR; and its shadow, a reference or NULL. */
static struct tacet_labelset *label_below(struct dentry *below, struct file **ret_shadow)
{
	struct tacet_armed *armed = tacet_armed_get(d_inode(below));
	struct tacet_labelset *set;

	*ret_shadow = NULL;
	if (!armed) {
		/* What was copied up took its label along. */
		set = tacet_label_disk_possible(d_inode(below)) ? tacet_label_disk_read(below) : NULL;
		return set == ERR_PTR(-EOPNOTSUPP) ? NULL : set;
	}
	set = tacet_armed_set(armed);
	*ret_shadow = tacet_armed_shadow(armed);
	tacet_armed_put(armed);
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
	bool armed_now = false;
	int error = 0;

	if (IS_ERR_OR_NULL(set))
		return PTR_ERR_OR_ZERO(set);
	if (!tacet_armed_contains(file, set)) {
		inode_lock(file_inode(file));
		error = inherit_label(file, set, shadow, &armed_now);
		inode_unlock(file_inode(file));
	} else {
		/* The inode was labelled a moment ago, after this opening had looked. */
		tacet_open_file_watch_this(file);
	}
	if (armed_now)
		error = armed_anew(file) ?: error;
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
	again = dentry_open(&file->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, current_cred());
	if (!IS_ERR(again))
		tacet_notify_mode_set(again, FMODE_NONOTIFY);
	return again;
}

int tacet_label_init(const struct tacet_label_hooks *uses)
{
	int error = tacet_label_disk_init();

	hooks = uses;
	if (error)
		return error;
	error = tacet_armed_init(&uses->armed);
	if (error)
		goto exit_disk;
	tacet_feature_set(TACET_FEATURE_LABELS, true);
	return 0;

exit_disk:
	tacet_label_disk_exit();
	return error;
}

void tacet_label_exit(void)
{
	tacet_feature_set(TACET_FEATURE_LABELS, false);
	tacet_open_file_exit();
	tacet_armed_exit();
	tacet_label_disk_exit();
}
