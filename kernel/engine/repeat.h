/* SPDX-License-Identifier: GPL-2.0-only */
/* The doppelganger repeats a step of the original. All but the first return the result of its call. */
#ifndef _TACET_ENGINE_REPEAT_H
#define _TACET_ENGINE_REPEAT_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_pair;
struct tacet_step;

/* Tells whether the data that the call passes in equals the original's. */
bool tacet_repeat_equals(struct tacet_entry *entry, const struct tacet_step *step);
/* Writes result and out data of @step into the doppelganger. */
long tacet_repeat_replay(struct tacet_entry *entry, struct tacet_step *step);
/* Does the same if the in data are equal. Otherwise the halves have diverged. */
long tacet_repeat_compared(struct tacet_entry *entry, struct tacet_step *step);
/* Runs the call in the doppelganger too and compares the results. */
long tacet_repeat_both(struct tacet_entry *entry, struct tacet_step *step);
/* Only returns the original's result. */
long tacet_repeat_nothing(struct tacet_entry *entry, struct tacet_step *step);
/* The halves have gone different ways, and the doppelganger dies. */
long tacet_repeat_diverge(struct tacet_entry *entry, const char *reason);

/*
 * Waits until it is the turn of @step among calls that change memory. Returns false if the doppelganger
 * has to die.
 */
bool tacet_repeat_wait_memory(struct tacet_pair *pair, const struct tacet_step *step);
/* Ends the turn of @step, and lets the next step have it. */
void tacet_repeat_pass_memory_on(struct tacet_pair *pair, const struct tacet_step *step);

#endif
