/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes come under the hook. */
#ifndef _TACET_PAIR_WATCH_H
#define _TACET_PAIR_WATCH_H

#include "pair/pair.h"

struct file;
struct task_struct;
struct tacet_labelset;

/* The process of @task is watched, or wants a doppelganger, from its next call on. False: no memory. Atomic. */
bool tacet_watch_task(struct task_struct *task, enum tacet_pair_state state);

/*
 * The current task is about to read from the labelled @file by a system call
 * (called from the permission event; may sleep, holds SRCU of fsnotify).
 * 0: go on (it is paired or tainted already, or a kernel thread of ours);
 * -ERESTARTNOINTR: the call is restarted under the hook, as a pair;
 * -EPERM: it cannot be followed (io_uring worker, unsuitable call).
 */
int tacet_watch_reads(struct file *file);

/*
 * @file has just been labelled @set: processes that have it mapped are paired from their next call on, or lose the
 * doppelganger that they have. Sleeps. -ENOMEM: not all of them.
 */
int tacet_watch_mapped(struct file *file, struct tacet_labelset *set);

#endif
