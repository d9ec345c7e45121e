/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks before a labelled file is changed, where its label has a category that is guarded. */
#ifndef _TACET_QUESTION_GUARD_H
#define _TACET_QUESTION_GUARD_H

#include <linux/types.h>

struct dentry;
struct file;
struct path;
struct tacet_guard;

int tacet_guard_init(void);
/* No hook and no event leads here any more. */
void tacet_guard_exit(void);

/* TACET_IOC_GUARD: 0, -EINVAL, -ENOMEM. */
int tacet_guard_set(const struct tacet_guard *guard);
/* Tells whether anything is guarded. Any context. */
bool tacet_guard_wanted(void);

/*
 * The current task is about to open @file; to change what lies at @path, or (@removes) to remove or replace it; to take the
 * name @dentry out of @directory. 0; -EPERM: it must not; -ERESTARTNOINTR: the call is to be left with it, and is made
 * again after the person was asked. Sleeps for memory only: directories may be locked.
 */
int tacet_guard_opens(struct file *file);
int tacet_guard_changes(const struct path *path, bool removes);
int tacet_guard_removals(const struct path *directory, struct dentry *dentry);

#endif
