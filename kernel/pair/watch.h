/* SPDX-License-Identifier: GPL-2.0-only */
/* Brings processes under the hook. */
#ifndef _TACET_PAIR_WATCH_H
#define _TACET_PAIR_WATCH_H

#include "pair/pair.h"

struct file;
struct task_struct;
struct tacet_labelset;

/*
 * From its next call on, the process of @task is watched, or wants a doppelganger. Returns false
 * without memory. Atomic.
 */
bool tacet_watch_task(struct task_struct *task, enum tacet_pair_state state);

/*
 * Does the same for all threads of the process. Returns a reference to the pair that they belong to from now
 * on, or NULL without memory. Atomic.
 */
struct tacet_pair *tacet_watch_process(struct task_struct *process, enum tacet_pair_state state);
/*
 * The current task is under the hook as one of @pair. Once it is about to have sensitive data, what its process
 * has in memory will be cleared when it is freed, if that is the policy. Sleeps.
 */
void tacet_watch_adopt(struct tacet_pair *pair);
/* Tells whether @file is memory that programs share with their display or sound, and the current task is that. */
bool tacet_watch_exempts(struct file *file);

/*
 * The current task is about to read from the labelled @file by a system call. The permission event
 * calls this. It may sleep, and holds SRCU of fsnotify. Returns
 * 0 to go on: the task is paired or tainted already, or a thread of the kernel's;
 * -ERESTARTNOINTR to restart the call under the hook, as a pair;
 * -EPERM if the task cannot be followed (io_uring worker, unsuitable call).
 */
int tacet_watch_reads(struct file *file);
/*
 * The current task has read from the labelled @file, or mapped it. If the file got its label only while the call
 * was under way, the process is tainted. Sleep.
 */
void tacet_watch_has_read(struct file *file);
void tacet_watch_has_mapped(struct file *file);
/* The current task has data of @file already, and nobody could see what it does with it. */
void tacet_watch_kill(struct file *file);

#endif
