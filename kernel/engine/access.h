/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that sees the memory of one that has read labelled data counts as having read it. */
#ifndef _TACET_ENGINE_ACCESS_H
#define _TACET_ENGINE_ACCESS_H

struct task_struct;
struct tacet_pair;

/* The current task gets at the memory of @task. Returns 0, or -ENOMEM if it must not. Atomic. */
int tacet_access_seen(struct task_struct *task);
/*
 * The current task's parent traces it, or is about to. So the parent sees the data that the process of
 * @pair has read. Returns 0 or -ENOMEM.
 */
int tacet_access_by_parent(struct tacet_pair *pair);
/*
 * The current process, of @pair, gets labelled data. So do those that have opened its memory before.
 * Returns 0 or -ENOMEM.
 */
int tacet_access_grown(struct tacet_pair *pair);
/* No task is in the functions above any more. */
void tacet_access_exit(void);

#endif
