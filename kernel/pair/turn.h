/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A paired process with several threads: one at a time is in user mode, and the doppelganger's take the turns
 * that the original's had. So both find in memory the same locks and queues, whatever they do in between.
 * Calls run side by side as ever.
 */
#ifndef _TACET_PAIR_TURN_H
#define _TACET_PAIR_TURN_H

#include <linux/types.h>

#include "pair/pair.h"

/* 0 or -ENOMEM. */
int tacet_turn_prepare(struct tacet_pair *pair);
/* From the making of the doppelganger, or of the second thread, on; for good. None of the original's threads is in user mode. Atomic. */
void tacet_turn_begin(struct tacet_pair *pair);
/* The doppelganger has come to where its original began. */
void tacet_turn_begin_doppelganger(struct tacet_pair *pair);
/* No doppelganger was made after all. */
void tacet_turn_call_off(struct tacet_pair *pair);
bool tacet_turn_taken_by_side(const struct tacet_task *context);

/* Tells whether the current task's half of the pair takes turns. */
static inline bool tacet_turn_taken(const struct tacet_task *context)
{
	return READ_ONCE(tacet_task_pair(context)->turns) && tacet_turn_taken_by_side(context);
}

/* The current task has left user mode. Atomic. */
void tacet_turn_release(struct tacet_task *context);
/* Before it goes to user mode: waits, killable. False: it is a doppelganger that has to die. */
bool tacet_turn_take(struct tacet_task *context);
/* The same of a doppelganger that goes where its original did not. */
bool tacet_turn_take_own(struct tacet_task *context);
/* The original took a turn after a call that the doppelganger leaves out. */
bool tacet_turn_pass_over(struct tacet_task *context);
/* @task, the current one or a new child, takes its turn on its way to user mode. @context is its own. Atomic. */
void tacet_turn_expect(struct tacet_task *context, struct task_struct *task);
/* A thread that exits says so in its memory (CLONE_CHILD_CLEARTID), which others look at: in its turn. */
void tacet_turn_end_thread(void);

#endif
