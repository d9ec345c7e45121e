/* SPDX-License-Identifier: GPL-2.0-only */
/* The original's calls become steps of the ring. */
#ifndef _TACET_ENGINE_STEP_H
#define _TACET_ENGINE_STEP_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/* Returns a step with the call and its arguments. NULL means that the pair is gone, and the caller falls back. */
struct tacet_step *tacet_step_begin(struct tacet_entry *entry);
/* Ends a call of the original: remembers a restart, notes pending signals, publishes. Returns the result. */
long tacet_step_finish(struct tacet_entry *entry, struct tacet_step *step, long result);
/* Does the same for a call that its doppelganger has compared, and in which it waits. */
long tacet_step_finish_compared(struct tacet_entry *entry, struct tacet_step *step, long result);
/* Gives both halves @result and does not run the call. It may return TACET_LOST. */
long tacet_step_answer(struct tacet_entry *entry, long result);
/* Runs a call that changes the address space, one at a time, and numbers it. */
long tacet_step_run_in_order(struct tacet_entry *entry, struct tacet_step *step);

#endif
