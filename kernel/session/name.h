/* SPDX-License-Identifier: GPL-2.0-only */
/* Who learns the names of private programs. */
#ifndef _TACET_SESSION_NAME_H
#define _TACET_SESSION_NAME_H

#include <linux/types.h>

struct file;
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
/* The same for the process whose command line the file of /proc has. */
bool tacet_session_hides_command_line(const struct file *file);

#endif
