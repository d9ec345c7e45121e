/* SPDX-License-Identifier: GPL-2.0-only */
/* Children of processes under the hook. */
#ifndef _TACET_ENGINE_FORK_H
#define _TACET_ENGINE_FORK_H

struct tacet_call_ops;
struct tacet_task;
struct task_struct;

/* Publishes the fork, as the original's child is known and does not run yet. Atomic. */
void tacet_fork_publish(struct tacet_task *parent, struct task_struct *child);

extern const struct tacet_call_ops tacet_fork_ops;

#endif
