/* SPDX-License-Identifier: GPL-2.0-only */
/* The original's calls become steps of the ring. */
#ifndef _TACET_ENGINE_STEP_H
#define _TACET_ENGINE_STEP_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/* A step filled with the call and its arguments; NULL: the pair is gone, fall back. */
struct tacet_step *tacet_step_begin(struct tacet_entry *entry);
/* Ends a call of the original: remembers a restart, notes pending signals, publishes. Returns the result. */
long tacet_step_finish(struct tacet_entry *entry, struct tacet_step *step, long result);
/* The same of a call that its doppelganger has compared, and waits in. */
long tacet_step_finish_compared(struct tacet_entry *entry, struct tacet_step *step, long result);
/* Both get @result, and the call is not run. Or TACET_LOST. */
long tacet_step_answer(struct tacet_entry *entry, long result);
/* Runs a call that changes the address space, one at a time, and numbers it. */
long tacet_step_run_in_order(struct tacet_entry *entry, struct tacet_step *step);

#endif
