/* SPDX-License-Identifier: GPL-2.0-only */
/* The making of a doppelganger: a fork of the original that repeats the call it was made in. */
#ifndef _TACET_PAIR_CLONE_H
#define _TACET_PAIR_CLONE_H

#include <linux/types.h>

struct task_struct;
struct tacet_entry;
struct tacet_task;

int tacet_clone_init(void);
void tacet_clone_exit(void);

/* The process of @entry, which wants a doppelganger, gets one, or is tainted; or the call is to be restarted. */
void tacet_clone_doppelganger(struct tacet_entry *entry);
/* In the parent, before the doppelganger @child, or a thread of it, can run: where it begins. Atomic. */
void tacet_clone_prepare(struct tacet_task *parent, struct task_struct *child);
/* A doppelganger that does not run yet becomes nobody's child: no wait() sees it, and it vanishes by itself. */
void tacet_clone_adopt(struct task_struct *leader);
/* First entry of a doppelganger: arranges its surroundings. False: it has to die. */
bool tacet_clone_arrange(struct tacet_entry *entry);
/* Tells whether @process has rings of requests (io_uring, aio), which are served without a system call. Atomic. */
bool tacet_clone_has_asynchronous_input(struct task_struct *process);

#endif
