/* SPDX-License-Identifier: GPL-2.0-only */
/* The extended attribute that keeps a file's label. */
#ifndef _TACET_LABEL_XATTR_H
#define _TACET_LABEL_XATTR_H

#include <linux/compiler.h>

struct dentry;
struct file;
struct inode;
struct super_block;
struct tacet_labelset;

/* Tells whether the file system keeps labels out of reach of servers and other machines. */
bool tacet_xattr_possible(const struct inode *inode);
/* Does so for all regular files of a file system that has attributes. */
bool tacet_xattr_possible_in(const struct super_block *sb);

/*
 * Returns a reference to the label on disk, or NULL when there is none. The errors are -EUCLEAN
 * (corrupt, logged once per boot), -EOPNOTSUPP, -ENOMEM and those of the file system.
 */
struct tacet_labelset *tacet_xattr_read(struct dentry *dentry);

/*
 * Writes @set, or removes the attribute for NULL. The caller holds inode_lock() and mnt_want_write().
 * The current task needs no rights.
 */
int __must_check tacet_xattr_write(struct file *file, const struct tacet_labelset *set);

/* Tells whether the file system with this root says that it holds labels. Sleeps. */
bool tacet_xattr_holds(struct dentry *root);
/* Makes it say so. The caller holds no lock. Returns 0, -EROFS or an error of the file system. */
int tacet_xattr_write_holds(struct dentry *root);

#endif
