/* SPDX-License-Identifier: GPL-2.0-only */
/* The doppelganger takes the original's place. */
#ifndef _TACET_ENGINE_TAKEOVER_H
#define _TACET_ENGINE_TAKEOVER_H

#include <linux/types.h>

struct tacet_entry;
struct tacet_step;

/* Tells whether a takeover is possible at this call. Sleeps. */
bool tacet_takeover_possible(const struct tacet_entry *entry);
/*
 * In the original, while its doppelganger waits at @step for the result: PASS, the task
 * is the doppelganger now and makes its call; -EPERM, nothing has changed;
 * -EINTR, it failed half-way and the task dies.
 */
long tacet_takeover(struct tacet_entry *entry, struct tacet_step *step);
/* In the doppelganger, when step->taken_by is there: its registers are given away; then it has to die. */
void tacet_takeover_give(struct tacet_entry *entry, struct tacet_step *step);
/* The file that the call reads becomes its shadow where the process goes on on scrubbed data. */
void tacet_takeover_redirect(struct tacet_entry *entry);

#endif
