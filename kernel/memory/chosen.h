/* SPDX-License-Identifier: GPL-2.0-only */
/* Chosen programs, by the paths of their executables, and the processes that run them. */
#ifndef _TACET_MEMORY_CHOSEN_H
#define _TACET_MEMORY_CHOSEN_H

#include <linux/types.h>

struct tacet_chosen;
struct task_struct;

/*
 * Copies paths, each ended by NUL, from user space, and the path of the library that is preloaded into these
 * programs; NULL: none is. Returns ERR_PTR(-EINVAL) for a path that is not absolute or too long and for too
 * many bytes, ERR_PTR(-EFAULT) or ERR_PTR(-ENOMEM). Sleeps.
 */
struct tacet_chosen *tacet_chosen_copy(const char __user *paths, size_t size, const char __user *library);
void tacet_chosen_free(struct tacet_chosen *chosen);

/*
 * From now on these programs are chosen, and those before are not. Processes that run them already are covered, and those that run
 * others stay covered until they execute another program. Takes over @chosen, also on failure.
 * With NULL no process is covered any more. Returns 0 or -errno; the programs before stay chosen then. The caller serialises it.
 * Sleeps.
 */
int tacet_chosen_set(struct tacet_chosen *chosen);

/* The process of @task counts as one of a chosen program until it executes another one. Works in any context. */
void tacet_chosen_cover(const struct task_struct *task);
/* Tells whether the process of @task runs a chosen program. Works in any context. */
bool tacet_chosen_runs(const struct task_struct *task);
/* Tells the same, and that the policy clears stacks. Works in any context. */
bool tacet_chosen_clears_stack(const struct task_struct *task);

#endif
