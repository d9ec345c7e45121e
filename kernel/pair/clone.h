/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a doppelganger: a fork of the original that repeats the call in which it was made. */
#ifndef _TACET_PAIR_CLONE_H
#define _TACET_PAIR_CLONE_H

#include <linux/types.h>

struct task_struct;
struct tacet_entry;
struct tacet_task;

int tacet_clone_init(void);
void tacet_clone_exit(void);

/* The process of @entry wants a doppelganger. It gets one, or is tainted, or the call has to be restarted. */
void tacet_clone_doppelganger(struct tacet_entry *entry);
/* Sets where the doppelganger @child, or a thread of it, begins. Runs in the parent before @child can run. Atomic. */
void tacet_clone_prepare(struct tacet_task *parent, struct task_struct *child);
/* Gives a doppelganger that does not run yet to the adopter. So no wait() sees it, and it vanishes by itself. */
void tacet_clone_adopt(struct task_struct *leader);
/* Arranges the surroundings of a doppelganger at its first call. Returns false if it has to die. */
bool tacet_clone_arrange(struct tacet_entry *entry);
/* Tells whether @process has rings of requests (io_uring, aio), which are served without a system call. Atomic. */
bool tacet_clone_has_asynchronous_input(struct task_struct *process);

#endif
