/* SPDX-License-Identifier: GPL-2.0-only */
/* Who learns the names of private programs. */
#ifndef _TACET_SESSION_NAME_H
#define _TACET_SESSION_NAME_H

#include <linux/types.h>

struct dentry;
struct task_struct;

/* What others are told in place of a name. */
#define TACET_SESSION_NAME "private"

/* Calls all members so from now on. The kernel is about to log names. */
void tacet_session_unname(void);
/*
 * Tells whether the current task does not learn the name of @task, as that is in a session. Members of
 * that session and administrators do. Atomic.
 */
bool tacet_session_hides_name(struct task_struct *task);
/*
 * Puts the same name in place of the current task's and its process's in a text of @size bytes: whole
 * words, and paths whose last part begins with it. Returns whether there was any. Atomic.
 */
bool tacet_session_unname_text(char *text, size_t size);
/* As tacet_session_hides_name(), for the process that the folder @folder of /proc is about. */
bool tacet_session_hides_folder(const struct dentry *folder);
/* The same for its arguments. Those of Tacet's command line are hidden, too. */
bool tacet_session_hides_arguments(const struct dentry *folder);

#endif
