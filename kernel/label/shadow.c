// SPDX-License-Identifier: GPL-2.0-only
/*
 * A doppelganger reads shadow files instead of labelled files. Nothing here raises a permission event,
 * as the file's own read_iter is called, like in __kernel_read().
 */
#include <linux/anon_inodes.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "base/credential.h"
#include "compat/notify_mode.h"
#include "label/mark.h"
#include "label/shadow.h"

/* The program may not open shadow files, as they belong to the daemon. The credentials live from init to exit. */

void tacet_shadow_scrub(u8 *data, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		data[i] = data[i] == ' ' || (u8)(data[i] - '\t') <= '\r' - '\t' ? data[i] : 'x';
}

/*
 * Returns the number of bytes read, which is smaller only at the end of the file. Bypasses O_DIRECT,
 * which wants aligned user memory.
 */
static ssize_t read_fully(struct file *file, u8 *data, size_t size, loff_t position)
{
	size_t done = 0;

	if (!(file->f_mode & FMODE_READ) || !file->f_op->read_iter)
		return -EINVAL;
	while (done < size) {
		struct kvec vector = {
			.iov_base = data + done,
			.iov_len = min_t(size_t, size - done, MAX_RW_COUNT),
		};
		struct iov_iter iterator;
		struct kiocb iocb;
		ssize_t got;

		init_sync_kiocb(&iocb, file);
		iocb.ki_flags &= ~IOCB_DIRECT;
		iocb.ki_pos = position + done;
		iov_iter_kvec(&iterator, ITER_DEST, &vector, 1, vector.iov_len);
		got = file->f_op->read_iter(&iocb, &iterator);
		if (got < 0)
			return got;
		if (!got)
			break;
		done += got;
	}
	return done;
}

/* Reads scrubbed bytes of @original, fewer only at its end. After a failure no byte of it stays in @data. */
static ssize_t read_scrubbed(struct file *original, u8 *data, size_t size, loff_t position)
{
	ssize_t got = read_fully(original, data, size, position);

	if (got < 0)
		memset(data, 0, size);
	else
		tacet_shadow_scrub(data, got);
	return got;
}

int tacet_shadow_read(struct file *original, u8 *data, size_t size, loff_t position)
{
	ssize_t got = -ENOENT;
	struct file *shadow;

	might_sleep();
	if (position < 0)
		return -EINVAL;
	shadow = tacet_mark_shadow_of(original);
	if (shadow) {
		got = read_fully(shadow, data, size, position);
		fput(shadow);
	}
	if (got < 0)
		got = read_scrubbed(original, data, size, position);
	if (got < 0)
		return got;
	memset(data + got, 'x', size - got);
	return 0;
}

/* A view is a file of the module without content. Its private data is the labelled file, opened without events. */
static struct file *view_source(const struct file *view)
{
	return view->private_data;
}

static vm_fault_t view_fault(struct vm_fault *fault)
{
	struct file *source = view_source(fault->vma->vm_file);
	loff_t position = (loff_t)fault->pgoff << PAGE_SHIFT;
	struct page *page;
	ssize_t got;

	/* The page is charged to the process that maps it. It cannot be reclaimed, and each fault makes a new one. */
	page = alloc_page(GFP_USER | __GFP_ACCOUNT | __GFP_ZERO);
	if (!page)
		return VM_FAULT_OOM;
	got = read_scrubbed(source, page_address(page), PAGE_SIZE, position);
	if (got <= 0) {
		__free_page(page);
		return VM_FAULT_SIGBUS;
	}
	fault->page = page;
	return 0;
}

static const struct vm_operations_struct view_mapping = {
	.fault = view_fault,
};

static int view_mmap(struct file *view, struct vm_area_struct *vma)
{
	vma->vm_ops = &view_mapping;
	return 0;
}

static ssize_t view_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	u8 *chunk = kmalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t done = 0, got = 0;
	size_t copied;

	if (!chunk)
		return -ENOMEM;
	while (iov_iter_count(to)) {
		got = read_scrubbed(view_source(iocb->ki_filp), chunk, min_t(size_t, iov_iter_count(to), PAGE_SIZE),
				    iocb->ki_pos);
		if (got <= 0)
			break;
		copied = copy_to_iter(chunk, got, to);
		iocb->ki_pos += copied;
		done += copied;
		if (copied < got) {
			got = -EFAULT;
			break;
		}
	}
	kfree(chunk);
	return done ?: got;
}

static loff_t view_llseek(struct file *view, loff_t offset, int whence)
{
	return generic_file_llseek_size(view, offset, whence, MAX_LFS_FILESIZE,
					i_size_read(file_inode(view_source(view))));
}

static int view_release(struct inode *inode, struct file *view)
{
	fput(view_source(view));
	return 0;
}

static const struct file_operations view_operations = {
	.owner = THIS_MODULE,
	.llseek = view_llseek,
	.read_iter = view_read_iter,
	.mmap = view_mmap,
	.release = view_release,
};

/* Opens @original again, because a mapping must not keep the caller's file and its locks alive. */
struct file *tacet_shadow_open_source(struct file *original)
{
	struct file *source =
		kernel_file_open(&original->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, tacet_credential);

	if (!IS_ERR(source))
		tacet_notify_mode_set(source, FMODE_NONOTIFY);
	return source;
}

static struct file *open_view(struct file *original)
{
	struct file *source, *view;

	source = tacet_shadow_open_source(original);
	if (IS_ERR(source))
		return source;
	view = anon_inode_getfile_fmode("[tacet-shadow]", &view_operations, source, O_RDONLY, FMODE_PREAD);
	if (IS_ERR(view))
		fput(source);
	return view;
}

struct file *tacet_shadow_open(struct file *original)
{
	struct file *shadow, *opened = ERR_PTR(-ENOENT);

	might_sleep();
	shadow = tacet_mark_shadow_of(original);
	if (shadow) {
		/* A shorter shadow would fault where the original does not. */
		if (i_size_read(file_inode(shadow)) >= i_size_read(file_inode(original)))
			opened = dentry_open(&shadow->f_path, O_RDONLY | O_LARGEFILE, tacet_credential);
		fput(shadow);
	}
	return IS_ERR(opened) ? open_view(original) : opened;
}
