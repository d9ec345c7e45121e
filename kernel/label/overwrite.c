// SPDX-License-Identifier: GPL-2.0-only
/* Writes zeros over data of labelled files. */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/printk.h>
#include <linux/uio.h>

#include "base/credential.h"
#include "base/labelset.h"
#include "compat/notify_mode.h"
#include "label/holder.h"
#include "label/mark.h"
#include "label/overwrite.h"
#include "label/xattr.h"
#include "memory/cache.h"
#include "memory/policy.h"
#include "session/session.h"

/* One write has so many pages of zeros. */
#define PAGES_AT_ONCE 64

bool tacet_overwrite_wanted(void)
{
	return tacet_holder_any() && tacet_memory_policy_sensitive();
}

/* Other file systems write to new blocks, or have no disk. */
static bool writes_in_place(const struct super_block *sb)
{
	return sb->s_magic == EXT4_SUPER_MAGIC || sb->s_magic == XFS_SUPER_MAGIC;
}

static bool is_labelled(struct dentry *dentry)
{
	struct inode *inode = d_inode(dentry);
	struct tacet_labelset *set;

	if (tacet_mark_is_on_inode(inode))
		return true;
	if (!tacet_holder_is(inode->i_sb))
		return false;
	set = tacet_xattr_read(dentry);
	/* A label that cannot be read was one. */
	if (IS_ERR_OR_NULL(set))
		return PTR_ERR_OR_ZERO(set) == -EUCLEAN;
	tacet_labelset_put(set);
	return true;
}

bool tacet_overwrite_concerns(struct dentry *dentry)
{
	return tacet_overwrite_wanted() && !tacet_session_is_member() && d_is_reg(dentry) &&
	       writes_in_place(dentry->d_sb) && i_size_read(d_inode(dentry)) && is_labelled(dentry);
}

/* Writes @length bytes of zeros. vfs_iter_write() would hold off freezing a second time. */
static ssize_t write_pages(struct file *file, loff_t *position, size_t length)
{
	struct kvec pages[PAGES_AT_ONCE];
	struct iov_iter iterator;
	struct kiocb request;
	ssize_t written;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pages); i++)
		pages[i] = (struct kvec){ .iov_base = page_address(ZERO_PAGE(0)), .iov_len = PAGE_SIZE };
	iov_iter_kvec(&iterator, ITER_SOURCE, pages, ARRAY_SIZE(pages), length);
	init_sync_kiocb(&request, file);
	request.ki_pos = *position;
	written = file->f_op->write_iter(&request, &iterator);
	*position = request.ki_pos;
	return written;
}

static int write_zeros_at_once(const struct tacet_overwriting *overwriting, struct file *file, loff_t *position,
			       size_t length)
{
	ssize_t written;

	if (!overwriting->cannot_freeze && !file_start_write_trylock(file))
		return -EAGAIN;
	written = write_pages(file, position, length);
	if (!overwriting->cannot_freeze)
		file_end_write(file);
	cond_resched();
	if (READ_ONCE(*overwriting->stopping))
		return -EINTR;
	return written > 0 ? 0 : (int)written ?: -EIO;
}

static int write_zeros(const struct tacet_overwriting *overwriting, struct file *file, loff_t position, loff_t end)
{
	int error = 0;

	while (!error && position < end)
		error = write_zeros_at_once(overwriting, file, &position,
					    min_t(loff_t, end - position, PAGES_AT_ONCE * PAGE_SIZE));
	return error;
}

/* Holes stay, so that the disk does not get full. */
static int write_zeros_over_data(const struct tacet_overwriting *overwriting, struct file *file)
{
	loff_t last = min(i_size_read(file_inode(file)), overwriting->end);
	loff_t end = overwriting->start;
	int error = 0;

	while (!error && end < last) {
		loff_t start = vfs_llseek(file, end, SEEK_DATA);

		if (start == -ENXIO || start >= last)
			break;
		end = start < 0 ? start : vfs_llseek(file, start, SEEK_HOLE);
		error = end < 0 ? (int)end : write_zeros(overwriting, file, start, min(end, last));
	}
	return error;
}

/*
 * Writes what was changed to the disk, and takes the file's pages out of the page cache. Others may have them in a pipe
 * or a socket, and must not get zeros. Pages that are in use otherwise stay.
 */
static int detach_pages(const struct tacet_overwriting *overwriting, struct file *file)
{
	bool whole = overwriting->end >= i_size_read(file_inode(file));
	pgoff_t first = DIV_ROUND_UP_ULL(overwriting->start, PAGE_SIZE);
	/* Behind the end of the file there is nothing that stays. */
	pgoff_t end = whole ? DIV_ROUND_UP_ULL(overwriting->end, PAGE_SIZE) : overwriting->end >> PAGE_SHIFT;
	int error = overwriting->commits ? vfs_fsync(file, 0) :
					   file_write_and_wait_range(file, overwriting->start, LLONG_MAX);

	if (!error)
		tacet_cache_detach(file->f_mapping, first, end);
	return error;
}

int tacet_overwrite(const struct tacet_overwriting *overwriting)
{
	/* Nobody waits for a lease: its holder may be the one that waits for this. */
	struct file *file = dentry_open(overwriting->path, O_RDWR | O_LARGEFILE | O_NONBLOCK, tacet_credential);
	int error;

	if (IS_ERR(file))
		return PTR_ERR(file);
	tacet_notify_mode_set(file, FMODE_NONOTIFY);
	error = detach_pages(overwriting, file) ?: write_zeros_over_data(overwriting, file);
	error = error ?: file_write_and_wait_range(file, overwriting->start, LLONG_MAX);
	/* The file's reference must be gone before somebody goes on with unmounting. */
	__fput_sync(file);
	return error;
}

void tacet_overwrite_tell_failure(int error)
{
	pr_notice_ratelimited("data that a labelled file gave up is not overwritten: error %d\n", error);
}
