/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In a paired process with several threads, one at a time is in user mode. The doppelganger's threads
 * take the turns that the original's had. So both halves find the same locks and queues in memory,
 * whatever they do in between. Calls still run side by side.
 */
#ifndef _TACET_PAIR_TURN_H
#define _TACET_PAIR_TURN_H

#include <linux/types.h>

#include "pair/pair.h"

/* Returns 0 or -ENOMEM. */
int tacet_turn_prepare(struct tacet_pair *pair);
/*
 * Begins the turns, for good, at the making of the doppelganger or of the second thread. None of the
 * original's threads is in user mode. Atomic.
 */
void tacet_turn_begin(struct tacet_pair *pair);
/* Begins the doppelganger's turns, as it has come to the place where its original began. */
void tacet_turn_begin_doppelganger(struct tacet_pair *pair);
/* Calls the turns off, as no doppelganger was made after all. */
void tacet_turn_call_off(struct tacet_pair *pair);
bool tacet_turn_taken_by_side(const struct tacet_task *context);

/* Tells whether the current task's half of the pair takes turns. */
static inline bool tacet_turn_taken(const struct tacet_task *context)
{
	return READ_ONCE(tacet_task_pair(context)->turns) && tacet_turn_taken_by_side(context);
}

/* Gives the turn up, as the current task has left user mode. Atomic. */
void tacet_turn_release(struct tacet_task *context);
/*
 * Waits for a turn before the task goes to user mode; killable. Returns false if it is a doppelganger
 * that has to die.
 */
bool tacet_turn_take(struct tacet_task *context);
/* Does the same for a doppelganger that goes to user mode where its original did not. */
bool tacet_turn_take_own(struct tacet_task *context);
/* Skips the turn that the original took after a call that the doppelganger leaves out. */
bool tacet_turn_pass_over(struct tacet_task *context);
/* @task, the current one or a new child, will take its turn on its way to user mode. @context is its own. Atomic. */
void tacet_turn_expect(struct tacet_task *context, struct task_struct *task);
/*
 * Clears the word that says that the thread exits (CLONE_CHILD_CLEARTID). Others look at it, so it is
 * cleared in turn.
 */
void tacet_turn_end_thread(void);

#endif
