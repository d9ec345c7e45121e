/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a process that has read labelled data is seen by another, which then counts as having read it. */
#ifndef _TACET_ENGINE_ACCESS_H
#define _TACET_ENGINE_ACCESS_H

struct task_struct;
struct tacet_pair;

/* The current task gets at the memory of @task. Atomic; 0, or -ENOMEM: it must not. */
int tacet_access_seen(struct task_struct *task);
/* The current task's parent, which traces it or is about to, sees what the process of @pair has read. 0 or -ENOMEM. */
int tacet_access_by_parent(struct tacet_pair *pair);

#endif
