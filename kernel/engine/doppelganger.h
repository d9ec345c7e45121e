/* SPDX-License-Identifier: GPL-2.0-only */
/* The doppelganger's side of a paired call. */
#ifndef _TACET_ENGINE_DOPPELGANGER_H
#define _TACET_ENGINE_DOPPELGANGER_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_pair;
struct tacet_step;

/* A call of a doppelganger. Its result, or TACET_PASS. */
long tacet_doppelganger_call(struct tacet_entry *entry);
/* The two have gone different ways. Returns what the doppelganger's call returns on its way to death. */
long tacet_doppelganger_diverge(struct tacet_entry *entry, const char *reason);
/* Whether the call's in data are those of the original's. */
bool tacet_doppelganger_equals(struct tacet_entry *entry, const struct tacet_step *step);
/* Writes result and out data of @step into the doppelganger. Returns the result. */
long tacet_doppelganger_replay(struct tacet_entry *entry, struct tacet_step *step);
/* Runs the call in the doppelganger too and compares the results. */
long tacet_doppelganger_both(struct tacet_entry *entry, struct tacet_step *step);
/* The doppelganger's thread waits until it is the turn of @step among calls that change memory. False: it has to die. */
bool tacet_doppelganger_wait_memory(struct tacet_pair *pair, const struct tacet_step *step);
/* It was its turn, and is the next step's. */
void tacet_doppelganger_pass_memory_on(struct tacet_pair *pair, const struct tacet_step *step);

#endif
