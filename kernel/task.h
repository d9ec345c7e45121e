/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rest of the module may ask of the interposition engine. */
#ifndef _TACET_TASK_API_H
#define _TACET_TASK_API_H

struct file;

/*
 * The current task is about to read from the labelled @file by a system call
 * (called from the permission event; may sleep, holds SRCU of fsnotify).
 * 0: go on (it is paired or tainted already, or a kernel thread of ours);
 * -ERESTARTNOINTR: the call is restarted under the hook, as a pair;
 * -EPERM: it cannot be followed (io_uring worker, unsuitable call).
 */
int tacet_task_reads(struct file *file);

/*
 * @file has just been labelled @set: tasks that have it mapped are paired from their next call on, or lose the
 * doppelganger that they have. Sleeps. -ENOMEM: not all of them.
 */
int tacet_task_label_mapped(struct file *file, struct tacet_labelset *set);

unsigned int tacet_task_watched_count(void);

#endif
