/* SPDX-License-Identifier: GPL-2.0-only */
/* Children of processes under the hook. */
#ifndef _TACET_ENGINE_FORK_H
#define _TACET_ENGINE_FORK_H

struct task_struct;
struct tacet_entry;
struct tacet_step;
struct tacet_task;

long tacet_fork_original(struct tacet_entry *entry);
long tacet_fork_doppelganger(struct tacet_entry *entry, struct tacet_step *step);
/* Makes the child's context ready for a task without a doppelganger. 0 or -errno for the call. */
int tacet_fork_prepare(struct tacet_entry *entry);
/* The original's child is known, and does not run yet. Atomic. */
void tacet_fork_publish(struct tacet_task *parent, struct task_struct *child);

#endif
