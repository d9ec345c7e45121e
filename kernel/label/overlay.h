/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are read through an overlay. They have the label of the file below. */
#ifndef _TACET_LABEL_OVERLAY_H
#define _TACET_LABEL_OVERLAY_H

#include <linux/dcache.h>

struct file;
struct path;

int tacet_overlay_init(void);
/* No hook calls into this file any more. */
void tacet_overlay_exit(void);

/*
 * @file is being opened, and reads of it will read the file at @below. Returns 0, or -errno if the
 * opening must fail. Sleeps.
 */
int tacet_overlay_opens(struct file *file, const struct path *below);
/*
 * The file of an overlay at @dentry is about to be copied up. Returns -EPERM if the overlay is not
 * root's, as the label would not be copied along. Sleeps.
 */
int tacet_overlay_copies_up(struct dentry *dentry);
/*
 * Returns the inode of the file itself. In an overlay that is the one in the upper layer, else the one
 * in the lower.
 */
static inline struct inode *tacet_overlay_inode(struct dentry *dentry)
{
	return d_inode(d_real(dentry, D_REAL_METADATA));
}

#endif
