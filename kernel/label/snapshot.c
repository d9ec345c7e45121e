// SPDX-License-Identifier: GPL-2.0-only
/* Copies of shared memory. Memory that was never touched is not copied. */
#include <linux/blk_types.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>

#include "compat/memory.h"
#include "label/shadow.h"
#include "label/snapshot.h"

/* Copies [@start, @end) by way of @page. Returns 0 or -errno. */
static int copy_range(struct file *from, struct file *to, loff_t start, loff_t end, void *page)
{
	loff_t position;
	ssize_t got;

	while (start < end) {
		position = start;
		got = kernel_read(from, page, min_t(loff_t, end - start, PAGE_SIZE), &position);
		/* Somebody has cut the memory off. */
		if (!got)
			return 0;
		if (got > 0)
			got = kernel_write(to, page, got, &start);
		if (got < 0)
			return got;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int copy_content(struct file *from, struct file *to, size_t *budget)
{
	void *page = (void *)__get_free_page(GFP_KERNEL);
	loff_t start, end = 0;
	int error = 0;

	if (!page)
		return -ENOMEM;
	while (!error) {
		start = vfs_llseek(from, end, SEEK_DATA);
		if (start < 0) {
			error = start == -ENXIO ? 0 : start;
			break;
		}
		end = vfs_llseek(from, start, SEEK_HOLE);
		if (end <= start) {
			error = end < 0 ? end : 0;
			break;
		}
		error = end - start > *budget ? -EFBIG : copy_range(from, to, start, end, page);
		*budget -= min_t(loff_t, end - start, *budget);
	}
	free_page((unsigned long)page);
	return error;
}

struct file *tacet_snapshot_make(struct file *memory, size_t *budget)
{
	struct file *source, *copy;
	int error;

	if (file_inode(memory)->i_blocks > *budget >> SECTOR_SHIFT)
		return ERR_PTR(-EFBIG);
	source = tacet_shadow_open_source(memory);
	if (IS_ERR(source))
		return source;
	copy = shmem_kernel_file_setup("tacet-snapshot", i_size_read(file_inode(source)), TACET_NOT_RESERVED);
	if (!IS_ERR(copy)) {
		error = copy_content(source, copy, budget);
		if (error) {
			fput(copy);
			copy = ERR_PTR(error);
		}
	}
	fput(source);
	return copy;
}
