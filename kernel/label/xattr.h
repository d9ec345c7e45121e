/* SPDX-License-Identifier: GPL-2.0-only */
/* The extended attribute that keeps a file's label. */
#ifndef _TACET_LABEL_XATTR_H
#define _TACET_LABEL_XATTR_H

#include <linux/compiler.h>

struct dentry;
struct file;
struct inode;
struct tacet_labelset;

int tacet_xattr_init(void);
void tacet_xattr_exit(void);

/* Tells whether the file system keeps labels out of reach of servers and other machines. */
bool tacet_xattr_possible(const struct inode *inode);

/*
 * A reference to the label on disk, NULL when there is none. ERR_PTR: -EUCLEAN
 * (corrupt, logged once per boot), -EOPNOTSUPP, -ENOMEM or what the file system says.
 */
struct tacet_labelset *tacet_xattr_read(struct dentry *dentry);

/* NULL removes. The caller holds inode_lock() and mnt_want_write(). Whoever the current task is. */
int __must_check tacet_xattr_write(struct file *file, const struct tacet_labelset *set);

#endif
