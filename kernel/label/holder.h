/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * File systems that hold labels, on disks of this machine. An attribute of the root says so, and stays
 * with the disk. On such a file system a label is looked for whenever a file is opened.
 */
#ifndef _TACET_LABEL_HOLDER_H
#define _TACET_LABEL_HOLDER_H

#include <linux/types.h>

struct file;
struct super_block;

/* Looks at all file systems that are mounted. */
void tacet_holder_init(void);
void tacet_holder_exit(void);

/* Tells whether there is any. Atomic, for a hook. */
bool tacet_holder_any(void);
/* Tells whether @sb is one. Atomic. */
bool tacet_holder_is(const struct super_block *sb);
/* A file system is mounted, perhaps once more. The caller holds s_umount. Sleeps. */
void tacet_holder_mounted(struct super_block *sb);
/*
 * A label was put on @file. Remembers its file system, and writes the attribute. A disk that takes no
 * attribute is remembered until it is unmounted. The caller holds no lock. Sleeps.
 */
void tacet_holder_add(struct file *file);

#endif
