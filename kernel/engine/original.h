/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls of originals, and of watched and tainted processes. */
#ifndef _TACET_ENGINE_ORIGINAL_H
#define _TACET_ENGINE_ORIGINAL_H

struct tacet_entry;

/* Deals with a call of the current task, which is no doppelganger. Returns its result, or TACET_PASS. */
long tacet_original_call(struct tacet_entry *entry);
/* The task's own filter has answered the call with @result. */
void tacet_original_answered(struct tacet_entry *entry, long result);

#endif
