/* SPDX-License-Identifier: GPL-2.0-only */
/* Labelled files that get shorter, or a hole: the blocks that they give up are overwritten before. */
#ifndef _TACET_LABEL_TRUNCATE_H
#define _TACET_LABEL_TRUNCATE_H

#include <linux/types.h>

struct dentry;
struct file;
struct path;

int tacet_truncate_init(void);
/* Nobody is in the functions below any more. */
void tacet_truncate_exit(void);

/* Tells whether some truncation matters. Atomic, for a hook. */
bool tacet_truncate_wanted(void);
/* The current task is about to truncate the file at @path, next of all. Returns 0 or -ENOMEM. Sleeps. */
int tacet_truncate_expect(const struct path *path);
/*
 * The current task truncates a file to @length bytes, and keeps its file system from being frozen. @file is NULL
 * if it named the file: then tacet_truncate_expect() has the path. Returns 0, or -EINTR if the task was
 * killed: a part may be zeros then, and the rest must stay in the file. Sleeps.
 */
int tacet_truncate_to(struct dentry *dentry, loff_t length, struct file *file);
/*
 * The current task calls fallocate() on @file. Otherwise like tacet_truncate_to(). Also returns -EOPNOTSUPP: such
 * a file cannot be collapsed.
 */
int tacet_truncate_range(struct file *file, int mode, loff_t offset, loff_t length);

#endif
