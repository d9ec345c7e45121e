/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Labelled files whose last name goes: their blocks are overwritten before the file system may use them again.
 */
#ifndef _TACET_LABEL_ERASE_H
#define _TACET_LABEL_ERASE_H

#include <linux/types.h>

struct dentry;
struct path;

/* Files that wait are left as they are. The caller makes sure that nobody removes files or unmounts any more. Sleeps. */
void tacet_erase_exit(void);

/*
 * A name of the file at @dentry is about to be removed from @directory. If the file is labelled, it is
 * overwritten once it has no name and nobody has it open. Until then its mount is in use. Sleeps, for 10
 * seconds at most while too many files of the user wait.
 */
void tacet_erase_removal(const struct path *directory, struct dentry *dentry);

/* Tells whether files wait. Atomic, for a hook. */
bool tacet_erase_pending(void);
/* Somebody is about to unmount a file system. Overwrites what can be overwritten now. Sleeps for a minute at most. */
void tacet_erase_before_unmount(void);

#endif
