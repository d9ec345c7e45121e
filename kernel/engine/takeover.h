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
 * Runs in the original, while its doppelganger waits at @step for the result. With PASS the task is the
 * doppelganger now and makes its call. With -EPERM nothing has changed. With -EINTR it failed half-way,
 * and the task dies.
 */
long tacet_takeover(struct tacet_entry *entry, struct tacet_step *step);
/* Runs in the doppelganger when step->taken_by is set. It gives its registers away, and then has to die. */
void tacet_takeover_give(struct tacet_entry *entry, struct tacet_step *step);
/* If the process goes on with scrubbed data, replaces the file that the call reads by its shadow. */
void tacet_takeover_redirect(struct tacet_entry *entry);

#endif
