/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are read through an overlay: they have the label of what lies below. */
#ifndef _TACET_LABEL_OVERLAY_H
#define _TACET_LABEL_OVERLAY_H

#include <linux/dcache.h>

struct file;

int tacet_overlay_init(void);
/* No hook leads here any more. */
void tacet_overlay_exit(void);

/* @file is being opened, and what lies at @below is what will be read through it. 0 or -errno: it must not be. Sleeps. */
int tacet_overlay_opens(struct file *file, struct dentry *below);
/*
 * The file of an overlay at @dentry is about to be copied up. -EPERM: where the overlay is not root's the label would
 * not come along. Sleeps.
 */
int tacet_overlay_copies_up(struct dentry *dentry);
/* The inode of the file itself: in an overlay, the one in the upper layer, else in the lower. */
static inline struct inode *tacet_overlay_inode(struct dentry *dentry)
{
	return d_inode(d_real(dentry, D_REAL_METADATA));
}

#endif
