/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Zeros over data of labelled files, before the file system may use its blocks again. This works on
 * ext2, ext3, ext4 and XFS, which write a file's data in place.
 */
#ifndef _TACET_LABEL_OVERWRITE_H
#define _TACET_LABEL_OVERWRITE_H

#include <linux/types.h>

struct dentry;
struct path;

/**
 * struct tacet_overwriting - what is to be overwritten
 * @path: of the file
 * @start: the first byte
 * @end: the byte after the last; the file may be shorter
 * @commits: what was changed of the file, as its names, is written to the disk first
 * @cannot_freeze: somebody keeps the file system from being frozen meanwhile
 * @stopping: ends it early, once it is set
 */
struct tacet_overwriting {
	const struct path *path;
	loff_t start;
	loff_t end;
	bool commits;
	bool cannot_freeze;
	const bool *stopping;
};

/* Tells whether any file matters. Atomic, for a hook. */
bool tacet_overwrite_wanted(void);
/*
 * Tells whether the file at @dentry does: it has data and a label, and lies on such a file system. What a private
 * session gives up does not, as it is encrypted with the session's key. Sleeps.
 */
bool tacet_overwrite_concerns(struct dentry *dentry);
/*
 * The zeros are on the disk when it returns. Holes stay holes. For the module's workers only: other tasks
 * would be asked about the file that it opens. Returns 0, -EAGAIN while the file system is frozen, -EINTR
 * if it was stopped, or an error of the file system. Sleeps.
 */
int tacet_overwrite(const struct tacet_overwriting *overwriting);
/* Tells the kernel's log, not too often. */
void tacet_overwrite_tell_failure(int error);

#endif
