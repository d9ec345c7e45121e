// SPDX-License-Identifier: GPL-2.0-only
/*
 * A labelled file below an overlay (private sessions, containers) is read through an inode of the
 * overlay's own. That inode gets the label when it is opened.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "label/label.h"
#include "label/mark.h"
#include "label/open_file.h"
#include "label/overlay.h"

static void catch_up(struct work_struct *work);
static DECLARE_WORK(catch_up_work, catch_up);
/*
 * A file may be open through an overlay, perhaps from before the module was loaded. Otherwise there is
 * nothing to catch up with.
 */
static bool overlay_seen = true;

/*
 * The layers below are read-only. A file there was opened a moment ago as any other file is. If it is on a
 * file system that holds labels, its inode has its label by now. Copies above may have labels on any.
 */
static bool may_have_label(const struct path *below)
{
	return !(below->mnt->mnt_flags & MNT_READONLY) || tacet_mark_is_on_inode(d_inode(below->dentry));
}

int tacet_overlay_opens(struct file *file, const struct path *below)
{
	WRITE_ONCE(overlay_seen, true);
	if (!may_have_label(below))
		return 0;
	/* After a copy up the overlay opens the file anew, with locks held that tacet_label_inherit() would need. */
	if (file->f_mode & FMODE_OPENED || !S_ISREG(file_inode(file)->i_mode))
		return 0;
	return tacet_label_inherit(file, below->dentry);
}

int tacet_overlay_copies_up(struct dentry *dentry)
{
	if (dentry->d_sb->s_user_ns == &init_user_ns || !d_is_reg(dentry))
		return 0;
	return tacet_label_lies_at(d_real(dentry, D_REAL_METADATA)) ? -EPERM : 0;
}

/* Returns the file below a regular file of an overlay, or NULL. Does not sleep. */
static struct dentry *dentry_below(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	if (inode->i_sb->s_magic != OVERLAYFS_SUPER_MAGIC || !S_ISREG(inode->i_mode))
		return NULL;
	return d_real(file->f_path.dentry, D_REAL_METADATA);
}

/* Takes a reference to the first file that has no label although the file below it has one. */
static int find_unlabelled(const void *result, struct file *file, unsigned int fd)
{
	struct file **found = (struct file **)result;
	struct dentry *below = dentry_below(file);

	if (below)
		WRITE_ONCE(overlay_seen, true);
	if (!below || !tacet_mark_is_on_inode(d_inode(below)) || tacet_mark_is_on_inode(file_inode(file)))
		return 0;
	*found = get_file(file);
	return 1;
}

/* The work labels these files, not the code that set the label, because that same code labels each of them. */
static void catch_up(struct work_struct *work)
{
	struct file *file;
	int error;

	/* Each round leaves one file less. Without memory, the next label or the next opening tries again. */
	do {
		file = NULL;
		WRITE_ONCE(overlay_seen, false);
		tacet_open_file_each(find_unlabelled, &file);
		if (!file)
			return;
		error = tacet_label_inherit(file, dentry_below(file));
		fput(file);
		cond_resched();
	} while (!error);
}

static void begin_to_catch_up(void)
{
	if (READ_ONCE(overlay_seen))
		schedule_work(&catch_up_work);
}

int tacet_overlay_init(void)
{
	tacet_open_file_set_listener(begin_to_catch_up);
	return 0;
}

void tacet_overlay_exit(void)
{
	tacet_open_file_set_listener(NULL);
	cancel_work_sync(&catch_up_work);
}
