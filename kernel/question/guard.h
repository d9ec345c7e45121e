/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks before a labelled file is changed, if a category of its label is guarded. */
#ifndef _TACET_QUESTION_GUARD_H
#define _TACET_QUESTION_GUARD_H

#include <linux/types.h>

struct dentry;
struct file;
struct path;
struct tacet_guard;

/* No hook and no event calls into this file any more. */
void tacet_guard_exit(void);

/* Serves TACET_IOC_GUARD. Returns 0, -EINVAL or -ENOMEM. */
int tacet_guard_set(const struct tacet_guard *guard);
/* Tells whether any category is guarded. Works in any context. */
bool tacet_guard_wanted(void);

/*
 * The current task is about to open @file. Or it is about to change the file at @path, or with @removes
 * to remove or replace it. Or it is about to take the name @dentry out of @directory.
 *
 * Each returns 0, or -EPERM if the task must not. With -ERESTARTNOINTR the caller ends the call, which
 * comes again after the person was asked. They sleep for memory only, as directories may be locked.
 */
int tacet_guard_opens(struct file *file);
int tacet_guard_changes(const struct path *path, bool removes);
int tacet_guard_removals(const struct path *directory, struct dentry *dentry);

#endif
